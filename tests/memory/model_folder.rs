//! The small files of a model take memory in proportion to their size, whatever they describe. If the memory is not available, the
//! model is refused.

use gguf_convert::model::entries::Entries;
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::vocabulary::{Vocabulary, VocabularyInput};
use gguf_format::ErrorCode;
use serde_json::{Value as Json, json};

use crate::counting_allocator::{Use, measured, with_room};

/// Smaller allocations are never refused.
const LARGE: usize = 1 << 14;

const MIB: u64 = 1 << 20;

fn entries_of(vocabulary: Vocabulary, files: &SmallFiles) -> Result<Entries, gguf_format::Error> {
    let mut entries = Entries::default();
    vocabulary.add_entries(&VocabularyInput { files, config: &json!({}), pre: Some("gpt-2") }, &mut entries)?;
    Ok(entries)
}

fn files(list: &[(&str, Vec<u8>)]) -> SmallFiles {
    let mut files = SmallFiles::default();
    for (path, bytes) in list {
        files.insert(*path, bytes.clone());
    }
    files
}

fn bytes(json: &Json) -> Vec<u8> {
    json.to_string().into_bytes()
}

/// The configuration of a tokenizer of a class.
fn class(name: &str, others: Json) -> (&'static str, Vec<u8>) {
    let mut config = others;
    config["tokenizer_class"] = name.into();
    ("tokenizer_config.json", bytes(&config))
}

fn tokens(count: usize) -> Json {
    Json::Object((0..count).map(|id| (format!("token{id}"), id.into())).collect())
}

/// A field of protobuf with the bytes of a short text or message.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8][..], bytes].concat()
}

/// Vocabularies of every kind.
fn vocabularies(count: usize) -> Vec<(&'static str, Vocabulary, SmallFiles)> {
    let fast = || class("PreTrainedTokenizerFast", json!({}));
    let piece = |id: usize| {
        field(1, &[field(1, format!("p{id}").as_bytes()), vec![3 << 3, if id == 0 { 2 } else { 1 }]].concat())
    };
    let merges: Vec<Json> = (1..count).map(|_| json!(["token1", "token2"])).collect();
    let mut merged = tokens(count);
    merged["token1token2"] = count.into();
    let added: Vec<Json> =
        (0..count).map(|index| json!({ "id": count + index, "content": format!("<{index}>") })).collect();
    let templates: Vec<Json> =
        (0..200).map(|index| json!({ "name": format!("t{index}"), "template": "x".repeat(count / 20) })).collect();
    let scores: Vec<Json> = (0..count).map(|id| json!([format!("token{id}"), -1.5])).collect();
    let lines: String = (0..count).map(|id| format!("token{id}\n")).collect();
    let text_merges: String = (0..count).map(|_| "token1 token2\n").collect();
    let bpe = |vocabulary: &Json, merges: Json| json!({ "type": "BPE", "vocab": vocabulary, "merges": merges });
    vec![
        (
            "merges",
            Vocabulary::Gpt2,
            files(&[("tokenizer.json", bytes(&json!({ "model": bpe(&merged, merges.into()) }))), fast()]),
        ),
        (
            "added tokens",
            Vocabulary::Gpt2,
            files(&[
                ("tokenizer.json", bytes(&json!({ "model": bpe(&tokens(count), json!([])), "added_tokens": added }))),
                fast(),
            ]),
        ),
        (
            "templates",
            Vocabulary::Gpt2,
            files(&[
                ("tokenizer.json", bytes(&json!({ "model": bpe(&tokens(2), json!([])) }))),
                class("PreTrainedTokenizerFast", json!({ "chat_template": templates })),
            ]),
        ),
        (
            "merges.txt",
            Vocabulary::Gpt2,
            files(&[
                ("vocab.json", bytes(&merged)),
                ("merges.txt", text_merges.into_bytes()),
                class("GPT2Tokenizer", json!({})),
            ]),
        ),
        ("vocab.txt", Vocabulary::Bert, files(&[("vocab.txt", lines.into_bytes()), class("BertTokenizer", json!({}))])),
        (
            "unigram",
            Vocabulary::XlmRoberta,
            files(&[
                (
                    "tokenizer.json",
                    bytes(&json!({
                        "model": { "type": "Unigram", "vocab": scores, "unk_id": 0 },
                        "normalizer": { "type": "Precompiled", "precompiled_charsmap": "AAAA".repeat(count) },
                    })),
                ),
                class("XLMRobertaTokenizer", json!({})),
            ]),
        ),
        ("pieces", Vocabulary::SentencePiece, files(&[("tokenizer.model", (0..count).flat_map(piece).collect())])),
    ]
}

