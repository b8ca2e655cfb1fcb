//! What `validate` finds: in files with exactly one fault, in the corpus, and in files that are made to hurt.

#[path = "../support/corpus.rs"]
mod corpus;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use gguf_wasm::encode::{Encoder, OwnedValue};
use gguf_wasm::{
    CHECKS, Check, Decoder, Endian, Finding, Format, GgmlType, MAX_FINDINGS, Progress, Severity, Subject, ValueType,
    validate,
};
use serde_json::Value as Json;

/// Every malformed file of the corpus that opens: the finding for what its index says is wrong with it, and the cases.
/// Nothing is wrong with those of the empty code.
#[rustfmt::skip]
const EXPECTED: &[(&str, &str)] = &[
    ("", "arr-str-many-empty hc-header-empty hc-kv-random-kv nest-1 str-len-eof-exact tensor-name-63"),
    ("bad-alignment", "align-0 align-13 align-3 align-neg-i32 align-type-bool align-type-i32 align-type-u16 hc-data-bad-align hc-tensors-bad-align"),
    ("big-endian", "version-0x03000000-empty"),
    ("duplicate-key", "hc-kv-duplicate-key key-duplicate-other-type"),
    ("empty-key", "key-empty"),
    ("gap", "offset-2e32 offset-2e63"),
    ("long-key", "key-1MiB key-65536"),
    ("long-tensor-name", "hc-tensors-bad-name-size tensor-name-65"),
    ("missing-padding", "trunc-0460"),
    ("negative-dimension", "dims-max dims-wrap-to-1 hc-tensors-bad-shape"),
    ("nested-array", "nest-2 nest-64 trunc-none"),
    ("no-data-section", "data-pad-missing-zero-size"),
    ("no-dimensions", "n-dims-0"),
    ("offset-too-large", "be-offset-max offset-max-aligned offset-wrap-into-header"),
    ("overlapping-tensors", "offset-identical"),
    ("partial-block", "dims-block-iq4_xs-32 dims-block-nvfp4-32 dims-block-q2_0-32 dims-block-q4_0-33 dims-block-q6_k-255"),
    ("removed-tensor-type", "tensor-type-removed-31 tensor-type-removed-33 tensor-type-removed-37 tensor-type-removed-4"),
    ("tensor-name-same-up-to-nul", "tensor-duplicate-name-after-nul"),
    ("tensor-too-large", "dims-2e32x2e32 dims-2e62 dims-2e62x4 dims-2e63-1 dims-f64-2e61 hc-tensors-ne-too-big v1-dims-wrap"),
    ("too-many-dimensions", "n-dims-5"),
    (
        "truncated",
        "align-2e31 data-half data-missing data-second-missing dims-2e53+1 dims-wrap32-to-0 hc-data-not-enough-data \
         offset-partly-beyond-eof trunc-0373 trunc-0383 trunc-0385 trunc-0420 trunc-0448",
    ),
    ("unaligned-tensor", "hc-data-inconsistent-align hc-tensors-inconsistent-align offset-unaligned-1"),
    ("unknown-tensor-type", "tensor-type-unknown-100 tensor-type-unknown-2147483648 tensor-type-unknown-4294967295 tensor-type-unknown-44"),
    ("unusual-alignment", "hc-tensors-custom-align"),
    ("version-1", "hc-header-bad-version-1"),
    ("zero-sized-tensor", "dims-huge-x-zero dims-zero dims-zero-x-huge hc-tensors-zero-dim offset-at-eof-zero-size"),
];

/// What there is to say of the corpus' files that break or stretch a rule, other than of severity info.
#[rustfmt::skip]
const EDGES: &[(&str, &str)] = &[
    ("align-1.gguf align-2.gguf align-4.gguf", "unusual-alignment"),
    ("be-v1.gguf", "big-endian-before-version-3 version-1"),
    ("be-v2.gguf", "big-endian-before-version-3"),
    ("bool-nonstandard.gguf", "odd-bool"),
    ("keys-bytes.gguf strings-invalid-utf8.gguf", "invalid-utf8"),
    ("offsets-first-not-zero.gguf offsets-gap.gguf", "gap"),
    ("offsets-out-of-order.gguf", "tensors-out-of-order"),
    ("tensor-name-64.gguf", "long-tensor-name-for-ggml"),
    ("dims-zero-element.gguf dims-zero-rank.gguf keys.gguf last-tensor-unpadded.gguf padding-nonzero.gguf", ""),
    ("tensor-names.gguf trailing-bytes.gguf", ""),
];

fn codes(findings: &[Finding]) -> BTreeSet<&'static str> {
    findings.iter().map(|finding| finding.check.code()).collect()
}

/// The position of the tensor that a finding is about.
fn tensor_of(finding: &Finding) -> usize {
    match finding.subject {
        Some(Subject::Tensor(index)) => index,
        _ => panic!("{finding:?} is not about a tensor"),
    }
}

fn validate_file(file: &[u8]) -> Vec<Finding> {
    validate(&gguf_wasm::parse(file).unwrap(), Some(file.len() as u64))
}

fn malformed() -> Option<Vec<(Json, Vec<u8>)>> {
    let folder = corpus::folder()?.join("malformed");
    let index = corpus::json(&folder.join("index.json"));
    let cases = index["cases"].as_array().unwrap().iter();
    Some(cases.map(|case| (case.clone(), corpus::read(&folder.join(case["file"].as_str().unwrap())))).collect())
}

