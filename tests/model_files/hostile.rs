//! Damaged and hostile files give errors with codes.

use gguf_convert::model::entries::Entries;
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::metadata::{MetadataInput, ParameterCount, add_metadata};
use gguf_convert::model::vocabulary::{Vocabulary, VocabularyInput};
use gguf_format::ErrorCode;
use serde_json::{Value as Json, json};

use super::conversions::small_files;
use crate::corpus;
use crate::long::in_long;
use crate::piece_model_input;

/// The entries of a vocabulary, or the error.
fn entries_of(vocabulary: Vocabulary, files: &SmallFiles, pre: Option<&str>) -> Result<Entries, gguf_format::Error> {
    let config: Json = files.get("config.json").map_or(json!({}), |text| serde_json::from_slice(text).unwrap());
    let mut entries = Entries::default();
    vocabulary.add_entries(&VocabularyInput { files, config: &config, pre }, &mut entries)?;
    Ok(entries)
}

#[test]
fn folders_that_the_reference_refuses_or_should_refuse_are_refused() {
    let Some(folder) = corpus::folder() else { return };
    for (name, vocabulary, code) in [
        ("no-tokenizer", Vocabulary::Llama, ErrorCode::IncompleteModel),
        ("tokenizer-model-broken", Vocabulary::Llama, ErrorCode::BadVocabulary),
        ("vocab-larger-than-config", Vocabulary::Llama, ErrorCode::BadVocabulary),
        ("bpe-vocab-larger-than-config", Vocabulary::SentencePieceOrGpt2, ErrorCode::BadVocabulary),
        ("pre-tokenizer-unknown", Vocabulary::SentencePieceOrGpt2, ErrorCode::UnknownPreTokenizer),
    ] {
        let files = small_files(&folder.join("convert/hostile").join(name));
        let error = entries_of(vocabulary, &files, None).unwrap_err();
        assert_eq!(error.code(), code, "{name}: {error}");
    }
}

/// A field of protobuf: its key and its bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8][..], bytes].concat()
}

/// A SentencePiece model with three pieces.
fn piece_model() -> Vec<u8> {
    let piece = |text: &[u8], token_type: u8| {
        field(
            1,
            &[field(1, text), [&[2 << 3 | 5][..], &1.5f32.to_le_bytes()].concat(), vec![3 << 3, token_type]].concat(),
        )
    };
    [piece(b"<unk>", 2), piece(b"<s>", 3), piece(b"a", 1)].concat()
}

fn with_model(model: Vec<u8>) -> SmallFiles {
    let mut files = SmallFiles::default();
    files.insert("tokenizer.model", model);
    files
}

#[test]
fn a_damaged_sentence_piece_model_has_an_error_with_an_offset() {
    let whole = piece_model();
    let length = whole.len() as u64;
    assert!(entries_of(Vocabulary::SentencePiece, &with_model(whole.clone()), None).is_ok());
    for (what, model, offset) in [
        ("a length beyond the end", [&whole[..], &[1 << 3 | 2, 100]].concat(), length + 2),
        ("a number without an end", [&whole[..], &[4 << 3, 0x80]].concat(), length + 1),
        ("a number of more than 64 bits", [&whole[..], &[4 << 3], &[0xFF; 9][..], &[2]].concat(), length + 1),
        ("the field 0", [&whole[..], &[0]].concat(), length),
        ("an unknown wire type", [&whole[..], &[1 << 3 | 3]].concat(), length),
        ("a piece that is a number", [&whole[..], &[1 << 3, 1]].concat(), length),
        ("a text that is not UTF-8", [&whole[..], &field(1, &field(1, &[0xFF]))].concat(), length + 2),
        ("an unknown type", [&whole[..], &field(1, &[3 << 3, 9])].concat(), length + 2),
    ] {
        let error = entries_of(Vocabulary::SentencePiece, &with_model(model), None).unwrap_err();
        assert_eq!((error.code(), error.offset()), (ErrorCode::BadVocabulary, Some(offset)), "{what}: {error}");
    }
    for (what, model) in [
        ("no pieces", Vec::new()),
        ("a piece twice", [&whole[..], &field(1, &field(1, b"a"))].concat()),
        ("an empty piece", [&whole[..], &field(1, &[])].concat()),
        ("no unknown piece", field(1, &field(1, b"a"))),
    ] {
        let error = entries_of(Vocabulary::SentencePiece, &with_model(model), None).unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadVocabulary, "{what}: {error}");
    }
}

