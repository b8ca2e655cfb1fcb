//! The malformed files of the corpus: the expected error of the decoder, with its offset.

use std::collections::HashMap;

use gguf_format::{ErrorKind, Header, HeaderError, Limits};
use serde_json::Value as Json;

use crate::corpus;
use crate::split;

/// The files that the decoder refuses: the code of the error (or the exceeded limit), the offset, and the names of the files.
/// Files that are not in this table open.
#[rustfmt::skip]
const REFUSED: &[(&str, u64, &str)] = &[
    (
        "array elements",
        41,
        "arr-array-n-2e32 arr-array-n-2e61+1 arr-bool-n-2e32 arr-bool-n-2e61+1 arr-float32-n-2e32 \
         arr-float32-n-2e60 arr-float32-n-2e61+1 arr-float32-n-2e63 arr-float64-n-2e32 arr-float64-n-2e61+1 \
         arr-string-n-2e30+1 arr-string-n-2e53+1 arr-string-n-2e61 arr-string-n-2e62 arr-string-n-2e63-1 \
         arr-string-n-max arr-uint16-n-2e30+1 arr-uint16-n-2e53+1 arr-uint16-n-2e61 arr-uint16-n-2e62 \
         arr-uint16-n-2e63-1 arr-uint16-n-max arr-uint64-n-2e30+1 arr-uint64-n-2e53+1 arr-uint64-n-2e61 \
         arr-uint64-n-2e62 arr-uint64-n-2e63-1 arr-uint64-n-max arr-uint8-n-2e30+1 arr-uint8-n-2e61 \
         arr-uint8-n-2e63 arr-uint8-n-max",
    ),
    ("array elements", 53, "nest-inner-overflow"),
    ("bad-magic", 0, "hc-header-bad-magic magic-bom magic-ggjt magic-lower magic-shifted magic-zip"),
    ("bytes of header", 37, "arr-array-n-2e30 arr-bool-n-2e30 arr-float32-n-2e30 arr-float64-n-2e30"),
    (
        "bytes of string",
        24,
        "hc-kv-bad-key-size be-key-len-max key-len-2e31 key-len-2e40 key-len-2e62 v2-key-len-max",
    ),
    ("bytes of string", 37, "str-len-2e31 str-len-2e32-1 str-len-2e63 str-len-max"),
    ("bytes of string", 58, "arr-str-inner-len-max"),
    ("bytes of string", 69, "tensor-name-len-2e31 tensor-name-len-2e63 tensor-name-len-max"),
    ("dimensions", 78, "n-dims-2e29"),
    ("levels of nested arrays", 805, "nest-100000"),
    ("metadata entries", 12, "v1-n-kv-max"),
    ("metadata entries", 16, "n-kv-2e32 n-kv-2e62 n-kv-max"),
    ("tensors", 8, "hc-header-bad-n-tensors n-tensors-2e32 n-tensors-2e62 n-tensors-max"),
    ("unknown-value-type", 33, "value-type-13 value-type-2147483647 value-type-255"),
    (
        "unknown-value-type",
        37,
        "array-type-13-empty array-type-14-empty array-type-2147483647-empty array-type-2147483648-empty \
         array-type-255-empty array-type-4294967295-empty",
    ),
    ("unsupported-version", 4, "version-0 version-0x04000000 version-255 version-5 version-80000003"),
    ("unexpected-eof", 0, "file-1-bytes file-3-bytes"),
    ("unexpected-eof", 4, "trunc-0004 trunc-0007"),
    ("unexpected-eof", 8, "trunc-0009 trunc-0016 trunc-0023"),
    ("unexpected-eof", 24, "key-len-eof-plus-1 n-kv-1 n-tensors-1 trunc-0025"),
    ("unexpected-eof", 37, "arr-bool-n-eof-plus-1 arr-float32-n-eof-plus-1 arr-float64-n-eof-plus-1"),
    ("unexpected-eof", 69, "trunc-0069"),
    ("unexpected-eof", 85, "trunc-0085"),
    ("unexpected-eof", 86, "trunc-0087"),
    ("unexpected-eof", 109, "arr-array-n-eof-plus-1"),
    ("unexpected-eof", 111, "trunc-0111"),
    ("unexpected-eof", 128, "trunc-0145"),
    ("unexpected-eof", 146, "trunc-0147"),
    ("unexpected-eof", 195, "trunc-0195"),
    ("unexpected-eof", 240, "trunc-0251"),
    ("unexpected-eof", 252, "trunc-0253"),
    ("unexpected-eof", 285, "trunc-0285 trunc-0300"),
    ("unexpected-eof", 301, "trunc-0302"),
    ("unexpected-eof", 305, "trunc-0305 trunc-0320 trunc-0322 trunc-0325 trunc-0332"),
    ("unexpected-eof", 333, "trunc-0334"),
    ("unexpected-eof", 349, "trunc-0349 trunc-0352"),
    ("unexpected-eof", 353, "trunc-0354 trunc-0361 trunc-0364 trunc-0366"),
];