#[test]
fn every_malformed_file_that_opens_has_a_finding_for_its_fault() {
    let Some(cases) = malformed() else { return };
    let mut expected = BTreeMap::new();
    for (code, names) in EXPECTED {
        assert!(code.is_empty() || CHECKS.iter().any(|info| info.code == *code), "no check {code}");
        for name in names.split_whitespace() {
            assert!(expected.insert(name, *code).is_none(), "{name} is twice in the table");
        }
    }
    for (case, file) in &cases {
        let name = case["name"].as_str().unwrap();
        if gguf_wasm::parse(file).is_err() {
            continue;
        }
        let code = expected.remove(name).unwrap_or_else(|| panic!("{name} opens, and is not in the table"));
        let findings = validate_file(file);
        if code.is_empty() {
            assert_eq!(case["expect"], "ok", "{name} has no finding");
            assert!(findings.iter().all(|finding| finding.check.severity() != Severity::Error), "{name}: {findings:?}");
        } else {
            assert!(codes(&findings).contains(code), "{name}: {code} is not in {findings:?}");
        }
        // What ggml refuses, and is not only a matter of versions, is never without a word.
        if case["c_reader"]["metadata"] == "error" {
            let worst = findings.iter().map(|finding| finding.check.severity()).min();
            let is_big_endian = code == "big-endian";
            assert!(worst.is_some_and(|worst| worst <= Severity::Warning || is_big_endian), "{name}: {findings:?}");
        }
    }
    assert!(expected.is_empty(), "in the table, but do not open: {expected:?}");
}

#[test]
fn well_formed_files_have_no_errors_and_the_others_what_the_table_says() {
    let Some(folder) = corpus::folder() else { return };
    let index = corpus::json(&folder.join("files/index.json"));
    let mut edges: BTreeMap<_, _> =
        EDGES.iter().flat_map(|(files, codes)| files.split(' ').map(move |file| (file, *codes))).collect();
    for entry in index["files"].as_array().unwrap() {
        let name = entry["file"].as_str().unwrap();
        let findings = validate_file(&corpus::read(&folder.join("files").join(name)));
        assert!(findings.iter().all(|finding| finding.check.severity() != Severity::Error), "{name}: {findings:?}");
        if entry["category"] == "edge" {
            let expected = edges.remove(name).unwrap_or_else(|| panic!("{name} is not in the table"));
            let warnings = findings.into_iter().filter(|finding| finding.check.severity() == Severity::Warning);
            let found: Vec<_> = codes(&warnings.collect::<Vec<_>>()).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{name}");
        }
    }
    assert!(edges.is_empty(), "in the table, but not in the corpus: {edges:?}");
}

#[test]
fn there_is_nothing_to_say_of_models_that_tools_made() {
    let Some(folder) = corpus::folder() else { return };
    let mut count = 0;
    for (name, file) in corpus::every_file(&folder) {
        if name.starts_with("real/") || name.contains("vocab") || name.contains("shards") || name.contains("model-") {
            assert_eq!(validate_file(&file), [], "{name}");
            count += 1;
        }
    }
    assert!(count > 10);
}

/// Whatever the file's size is said to be, and however much of the header there is.
#[test]
fn every_file_of_the_corpus_can_be_validated() {
    let Some(folder) = corpus::folder() else { return };
    for (name, file) in corpus::every_file(&folder) {
        let mut decoder = gguf_wasm::Decoder::new();
        for piece in file.chunks(file.len() / 7 + 1) {
            let _ = decoder.push(piece);
            check_sanity(&name, &validate(decoder.header(), Some(file.len() as u64)));
        }
        let Ok(header) = gguf_wasm::parse(&file) else { continue };
        for size in [None, Some(0), Some(header.header_size()), Some(file.len() as u64), Some(1 << 53), Some(u64::MAX)]
        {
            let findings = validate(&header, size);
            check_sanity(&name, &findings);
            for finding in findings {
                let is_in_header = match finding.subject {
                    None => true,
                    Some(Subject::Entry(index)) => index < header.metadata().len(),
                    Some(Subject::Tensor(index)) => index < header.tensors().len(),
                };
                assert!(is_in_header, "{name}: {finding:?}");
            }
        }
    }
}

fn check_sanity(name: &str, findings: &[Finding]) {
    for finding in findings {
        assert!(finding.message.ends_with('.'), "{name}: {finding:?}");
        assert!(finding.message.len() < 300, "{name}: {finding:?}");
    }
}

