//! The pre-tokenizers of real vocabularies are known by their hashes; those of new vocabularies are asked for.

use std::path::Path;

use gguf_convert::model::entries::{Entries, EntryValue};
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::vocabulary::{Vocabulary, VocabularyInput};
use gguf_format::{ErrorCode, Header, Value};
use serde_json::{Value as Json, json};

use super::conversions::{config_with_defaults, small_files};
use crate::corpus;

/// The texts of an array of a header.
fn texts(header: &Header, key: &str) -> Vec<String> {
    let array = header.get(key).unwrap().value().as_array().unwrap();
    array.iter().map(|element| element.as_str().unwrap().to_string()).collect()
}

/// The numbers of an array of a header.
fn types(header: &Header) -> Vec<i32> {
    let array = header.get("tokenizer.ggml.token_type").unwrap().value().as_array().unwrap();
    array
        .iter()
        .map(|element| match element {
            Value::Int32(number) => number,
            other => panic!("{other:?}"),
        })
        .collect()
}

/// The tokens of a header that are added tokens, as `tokenizer.json` lists them.
fn added_tokens(tokens: &[String], types: &[i32]) -> Json {
    let added = tokens.iter().zip(types).enumerate().filter(|(_, (_, token_type))| matches!(token_type, 3 | 4));
    added
        .map(|(id, (text, token_type))| json!({ "id": id, "content": text, "special": *token_type == 3, "normalized": *token_type == 4 }))
        .collect()
}

/// A folder with the tokenizer of a GGUF file with byte-pair encoding.
fn byte_pair_files(path: &Path, pre_tokenizer: &Json, config: &Json) -> SmallFiles {
    let header = gguf_format::parse(&corpus::read(path)).unwrap();
    let (tokens, types) = (texts(&header, "tokenizer.ggml.tokens"), types(&header));
    let ids: serde_json::Map<String, Json> =
        tokens.iter().enumerate().map(|(id, text)| (text.clone(), id.into())).collect();
    let tokenizer = json!({
        "added_tokens": added_tokens(&tokens, &types),
        "pre_tokenizer": pre_tokenizer,
        "decoder": { "type": "ByteLevel" },
        "model": { "type": "BPE", "vocab": ids, "merges": texts(&header, "tokenizer.ggml.merges") },
    });
    files(&tokenizer, config)
}

fn files(tokenizer: &Json, config: &Json) -> SmallFiles {
    let mut files = SmallFiles::default();
    files.insert("tokenizer.json", tokenizer.to_string().into_bytes());
    files.insert("tokenizer_config.json", config.to_string().into_bytes());
    files
}

/// The value of `tokenizer.ggml.pre` that is found.
fn found_name(vocabulary: Vocabulary, files: &SmallFiles) -> Result<String, gguf_format::Error> {
    let input = VocabularyInput { files, config: &json!({}), pre: None };
    let mut entries = Entries::default();
    vocabulary.add_entries(&input, &mut entries)?;
    assert_eq!(vocabulary.pre_tokenizer_question(&input).unwrap(), None);
    let value = entries.iter().find(|(key, _)| *key == "tokenizer.ggml.pre").unwrap().1.clone();
    let EntryValue::String(text) = value else { panic!("{value:?}") };
    Ok(String::from_utf8(text).unwrap())
}

fn byte_level(uses_expression: bool) -> Json {
    json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": uses_expression })
}

fn split(expression: &str) -> Json {
    json!({ "type": "Split", "pattern": { "Regex": expression }, "behavior": "Isolated", "invert": false })
}

fn sequence(steps: &[Json]) -> Json {
    json!({ "type": "Sequence", "pretokenizers": steps })
}

#[test]
fn real_byte_level_vocabularies_are_known() {
    let Some(folder) = corpus::folder() else { return };
    let digits = json!({ "type": "Digits", "individual_digits": true });
    let gpt2 = json!({ "tokenizer_class": "GPT2Tokenizer" });
    let deepseek = sequence(&[
        split("[\r\n]"),
        split(r"\s?\p{L}+"),
        split(r"\s?\p{P}+"),
        split("[一-龥ࠀ-一가-퟿]+"),
        digits.clone(),
        byte_level(false),
    ]);
    let llama = json!({
        "tokenizer_class": "LlamaTokenizerFast", "add_bos_token": true,
        "bos_token": "<｜begin▁of▁sentence｜>", "eos_token": "<｜end▁of▁sentence｜>", "unk_token": null,
    });
    for (file, name, pre_tokenizer, config) in [
        ("files/ggml-vocab-gpt-2.gguf", "gpt-2", byte_level(true), &gpt2),
        ("tokenizer/ggml-vocab-refact.gguf", "refact", sequence(&[digits, byte_level(true)]), &gpt2),
        ("tokenizer/ggml-vocab-deepseek-coder.gguf", "deepseek-coder", deepseek, &llama),
    ] {
        let files = byte_pair_files(&folder.join(file), &pre_tokenizer, config);
        assert_eq!(found_name(Vocabulary::Gpt2, &files).unwrap(), name, "{file}");
    }
}

