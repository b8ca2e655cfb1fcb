//! What differs within a value.

use gguf_files::compare::{Hunk, ValueDetails, ValueUnit, compare_headers};
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format, Header, ValueType};

use crate::compare::texts::{entries_only, header_of, texts};

fn details(a: &Header, b: &Header) -> Option<ValueDetails> {
    compare_headers(a, b).unwrap().entry_details(0, a, b)
}

fn details_of(key: &str, a: OwnedValue, b: OwnedValue) -> Option<ValueDetails> {
    details(&entries_only(&[(key, a)]), &entries_only(&[(key, b)]))
}

fn text(text: &str) -> OwnedValue {
    OwnedValue::String(text.as_bytes().to_vec())
}

#[test]
fn long_texts_are_compared_by_lines() {
    let found = details_of("template", text("one\ntwo\nthree\n"), text("one\n2\n2b\nthree")).unwrap();
    assert_eq!(found.unit, ValueUnit::Lines);
    // The last line lost its line feed.
    assert_eq!(found.hunks, [Hunk::new(1..3, 1..4)]);
    assert!(found.tokens.is_none());
    let found = details_of("template", text(""), text("a\nb")).unwrap();
    assert_eq!(found.hunks, [Hunk::new(0..0, 0..2)]);
    assert_eq!(details_of("template", text("one line"), text("another line")), None);
}

#[test]
fn only_values_of_the_same_type_are_compared() {
    assert_eq!(details_of("k", texts(&["a"]), text("a\nb")), None);
    assert_eq!(details_of("k", 1_u32.into(), 2_u32.into()), None);
    let numbers = OwnedValue::Array { element_type: ValueType::Uint8, elements: vec![1_u8.into()] };
    assert_eq!(details_of("k", texts(&["a"]), numbers), None);
}

#[test]
fn tokens_are_compared_by_their_texts() {
    let key = "tokenizer.ggml.tokens";
    let a = texts(&["<s>", "a", "b", "b", "old", "z"]);
    let b = texts(&["<s>", "b", "a", "b", "z", "new", "b"]);
    let tokens = details_of(key, a.clone(), b.clone()).unwrap().tokens.unwrap();
    assert_eq!((tokens.added, tokens.removed, tokens.renumbered), (2, 1, 3));
    let listed: Vec<_> = tokens.differences.iter().map(|token| (token.text.as_str(), token.id_a, token.id_b)).collect();
    // The first `b` of one list belongs to the first `b` of the other one, and so on.
    let expected = [
        ("a", Some(1), Some(2)),
        ("b", Some(2), Some(1)),
        ("old", Some(4), None),
        ("z", Some(5), Some(4)),
        ("new", None, Some(5)),
        ("b", None, Some(6)),
    ];
    assert_eq!(listed, expected);
    assert!(details_of("other.tokens", a, b).unwrap().tokens.is_none());
}

#[test]
fn a_list_of_differences_of_tokens_is_bounded() {
    let names: Vec<String> = (0..5000).map(|index| format!("token {index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tokens = details_of("tokenizer.ggml.tokens", texts(&names), texts(&[])).unwrap().tokens.unwrap();
    assert_eq!((tokens.removed, tokens.differences.len()), (5000, 1000));
}

/// Elements are equal if their values are, also in files with different byte orders.
#[test]
fn elements_are_compared_in_any_byte_order() {
    let lists = |number: i32| {
        let integers = [5, number, 7].map(OwnedValue::Int32).to_vec();
        let floats = [0.5, number as f32, f32::NAN].map(OwnedValue::Float32).to_vec();
        [
            ("integers", OwnedValue::Array { element_type: ValueType::Int32, elements: integers }),
            ("floats", OwnedValue::Array { element_type: ValueType::Float32, elements: floats }),
            ("texts", texts(&["x", &number.to_string(), "y"])),
            (
                "flags",
                OwnedValue::Array { element_type: ValueType::Bool, elements: vec![true.into(), (number > 0).into()] },
            ),
        ]
    };
    let big = Format { endian: Endian::Big, ..Format::default() };
    let (a, same, other) = (entries_only(&lists(1)), header_of(big, &lists(1), &[]), header_of(big, &lists(-1), &[]));
    let comparison = compare_headers(&a, &same).unwrap();
    assert_eq!((comparison.entries().len(), comparison.format()[0].property), (0, "byteOrder"));
    let comparison = compare_headers(&a, &other).unwrap();
    assert_eq!(comparison.entries().len(), 4);
    for entry in 0..4 {
        assert_eq!(comparison.entry_details(entry, &a, &other).unwrap().hunks, [Hunk::new(1..2, 1..2)]);
    }
}

#[test]
fn nested_arrays_are_elements() {
    let nested = |numbers: &[&[u8]]| {
        let inner = numbers.iter().map(|list| OwnedValue::Array {
            element_type: ValueType::Uint8,
            elements: list.iter().map(|number| OwnedValue::Uint8(*number)).collect(),
        });
        OwnedValue::Array { element_type: ValueType::Array, elements: inner.collect() }
    };
    let found = details_of("k", nested(&[&[1], &[2, 3], &[]]), nested(&[&[1], &[], &[]])).unwrap();
    assert_eq!(found.hunks, [Hunk::new(1..2, 1..2)]);
}

fn numbers(numbers: impl Iterator<Item = i32>) -> OwnedValue {
    OwnedValue::Array { element_type: ValueType::Int32, elements: numbers.map(OwnedValue::Int32).collect() }
}

/// An element of an array of scores or types belongs to the token at the same position.
#[test]
fn arrays_of_equal_length_are_compared_position_by_position() {
    let hunks = |a: &[i32], b: &[i32]| {
        let list = |list: &[i32]| numbers(list.iter().copied());
        details_of("k", list(a), list(b)).unwrap().hunks
    };
    let at = |position: u64| Hunk::new(position..position + 1, position..position + 1);
    assert_eq!(hunks(&[1, 1, 1, 1, 1, 1], &[1, 3, 1, 1, 3, 1]), [at(1), at(4)]);
    // Unless that needs more changes.
    assert_eq!(hunks(&[1, 2, 3, 4, 5], &[2, 3, 4, 5, 6]), [Hunk::new(0..1, 0..0), Hunk::new(5..5, 4..5)]);
    let types = |step: i32| numbers((0..32_000).map(move |index| if index % step == 1 { 3 } else { 1 }));
    let found = details_of("k", types(40_000), types(80)).unwrap().hunks;
    assert_eq!((found.len(), &found[0]), (399, &at(81)));
}

/// A file of hundreds of megabytes must not need gigabytes to be compared.
#[test]
fn long_arrays_are_compared_in_little_memory() {
    let (count, last) = (1_200_000, 1_199_999_u64);
    let list = |offset: i32, length: i32| numbers((0..length).map(move |index| index * offset));
    let found = details_of("k", list(1, count), list(2, count)).unwrap().hunks;
    assert_eq!(found, [Hunk::new(1..last + 1, 1..last + 1)]);
    let found = details_of("k", list(1, count), list(1, count - 1)).unwrap().hunks;
    assert_eq!(found, [Hunk::new(last..last + 1, last..last)]);
}