#[test]
fn codes_are_stable_names_and_the_table_is_in_order() {
    let mut seen = BTreeSet::new();
    for info in CHECKS {
        assert_eq!(info.check.code(), info.code);
        assert_eq!(info.check.severity(), info.severity);
        assert!(seen.insert(info.code), "{} is there twice", info.code);
        assert!(info.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{}", info.code);
        assert!(info.meaning.ends_with('.') && info.meaning == info.meaning.trim(), "{}", info.meaning);
    }
    assert_eq!([Severity::Error, Severity::Warning, Severity::Info].map(Severity::name), ["error", "warning", "info"]);
}

/// A file that is put together entry by entry.
#[derive(Default)]
struct File<'a> {
    format: Format,
    /// Keys and values after `general.architecture`.
    entries: Vec<(&'a [u8], OwnedValue)>,
    /// Names, dimensions, types and offsets.
    tensors: Vec<(&'a [u8], &'a [u64], GgmlType, u64)>,
    data: usize,
}

impl<'a> File<'a> {
    fn new() -> Self {
        Self::default()
    }

    fn with(key: &'a [u8], value: impl Into<OwnedValue>) -> Self {
        Self::new().kv(key, value)
    }

    fn kv(mut self, key: &'a [u8], value: impl Into<OwnedValue>) -> Self {
        self.entries.push((key, value.into()));
        self
    }

    fn tensor(mut self, name: &'a [u8], dimensions: &'a [u64], ggml_type: GgmlType, offset: u64) -> Self {
        self.tensors.push((name, dimensions, ggml_type, offset));
        self
    }

    fn data(self, data: usize) -> Self {
        Self { data, ..self }
    }

    /// The file, where each entry begins, and where each tensor info begins.
    fn encode(&self) -> (Vec<u8>, Vec<u64>, Vec<u64>) {
        let mut file = Encoder::new(self.format);
        file.header(self.tensors.len() as u64, self.entries.len() as u64 + 1);
        let mut entries = vec![file.len()];
        file.kv(b"general.architecture", &"llama".into());
        for (key, value) in &self.entries {
            entries.push(file.len());
            file.kv(key, value);
        }
        let mut tensors = Vec::new();
        for (name, dimensions, ggml_type, offset) in &self.tensors {
            tensors.push(file.len());
            file.tensor_info(name, dimensions, ggml_type.0, *offset);
        }
        let alignment = gguf_wasm::parse(file.as_bytes()).unwrap().alignment();
        if !self.tensors.is_empty() {
            file.pad_to(alignment);
        }
        file.bytes(&vec![0; self.data]);
        (file.into_bytes(), entries, tensors)
    }

    #[track_caller]
    fn has_nothing(&self) {
        assert_eq!(validate_file(&self.encode().0), []);
    }

    /// Holds that there is exactly one finding.
    #[track_caller]
    fn has_one(&self, check: Check) -> (Finding, Vec<u8>, Vec<u64>, Vec<u64>) {
        let (file, entries, tensors) = self.encode();
        let findings = validate_file(&file);
        assert_eq!(findings.iter().map(|finding| finding.check).collect::<Vec<_>>(), [check], "{findings:?}");
        (findings.into_iter().next().unwrap(), file, entries, tensors)
    }

    /// Holds that there is exactly one finding, about the last entry, so many bytes after its key; or so many before for
    /// the key.
    #[track_caller]
    fn has_entry(&self, check: Check, message: &str, offset: u64) {
        let (finding, _, entries, _) = self.has_one(check);
        assert_eq!(finding.subject, Some(Subject::Entry(entries.len() - 1)));
        assert_eq!(finding.message, message);
        assert_eq!(finding.offset, Some(entries[entries.len() - 1] + offset));
    }

    #[track_caller]
    fn has_tensor(&self, check: Check, message: &str, index: usize, offset: u64) {
        let (finding, _, _, tensors) = self.has_one(check);
        assert_eq!(finding.subject, Some(Subject::Tensor(index)));
        assert_eq!(finding.message, message);
        assert_eq!(finding.offset, Some(tensors[index] + offset));
    }

    #[track_caller]
    fn has_file(&self, check: Check, message: &str, offset: Option<u64>) {
        let (finding, ..) = self.has_one(check);
        assert_eq!(finding.message, message);
        assert_eq!(finding.offset, offset);
    }
}

#[test]
fn versions_and_byte_orders() {
    let file = |version, endian| File { format: Format { version, endian }, ..File::new() };
    file(3, Endian::Little).has_nothing();
    file(2, Endian::Little).has_nothing();
    file(1, Endian::Little).has_file(
        Check::Version1,
        "the version is 1, which llama.cpp no longer reads. Save the file as version 3.",
        Some(4),
    );
    file(3, Endian::Big).has_file(
        Check::BigEndian,
        "the file is big-endian, and llama.cpp reads it on big-endian machines only. \
         Save it as little-endian for other machines.",
        Some(4),
    );
    let message = "the file is big-endian, but version 2 has only little-endian files. Save it as version 3.";
    file(2, Endian::Big).has_file(Check::BigEndianBeforeVersion3, message, Some(4));

    for value in [1u64.into(), OwnedValue::array(ValueType::Float64, [1.0])] {
        let old = File { format: Format { version: 1, endian: Endian::Little }, ..File::with(b"k", value) };
        let (file, entries, _) = old.encode();
        let findings = validate_file(&file);
        assert_eq!(codes(&findings), BTreeSet::from(["type-of-later-version", "version-1"]));
        assert_eq!(findings[1].offset, Some(entries[1] + 5));
    }
}

#[test]
fn keys() {
    File::with(b"a.b_c.0-9", 1u8).has_nothing();
    File::with(b"", 1u8).has_entry(
        Check::EmptyKey,
        "the key is empty, and llama.cpp refuses the file. Rename or remove the entry.",
        0,
    );
    File::with(&[b'a'; 65_535], 1u8).has_nothing();
    let message = "the key has 65536 bytes, at most 65535 are allowed. Rename the entry.";
    File::with(&[b'a'; 65_536], 1u8).has_entry(Check::LongKey, message, 0);
    for key in [&b"A"[..], b"a..b", b".a", b"a.", b".", b"a b", "\u{e4}".as_bytes()] {
        let message = "the key has characters other than a to z, 0 to 9, _ and - between dots. \
             Rename the entry, unless a program needs this key.";
        File::with(key, 1u8).has_entry(Check::UnusualKey, message, 0);
    }
    let twice = File::with(b"a", 1u8).kv(b"b", 1u8).kv(b"aa", 1u8).kv(b"a", "other");
    twice.has_entry(
        Check::DuplicateKey,
        "entry 1 has the same key, and llama.cpp refuses the file. Rename or remove one of them.",
        0,
    );
    let many = File::with(b"b", 1u8).kv(b"a", 1u8).kv(b"b", 1u8).kv(b"a", 1u8).kv(b"b", 1u8).encode().0;
    let found: Vec<_> = validate_file(&many).into_iter().map(|finding| (finding.subject, finding.message)).collect();
    let same = |index, first| {
        let message = "has the same key, and llama.cpp refuses the file. Rename or remove one of them.";
        (Some(Subject::Entry(index)), format!("entry {first} {message}"))
    };
    assert_eq!(found, [same(3, 1), same(4, 2), same(5, 1)]);
}

#[test]
fn text() {
    File::with(b"k", "text \u{2603}\u{fffd}\u{10ffff}\u{e000}\t\r\n").has_nothing();
    // Of the standard's table 3-7, what is just outside.
    let invalid: [&[u8]; 14] = [
        b"\x80",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xe0\x9f\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xff",
        b"\xc2",
        b"\xe2\x98",
        b"\xe2\x98a",
        b"\xf0\x90\x80",
        b"\xe2\x28\xa1",
    ];
    for bytes in invalid {
        let text = [b"ab\xc3\xa9", bytes].concat();
        let message = "the text is not UTF-8 at byte 4, so readers may change it. Write it as UTF-8.";
        File::with(b"k", OwnedValue::String(text)).has_entry(Check::InvalidUtf8, message, 9 + 4 + 8 + 4);
    }
    let message = "the text has the hidden character U+202E at byte 1. Remove it if it is a mistake.";
    File::with(b"k", "a\u{202e}b").has_entry(Check::HiddenCharacters, message, 9 + 4 + 8 + 1);
    for hidden in ["\0", "\x1b", "\x7f", "\u{9b}", "\u{2066}", "\u{e0041}"] {
        File::with(b"k", hidden).has_one(Check::HiddenCharacters);
    }
    let tokens = |texts: &[&[u8]]| {
        let texts = texts.iter().map(|text| OwnedValue::String(text.to_vec()));
        OwnedValue::array(ValueType::String, texts)
    };
    File::with(b"k", tokens(&[b"\0".as_slice(), b"a", b""])).has_nothing();
    let message = "2 of 4 strings in the array are not UTF-8. Readers may change them.";
    File::with(b"k", tokens(&[b"a".as_slice(), b"b\xff", b"\x80", b""])).has_entry(
        Check::InvalidUtf8,
        message,
        9 + 16 + 9 + 9,
    );
    let (finding, _, _, tensors) =
        File::new().tensor(b"a\xff", &[8], GgmlType::F32, 0).data(32).has_one(Check::InvalidUtf8);
    assert_eq!((finding.subject, finding.offset), (Some(Subject::Tensor(0)), Some(tensors[0] + 9)));
}

/// Characters lie across the end of a block of the header's storage, wherever they begin.
#[test]
fn text_across_blocks() {
    for shift in 0..8 {
        let text = format!("{}{}", "x".repeat(shift), "\u{10348}\u{20ac}\u{e9}".repeat(70_000));
        File::with(b"k", text.as_str()).has_nothing();
        let mut bytes = text.clone().into_bytes();
        let middle = (0..bytes.len()).rfind(|at| *at < 262_160 && text.is_char_boundary(*at)).unwrap();
        bytes.insert(middle, 0x80);
        let message = format!("the text is not UTF-8 at byte {middle}, so readers may change it. Write it as UTF-8.");
        File::with(b"k", OwnedValue::String(bytes)).has_entry(Check::InvalidUtf8, &message, 21 + middle as u64);
    }
}

#[test]
fn values() {
    File::with(b"k", OwnedValue::array(ValueType::Bool, [true, false])).has_nothing();
    let mut file = Encoder::new(Format::default());
    file.header(0, 2).key(b"k", ValueType::Bool.id()).u8(2);
    let bool_offset = file.len() - 1;
    file.key(b"l", ValueType::Array.id()).array(ValueType::Bool.id(), 4).bytes(&[0, 1, 3, 4]);
    let findings = validate_file(file.as_bytes());
    let found: Vec<_> = findings.iter().map(|finding| (finding.check, finding.subject, finding.offset)).collect();
    let odd = |entry, offset| (Check::OddBool, Some(Subject::Entry(entry)), Some(offset));
    assert_eq!(found, [odd(0, bool_offset), odd(1, file.len() - 2)]);
    assert_eq!(findings[1].message, "a BOOL has the byte 3, expected 0 or 1. Set it to true, as readers take it.");

    let inner = |text: &[u8]| OwnedValue::array(ValueType::String, [OwnedValue::String(text.to_vec())]);
    let nested = |text: &[u8]| OwnedValue::array(ValueType::Array, [inner(b"a"), inner(text)]);
    let message = "the value is an array of arrays, and llama.cpp refuses the file. Use one array.";
    File::with(b"k", nested(b"b")).has_entry(Check::NestedArray, message, 13);
    let findings = validate_file(&File::with(b"k", nested(b"\xff")).encode().0);
    assert_eq!(codes(&findings), BTreeSet::from(["invalid-utf8", "nested-array"]));
}

#[test]
fn alignments() {
    for alignment in [8u32, 16, 32, 4096] {
        File::with(b"general.alignment", alignment).has_nothing();
    }
    let bad = |value: OwnedValue, found: &str| {
        let message = match &value {
            OwnedValue::Uint32(_) => format!("the alignment is {found}, expected a power of two. Set it to 32."),
            _ => format!(
                "the alignment has the type {found}, expected a power of two as UINT32. Set it to 32 as UINT32."
            ),
        };
        File::with(b"general.alignment", value).has_entry(Check::BadAlignment, &message, 25 + 4);
    };
    bad(0u32.into(), "0");
    bad(24u32.into(), "24");
    bad(7u32.into(), "7");
    bad(32u64.into(), "UINT64");
    bad("32".into(), "STRING");
    for alignment in [1u32, 2, 4] {
        let message = format!("the alignment is {alignment}, expected a multiple of 8. Set it to 32.");
        File::with(b"general.alignment", alignment).has_entry(Check::UnusualAlignment, &message, 25 + 4);
    }
}

#[test]
fn types_of_known_keys() {
    File::with(b"general.file_type", 7u32).has_nothing();
    let message = "the type is STRING, expected UINT32. Change the type of the value.";
    File::with(b"general.file_type", "MOSTLY_Q8_0").has_entry(Check::WrongType, message, 25);
    let message = "the type is UINT32, expected UINT16. Change the type of the value.";
    File::with(b"split.no", 1u32).has_entry(Check::WrongType, message, 16);
    let message = "the type is UINT8[], expected STRING[]. Change the type of the value.";
    File::with(b"general.tags", OwnedValue::array(ValueType::Uint8, [1u8])).has_entry(Check::WrongType, message, 20);
    let heads = OwnedValue::array(ValueType::Int32, [8i32, 4]);
    File::with(b"llama.attention.head_count_kv", heads).has_nothing();
    let message = "the type is UINT64, expected UINT32 or INT32[] or UINT32[]. Change the type of the value.";
    File::with(b"a-b.attention.head_count_kv", 8u64).has_entry(Check::WrongType, message, 35);
    File::with(b"general.tags", OwnedValue::array(ValueType::Int32, [0i32; 0])).has_nothing();
    File::with(b"nobody.knows", 8u64).has_nothing();
}

#[test]
fn vocabularies() {
    let vocabulary = || File::with(b"tokenizer.ggml.tokens", OwnedValue::array(ValueType::String, ["a", "b", "c"]));
    let scores = |len| OwnedValue::array(ValueType::Float32, vec![0.0f32; len]);
    vocabulary().kv(b"tokenizer.ggml.scores", scores(3)).has_nothing();
    let message = "the array has 2 elements, but the vocabulary has 3 tokens. Give it one element for each token.";
    vocabulary().kv(b"tokenizer.ggml.scores", scores(2)).has_entry(Check::VocabularyLength, message, 29 + 4);
    let types = OwnedValue::array(ValueType::Int32, [1i32; 4]);
    let message = "the array has 4 elements, but the vocabulary has 3 tokens. Give it one element for each token.";
    vocabulary().kv(b"tokenizer.ggml.token_type", types).has_entry(Check::VocabularyLength, message, 33 + 4);
    vocabulary().kv(b"tokenizer.ggml.bos_token_id", 2u32).has_nothing();
    let message = "the token id is 3, but the vocabulary has 3 tokens. Set it to a smaller id.";
    vocabulary().kv(b"tokenizer.ggml.bos_token_id", 3u32).has_entry(Check::TokenIdOutOfRange, message, 35 + 4);
    File::with(b"tokenizer.ggml.eos_token_id", 3u32).has_nothing();
}

#[test]
fn what_a_model_must_say() {
    let without = |key: &[u8], value: OwnedValue| {
        let mut file = Encoder::new(Format::default());
        file.header(1, 1).kv(key, &value).tensor_info(b"t", &[8], 0, 0).pad_to(32).bytes(&[0; 32]);
        codes(&validate_file(file.as_bytes())).into_iter().next()
    };
    assert_eq!(without(b"k", 1u8.into()), Some("no-architecture"));
    // What else a file can be says so; a model is no more than that.
    assert_eq!(without(b"general.type", "imatrix".into()), None);
    assert_eq!(without(b"general.type", "adapter".into()), None);
    assert_eq!(without(b"general.type", "model".into()), Some("no-architecture"));
    assert_eq!(without(b"general.type", 1u8.into()), Some("no-architecture"));
    File::with(b"general.type", "model").tensor(b"t", &[8], GgmlType::F32, 0).data(32).has_nothing();
    assert_eq!(without(b"split.no", 1u16.into()), None);

    let quantized = |file: File<'static>| file.tensor(b"t", &[32], GgmlType::Q8_0, 0).data(64);
    let message = "the entry general.quantization_version is missing. Add it with the value 2 as UINT32.";
    quantized(File::new()).has_file(Check::NoQuantizationVersion, message, None);
    quantized(File::with(b"general.quantization_version", 2u32)).has_nothing();
}

#[test]
fn tensor_names() {
    let two = |first: &'static [u8], second: &'static [u8]| {
        File::new().tensor(first, &[8], GgmlType::F32, 0).tensor(second, &[8], GgmlType::F32, 32).data(64)
    };
    two(b"t", b"u").has_nothing();
    two(b"t", &[b'a'; 63]).has_nothing();
    let message = "the name has 64 bytes, and llama.cpp reads at most 63. Rename the tensor.";
    two(b"t", &[b'a'; 64]).has_tensor(Check::LongTensorNameForGgml, message, 1, 0);
    let message = "the name has 65 bytes, at most 64 are allowed and llama.cpp reads 63. Rename the tensor.";
    two(b"t", &[b'a'; 65]).has_tensor(Check::LongTensorName, message, 1, 0);
    two(b"t", b"t").has_tensor(
        Check::DuplicateTensorName,
        "tensor 0 has the same name, and llama.cpp refuses the file. Rename or remove one of them.",
        1,
        0,
    );

    let names: [&[u8]; 8] = [b"x\0b", b"y", b"x", b"x\0a", b"x\x01", b"x\0a", b"", b"y\0"];
    let mut file = File::new().data(8 * 32);
    for (name, at) in names.into_iter().zip(0u64..) {
        file = file.tensor(name, &[8], GgmlType::F32, at * 32);
    }
    let mut findings = validate_file(&file.encode().0);
    findings.retain(|finding| finding.check != Check::HiddenCharacters);
    let found: Vec<_> = findings.iter().map(|finding| (finding.check.code(), tensor_of(finding))).collect();
    let part = "tensor-name-same-up-to-nul";
    assert_eq!(found, [(part, 0), (part, 3), ("duplicate-tensor-name", 5), (part, 7)]);
}

#[test]
fn tensor_sizes() {
    let tensor = |dimensions: &'static [u64], ggml_type| {
        File::with(b"general.quantization_version", 2u32).tensor(b"t", dimensions, ggml_type, 0).data(64)
    };
    tensor(&[4, 2, 2, 1], GgmlType::F32).has_nothing();
    tensor(&[32, 1], GgmlType::Q4_0).data(32).has_nothing();
    let message = "the tensor has 5 dimensions, at most 4 are allowed. Write it with fewer dimensions.";
    tensor(&[4, 4, 1, 1, 1], GgmlType::F32).has_tensor(Check::TooManyDimensions, message, 0, 9);
    let message = "the tensor has no dimensions, and readers take it as one element.";
    tensor(&[], GgmlType::F32).data(32).has_tensor(Check::NoDimensions, message, 0, 9);
    let message = "dimension 1 is 9223372036854775808, expected less than 2^63. Download the file again.";
    tensor(&[1, 1 << 63], GgmlType::F32).data(0).has_tensor(Check::NegativeDimension, message, 0, 9 + 4 + 8);
    let message = "the tensor has no elements. llama.cpp reads such files since August 2026.";
    tensor(&[4, 0], GgmlType::F32).data(0).has_tensor(Check::ZeroSizedTensor, message, 0, 9);
    let message = "the size of the tensor does not fit in 64 bits. Download the file again.";
    for dimensions in [&[1 << 62, 4][..], &[1 << 62], &[(1 << 63) - 1]] {
        tensor(dimensions, GgmlType::F32).data(0).has_tensor(Check::TensorTooLarge, message, 0, 9);
    }
    tensor(&[(1 << 63) - 1], GgmlType::I8).data(0).has_one_of(Check::TensorTooLarge);
    let message = "ggml has no tensor type 137. Use the program that wrote the file to read or convert it.";
    tensor(&[4], GgmlType(137)).has_tensor(Check::UnknownTensorType, message, 0, 9 + 4 + 8);
    let message = "ggml removed the tensor type 4, Q4_2. Convert the model again from its source.";
    tensor(&[4], GgmlType(4)).has_tensor(Check::RemovedTensorType, message, 0, 9 + 4 + 8);
    let message = "a row has 33 elements, expected a multiple of 32 for Q4_0. Use another type.";
    tensor(&[33, 32], GgmlType::Q4_0).has_tensor(Check::PartialBlock, message, 0, 9 + 4 + 16);
}

