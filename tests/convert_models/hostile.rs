//! Small files that describe something large: steps that expand, expressions, long lists, nesting, and many files. Each is read in
//! bounded memory and steps, or refused.

use std::ops::Range;
use std::rc::Rc;

use gguf_convert::model::entries::Entries;
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::vocabulary::{Vocabulary, VocabularyInput};
use gguf_convert::model::{ModelFolder, OpenedModel};
use gguf_format::io::block_on;
use gguf_format::{Error, ErrorCode, Result};
use serde_json::{Value as Json, json};

use super::bytes::Bytes;

/// The files of a byte-level vocabulary whose `tokenizer.json` has other members.
fn tokenizer(others: &Json) -> SmallFiles {
    let mut json = json!({
        "pre_tokenizer": { "type": "ByteLevel" }, "decoder": { "type": "ByteLevel" },
        "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
    });
    for (name, value) in others.as_object().unwrap() {
        json[name] = value.clone();
    }
    with_config(json.to_string(), &json!({ "tokenizer_class": "PreTrainedTokenizerFast" }))
}

fn with_config(tokenizer: String, config: &Json) -> SmallFiles {
    let mut files = SmallFiles::default();
    files.insert("tokenizer.json", tokenizer.into_bytes());
    files.insert("tokenizer_config.json", config.to_string().into_bytes());
    files
}

fn entries_of(vocabulary: Vocabulary, files: &SmallFiles) -> Result<Entries> {
    let mut entries = Entries::default();
    vocabulary.add_entries(&VocabularyInput { files, config: &json!({}), pre: None }, &mut entries)?;
    Ok(entries)
}

/// The error of a byte-level vocabulary.
fn error_of(files: &SmallFiles) -> Error {
    entries_of(Vocabulary::Gpt2, files).expect_err("the vocabulary is accepted")
}

fn list(count: usize, value: &Json) -> Json {
    Json::Array(vec![value.clone(); count])
}

/// A value of nested lists.
fn nested(depth: usize, member: &str, value: &Json) -> Json {
    (0..depth).fold(value.clone(), |inner, _| json!({ "type": "Sequence", member: [inner] }))
}

#[test]
fn decoders_that_expand_a_text_again_and_again_are_refused() {
    let replace = |pattern: &str, content: &str| json!({ "type": "Replace", "pattern": { "String": pattern }, "content": content });
    let sequence = |steps: Json| json!({ "type": "Sequence", "decoders": steps });
    let metaspace = json!({ "type": "Metaspace", "replacement": "", "prepend_scheme": "never" });
    let one = json!([{ "id": 3, "content": "<e>", "normalized": false, "special": true }]);
    let many: Vec<Json> =
        (3..5_003).map(|id| json!({ "id": id, "content": format!("<{id}>"), "normalized": false })).collect();
    let twice = sequence(list(2, &replace("e", "ee")));
    for (what, decoder, added) in [
        ("each step doubles the text", sequence(list(29, &replace("e", "ee"))), &one),
        ("each step doubles all characters", sequence(list(60, &metaspace)), &one),
        ("few steps with long contents", sequence(list(5, &replace("e", &"e".repeat(1000)))), &one),
        ("sequences within each other", sequence(list(29, &nested(40, "decoders", &twice))), &one),
        ("many steps and many tokens", sequence(list(5_000, &json!({ "type": "Fuse" }))), &many.clone().into()),
        ("many steps that clean", sequence(list(5_000, &json!({ "type": "WordPiece" }))), &many.into()),
    ] {
        let error = error_of(&tokenizer(&json!({ "decoder": decoder, "added_tokens": added })));
        assert_eq!(error.code(), ErrorCode::TooLarge, "{what}: {error}");
    }
    // A few steps that expand are no harm.
    let files = tokenizer(&json!({ "decoder": sequence(list(10, &replace("e", "ee"))), "added_tokens": one }));
    assert_eq!(error_of(&files).code(), ErrorCode::UnknownPreTokenizer);
}

