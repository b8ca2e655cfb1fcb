//! Headers with many entries and tensors.

use std::collections::BTreeSet;
use std::collections::HashMap;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, GgmlType};
use gguf_models::validate::{Check, MAX_FINDINGS, MAX_TENSOR_FINDINGS, Subject};

use crate::gguf_bytes::GgufBytes;
use crate::validate::test_file::TestFile;
use crate::validate::{codes, tensor_of, validate_file};

/// The hash of a name ignores all bytes after a NUL, so a file can contain any number of different names with the same hash.
#[test]
fn duplicates_are_found_among_many_names_of_the_same_hash() {
    const MANY: u64 = 1000;
    let mut file = GgufBytes::new(Format::default());
    let names = || (0..MANY).chain([7, 990, 7]).map(|index| format!("k\0{index:04}"));
    file.header(names().count() as u64, names().count() as u64);
    names().for_each(|key| _ = file.entry(key.as_bytes(), &1u8.into()));
    names().for_each(|name| _ = file.tensor(name.as_bytes(), &[8], 0, 0));
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
    assert_eq!(of(Check::TensorNameSameUpToNul).count(), 999);
}

#[test]
fn different_names_with_the_same_hash_are_no_duplicates() {
    let hash = |name: &[u8]| {
        name.iter().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
    };
    let mut seen = HashMap::new();
    let names = (0..1_000_000_u32).map(|index| format!("blk.{index}"));
    let same = names.filter_map(|name| Some((seen.insert(hash(name.as_bytes()), name.clone())?, name))).next();
    let (first, second) = same.unwrap();
    // The second name ends with a NUL. The hash ignores the NUL, but the names differ before it.
    let (first, second) = (first.into_bytes(), [second.as_bytes(), b"\0"].concat());
    let tensors =
        |second| TestFile::new().tensor(&first, &[8], GgmlType::F32, 0).tensor(second, &[8], GgmlType::F32, 32);
    assert_eq!(codes(&validate_file(&tensors(&second).data(64).encode().0)), BTreeSet::from(["hidden-characters"]));
    tensors(&second[..second.len() - 1]).data(64).assert_no_findings();
    tensors(&first).data(64).assert_only_in_tensor(
        Check::DuplicateTensorName,
        "tensor 0 has the same name, and llama.cpp refuses the file. Rename or remove one of them.",
        1,
        0,
    );
}

#[test]
fn findings_of_one_check_are_limited() {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 1000);
    for _ in 0..1000 {
        file.entry(b"A", &OwnedValue::String(b"\xff".to_vec()));
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

#[test]
fn findings_about_tensors_are_listed_for_all_blocks_and_limited() {
    let headless = |tensors: u64| {
        let mut file = GgufBytes::new(Format::default());
        file.header(tensors, 0);
        (0..tensors).for_each(|index| _ = file.tensor(format!("blk.{index}.ffn_up.weight").as_bytes(), &[8], 0, 1));
        validate_file(file.as_bytes()).into_iter().filter(|finding| finding.check == Check::UnalignedTensor).collect()
    };
    let all: Vec<_> = headless(512);
    assert_eq!(all.iter().map(tensor_of).collect::<Vec<_>>(), (0..512).collect::<Vec<_>>());
    let some: Vec<_> = headless(MAX_TENSOR_FINDINGS as u64 + 1000);
    assert_eq!(some.len(), MAX_TENSOR_FINDINGS + 1);
    let last = some.last().unwrap();
    assert_eq!(last.message, "there are more findings like these. Only the first 2000 are listed.");
    assert_eq!((last.subject, last.offset), (None, None));
}