impl File<'_> {
    /// Holds that a check has found something, whatever others have.
    #[track_caller]
    fn has_one_of(&self, check: Check) {
        let findings = validate_file(&self.encode().0);
        assert!(findings.iter().any(|finding| finding.check == check), "{findings:?}");
    }
}

/// Where the offset is in the info of a tensor with one dimension and a name of one byte.
const OFFSET: u64 = 9 + 4 + 8 + 4;

#[test]
fn places_in_the_data_section() {
    let at = |places: &[(&'static [u64], u64)], data| {
        let names: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
        let mut file = File::new().data(data);
        for ((dimensions, offset), name) in places.iter().zip(names) {
            file = file.tensor(name, dimensions, GgmlType::F32, *offset);
        }
        file
    };
    at(&[(&[8], 0), (&[9], 32), (&[1], 96)], 128).has_nothing();
    let message = "the offset is 36, expected a multiple of the alignment 32. Repack the data.";
    at(&[(&[8], 0), (&[7], 36)], 64).has_tensor(Check::UnalignedTensor, message, 1, OFFSET);
    let message = "the data follows 32 unused bytes, and llama.cpp refuses the file. Repack the data.";
    at(&[(&[8], 32)], 64).has_tensor(Check::Gap, message, 0, OFFSET);
    at(&[(&[8], 0), (&[1], 64)], 96).has_tensor(Check::Gap, message, 1, OFFSET);
    let message = "the data shares its first 32 bytes with tensor 0. Write the file again from its source.";
    at(&[(&[16], 0), (&[16], 32)], 96).has_tensor(Check::OverlappingTensors, message, 1, OFFSET);
    let message = "the data shares its first 4 bytes with tensor 0. Write the file again from its source.";
    at(&[(&[1], 0), (&[16], 0), (&[8], 64)], 96).has_tensor(Check::OverlappingTensors, message, 1, OFFSET);
    let message = "the data lies before that of the previous tensor, and llama.cpp refuses the file. Repack the data.";
    at(&[(&[8], 32), (&[8], 0), (&[8], 64)], 96).has_tensor(Check::TensorsOutOfOrder, message, 1, OFFSET);
    let empty = validate_file(&at(&[(&[16], 0), (&[0], 32), (&[8], 64)], 96).encode().0);
    assert_eq!(codes(&empty), BTreeSet::from(["tensors-out-of-order", "zero-sized-tensor"]));
    let message = "the offset is 18446744073709551584, and the data would end beyond 2^64. Download the file again.";
    at(&[(&[8], 0u64.wrapping_sub(32))], 0).has_tensor(Check::OffsetTooLarge, message, 0, OFFSET);
    // Where the data of a tensor ends that nobody knows the size of, nobody knows whether there is a gap.
    let unknown = File::new().tensor(b"a", &[8], GgmlType(137), 0).tensor(b"b", &[8], GgmlType::F32, 640).data(1000);
    unknown.has_tensor(
        Check::UnknownTensorType,
        "ggml has no tensor type 137. Use the program that wrote the file to read or convert it.",
        0,
        21,
    );
}

#[test]
fn ends_of_files() {
    let tensors = |data| {
        let names: [&[u8]; 5] = [b"a", b"b", b"c", b"d", b"e"];
        let mut file = File::new().data(data);
        for (name, at) in names.into_iter().zip(0u64..) {
            file = file.tensor(name, &[7], GgmlType::F32, at * 32);
        }
        file
    };
    tensors(160).has_nothing();
    let size = |data| tensors(data).encode().0.len() as u64;
    let (all, start) = (size(160), size(0));
    let truncated = |found: u64| {
        format!("the file has {found} bytes, but its header and tensors need {}. Download the file again.", all - 4)
    };
    let message = "the file lacks 4 bytes of padding at the end. Append zeros if a reader refuses the file.";
    tensors(156).has_file(Check::MissingPadding, message, Some(all - 4));
    let message = truncated(all - 5);
    tensors(155).has_file(Check::Truncated, &message, Some(all - 5));
    let message = truncated(start);
    tensors(0).has_file(Check::Truncated, &message, Some(start));
    let message = "the file has 7 bytes after the data of all tensors. Remove them, unless a program needs them.";
    tensors(167).has_file(Check::TrailingBytes, message, Some(all));

    // Without tensors there is no data section, but may be padding.
    let (file, ..) = File::with(b"k", 1u8).encode();
    let header = gguf_wasm::parse(&file).unwrap();
    assert_eq!(validate(&header, Some(header.header_size())), []);
    assert_eq!(validate(&header, Some(header.data_offset())), []);
    let findings = validate(&header, Some(header.data_offset() + 1));
    assert_eq!(codes(&findings), BTreeSet::from(["bytes-without-tensors"]));
    assert_eq!(findings[0].check.severity(), Severity::Warning);
    assert_eq!(
        findings[0].message,
        "the file has 1 byte after a header that announces no tensors. Check the counts in the header."
    );
    assert_eq!(findings[0].offset, Some(header.data_offset()));
    assert_eq!(validate(&header, Some(header.header_size() - 1))[0].check, Check::Truncated);
    assert_eq!(validate(&header, None), []);
}

/// A file of version 3 without tensors, whose version field says 1: its number of tensors reads as both counts of version 1.
#[test]
fn a_file_of_version_3_that_says_version_1() {
    for endian in [Endian::Little, Endian::Big] {
        for version in [2, 3] {
            let mut file = Encoder::new(Format { version, endian });
            file.header(0, 3).kv(b"general.architecture", &"llama".into()).kv(b"b", &1u8.into()).kv(b"c", &2u8.into());
            let mut file = file.into_bytes();
            assert!(!codes(&validate_file(&file)).contains("wrong-version"));
            file[4..8].copy_from_slice(&if endian == Endian::Little { 1u32.to_le_bytes() } else { 1u32.to_be_bytes() });
            let findings = validate_file(&file);
            let found = codes(&findings);
            assert!(found.is_superset(&["version-1", "wrong-version", "bytes-without-tensors"].into()), "{findings:?}");
            let finding = findings.iter().find(|finding| finding.check == Check::WrongVersion).unwrap();
            let message = "the version is 1, but the next bytes read as version 2 or 3 with a metadata count of 3. Correct the version.";
            assert_eq!((&*finding.message, finding.offset), (message, Some(4)));
            assert_eq!(finding.check.severity(), Severity::Warning);

            // The header ends as early as before, and keeps no byte of what follows.
            for (arrived, is_seen) in [(16, false), (39, false), (40, true)] {
                let mut decoder = Decoder::new();
                assert_eq!(decoder.push(&file[..arrived]).unwrap(), Progress::Done { consumed: 16 });
                let header = decoder.into_header().unwrap();
                assert_eq!((header.header_size(), header.bytes().len()), (16, 16));
                let found = codes(&validate(&header, Some(file.len() as u64)));
                assert_eq!(found.contains("wrong-version"), is_seen, "{arrived} bytes: {found:?}");
                assert!(found.contains("bytes-without-tensors"));
            }
        }
    }
}

#[test]
fn other_bytes_after_an_empty_header_of_version_1_say_nothing_of_its_version() {
    let empty = *b"GGUF\x01\0\0\0\0\0\0\0\0\0\0\0";
    let number = |number: u64| number.to_le_bytes();
    let cases = [
        vec![],
        vec![0; 16],
        vec![0; 100],
        vec![0xff; 100],
        [number(1), number(7), *b"key\0\0\0\0\0", number(0)].concat(),
        [number(1), number(0), *b"general.", number(0)].concat(),
        [number(1), number(1 << 40), *b"general.", number(0)].concat(),
        [number(1 << 40), number(20), *b"general.", number(0)].concat(),
    ];
    for after in cases {
        let file = [&empty[..], &after].concat();
        let found = codes(&validate_file(&file));
        assert!(found.contains("version-1") && !found.contains("wrong-version"), "{after:?}: {found:?}");
        assert_eq!(found.contains("bytes-without-tensors"), file.len() > 32, "{after:?}: {found:?}");
    }
}

/// Names end at a NUL for the hash that look-ups go by: what follows it makes as many of the same hash as one likes.
#[test]
fn what_is_there_twice_is_found_among_many_of_the_same_hash() {
    const MANY: u64 = 1000;
    let mut file = Encoder::new(Format::default());
    let names = || (0..MANY).chain([7, 990, 7]).map(|index| format!("k\0{index:04}"));
    file.header(names().count() as u64, names().count() as u64);
    names().for_each(|key| _ = file.kv(key.as_bytes(), &1u8.into()));
    names().for_each(|name| _ = file.tensor_info(name.as_bytes(), &[8], 0, 0));
    let findings = validate_file(file.as_bytes());
    let of = |check: Check| findings.iter().filter(move |finding| finding.check == check);
    let found: Vec<_> = of(Check::DuplicateKey).map(|finding| (finding.subject, &*finding.message)).collect();
    let message = |first| {
        format!("entry {first} has the same key, and llama.cpp refuses the file. Rename or remove one of them.")
    };
    let entry = |index| Some(Subject::Entry(index));
    assert_eq!(found, [(entry(1000), &*message(7)), (entry(1001), &message(990)), (entry(1002), &message(7))]);
    let found: Vec<_> = of(Check::DuplicateTensorName).map(tensor_of).collect();
    assert_eq!(found, [1000, 1001, 1002]);
    assert_eq!(of(Check::TensorNameSameUpToNul).count(), MAX_FINDINGS + 1);
}

#[test]
fn names_are_not_the_same_because_their_hash_is() {
    let hash = |name: &[u8]| {
        name.iter().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
    };
    let mut seen = HashMap::new();
    let names = (0..1_000_000_u32).map(|index| format!("blk.{index}"));
    let same = names.filter_map(|name| Some((seen.insert(hash(name.as_bytes()), name.clone())?, name))).next();
    let (first, second) = same.unwrap();
    // Each has what is of the hash of the other, and a NUL, without being the same up to it.
    let (first, second) = (first.into_bytes(), [second.as_bytes(), b"\0"].concat());
    let tensors = |second| File::new().tensor(&first, &[8], GgmlType::F32, 0).tensor(second, &[8], GgmlType::F32, 32);
    assert_eq!(codes(&validate_file(&tensors(&second).data(64).encode().0)), BTreeSet::from(["hidden-characters"]));
    tensors(&second[..second.len() - 1]).data(64).has_nothing();
    tensors(&first).data(64).has_tensor(
        Check::DuplicateTensorName,
        "tensor 0 has the same name, and llama.cpp refuses the file. Rename or remove one of them.",
        1,
        0,
    );
}

#[test]
fn findings_of_one_kind_are_limited() {
    let mut file = Encoder::new(Format::default());
    file.header(0, 1000);
    for _ in 0..1000 {
        file.kv(b"A", &OwnedValue::String(b"\xff".to_vec()));
    }
    let findings = validate_file(file.as_bytes());
    for check in [Check::UnusualKey, Check::InvalidUtf8, Check::DuplicateKey] {
        let of_check: Vec<_> = findings.iter().filter(|finding| finding.check == check).collect();
        assert_eq!(of_check.len(), MAX_FINDINGS + 1);
        let last = of_check.last().unwrap();
        assert_eq!(last.message, "there are more findings like these. Only the first 100 are listed.");
        assert_eq!((last.subject, last.offset), (None, None));
    }
}

/// The work grows with the size of the header, whatever it says: twice as many items take about twice as long.
#[test]
fn work_is_not_quadratic() {
    let duration = |file: &Encoder| {
        let header = gguf_wasm::parse(file.as_bytes()).unwrap();
        let once = |_| {
            let start = Instant::now();
            let findings = validate(&header, Some(1 << 40));
            assert!(findings.len() <= 101 * CHECKS.len());
            start.elapsed()
        };
        (0..3).map(once).min().unwrap()
    };
    let header = |items: u64, write: &dyn Fn(&mut Encoder, u64)| {
        let mut file = Encoder::new(Format::default());
        file.header(items, items);
        (0..items).for_each(|index| write(&mut file, index));
        (0..items).for_each(|index| {
            // All at one place, each in all others; and each listed before the one that it follows.
            let offset = if index % 2 == 0 { 0 } else { (items - index) * 32 };
            file.tensor_info(&index.to_le_bytes(), &[64], 0, offset);
        });
        file
    };
    let same = |file: &mut Encoder, _| {
        file.kv(b"the.same", &1u8.into());
    };
    let different = |file: &mut Encoder, index: u64| {
        file.kv(format!("key.{index}").as_bytes(), &1u8.into());
    };
    for write in [&same as &dyn Fn(&mut Encoder, u64), &different] {
        let times = [4_000, 32_000].map(|items| duration(&header(items, write)).as_secs_f64());
        assert!(times[1] < 64.0 * times[0].max(0.004) / 2.0, "{times:?} s");
    }
}

/// A noun after a number that is 1 has no plural.
#[test]
fn messages_count_one_thing_in_the_singular() {
    let file = |data: usize| {
        let mut file = Encoder::new(Format::default());
        file.header(1, 1).kv(b"general.architecture", &"llama".into()).tensor_info(b"output.weight", &[8], 0, 0);
        file.pad_to(32).bytes(&vec![0; data]);
        file.into_bytes()
    };
    let message = |data: usize| {
        let file = file(data);
        let findings = validate(&gguf_wasm::parse(&file).unwrap(), Some(file.len() as u64));
        findings
            .into_iter()
            .map(|finding| finding.message)
            .filter(|message| message.contains("after the data"))
            .collect()
    };
    let messages: [Vec<String>; 2] = [33, 34].map(message);
    let advice = "Remove them, unless a program needs them.";
    assert_eq!(
        messages,
        ["1 byte", "2 bytes"].map(|count| [format!("the file has {count} after the data of all tensors. {advice}")])
    );
}