#[test]
fn pre_tokenizers_that_take_too_many_steps_are_unknown() {
    let split =
        |text: &str| json!({ "type": "Split", "pattern": { "Regex": text }, "behavior": "Isolated", "invert": false });
    let literal =
        |text: &str| json!({ "type": "Split", "pattern": { "String": text }, "behavior": "Isolated", "invert": false });
    let sequence = |steps: Json| json!({ "type": "Sequence", "pretokenizers": steps });
    let long_class: String = (0x4E00..0x9FFF).filter_map(char::from_u32).step_by(2).collect();
    for (what, step) in [
        ("many searches of many tries", sequence(list(2_000, &split("(?:.|.){9}zz")))),
        ("repetitions of repetitions", split(&format!("a{}", "*".repeat(20_000)))),
        ("possessive repetitions", split(&format!("a{}", "++".repeat(20_000)))),
        ("groups within each other", split(&format!("{}a{}", "(".repeat(20_000), ")".repeat(20_000)))),
        ("looks ahead within each other", split(&format!("{}a{}", "(?=".repeat(20_000), ")".repeat(20_000)))),
        ("classes within each other", split(&format!("{}a{}", "[".repeat(20_000), "]".repeat(20_000)))),
        ("sets of sets", split(&format!("[{}a]", "a&&".repeat(20_000)))),
        ("many alternatives", sequence(list(20, &split(&"zq|".repeat(20_000))))),
        ("many classes in one", sequence(list(100, &split(&format!("[{}]+", "[zq]".repeat(10_000)))))),
        ("long lists of characters", sequence(list(400, &split(&format!("[{long_class}]"))))),
        ("a long text", literal(&"a".repeat(2_000_000))),
        ("steps within steps", nested(60, "pretokenizers", &split(&"(".repeat(5_000)))),
    ] {
        let error = error_of(&tokenizer(&json!({ "pre_tokenizer": step })));
        assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{what}: {error}");
        assert!(error.to_string().contains("not known"), "{what}: {error}");
    }
    let lower = list(200_000, &json!({ "type": "Lowercase" }));
    let nothing = list(1_000_000, &json!({}));
    for steps in [lower, nothing] {
        let normalizer = json!({ "type": "Sequence", "normalizers": steps });
        let error = error_of(&tokenizer(&json!({ "normalizer": normalizer })));
        assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{error}");
        assert!(error.to_string().contains("not known"), "{error}");
    }
    // A class of many characters is no harm.
    let error = error_of(&tokenizer(&json!({ "pre_tokenizer": split(&format!("[{long_class}]+|[^{long_class}]")) })));
    assert!(!error.to_string().contains("not known"), "{error}");
}

#[test]
fn post_processors_that_add_long_lists_many_times_are_unknown() {
    let ids: Vec<u32> = (0..20_000).collect();
    let token = json!({ "SpecialToken": { "id": "x", "type_id": 0 } });
    let template = json!({
        "type": "TemplateProcessing", "single": list(20_000, &token), "pair": [],
        "special_tokens": { "x": { "id": "x", "ids": ids, "tokens": [] } },
    });
    let error = error_of(&tokenizer(&json!({ "post_processor": template })));
    assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{error}");
    assert!(error.to_string().contains("not known"), "{error}");

    // The ids of many processors are collected in steps that their number gives.
    let bert = json!({ "type": "BertProcessing", "cls": ["a", 0], "sep": ["b", 1] });
    let processors = json!({ "type": "Sequence", "processors": list(100_000, &bert) });
    let error = error_of(&tokenizer(&json!({ "post_processor": processors })));
    assert!(!error.to_string().contains("not known"), "{error}");

    // A long text that each processor gives another role is not copied each time.
    let long = "e".repeat(1 << 20);
    let sequence = |id: &str| json!({ "Sequence": { "id": id, "type_id": 0 } });
    let separator = json!({ "SpecialToken": { "id": long, "type_id": 0 } });
    let first = json!({
        "type": "TemplateProcessing", "single": [sequence("A"), separator], "pair": [],
        "special_tokens": { long.as_str(): { "ids": [1] } },
    });
    let pair =
        json!({ "type": "TemplateProcessing", "single": [], "pair": [sequence("A"), sequence("C"), sequence("B")] });
    let mut processors = vec![pair; 20_000];
    processors.insert(0, first);
    let error = error_of(&tokenizer(&json!({ "post_processor": { "type": "Sequence", "processors": processors } })));
    assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{error}");
}