#[test]
fn another_way_to_split_is_not_known() {
    let Some(folder) = corpus::folder() else { return };
    let config = json!({ "tokenizer_class": "GPT2Tokenizer" });
    // The vocabulary of GPT-2, but numbers become digits, or letters of one case: its ids are others.
    for expression in [r"\p{N}", r"\p{Lu}+"] {
        let pre_tokenizer = sequence(&[split(expression), byte_level(true)]);
        let files = byte_pair_files(&folder.join("files/ggml-vocab-gpt-2.gguf"), &pre_tokenizer, &config);
        let error = found_name(Vocabulary::Gpt2, &files).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{error}");
        assert_eq!(error.to_string().contains("starcoder"), expression == r"\p{N}", "{error}");
    }
}

#[test]
fn a_real_word_piece_vocabulary_is_known() {
    let Some(folder) = corpus::folder() else { return };
    let header = gguf_format::parse(&corpus::read(&folder.join("files/ggml-vocab-bert-bge.gguf"))).unwrap();
    let types = types(&header);
    let original = |(text, token_type): (String, &i32)| match text.strip_prefix('\u{2581}') {
        Some(rest) => rest.to_owned(),
        None if *token_type == 3 => text,
        None => format!("##{text}"),
    };
    let tokens: Vec<String> = texts(&header, "tokenizer.ggml.tokens").into_iter().zip(&types).map(original).collect();
    let ids: serde_json::Map<String, Json> =
        tokens.iter().enumerate().map(|(id, text)| (text.clone(), id.into())).collect();
    let special = |text: &str| json!({ "id": text, "ids": [ids[text]], "tokens": [text] });
    let part = |text: &str| json!({ "SpecialToken": { "id": text, "type_id": 0 } });
    let tokenizer = json!({
        "added_tokens": added_tokens(&tokens, &types),
        "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [part("[CLS]"), { "Sequence": { "id": "A", "type_id": 0 } }, part("[SEP]")],
            "pair": [],
            "special_tokens": { "[CLS]": special("[CLS]"), "[SEP]": special("[SEP]") },
        },
        "decoder": { "type": "WordPiece", "prefix": "##", "cleanup": true },
        "model": { "type": "WordPiece", "vocab": ids },
    });
    let files = files(&tokenizer, &json!({ "tokenizer_class": "BertTokenizer" }));
    assert_eq!(found_name(Vocabulary::Bert, &files).unwrap(), "jina-v2-en");
}

