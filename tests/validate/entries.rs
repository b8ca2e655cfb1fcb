//! Keys, values, alignments, and required entries.

use std::collections::BTreeSet;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, GgmlType, ValueType};
use gguf_models::validate::{Check, Subject};

use crate::gguf_bytes::GgufBytes;
use crate::validate::test_file::TestFile;
use crate::validate::{codes, validate_file};

#[test]
fn empty_long_unusual_and_duplicate_keys_are_found() {
    TestFile::with(b"a.b_c.0-9", 1u8).assert_no_findings();
    TestFile::with(b"", 1u8).assert_only_in_last_entry(
        Check::EmptyKey,
        "the key is empty, and llama.cpp refuses the file. Rename or remove the entry.",
        0,
    );
    TestFile::with(&[b'a'; 65_535], 1u8).assert_no_findings();
    let message = "the key has 65536 bytes, at most 65535 are allowed. Rename the entry.";
    TestFile::with(&[b'a'; 65_536], 1u8).assert_only_in_last_entry(Check::LongKey, message, 0);
    for key in [&b"A"[..], b"a..b", b".a", b"a.", b".", b"a b", "\u{e4}".as_bytes()] {
        let message = "the key has characters other than a to z, 0 to 9, _ and - between dots. \
             Rename the entry, unless a program needs this key.";
        TestFile::with(key, 1u8).assert_only_in_last_entry(Check::UnusualKey, message, 0);
    }
    let twice = TestFile::with(b"a", 1u8).entry(b"b", 1u8).entry(b"aa", 1u8).entry(b"a", "other");
    twice.assert_only_in_last_entry(
        Check::DuplicateKey,
        "entry 1 has the same key, and llama.cpp refuses the file. Rename or remove one of them.",
        0,
    );
    let many = TestFile::with(b"b", 1u8).entry(b"a", 1u8).entry(b"b", 1u8).entry(b"a", 1u8).entry(b"b", 1u8).encode().0;
    let found: Vec<_> = validate_file(&many).into_iter().map(|finding| (finding.subject, finding.message)).collect();
    let same = |index, first| {
        let message = "has the same key, and llama.cpp refuses the file. Rename or remove one of them.";
        (Some(Subject::Entry(index)), format!("entry {first} {message}"))
    };
    assert_eq!(found, [same(3, 1), same(4, 2), same(5, 1)]);
}

#[test]
fn odd_booleans_and_nested_arrays_are_found() {
    TestFile::with(b"k", OwnedValue::array(ValueType::Bool, [true, false])).assert_no_findings();
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 2).key(b"k", ValueType::Bool.id()).bytes(&[2]);
    let bool_offset = file.len() - 1;
    file.key(b"l", ValueType::Array.id()).array(ValueType::Bool.id(), 4).bytes(&[0, 1, 3, 4]);
    let findings = validate_file(file.as_bytes());
    let found: Vec<_> = findings.iter().map(|finding| (finding.check, finding.subject, finding.offset)).collect();
    let odd = |entry, offset| (Check::OddBool, Some(Subject::Entry(entry)), Some(offset));
    assert_eq!(found, [odd(0, bool_offset), odd(1, file.len() - 2)]);
    assert_eq!(
        findings[1].message,
        "a BOOL has the byte 3, expected 0 or 1. Set it to true: readers treat it as true."
    );

    let inner = |text: &[u8]| OwnedValue::array(ValueType::String, [OwnedValue::String(text.to_vec())]);
    let nested = |text: &[u8]| OwnedValue::array(ValueType::Array, [inner(b"a"), inner(text)]);
    let message = "the value is an array of arrays, and llama.cpp refuses the file. Use one array.";
    TestFile::with(b"k", nested(b"b")).assert_only_in_last_entry(Check::NestedArray, message, 13);
    let findings = validate_file(&TestFile::with(b"k", nested(b"\xff")).encode().0);
    assert_eq!(codes(&findings), BTreeSet::from(["invalid-utf8", "nested-array"]));
}

