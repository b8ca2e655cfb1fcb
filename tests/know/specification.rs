//! Every key of the specification documents is in the table, with its types.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use gguf_format::ValueType;
use gguf_models::keys::{KeyInfo, KeySource, KeyType, key_info, keys};

use crate::corpus;

/// The first segments of the keys in the documents. `[llm]` stands for any architecture.
const FIRST_SEGMENTS: [&str; 13] = [
    "[llm]",
    "bloom",
    "falcon",
    "general",
    "gpt2",
    "gptj",
    "gptneox",
    "llama",
    "mamba",
    "mpt",
    "rwkv",
    "tokenizer",
    "whisper",
];

/// Texts that look like keys: names of files and of programs.
const OTHER_NAMES: [&str; 3] = ["llama.cpp", "tokenizer.json", "tokenizer.model"];

/// Never released: no tool wrote files as it says.
const DRAFT: &str = "001_df799e11d736362b.txt";

/// The keys of a document, each with the types that the document gives it.
fn keys_of(document: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let in_key = |character: char| character.is_ascii_alphanumeric() || "_.[]{}".contains(character);
    let mut found = BTreeMap::<&str, BTreeSet<&str>>::new();
    let mut rest = document;
    while let Some(start) = rest.find(in_key) {
        let word = &rest[start..];
        let end = word.find(|character| !in_key(character)).unwrap_or(word.len());
        rest = &word[end..];
        let key = word[..end].trim_end_matches('.');
        let is_key = key.split_once('.').is_some_and(|(first, _)| FIRST_SEGMENTS.contains(&first));
        if !is_key || OTHER_NAMES.contains(&key) {
            continue;
        }
        let types = found.entry(key).or_default();
        if let Some(after) = rest.trim_start().strip_prefix(':') {
            let after = after.trim_start_matches(' ');
            let end = after.find(|character| !in_key(character)).unwrap_or(after.len());
            types.extend(value_type(&after[..end]).map(|_| &after[..end]));
        }
    }
    found
}

/// The type that a document names. Counts are `uint64` in the specification, and UINT32 in every file.
fn value_type(name: &str) -> Option<KeyType> {
    Some(match name {
        "uint64" | "uint32" | "uint32_t" | "u32" => KeyType::Single(ValueType::Uint32),
        "float32" | "f32" => KeyType::Single(ValueType::Float32),
        "bool" => KeyType::Single(ValueType::Bool),
        "string" => KeyType::Single(ValueType::String),
        "string[]" | "array[string]" => KeyType::Array(ValueType::String),
        "array[float32]" | "array[f32]" => KeyType::Array(ValueType::Float32),
        "array[int32]" => KeyType::Array(ValueType::Int32),
        _ => return None,
    })
}

fn documents() -> Vec<(String, String)> {
    let Some(corpus) = corpus::folder() else { return Vec::new() };
    let folder = corpus.join("../spec");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "txt"));
    let mut documents: Vec<_> = paths
        .map(|path| {
            let text = String::from_utf8(corpus::read(&path)).unwrap();
            (path.file_name().unwrap().to_str().unwrap().to_owned(), text)
        })
        .collect();
    documents.sort();
    assert_eq!(documents.len(), 5);
    documents
}

fn info_of(key: &str) -> Option<KeyInfo> {
    key_info(key.replace("[llm]", "{arch}").as_bytes())
}

#[test]
fn every_key_of_the_documents_is_known_with_its_types() {
    let mut distinct = BTreeSet::new();
    let mut typed = 0;
    for (document, text) in documents() {
        for (key, types) in keys_of(&text) {
            let info = info_of(key).unwrap_or_else(|| panic!("{document} has {key}"));
            for name in types {
                typed += 1;
                // The draft stored the name of the file type.
                let is_contradiction = document == DRAFT && key == "general.file_type";
                let accepted = info.types.accept(value_type(name).unwrap());
                assert_eq!(accepted, !is_contradiction, "{document}: {key}: {name}, but here {}", info.types);
            }
            distinct.insert(key.to_owned());
        }
    }
    if !distinct.is_empty() {
        assert!(distinct.len() > 170, "only {} keys were found", distinct.len());
        assert!(typed > 100, "only {typed} types were found");
    }
}

#[test]
fn the_table_says_which_keys_the_documents_have() {
    let documents = documents();
    if documents.is_empty() {
        return;
    }
    let rows_in = |is_wanted: fn(&str) -> bool| -> BTreeSet<&str> {
        let texts = documents.iter().filter(|(document, _)| is_wanted(document)).map(|(_, text)| text);
        texts.flat_map(|text| keys_of(text).into_keys()).filter_map(info_of).map(|info| info.pattern).collect()
    };
    let rows_with =
        |source| keys().filter(|info| info.sources.contains(&source)).map(|info| info.pattern).collect::<BTreeSet<_>>();
    assert_eq!(rows_in(|document| document != DRAFT), rows_with(KeySource::Specification));
    let in_draft = rows_in(|document| document == DRAFT);
    let of_draft: BTreeSet<_> =
        in_draft.into_iter().filter(|pattern| key_info(pattern.as_bytes()).unwrap().deprecated_for.is_some()).collect();
    assert_eq!(of_draft, rows_with(KeySource::Draft));
    for pattern in of_draft {
        let description = key_info(pattern.as_bytes()).unwrap().description;
        assert!(description.starts_with("Draft name of "), "{pattern}: {description}");
    }
}

#[test]
fn contradictions_of_the_specification_are_noted() {
    for (key, word) in [
        ("mpt.attention.alibi_bias_max", "max_alibi_bias"),
        ("mpt.attention.max_alibi_bias", "alibi_bias_max"),
        ("mpt.attention.clip_kqv", "clamp_kqv"),
        ("mpt.attention.clamp_kqv", "clip_kqv"),
        ("llama.rope.scale", "defines it nowhere"),
        ("tokenizer.ggml.separator_token_id", "seperator_token_id"),
        ("tokenizer.ggml.seperator_token_id", "separator_token_id"),
        ("falcon.attention.use_norm", "No program reads it"),
        ("llama.tensor_data_layout", "does not read it"),
        ("llama.context_length", "uint64"),
        ("llama.embedding_length", "uint64"),
        ("llama.block_count", "uint64"),
        ("llama.feed_forward_length", "uint64"),
        ("llama.attention.head_count", "uint64"),
        ("llama.attention.head_count_kv", "uint64"),
        ("llama.rope.dimension_count", "uint64"),
        ("llama.rope.scaling.type", "longrope"),
        ("general.alignment", "power of two"),
        ("general.architecture", "a to z"),
        ("tokenizer.ggml.model", "replit"),
    ] {
        let note = key_info(key.as_bytes()).unwrap().note.unwrap_or_else(|| panic!("{key} has no note"));
        assert!(note.contains(word), "{key}: {note}");
    }
}