/// The hashes of the byte-level vocabularies of the corpus: what llama.cpp's `get_vocab_base_pre` computes with transformers 4.57.6.
const HASHES: &[(&str, &str)] = &[
    ("DeepSeek-V2-Lite-tiny", "84f6b5846916f3e66b38623bcae567bdbaa594fb4d102370b8f6a82ec838eb01"),
    ("DeepSeek-V3-tiny", "5f7d1dafc95d27f83d99e12a19ce0cc167c39e340e1d2c2168c772158cbd245e"),
    ("OLMo-2-tiny", "01e90a3fea87c027a3aceb06a6f4721de7f0a55a498cf759ed7a27dc5b2ffe90"),
    ("Qwen1.5-MoE-A0.1M", "9881826c57711e3a72c867b21f3bf19d29a05dbf7a2f3f32ed9fbeb1913d2c15"),
    ("Qwen3-0.2M-Base", "76d43492017d7208d30ebbf06b37984f6cd30291e6ab6be08a9dc3c8cf390885"),
    ("Qwen3-MoE-x4", "783b528bdf645c6cc98dc8e2dab5235e3581f33a2b73ad80b2c6a6449b12d92b"),
    ("bpe-vocab-gaps", "05886119daf7c89c71306ebb3f313ff87095add01550232e3d2a9fd6a7a019fc"),
    ("c4ai-command-r-tiny", "d64033cfdd25d773ae7845916a5cf856332b83c98a9760f339c8311fd48fd350"),
    ("falcon-mq", "a3c64056145ea989a827ea4bbad1712c40958ddbb24a6635c00dda05b1dc7d41"),
    ("falcon-new-decoder", "6a9c03a309b93cb25a0016da28f767ff3028ff68cfca431e1674f3b9bbc4544a"),
    ("gpt-oss-bf16", "07106eb8e182980dab3b17b324d0ee9638c0db03f6fc2fed81afa8ef07cec3b9"),
    ("gpt-oss-tiny", "fd75dce002c6e3bcef3323921156332df191b944f80c9fd8ab03ec64af1478a3"),
    ("gpt2-odd-rows", "693a34830afa73b83d3175f22f6780a608d6aa0cd0e0e5e73727d3fb9a68f55a"),
    ("granite-3.3-tiny", "1c3d7ed8107b96e4bd5907135126177e011177f19ae63c1df63eff1d6650f447"),
    ("llama3-style", "5b200f5556a2d3c1bbcc2d028c4079b4dd8b23af53be6c8559188523fdd05560"),
    ("mamba-tiny-hf", "d0d9c0baf1e247084a4e87ad18509e7b4a268d08f5ac87895e85c954089000eb"),
    ("phi4-style", "9af0d694d3d56de828c7cd03b1c6eb8da5bd988f1bf67318e21d6b8eeec60e9f"),
    ("pythia-tiny", "a212c811d84b65ae80c7a34480e81844f5da989b86cadb3f1163228c920ba8ee"),
    ("qwen2-yarn", "cc1c2719a8a2bd75f974da89bceaadc5c056525d83da71bef13b65dbd7010806"),
    ("qwen3-fp8", "f3fc9d0ccbd3c3e44a1c6d3bfa8cde356ab437bc3a7829f6a252d306ffcdf789"),
    ("qwen3moe-fused-experts", "0702050f4618ee24a114d908e7bd806eefe68d96dd8115d23923703d6eb23ad5"),
    ("stablelm-2-tiny", "67f8ad699d4e82d092d70c0a9d03547e551b0c852b6b921281d91c981f1d0f84"),
    ("starcoder2-tiny", "2ebd80a60b4aa32606e282744719c1e81c0b401e744997244a8a65f0c7b807bb"),
];

#[test]
fn hashes_of_new_vocabularies_are_those_of_the_reference() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("convert");
    let index = corpus::json(&folder.join("index.json"));
    let mut different = Vec::new();
    for (name, hash) in HASHES {
        let path = format!("models/{name}");
        let model = index["models"].as_array().unwrap().iter().find(|model| model["folder"] == path.as_str()).unwrap();
        let files = small_files(&folder.join(&path));
        let config = config_with_defaults(model, &files);
        let input = VocabularyInput { files: &files, config: &config, pre: None };
        // Mamba has a larger vocabulary than its tokenizer.
        let vocabulary = if *name == "mamba-tiny-hf" { Vocabulary::Mamba } else { Vocabulary::Gpt2 };
        let question = vocabulary.pre_tokenizer_question(&input).unwrap().unwrap();
        if question.hash.as_deref() != Some(*hash) {
            different.push(format!("{name}: {question:?}"));
        }
    }
    assert!(different.is_empty(), "{different:#?}");
}

#[test]
fn probable_names_of_new_vocabularies_have_the_same_rules() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("convert");
    let index = corpus::json(&folder.join("index.json"));
    let mut questions = 0;
    for (name, first, another) in [
        ("llama3-style", "llama-bpe", "lfm2"),
        ("qwen2-yarn", "qwen2", "stablelm2"),
        ("gpt2-odd-rows", "gpt-2", "olmo"),
        ("starcoder2-tiny", "starcoder", "refact"),
        ("OLMo-2-tiny", "chatglm-bpe", "dbrx"),
    ] {
        let path = format!("models/{name}");
        let model = index["models"].as_array().unwrap().iter().find(|model| model["folder"] == path.as_str()).unwrap();
        let files = small_files(&folder.join(&path));
        let config = config_with_defaults(model, &files);
        let input = VocabularyInput { files: &files, config: &config, pre: None };
        let question = Vocabulary::Gpt2.pre_tokenizer_question(&input).unwrap().unwrap();
        assert_eq!(question.probable.first(), Some(&first), "{name}: {question:?}");
        assert!(question.probable.contains(&another) && question.hash.is_some(), "{name}: {question:?}");
        questions += 1;
    }
    assert_eq!(questions, 5);
}