#[test]
fn every_damaged_piece_model_is_read_or_refused() {
    let whole = piece_model();
    for length in 0..whole.len() {
        for bit in 0..8 {
            let mut model = whole.clone();
            model[length] ^= 1 << bit;
            for files in [with_model(model.clone()), with_model(model[..length].to_vec())] {
                if let Err(error) = entries_of(Vocabulary::SentencePiece, &files, None) {
                    assert_eq!(error.code(), ErrorCode::BadVocabulary, "{error}");
                }
            }
        }
    }
}

#[test]
fn a_size_from_a_file_allocates_nothing() {
    let mut files = with_model(piece_model());
    files.insert("config.json", br#"{"vocab_size": 4000000000000}"#.to_vec());
    let error = entries_of(Vocabulary::SentencePiece, &files, None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
}

/// A tokenizer of three tokens, with other members.
fn tokenizer(others: &Json) -> SmallFiles {
    let mut json = json!({
        "pre_tokenizer": { "type": "ByteLevel" }, "decoder": { "type": "ByteLevel" },
        "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
    });
    for (name, value) in others.as_object().unwrap() {
        json[name] = value.clone();
    }
    let mut files = SmallFiles::default();
    files.insert("tokenizer.json", json.to_string().into_bytes());
    files.insert("tokenizer_config.json", br#"{"tokenizer_class": "PreTrainedTokenizerFast"}"#.to_vec());
    files
}

#[test]
fn a_tokenizer_that_contradicts_itself_is_refused() {
    let bpe =
        |vocabulary: Json, merges: Json| json!({ "model": { "type": "BPE", "vocab": vocabulary, "merges": merges } });
    assert!(entries_of(Vocabulary::Gpt2, &tokenizer(&json!({})), Some("gpt-2")).is_ok());
    for (what, others) in [
        ("two tokens with one id", bpe(json!({ "a": 0, "b": 0 }), json!([]))),
        ("an id that is a text", bpe(json!({ "a": "0" }), json!([]))),
        ("a negative id", bpe(json!({ "a": -1 }), json!([]))),
        ("no vocabulary", bpe(json!(null), json!([]))),
        ("a merge of three", bpe(json!({ "a": 0 }), json!([["a", "b", "c"]]))),
        ("a merge that is a number", bpe(json!({ "a": 0 }), json!([7]))),
        ("an added token without content", json!({ "added_tokens": [{ "id": 3 }] })),
        ("a merge of an unknown token", bpe(json!({ "a": 0, "ax": 1 }), json!(["a x"]))),
        ("a merge into an unknown token", bpe(json!({ "a": 0, "b": 1 }), json!([["a", "b"]]))),
        ("a merge with two spaces", bpe(json!({ "a": 0, "b": 1, "ab": 2 }), json!(["a  b"]))),
        ("no merges", bpe(json!({ "a": 0 }), json!(null))),
        ("an unknown pre-tokenizer", json!({ "pre_tokenizer": { "type": "ByteLevels" } })),
        ("an unknown step", json!({ "normalizer": { "type": "Sequence", "normalizers": [{ "type": "nfc" }] } })),
        ("a sequence without steps", json!({ "decoder": { "type": "Sequence" } })),
        ("an unknown post-processor", json!({ "post_processor": { "type": "Template" } })),
        ("a normalizer that is a text", json!({ "normalizer": "NFC" })),
    ] {
        let error = entries_of(Vocabulary::Gpt2, &tokenizer(&others), Some("gpt-2")).unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadVocabulary, "{what}: {error}");
    }
    let huge = bpe(json!({ "a": 0, "b": 4_000_000_000_000u64 }), json!([]));
    let error = entries_of(Vocabulary::Gpt2, &tokenizer(&huge), Some("gpt-2")).unwrap_err();
    assert!(matches!(error.code(), ErrorCode::LimitExceeded | ErrorCode::BadVocabulary), "{error}");
    for others in [
        json!({ "normalizer": { "type": "Sequence", "normalizers": [{ "type": "NFC" }, { "type": "Lowercase" }] } }),
        json!({ "pre_tokenizer": { "type": "Sequence", "pretokenizers": [] }, "post_processor": null, "decoder": null }),
        bpe(json!({ "a": 0, "##b": 1, "ab": 2, "b": 3 }), json!([])),
        bpe(json!({ "a": 0, "b": 1, "ab": 2 }), json!(["#version: 0.2", "a b"])),
        json!({ "model": { "type": "BPE", "continuing_subword_prefix": "##", "vocab": { "a": 0, "##b": 1, "ab": 2 },
            "merges": [["a", "##b"]] } }),
    ] {
        entries_of(Vocabulary::Gpt2, &tokenizer(&others), Some("gpt-2")).unwrap();
    }
    let decoder = json!({ "decoder": { "type": "Other" }, "added_tokens": [{ "id": 3, "content": "<x>" , "normalized": false }] });
    let error = entries_of(Vocabulary::Gpt2, &tokenizer(&decoder), Some("gpt-2")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::BadVocabulary, "{error}");
    let expression = json!({ "type": "Replace", "pattern": { "Regex": "x" }, "content": "" });
    let decoder =
        json!({ "decoder": expression, "added_tokens": [{ "id": 3, "content": "<x>" , "normalized": false }] });
    let error = entries_of(Vocabulary::Gpt2, &tokenizer(&decoder), Some("gpt-2")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::UnsupportedModel, "{error}");
    let error = entries_of(Vocabulary::Gpt2, &tokenizer(&json!({})), Some("no-such-name")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument, "{error}");
}

#[test]
fn broken_files_of_chat_templates_are_refused() {
    let with = |path: &str, bytes: &[u8]| {
        let mut files = tokenizer(&json!({}));
        files.insert(path, bytes.to_vec());
        entries_of(Vocabulary::Gpt2, &files, Some("gpt-2"))
    };
    let template = |entries: &Entries| entries.iter().any(|(key, _)| key == "tokenizer.chat_template");
    assert!(template(&with("chat_template.json", br#"{"chat_template": "{{ x }}"}"#).unwrap()));
    assert!(template(&with("chat_template.jinja", b"{{ x }}").unwrap()));
    // Without a template, there is none.
    for text in [&b"{}"[..], br#"{"chat_template": null}"#, br#"{"chat_template": 5}"#] {
        assert!(!template(&with("chat_template.json", text).unwrap()));
    }
    let config = |template: Json| {
        json!({ "tokenizer_class": "PreTrainedTokenizerFast", "chat_template": template }).to_string().into_bytes()
    };
    for (path, bytes, code) in [
        ("chat_template.json", b"[]".to_vec(), "bad-vocabulary"),
        ("chat_template.json", b"null".to_vec(), "bad-vocabulary"),
        ("chat_template.json", b"{".to_vec(), "bad-json"),
        ("chat_template.jinja", b"\xff".to_vec(), "bad-vocabulary"),
        ("tokenizer_config.json", config(json!(["x"])), "bad-vocabulary"),
        ("tokenizer_config.json", config(json!([{ "name": 5, "template": "x" }])), "bad-vocabulary"),
        ("tokenizer_config.json", config(json!([{ "name": "default", "template": 5 }])), "bad-vocabulary"),
        ("tokenizer_config.json", b"[]".to_vec(), "bad-vocabulary"),
    ] {
        let error = with(path, &bytes).unwrap_err();
        assert_eq!(error.code(), code, "{path}: {error}");
    }
    // Also if the text of another file counts.
    let mut files = tokenizer(&json!({}));
    files.insert("tokenizer_config.json", config(json!("{{ x }}")));
    files.insert("chat_template.json", b"{".to_vec());
    assert_eq!(entries_of(Vocabulary::Gpt2, &files, Some("gpt-2")).unwrap_err().code(), "bad-json");
}

#[test]
fn an_unknown_tokenizer_class_is_refused() {
    let mut files = tokenizer(&json!({}));
    files.insert("tokenizer_config.json", br#"{"tokenizer_class": "OwnTokenizer"}"#.to_vec());
    let error = entries_of(Vocabulary::Gpt2, &files, Some("gpt-2")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::UnsupportedModel, "{error}");
}

#[test]
fn an_expression_that_never_ends_is_a_question() {
    let split = json!({ "type": "Split", "pattern": { "Regex": "(?:(?:[^x]*)*)*x" }, "behavior": "Isolated" });
    let files = tokenizer(&json!({ "pre_tokenizer": split }));
    let error = entries_of(Vocabulary::Gpt2, &files, None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::UnknownPreTokenizer, "{error}");
}

/// The entries of a model card, or the error.
fn of_card(card: &str) -> Result<Vec<(String, String)>, gguf_format::Error> {
    let mut files = SmallFiles::default();
    files.insert("README.md", card.as_bytes().to_vec());
    let parameters = ParameterCount::default();
    let input = MetadataInput { files: &files, folder: "m", model_name: None, overrides: None, parameters };
    let mut entries = Entries::default();
    add_metadata(&input, &mut entries)?;
    Ok(entries.iter().map(|(key, value)| (key.to_owned(), format!("{value:?}"))).collect())
}

#[test]
fn a_damaged_model_card_has_an_error_with_an_offset() {
    assert!(of_card("---\nlicense: mit\n---\n").is_ok());
    for (card, offset) in [
        ("---\nlicense: mit\n---\n", None),
        ("no front matter: [", None),
        ("---\nlicense: [mit\n---\n", Some(4)),
        ("---\nlicense: mit\ntags: *all\n---\n", Some(17)),
        ("---\nlicense: mit\n  - x: y\n---\n", Some(17)),
        ("---\nlicense: \"mit\n---\n", Some(4)),
        ("---\na: b: c\n---\n", Some(4)),
        ("---\na: b\n  d: e\n---\n", Some(9)),
    ] {
        let found = of_card(card);
        assert_eq!(found.as_ref().err().and_then(gguf_format::Error::offset), offset, "{card}: {found:?}");
        assert!(found.is_ok_and(|_| true) == offset.is_none(), "{card}");
    }
    for card in ["---\nversion: 1.0\n---\n", "---\ntags: [no]\n---\n", "---\nlicense: {a: b}\n---\n"] {
        let error = of_card(card).unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadModelCard, "{card}: {error}");
    }
    let deep = format!("---\na: {}\n---\n", "[".repeat(100_000));
    assert_eq!(of_card(&deep).unwrap_err().code(), ErrorCode::BadModelCard);
}

#[test]
fn any_bytes_of_a_sentence_piece_model_are_read() {
    let Some(folder) = corpus::folder() else { return };
    let model = corpus::read(&folder.join("convert/models/Tiny-Llama-0.1M-Chat-v1.0/tokenizer.model"));
    let mut state = 1_u64;
    let mut next = |below: usize| {
        // Knuth's generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut accepted = 0;
    for kind in 0..8 {
        // A `vocab_size` of 512.
        let mut input = [&[kind, 0, 2][..], &model].concat();
        for _ in 0..in_long(20_000, 200) {
            let position = 3 + next(input.len() - 3);
            let old = input[position];
            input[position] = next(256) as u8;
            accepted += usize::from(piece_model_input::run(&input));
            input[position] = old;
        }
    }
    assert!(accepted > 100, "{accepted} models are accepted");
}
