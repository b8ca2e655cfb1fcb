//! The vocabulary of GPT-2 with every name of a pre-tokenizer: `pre.json`.

use std::collections::BTreeMap;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{ErrorCode, ValueType};
use gguf_models::tokenizer::{EncodeOptions, Tokenizer, TokenizerError, pre_tokenizers};
use serde_json::Value as Json;

use crate::corpus;
use crate::tokenizer::changed::with_entries;
use crate::tokenizer::vocabularies::{VECTORS, header};

fn ids(list: &Json) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

/// What the tokenizer of llama.cpp b11549 (October 2026) gives for the names that are newer than `pre.json`. The pieces of the two
/// vocabularies were made of the texts as wholes, so that a word that is cut at another place has other ids.
fn october() -> Json {
    serde_json::from_str(include_str!("october.json")).unwrap()
}

#[test]
fn each_name_gives_the_ids_of_llama_cpp() {
    let Some(folder) = corpus::folder() else { return };
    let vectors = corpus::json(&folder.join(VECTORS).join("pre.json"));
    let texts: Vec<&str> = vectors["texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let names = vectors["pre"].as_object().unwrap();
    assert_eq!(names.len(), 89, "87 names, the removed key and an unknown name");
    let gpt2 = header(&folder, "gpt-2");
    let mut differences = BTreeMap::new();
    for (name, expected) in names.iter().filter(|(_, expected)| expected.get("error").is_none()) {
        let pre = (name != "-").then(|| name.as_str().into());
        let tokenizer = Tokenizer::new(&with_entries(&gpt2, &[("tokenizer.ggml.pre", pre)])).unwrap();
        assert_eq!(tokenizer.pre(), Some(if name == "-" { "default" } else { name }));
        let added = match &expected["ids_add_special"] {
            Json::Array(_) => &expected["ids_add_special"],
            same => {
                assert_eq!(same, "same");
                &expected["ids"]
            }
        };
        for (add_special, expected) in [(false, &expected["ids"]), (true, added)] {
            let expected = expected.as_array().unwrap();
            assert_eq!(expected.len(), texts.len());
            for (text, expected) in texts.iter().zip(expected) {
                let expected = ids(expected);
                let found = tokenizer.encode(text, EncodeOptions { add_special, parse_special: true });
                if found.as_ref() != Ok(&expected) {
                    let line = format!("{text:?}\n   found {found:?}\nexpected {expected:?}");
                    differences.entry(name).or_insert_with(Vec::new).push(line);
                }
            }
        }
    }
    let shown = differences.iter().map(|(name, lines)| format!("{name}: {}, {}\n", lines.len(), lines[0]));
    assert!(differences.is_empty(), "{}", shown.collect::<String>());
}

#[test]
fn an_unknown_name_is_refused_with_the_name() {
    let Some(folder) = corpus::folder() else { return };
    let vectors = corpus::json(&folder.join(VECTORS).join("pre.json"));
    let refused = &vectors["pre"]["no-such-pre"]["error"];
    assert!(refused.as_str().unwrap().contains("unknown pre-tokenizer type: 'no-such-pre'"));
    let changes = [("tokenizer.ggml.pre", Some("no-such-pre".into()))];
    let error = Tokenizer::new(&with_entries(&header(&folder, "gpt-2"), &changes)).err().unwrap();
    assert_eq!(error, TokenizerError::UnknownPreTokenizer("no-such-pre".into()));
    assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer);
    assert!(error.to_string().contains("\"no-such-pre\""), "{error}");
}

#[test]
fn the_name_of_another_tokenizer_is_unsupported() {
    let Some(folder) = corpus::folder() else { return };
    let vectors = corpus::json(&folder.join(VECTORS).join("pre.json"));
    let names = vectors["pre"].as_object().unwrap();
    let october = october();
    let is_new = |name| october["pre"].get(name).is_some();
    assert!(pre_tokenizers().all(|known| names.contains_key(known.name) || is_new(known.name)));
    assert_eq!(names["whitespace"]["error"], "aborts");
    let changes = [("tokenizer.ggml.pre", Some("whitespace".into()))];
    let error = Tokenizer::new(&with_entries(&header(&folder, "gpt-2"), &changes)).err().unwrap();
    assert_eq!(error, TokenizerError::UnsupportedPreTokenizer("whitespace".into()));
    assert_eq!(error.code(), "unsupported");
    assert!(error.to_string().contains("unsupported") && error.to_string().contains("whitespace"), "{error}");
}

#[test]
fn names_of_october_give_the_ids_of_llama_cpp() {
    let vectors = october();
    let texts = vectors["texts"].as_array().unwrap();
    let list = |values: &Json| values.as_array().unwrap().clone();
    for (name, expected) in vectors["pre"].as_object().unwrap() {
        let vocabulary = &vectors["vocabularies"][expected["vocabulary"].as_str().unwrap()];
        let strings = |key: &str| {
            let strings = list(&vocabulary[key]);
            OwnedValue::array(ValueType::String, strings.iter().map(|text| text.as_str().unwrap()))
        };
        let types = list(&vocabulary["types"]);
        let types = OwnedValue::array(ValueType::Int32, types.iter().map(|kind| kind.as_i64().unwrap() as i32));
        let tokenizer = Tokenizer::new(&super::malformed::header(&[
            ("general.architecture", "llama".into()),
            ("tokenizer.ggml.model", "gpt2".into()),
            ("tokenizer.ggml.pre", name.as_str().into()),
            ("tokenizer.ggml.tokens", strings("tokens")),
            ("tokenizer.ggml.token_type", types),
            ("tokenizer.ggml.merges", strings("merges")),
        ]));
        let tokenizer = tokenizer.unwrap();
        for (text, expected) in texts.iter().zip(list(&expected["ids"])) {
            let options = EncodeOptions { add_special: true, parse_special: true };
            assert_eq!(tokenizer.encode(text.as_str().unwrap(), options).unwrap(), ids(&expected), "{name} {text}");
        }
    }
}