#[test]
fn bad_and_unusual_alignments_are_found() {
    for alignment in [8u32, 16, 32, 4096] {
        TestFile::with(b"general.alignment", alignment).assert_no_findings();
    }
    let bad = |value: OwnedValue, found: &str| {
        let message = match &value {
            OwnedValue::Uint32(_) => format!("the alignment is {found}, expected a power of two. Set it to 32."),
            _ => format!(
                "the alignment has the type {found}, expected a power of two as UINT32. Set it to 32 as UINT32."
            ),
        };
        TestFile::with(b"general.alignment", value).assert_only_in_last_entry(Check::BadAlignment, &message, 25 + 4);
    };
    bad(0u32.into(), "0");
    bad(24u32.into(), "24");
    bad(7u32.into(), "7");
    bad(32u64.into(), "UINT64");
    bad("32".into(), "STRING");
    for alignment in [1u32, 2, 4] {
        let message = format!("the alignment is {alignment}, expected a multiple of 8. Set it to 32.");
        TestFile::with(b"general.alignment", alignment).assert_only_in_last_entry(
            Check::UnusualAlignment,
            &message,
            25 + 4,
        );
    }
}

#[test]
fn arrays_and_ids_that_do_not_fit_the_vocabulary_are_found() {
    let vocabulary = || {
        TestFile::with(b"tokenizer.ggml.model", "llama")
            .entry(b"tokenizer.ggml.tokens", OwnedValue::array(ValueType::String, ["a", "b", "c"]))
    };
    let scores = |len| OwnedValue::array(ValueType::Float32, vec![0.0f32; len]);
    vocabulary().entry(b"tokenizer.ggml.scores", scores(3)).assert_no_findings();
    let message = "the array has 2 elements, but the vocabulary has 3 tokens. \
                   Give it one element for each token.";
    vocabulary().entry(b"tokenizer.ggml.scores", scores(2)).assert_only_in_last_entry(
        Check::VocabularyLength,
        message,
        29 + 4,
    );
    let types = OwnedValue::array(ValueType::Int32, [1i32; 4]);
    let message = "the array has 4 elements, but the vocabulary has 3 tokens. llama.cpp ignores the rest. \
                   Remove the elements after the last token.";
    vocabulary().entry(b"tokenizer.ggml.token_type", types).assert_only_in_last_entry(
        Check::ElementsWithoutTokens,
        message,
        33 + 4,
    );
    vocabulary().entry(b"tokenizer.ggml.bos_token_id", 2u32).assert_no_findings();
    let message = "the token id is 3, but the vocabulary has 3 tokens. Set it to a smaller id.";
    vocabulary().entry(b"tokenizer.ggml.bos_token_id", 3u32).assert_only_in_last_entry(
        Check::TokenIdOutOfRange,
        message,
        35 + 4,
    );
    TestFile::with(b"tokenizer.ggml.eos_token_id", 3u32).assert_no_findings();
}

#[test]
fn a_model_without_architecture_or_quantization_version_is_found() {
    let without = |key: &[u8], value: OwnedValue| {
        let mut file = GgufBytes::new(Format::default());
        file.header(1, 1).entry(key, &value).tensor(b"t", &[8], 0, 0).pad_to(32).bytes(&[0; 32]);
        codes(&validate_file(file.as_bytes())).into_iter().next()
    };
    assert_eq!(without(b"k", 1u8.into()), Some("no-architecture"));
    // If an entry says that the file is not a model, the entries of a model are not required.
    assert_eq!(without(b"general.type", "imatrix".into()), None);
    assert_eq!(without(b"general.type", "adapter".into()), None);
    assert_eq!(without(b"general.type", "model".into()), Some("no-architecture"));
    assert_eq!(without(b"general.type", 1u8.into()), Some("no-architecture"));
    TestFile::with(b"general.type", "model").tensor(b"t", &[8], GgmlType::F32, 0).data(32).assert_no_findings();
    // Only the first shard has the metadata of the model.
    assert_eq!(without(b"split.no", 1u16.into()), Some("no-shard-count"));
    assert_eq!(without(b"split.no", 0u16.into()), Some("no-architecture"));

    let quantized = |file: TestFile<'static>| file.tensor(b"t", &[32], GgmlType::Q8_0, 0).data(64);
    let message = "the entry general.quantization_version is missing. Add it with the value 2 as UINT32.";
    quantized(TestFile::new()).assert_only_in_file(Check::NoQuantizationVersion, message, None);
    quantized(TestFile::with(b"general.quantization_version", 2u32)).assert_no_findings();
}