#[test]
fn many_steps_of_each_kind_are_bounded() {
    let split = |pattern: &str| json!({ "type": "Split", "pattern": { "Regex": pattern }, "behavior": "Isolated" });
    let named = ["Whitespace", "WhitespaceSplit", "BertPreTokenizer", "Digits", "Punctuation", "UnicodeScripts"];
    let steps = named.map(|name| json!({ "type": name })).into_iter();
    let steps = steps.chain(["\\w", "[^\\w\\s]", "\\b", "\\d", "\\p{L}", "\\p{Han}"].map(split));
    for step in steps {
        let pre_tokenizer = json!({ "type": "Sequence", "pretokenizers": list(1_000, &step) });
        let error = error_of(&tokenizer(&json!({ "pre_tokenizer": pre_tokenizer })));
        assert!(matches!(error.code(), ErrorCode::UnknownPreTokenizer | ErrorCode::TooLarge), "{step}: {error}");
    }
}

#[test]
fn long_lists_of_added_tokens_are_read_once() {
    const COUNT: usize = 60_000;
    let texts: Vec<String> = (0..COUNT).map(|index| format!("<{index}>")).collect();
    let objects = |texts: &[String]| -> Vec<Json> {
        texts.iter().map(|text| json!({ "content": text, "special": true })).collect()
    };
    let by_id = |texts: &[String]| -> Json {
        let ids = (3..).map(|id: usize| id.to_string());
        Json::Object(ids.zip(objects(texts)).collect())
    };
    let json = json!({
        "pre_tokenizer": { "type": "ByteLevel" }, "decoder": { "type": "ByteLevel" },
        "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
    });
    let class = "PreTrainedTokenizerFast";
    // Special tokens with flags, which are compared with those that are listed.
    let config = json!({
        "tokenizer_class": class, "added_tokens_decoder": by_id(&texts), "additional_special_tokens": objects(&texts),
    });
    let error = error_of(&with_config(json.to_string(), &config));
    assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{error}");
    // The older files.
    let mut files =
        with_config(json.to_string(), &json!({ "tokenizer_class": class, "additional_special_tokens": texts }));
    let ids: Json = Json::Object(texts.iter().cloned().zip((3..).map(|id: usize| id.into())).collect());
    files.insert("added_tokens.json", ids.to_string().into_bytes());
    assert_eq!(error_of(&files).code(), ErrorCode::UnknownPreTokenizer);
    // Each place of the text of the check is looked up, and not compared with all tokens.
    let added: Vec<Json> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({ "id": 3 + index, "content": text, "normalized": index % 2 == 0 }))
        .collect();
    assert_eq!(error_of(&tokenizer(&json!({ "added_tokens": added }))).code(), ErrorCode::UnknownPreTokenizer);
}

#[test]
fn json_that_takes_much_more_memory_than_its_text_is_refused() {
    for value in ["{}", "[]", "0", "[0]", "{\"a\":0}", "{\"a\":{\"b\":[{}]}}", "[[[[]]]]"] {
        let text = format!("{{\"x\":[{}0]}}", format!("{value},").repeat((3 << 20) / (value.len() + 1)));
        for name in ["config.json", "generation_config.json", "modules.json"] {
            let folder = Folder { files: vec![(name.into(), text.clone().into_bytes())] };
            let opened = open(&folder).unwrap();
            let error = opened.obstacles().last().unwrap();
            let expected = if name == "config.json" { ErrorCode::TooLarge } else { ErrorCode::IncompleteModel };
            assert_eq!(error.code(), expected, "{name}: {value}: {error}");
        }
    }
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let opened = open(&Folder { files: vec![("config.json".into(), deep.into_bytes())] }).unwrap();
    assert_eq!(opened.obstacles().last().unwrap().code(), ErrorCode::BadJson);
}