/// The size of the first tensor if it is wrong, unusual or too large: element count, bytes, and whether the end of its data
/// fits in 64 bits.
const SIZES: &[(&str, Option<u64>, Option<u64>, bool)] = &[
    ("dims-2e32x2e32", None, None, true),
    ("dims-2e53+1", Some((1 << 53) + 1), Some((1 << 55) + 4), true),
    ("dims-2e62", Some(1 << 62), None, true),
    ("dims-2e62x4", None, None, true),
    ("dims-2e63-1", Some((1 << 63) - 1), None, true),
    ("dims-block-iq4_xs-32", Some(256), None, true),
    ("dims-block-nvfp4-32", Some(64), None, true),
    ("dims-block-q2_0-32", Some(64), None, true),
    ("dims-block-q4_0-33", Some(33), None, true),
    ("dims-block-q6_k-255", Some(255), None, true),
    ("dims-f64-2e61", Some(1 << 61), None, true),
    ("dims-huge-x-zero", Some(0), Some(0), true),
    ("dims-max", Some(u64::MAX), None, true),
    ("dims-wrap-to-1", None, None, true),
    ("dims-wrap32-to-0", Some(1 << 32), Some(1 << 34), true),
    ("dims-zero", Some(0), Some(0), true),
    ("dims-zero-x-huge", Some(0), Some(0), true),
    ("n-dims-0", Some(1), Some(4), true),
    ("be-offset-max", Some(8), Some(32), false),
    ("offset-max-aligned", Some(8), Some(32), false),
    ("offset-wrap-into-header", Some(8), Some(32), false),
    ("offset-2e63", Some(8), Some(32), true),
    ("tensor-type-removed-31", Some(256), None, true),
    ("tensor-type-removed-4", Some(256), None, true),
    ("tensor-type-unknown-100", Some(256), None, true),
    ("tensor-type-unknown-4294967295", Some(256), None, true),
    ("v1-dims-wrap", Some(1 << 62), None, true),
];

/// The alignment of files whose own alignment cannot be used, or is against the rules but can be used.
const ALIGNMENTS: &[(&str, u64)] = &[
    ("align-0", 32),
    ("align-13", 13),
    ("align-2e31", 1 << 31),
    ("align-3", 3),
    ("align-neg-i32", 32),
    ("align-type-bool", 32),
    ("align-type-i32", 32),
    ("align-type-u16", 32),
];

struct Case {
    name: String,
    entry: Json,
    file: Vec<u8>,
}

fn cases() -> Option<Vec<Case>> {
    let folder = corpus::folder()?.join("malformed");
    let index = corpus::json(&folder.join("index.json"));
    let cases: Vec<Case> = index["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| Case {
            name: entry["name"].as_str().unwrap().to_owned(),
            entry: entry.clone(),
            file: corpus::read(&folder.join(entry["file"].as_str().unwrap())),
        })
        .collect();
    assert!(cases.len() >= 200, "{} cases", cases.len());
    Some(cases)
}

