//! The vocabulary of GPT-2 with every name of a pre-tokenizer: `pre.json`.

use std::collections::BTreeMap;

use gguf_format::ErrorCode;
use gguf_models::tokenizer::{EncodeOptions, Tokenizer, TokenizerError, pre_tokenizers};
use serde_json::Value as Json;

use crate::corpus;
use crate::tokenizer::changed::with_entries;
use crate::tokenizer::vocabularies::{VECTORS, header};

fn ids(list: &Json) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
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
    assert!(pre_tokenizers().all(|known| names.contains_key(known.name)));
    assert_eq!(names["whitespace"]["error"], "aborts");
    let changes = [("tokenizer.ggml.pre", Some("whitespace".into()))];
    let error = Tokenizer::new(&with_entries(&header(&folder, "gpt-2"), &changes)).err().unwrap();
    assert_eq!(error, TokenizerError::UnsupportedPreTokenizer("whitespace".into()));
    assert_eq!(error.code(), "unsupported");
    assert!(error.to_string().contains("unsupported") && error.to_string().contains("whitespace"), "{error}");
}
