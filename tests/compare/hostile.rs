//! Files that are made to take long.

use gguf_files::compare::compare_headers;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, Header, parse};

use crate::compare::texts::{entries_only, texts};
use crate::gguf_bytes::GgufBytes;

const MANY: usize = 100_000;

fn header(keys: impl ExactSizeIterator<Item = Vec<u8>>) -> Header {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, keys.len() as u64);
    keys.for_each(|key| _ = file.entry(&key, &OwnedValue::Uint8(1)));
    parse(file.as_bytes()).unwrap()
}

/// All names have the same hash, because it ends at a NUL. Comparing each with each would take 10^10 steps.
#[test]
fn names_with_the_same_hash_take_no_quadratic_time() {
    let key = |index: usize| format!("k\0{index}").into_bytes();
    let a = header((0..MANY).map(key));
    let b = header((0..MANY).map(|index| key(MANY - 1 - index)));
    let comparison = compare_headers(&a, &b).unwrap();
    assert_eq!(comparison.counts().entries.equal, MANY);
    assert_eq!(comparison.counts().entries.moved, MANY - 1);
}

#[test]
fn equal_names_take_no_quadratic_time() {
    let a = header((0..MANY).map(|_| b"k".to_vec()));
    let b = header((0..MANY - 10).map(|_| b"k".to_vec()));
    let comparison = compare_headers(&a, &b).unwrap();
    assert_eq!((comparison.counts().entries.equal, comparison.counts().entries.removed), (MANY - 10, 10));
}

#[test]
fn long_arrays_that_differ_everywhere_take_no_quadratic_time() {
    let list = |offset: usize| {
        let elements: Vec<String> = (0..MANY).map(|index| (index * 7919 % MANY + offset).to_string()).collect();
        texts(&elements.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (a, b) = (entries_only(&[("k", list(0))]), entries_only(&[("k", list(MANY / 2))]));
    let comparison = compare_headers(&a, &b).unwrap();
    let details = comparison.entry_details(0, &a, &b).unwrap();
    assert!(details.hunks.is_sorted_by_key(|hunk| hunk.a.start));
}

/// Lists of the deepest arrays that are accepted.
#[test]
fn deep_arrays_are_compared() {
    let nested = |innermost: u8| {
        let mut value =
            OwnedValue::Array { element_type: gguf_format::ValueType::Uint8, elements: vec![innermost.into()] };
        for _ in 0..60 {
            value = OwnedValue::Array { element_type: gguf_format::ValueType::Array, elements: vec![value] };
        }
        value
    };
    let (a, b) = (entries_only(&[("k", nested(1))]), entries_only(&[("k", nested(2))]));
    assert!(compare_headers(&a, &a).unwrap().is_equal());
    let comparison = compare_headers(&a, &b).unwrap();
    assert_eq!(comparison.counts().entries.changed, 1);
    assert!(comparison.to_markdown(&a, &b, "a", "b", 10).contains("UINT8[]"));
}