#[test]
fn counts_of_a_configuration_size_no_list() {
    for (class, model_type, others) in [
        ("Lfm2ForCausalLM", "lfm2", json!({})),
        ("Gemma3ForCausalLM", "gemma3_text", json!({ "sliding_window_pattern": 6 })),
        ("Olmo2ForCausalLM", "olmo2", json!({ "sliding_window": 4096 })),
        ("Olmo3ForCausalLM", "olmo3", json!({ "sliding_window": 4096 })),
        ("Cohere2ForCausalLM", "cohere2", json!({ "sliding_window_pattern": 4 })),
        ("Exaone4ForCausalLM", "exaone4", json!({ "sliding_window": 4096, "sliding_window_pattern": "LLLG" })),
    ] {
        let mut config =
            json!({ "architectures": [class], "model_type": model_type, "num_hidden_layers": 4_000_000_000_u32 });
        config.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
        let opened = open(&Folder { files: vec![("config.json".into(), config.to_string().into_bytes())] }).unwrap();
        assert!(block_on(opened.plan(&Default::default())).is_err(), "{class}");
    }
    // Each block is looked up in a list that is as long.
    let config = json!({
        "architectures": ["Lfm2ForCausalLM"], "model_type": "lfm2", "num_hidden_layers": 60_000,
        "full_attn_idxs": (0..400_000).collect::<Vec<u32>>(),
    });
    let opened = open(&Folder { files: vec![("config.json".into(), config.to_string().into_bytes())] }).unwrap();
    assert!(!opened.obstacles().is_empty());
}

#[test]
fn all_small_files_together_have_a_limit() {
    let template = |index: usize| format!("additional_chat_templates/{index}.jinja");
    // Each file is within its limit, and those that are refused are not read.
    let large =
        |count: usize| Folder { files: (0..count).map(|index| (template(index), vec![b' '; 1 << 22])).collect() };
    let error = open(&large(40)).err().unwrap();
    assert_eq!(error.code(), ErrorCode::TooLarge, "{error}");
    assert!(open(&large(20)).is_ok());
    let many = |count: usize| Folder { files: (0..count).map(|index| (template(index), Vec::new())).collect() };
    assert_eq!(open(&many(2_000)).err().unwrap().code(), ErrorCode::TooLarge);
    assert!(open(&many(500)).is_ok());
    // Of the configurations in folders, only the one that `modules.json` names is read.
    let files = (0..2_000).map(|index| (format!("{index}/config.json"), Vec::new())).collect();
    assert!(open(&Folder { files }).is_ok());
}

/// A folder in memory, which can be listed.
struct Folder {
    files: Vec<(String, Vec<u8>)>,
}

impl ModelFolder for Folder {
    type Source = Bytes;

    fn paths(&self) -> Option<Vec<&str>> {
        Some(self.files.iter().map(|(path, _)| path.as_str()).collect())
    }

    async fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.files.iter().find(|(other, _)| other == path).map(|(_, bytes)| bytes.clone()))
    }

    async fn open(&self, path: &str) -> Result<Bytes> {
        let found = self.files.iter().find(|(other, _)| other == path);
        Ok(Bytes(Rc::new(found.map_or(Vec::new(), |(_, bytes)| bytes.clone()))))
    }
}

fn open(folder: &Folder) -> Result<OpenedModel<Bytes>> {
    block_on(OpenedModel::open("model", folder))
}

/// A field of protobuf with the bytes of a text or of a message.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length: Vec<u8> = match bytes.len() {
        short @ 0..128 => vec![short as u8],
        long => vec![long as u8 | 128, (long >> 7) as u8],
    };
    [&[number << 3 | 2][..], &length, bytes].concat()
}

#[test]
fn a_sentence_piece_model_of_empty_fields_is_refused() {
    for unit in [vec![0x0A, 0], field(1, &field(9, b"")), field(4, b""), field(2, &field(3, b""))] {
        let mut files = SmallFiles::default();
        files.insert("tokenizer.model", unit.repeat((1 << 20) / unit.len()));
        let error = entries_of(Vocabulary::SentencePiece, &files).unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadVocabulary, "{error}");
    }
    let range: Range<u32> = 0..20_000;
    let piece =
        |id: u32| field(1, &[field(1, format!("{id}").as_bytes()), vec![3 << 3, if id == 0 { 2 } else { 1 }]].concat());
    let mut files = SmallFiles::default();
    files.insert("tokenizer.model", range.flat_map(piece).collect());
    assert!(entries_of(Vocabulary::SentencePiece, &files).is_ok());
}
