//! Tokens become the texts that llama.cpp makes of them: `decode.json`.

use gguf_format::ValueType;
use gguf_format::write::encode::OwnedValue;
use gguf_models::tokenizer::{DecodeOptions, Tokenizer};
use serde_json::Value as Json;

use super::malformed::header;

/// Neither, `remove_special` without `unparse_special`, and so on: the texts of `decode.json` are in this order.
const OPTIONS: [DecodeOptions; 4] = [
    DecodeOptions { skip_special: false, remove_added: false },
    DecodeOptions { skip_special: true, remove_added: false },
    DecodeOptions { skip_special: false, remove_added: true },
    DecodeOptions { skip_special: true, remove_added: true },
];

/// What `llama_detokenize` of llama.cpp b11549 (October 2026) gives: vocabularies, each with files that differ in other entries,
/// and lists of ids. A file has four texts for each list, or one if they are equal. Texts that are not UTF-8 are lists of bytes.
fn vectors() -> Json {
    serde_json::from_str(include_str!("decode.json")).unwrap()
}

fn list(values: &Json) -> &[Json] {
    values.as_array().unwrap()
}

fn tokenizer(vocabulary: &Json, entries: &Json) -> Tokenizer {
    let tokens = list(&vocabulary["tokens"]).iter().map(|text| text.as_str().unwrap());
    let types = list(&vocabulary["types"]).iter().map(|number| number.as_i64().unwrap() as i32);
    let mut all = vec![
        ("tokens", OwnedValue::array(ValueType::String, tokens)),
        ("token_type", OwnedValue::array(ValueType::Int32, types)),
        ("merges", OwnedValue::array(ValueType::String, Vec::<&str>::new())),
    ];
    for (key, value) in entries.as_object().unwrap() {
        let value = match value {
            Json::Bool(value) => (*value).into(),
            Json::Number(value) => (value.as_u64().unwrap() as u32).into(),
            value => value.as_str().unwrap().into(),
        };
        all.push((key, value));
    }
    Tokenizer::new(&header(&all)).unwrap()
}

fn bytes(text: &Json) -> Vec<u8> {
    match text {
        Json::String(text) => text.clone().into_bytes(),
        bytes => list(bytes).iter().map(|byte| byte.as_u64().unwrap() as u8).collect(),
    }
}

#[test]
fn texts_are_those_of_llama_cpp() {
    let vectors = vectors();
    let mut count = 0;
    let mut differences = Vec::new();
    for vocabulary in list(&vectors) {
        let lists = list(&vocabulary["ids"]);
        for file in list(&vocabulary["files"]) {
            let tokenizer = tokenizer(vocabulary, &file["entries"]);
            assert_eq!(list(&file["texts"]).len(), lists.len());
            for (ids, texts) in lists.iter().zip(list(&file["texts"])) {
                let ids: Vec<u32> = serde_json::from_value(ids.clone()).unwrap();
                for (index, options) in OPTIONS.into_iter().enumerate() {
                    // A list of four texts, one text, or the bytes of one text.
                    let expected = texts.get(index).filter(|text| !text.is_number()).unwrap_or(texts);
                    let found = tokenizer.decode(&ids, options).unwrap();
                    count += 1;
                    if found != bytes(expected) {
                        let found = String::from_utf8_lossy(&found).into_owned();
                        differences.push(format!("{} {ids:?} {options:?}: {found:?}, not {expected}", file["entries"]));
                    }
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn tokens_alone_have_the_bytes_that_they_have_in_a_text() {
    // A program that shows tokens as they come joins their bytes. Only spaces that are left out differ from the whole.
    let without_spaces = |text: &[u8]| text.iter().copied().filter(|byte| *byte != b' ').collect::<Vec<_>>();
    for vocabulary in list(&vectors()) {
        for file in list(&vocabulary["files"]) {
            let tokenizer = tokenizer(vocabulary, &file["entries"]);
            for ids in list(&vocabulary["ids"]) {
                let ids: Vec<u32> = serde_json::from_value(ids.clone()).unwrap();
                let joined = ids.iter().flat_map(|id| tokenizer.token(*id).unwrap().bytes).collect::<Vec<_>>();
                let whole = tokenizer.decode(&ids, DecodeOptions::default()).unwrap();
                assert_eq!(without_spaces(&joined), without_spaces(&whole), "{} {ids:?}", file["entries"]);
            }
        }
    }
}
