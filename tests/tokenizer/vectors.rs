//! Texts and special texts in four forms, with seven vocabularies, and the normalizer of BERT: `vectors.json`.

use gguf_models::tokenizer::{EncodeOptions, Tokenizer};
use serde_json::Value as Json;

use crate::corpus;
use crate::tokenizer::changed::with_entries;
use crate::tokenizer::vocabularies::{NAMES, VECTORS, header};

const FORMS: [(&str, EncodeOptions); 4] = [
    ("plain", EncodeOptions { add_special: false, parse_special: false }),
    ("add_special", EncodeOptions { add_special: true, parse_special: false }),
    ("parse_special", EncodeOptions { add_special: false, parse_special: true }),
    ("both", EncodeOptions { add_special: true, parse_special: true }),
];

/// Compares the ids of all texts in all forms. Returns the number of comparisons, and the differences.
fn compare(tokenizer: &Tokenizer, texts: &Json, ids: &Json) -> (usize, Vec<String>) {
    let texts: Vec<&str> = texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let mut count = 0;
    let mut differences = Vec::new();
    for (form, options) in FORMS {
        let expected = ids[form].as_array().unwrap();
        assert_eq!(expected.len(), texts.len());
        for (text, expected) in texts.iter().zip(expected) {
            let expected: Vec<u32> =
                expected.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect();
            let found = tokenizer.encode(text, options);
            count += 1;
            if found.as_ref() != Ok(&expected) {
                differences.push(format!("{form} {text:?}\n   found {found:?}\nexpected {expected:?}"));
            }
        }
    }
    (count, differences)
}

fn compare_with_vectors(name: &str) {
    let Some(folder) = corpus::folder() else { return };
    let vectors = corpus::json(&folder.join(VECTORS).join("vectors.json"));
    let file = format!("ggml-vocab-{name}.gguf");
    let vocabularies = vectors["vocabularies"].as_array().unwrap();
    assert_eq!(vocabularies.len(), NAMES.len());
    let vocabulary = vocabularies.iter().find(|vocabulary| vocabulary["file"] == *file).unwrap();
    let tokenizer = Tokenizer::new(&header(&folder, name)).unwrap();
    let (count, mut differences) = compare(&tokenizer, &vectors["texts"], &vocabulary["ids"]);
    let special = &vocabulary["special"];
    let (special_count, special_differences) = compare(&tokenizer, &special["texts"], &special["ids"]);
    differences.extend(special_differences);
    assert!(count >= 800 && special_count >= 200, "{count} and {special_count} texts are not all");
    assert!(
        differences.is_empty(),
        "{} differences, the first ones:\n{}",
        differences.len(),
        differences[..differences.len().min(8)].join("\n")
    );
}

#[test]
fn gpt_2() {
    compare_with_vectors("gpt-2");
}

#[test]
fn llama_spm() {
    compare_with_vectors("llama-spm");
}

#[test]
fn phi_3() {
    compare_with_vectors("phi-3");
}

#[test]
fn bert_bge() {
    compare_with_vectors("bert-bge");
}

#[test]
fn ugm() {
    compare_with_vectors("ugm");
}

#[test]
fn deepseek_coder() {
    compare_with_vectors("deepseek-coder");
}

#[test]
fn refact() {
    compare_with_vectors("refact");
}

#[test]
fn bert_bge_with_other_normalizers() {
    let Some(folder) = corpus::folder() else { return };
    let vectors = corpus::json(&folder.join(VECTORS).join("vectors.json"));
    let settings = vectors["bert_normalizer"].as_array().unwrap();
    assert_eq!(settings.len(), 8);
    let bert = header(&folder, "bert-bge");
    let mut differences = Vec::new();
    for setting in settings {
        let flag = |name: &str| setting[name].as_bool().map(Into::into);
        let changes = [
            ("tokenizer.ggml.normalizer.lowercase", flag("lowercase")),
            ("tokenizer.ggml.normalizer.strip_accents", flag("strip_accents")),
        ];
        let tokenizer = Tokenizer::new(&with_entries(&bert, &changes)).unwrap();
        let (texts, expected) = (vectors["texts"].as_array().unwrap(), setting["ids"].as_array().unwrap());
        assert_eq!(texts.len(), expected.len());
        for (text, expected) in texts.iter().zip(expected) {
            let expected: Vec<u32> = serde_json::from_value(expected.clone()).unwrap();
            let found = tokenizer.encode(text.as_str().unwrap(), FORMS[0].1);
            if found.as_ref() != Ok(&expected) {
                differences.push(format!("{changes:?} {text}\n   found {found:?}\nexpected {expected:?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
