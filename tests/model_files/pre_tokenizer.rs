//! The pre-tokenizers of real vocabularies are known by their hashes; those of new vocabularies are asked for.

use std::path::Path;

use gguf_wasm::model::entries::{Entries, EntryValue};
use gguf_wasm::model::files::SmallFiles;
use gguf_wasm::model::vocabulary::{Vocabulary, VocabularyInput};
use gguf_wasm::{ErrorCode, Header, Value};
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
    let header = gguf_wasm::parse(&corpus::read(path)).unwrap();
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
fn found_name(vocabulary: Vocabulary, files: &SmallFiles) -> Result<String, gguf_wasm::Error> {
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
    let header = gguf_wasm::parse(&corpus::read(&folder.join("files/ggml-vocab-bert-bge.gguf"))).unwrap();
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
    assert_eq!(found_name(Vocabulary::Bert, &files).unwrap(), "bert-bge");
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
