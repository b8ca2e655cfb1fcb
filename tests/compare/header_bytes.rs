//! Headers with different bytes never count as equal without a word.

use gguf_files::compare::compare_headers;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, Header, ValueType, parse};

use crate::corpus;
use crate::gguf_bytes::GgufBytes;

/// The largest header whose bytes are changed.
const MOST_BYTES: u64 = 10_000;

/// The next number of a sequence without order: xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state as usize
}

fn bytes(header: &Header) -> Vec<u8> {
    header.bytes().pieces(0..header.header_size()).flatten().copied().collect()
}

#[test]
fn a_changed_byte_of_a_header_is_always_reported() {
    let Some(folder) = corpus::folder() else { return };
    let (mut state, mut count) = (0x2545_f491_4f6c_dd1d, 0);
    for (name, file) in corpus::every_file(&folder) {
        let Ok(original) = parse(&file) else { continue };
        let end = original.header_size();
        if end > MOST_BYTES {
            continue;
        }
        for _ in 0..60 {
            let (place, mut changed) = (next(&mut state) % end as usize, file.clone());
            changed[place] ^= 1 << (next(&mut state) % 8);
            let Ok(header) = parse(&changed) else { continue };
            if bytes(&header) == bytes(&original) {
                continue;
            }
            count += 1;
            for (a, b) in [(&original, &header), (&header, &original)] {
                let comparison = compare_headers(a, b).unwrap();
                assert!(!comparison.is_equal(), "{name}: byte {place}");
                assert!(!comparison.summary(a, b).contains("equal"), "{name}: byte {place}");
                assert!(!comparison.swapped().is_equal(), "{name}: byte {place}");
            }
        }
    }
    assert!(count > 1000, "{count} changed headers");
}

fn differences(a: &[u8], b: &[u8]) -> Vec<(&'static str, String, String)> {
    let comparison = compare_headers(&parse(a).unwrap(), &parse(b).unwrap()).unwrap();
    assert!(comparison.entries().is_empty() && comparison.tensors().is_empty());
    let format = comparison.format().iter();
    format.map(|difference| (difference.property, difference.a.clone(), difference.b.clone())).collect()
}

#[test]
fn truth_values_with_other_bytes_are_named() {
    let file = |single: u8, many: &[u8]| {
        let mut file = GgufBytes::new(Format::default());
        file.header(0, 3).key(b"single", ValueType::Bool.id()).bytes(&[single]);
        file.key(b"many", ValueType::Array.id()).array(ValueType::Bool.id(), many.len() as u64).bytes(many);
        file.entry(b"number", &2_u8.into());
        file.into_bytes()
    };
    let ordinary = file(1, &[1, 0, 1]);
    assert_eq!(differences(&ordinary, &ordinary), []);
    let words = |count| match count {
        0 => "bytes 0 and 1".to_string(),
        1 => "other bytes than 0 and 1 in 1 entry".to_string(),
        _ => format!("other bytes than 0 and 1 in {count} entries"),
    };
    assert_eq!(differences(&ordinary, &file(2, &[1, 0, 1])), [("truthValues", words(0), words(1))]);
    assert_eq!(differences(&file(2, &[1, 0, 7]), &ordinary), [("truthValues", words(2), words(0))]);
    assert_eq!(differences(&file(2, &[1, 0, 1]), &file(3, &[1, 0, 1])), [("truthValues", words(1), words(1))]);
}

#[test]
fn offsets_that_differ_although_the_tensors_are_the_same_are_named() {
    let file = |sizes: [u64; 2], offsets: [u64; 2]| {
        let mut file = GgufBytes::new(Format::default());
        file.header(2, 1).entry(b"general.architecture", &OwnedValue::from("llama"));
        for ((name, size), offset) in [b"a", b"b"].into_iter().zip(sizes).zip(offsets) {
            file.tensor(name, &[size], 0, offset);
        }
        file.into_bytes()
    };
    let packed = file([8, 8], [0, 32]);
    let other = differences(&packed, &file([8, 8], [32, 0]));
    assert_eq!(other, [("tensorOffsets", "0 (the first of 2 tensors)".into(), "32 (the first of 2 tensors)".into())]);
    assert_eq!(differences(&packed, &file([8, 8], [0, 64])), [("tensorOffsets", "32".into(), "64".into())]);
    // The second tensor begins later because the first one is longer.
    let [a, b] = [packed, file([16, 8], [0, 64])].map(|bytes| parse(&bytes).unwrap());
    let comparison = compare_headers(&a, &b).unwrap();
    assert!(comparison.format().is_empty());
    assert_eq!(comparison.tensors().len(), 1);
}

/// Split and merge leave out dimensions of 1 at the end.
#[test]
fn dimensions_of_1_at_the_end_are_no_difference_of_a_tensor() {
    let file = |dimensions: &[u64]| {
        let mut file = GgufBytes::new(Format::default());
        file.header(1, 1).entry(b"general.architecture", &OwnedValue::from("llama")).tensor(b"a", dimensions, 0, 0);
        file.into_bytes()
    };
    let shapes: [(&[u64], &[u64]); 4] = [(&[8, 1, 1], &[8]), (&[8, 2, 1], &[8, 2]), (&[1, 1], &[1]), (&[1], &[])];
    for (a, b) in shapes {
        let words = [a, b].map(|dimensions| dimensions.len().to_string());
        assert_eq!(differences(&file(a), &file(b)), [("dimensionCounts", words[0].clone(), words[1].clone())]);
        let [a, b] = [file(a), file(b)].map(|bytes| parse(&bytes).unwrap());
        let comparison = compare_headers(&a, &b).unwrap();
        assert!(comparison.tensors().is_empty());
        assert!(comparison.summary(&a, &b).contains("dimensions of 1 at the end left out"));
    }
    let other: [(&[u64], &[u64]); 3] = [(&[8, 1, 2], &[8, 2]), (&[1, 8], &[8]), (&[8, 0], &[8])];
    for (a, b) in other {
        let [a, b] = [file(a), file(b)].map(|bytes| parse(&bytes).unwrap());
        let comparison = compare_headers(&a, &b).unwrap();
        assert_eq!((comparison.tensors().len(), comparison.format().len()), (1, 0));
    }
}