#[test]
fn memory_that_is_not_available_is_an_error() {
    for (what, vocabulary, files) in vocabularies(3_000) {
        let (result, Use { peak: needed, .. }) = measured(|| entries_of(vocabulary, &files).map(|_| ()));
        assert_eq!(result.map_err(|error| error.to_string()), Ok(()), "{what}");
        for allowed in (0..needed).step_by(4 * LARGE) {
            match with_room(allowed, LARGE, || entries_of(vocabulary, &files).map(|_| ())) {
                Ok(()) => panic!("{what}: {allowed} of {needed} bytes are enough"),
                Err(error) => assert_eq!(error.code(), ErrorCode::TooLarge, "{what}: {allowed} of {needed}: {error}"),
            }
        }
    }
}

/// Files of one megabyte that are made to take much memory.
fn hostile() -> Vec<(&'static str, Vocabulary, SmallFiles)> {
    let fast = || class("PreTrainedTokenizerFast", json!({}));
    let model = json!({ "type": "BPE", "vocab": { "a": 0 }, "merges": [] });
    let filled = |unit: &str| {
        let list = unit.repeat(MIB as usize / unit.len());
        files(&[("tokenizer.json", format!("{{\"model\":{model},\"x\":[{list}0]}}").into_bytes()), fast()])
    };
    let regular = |text: String| {
        let split = json!({ "type": "Split", "pattern": { "Regex": text }, "behavior": "Isolated", "invert": false });
        files(&[("tokenizer.json", bytes(&json!({ "model": model, "pre_tokenizer": split }))), fast()])
    };
    let lines = |line: &str, class_name: &str, path: &'static str| {
        let text = line.repeat(MIB as usize / line.len()).into_bytes();
        files(&[(path, text), ("vocab.json", b"{}".to_vec()), class(class_name, json!({}))])
    };
    vec![
        ("empty objects", Vocabulary::Gpt2, filled("{},")),
        ("objects of one member", Vocabulary::Gpt2, filled("{\"a\":0},")),
        ("objects within each other", Vocabulary::Gpt2, filled("{\"a\":{\"a\":{}}},")),
        ("lists within each other", Vocabulary::Gpt2, filled("[[[[]]]],")),
        ("numbers", Vocabulary::Gpt2, filled("0,")),
        ("alternatives", Vocabulary::Gpt2, regular("a|".repeat(100_000))),
        ("classes", Vocabulary::Gpt2, regular(format!("[{}]", "[a]".repeat(60_000)))),
        ("short merges", Vocabulary::Gpt2, lines("a b\n", "GPT2Tokenizer", "merges.txt")),
        ("short lines", Vocabulary::Bert, lines("a\n", "BertTokenizer", "vocab.txt")),
        ("empty pieces", Vocabulary::SentencePiece, files(&[("tokenizer.model", [0x0A, 0].repeat(MIB as usize / 2))])),
    ]
}

#[test]
fn a_megabyte_of_small_files_takes_at_most_200() {
    for (what, vocabulary, files) in hostile() {
        let input = VocabularyInput { files: &files, config: &json!({}), pre: None };
        let (result, Use { peak, .. }) = measured(|| vocabulary.add_entries(&input, &mut Entries::default()));
        println!("{what}: {} MiB, {:?}", peak / MIB, result.err().map(|error| error.code()));
        assert!(peak < 200 * MIB, "{what}: {} MiB", peak / MIB);
    }
}