/// Decodes a file and visits everything in it.
fn open(file: &[u8]) -> Result<Header, HeaderError> {
    split::whole(file, &Limits::default())
}

#[test]
fn each_file_opens_or_is_refused_as_in_the_table() {
    let Some(cases) = cases() else { return };
    let mut refused: HashMap<&str, (&str, u64)> = HashMap::new();
    for &(what, offset, names) in REFUSED {
        for name in names.split_whitespace() {
            assert!(refused.insert(name, (what, offset)).is_none(), "{name} is twice in the table");
        }
    }
    for case in &cases {
        let found = open(&case.file).err().map(|error| (what(&error), error.offset()));
        let expected = refused.remove(case.name.as_str()).map(|(what, offset)| (what.to_owned(), offset));
        assert_eq!(found, expected, "{}", case.name);
    }
    assert!(refused.is_empty(), "in the table, but not in the corpus: {refused:?}");
}

/// The code of the error, or the exceeded limit.
fn what(error: &HeaderError) -> String {
    match error.kind() {
        ErrorKind::LimitExceeded { limit, found, allowed } => {
            assert!(found > allowed);
            limit.to_string()
        }
        kind => kind.code().name().to_owned(),
    }
}

/// Compares the table above with the expectations of the corpus.
#[test]
fn malformed_files_are_refused_and_well_formed_files_open() {
    let Some(cases) = cases() else { return };
    for Case { name, entry, file } in &cases {
        let is = |field: &str, value: &str| entry[field] == value;
        match open(file) {
            Ok(_) => {
                let in_header = is("stage", "header") || is("stage", "kv");
                assert!(!(is("expect", "error") && is("strictness", "must") && in_header), "{name} opened");
            }
            Err(error) => {
                assert!(!is("expect", "ok"), "{name}: {error}");
                assert!(error.offset() <= file.len() as u64, "{name}: {error}");
            }
        }
    }
}

#[test]
fn a_cut_header_is_an_unexpected_end() {
    let Some(cases) = cases() else { return };
    let case = |name: &str| cases.iter().find(|case| case.name == name).unwrap();
    let uncut = open(&case("trunc-none").file).unwrap();
    for case in cases.iter().filter(|case| case.name.starts_with("trunc-")) {
        match open(&case.file) {
            Ok(header) => assert!(header.header_size() == uncut.header_size(), "{}", case.name),
            Err(error) => {
                assert!((case.file.len() as u64) < uncut.header_size(), "{}: {error}", case.name);
                assert_eq!(error.code(), "unexpected-eof", "{}", case.name);
            }
        }
    }
    for case in &cases {
        let Ok(header) = open(&case.file) else { continue };
        let size = header.header_size() as usize;
        for cut in (0..size).step_by(size / 2000 + 1).chain([size - 1]) {
            let error = gguf_format::parse(&case.file[..cut]).unwrap_err();
            assert_eq!(error.code(), "unexpected-eof", "{} cut at {cut}", case.name);
        }
        assert!(gguf_format::parse(&case.file[..size]).is_ok(), "{}", case.name);
    }
}

#[test]
fn sizes_that_overflow_are_unknown() {
    let Some(cases) = cases() else { return };
    for &(name, element_count, byte_length, placed) in SIZES {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        let header = open(&case.file).unwrap();
        let tensor = header.tensor_at(0).unwrap();
        assert_eq!(tensor.element_count(), element_count, "{name}");
        assert_eq!(tensor.byte_length(), byte_length, "{name}");
        assert_eq!(tensor.file_offset().is_some(), placed, "{name}");
    }
}

#[test]
fn invalid_alignments_become_the_default() {
    let Some(cases) = cases() else { return };
    for &(name, alignment) in ALIGNMENTS {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        assert_eq!(open(&case.file).unwrap().alignment(), alignment, "{name}");
    }
}
