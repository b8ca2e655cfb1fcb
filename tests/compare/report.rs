//! The sentence and the Markdown.

use gguf_files::compare::compare_headers;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, Header};

use crate::compare::texts::{F16, F32, Tensor, entries_only, entry_texts, header_of, texts};

fn model(template: &str, name: &str, tensors: &[Tensor<'_>]) -> Header {
    let entries = [
        ("general.name", OwnedValue::String(name.as_bytes().to_vec())),
        ("llama.block_count", 2_u32.into()),
        ("tokenizer.ggml.tokens", texts(&["a", "b"])),
        ("tokenizer.chat_template", OwnedValue::String(template.as_bytes().to_vec())),
    ];
    header_of(Format::default(), &entries, tensors)
}

fn summary(a: &Header, b: &Header) -> String {
    compare_headers(a, b).unwrap().summary(a, b)
}

const TENSORS: &[Tensor<'_>] = &[("a", F32, 8), ("b", F32, 8), ("c", F16, 8)];

#[test]
fn the_sentence_says_what_differs() {
    let a = model("{{ a }}", "name", TENSORS);
    let same = "Same tensors (their data was not compared)";
    assert_eq!(
        summary(&a, &model("{{ a }}", "name", TENSORS)),
        "The headers are equal; the tensor data was not compared."
    );
    assert_eq!(summary(&a, &model("{{ b }}", "name", TENSORS)), format!("{same}, other chat template."));
    assert_eq!(summary(&a, &model("{{ a }}", "other", TENSORS)), format!("{same}, other name."));
    assert_eq!(summary(&a, &model("{{ b }}", "other", TENSORS)), format!("{same}, 2 entries of the metadata differ."));
    let retyped = [("a", F16, 8), ("b", F16, 8), ("c", F16, 8)];
    assert_eq!(summary(&a, &model("{{ a }}", "name", &retyped)), "Other types of 2 of 3 tensors, same metadata.");
    let reshaped = [("a", F32, 16), ("c", F16, 8), ("d", F16, 8)];
    let expected = "Other dimensions of 1 of 2 tensors, 1 tensor only in A, 1 tensor only in B, \
                    same metadata.";
    assert_eq!(summary(&a, &model("{{ a }}", "name", &reshaped)), expected);
    assert_eq!(summary(&a, &model("{{ a }}", "name", &[("x", F32, 8)])), "No tensor in common, same metadata.");
    let reordered = [TENSORS[1], TENSORS[0], TENSORS[2]];
    assert_eq!(summary(&a, &model("{{ a }}", "name", &reordered)), format!("{same} in another order, same metadata."));
}

#[test]
fn files_without_tensors_or_metadata_have_a_sentence_too() {
    let (empty, other) = (entries_only(&[]), entries_only(&[("k", 1_u32.into())]));
    assert_eq!(summary(&empty, &empty), "The models are equal.");
    assert_eq!(summary(&empty, &other), "1 entry of the metadata differs.");
    let tensors = header_of(Format::default(), &[], &[("t", F32, 8)]);
    assert_eq!(summary(&empty, &tensors), "1 tensor only in B.");
    assert_eq!(summary(&tensors, &empty), "1 tensor only in A.");
    let big = header_of(Format { endian: gguf_format::Endian::Big, ..Format::default() }, &[], &[]);
    assert_eq!(summary(&empty, &big), "Other byte order.");
}

#[test]
fn entries_with_the_same_key_belong_together_in_their_order() {
    let a = entries_only(&[("k", 1_u32.into()), ("k", 2_u32.into()), ("k", 3_u32.into())]);
    let b = entries_only(&[("k", 1_u32.into()), ("k", 5_u32.into())]);
    let comparison = compare_headers(&a, &b).unwrap();
    assert_eq!(entry_texts(&comparison, &a, &b), ["changed k", "removed k"]);
    assert_eq!((comparison.entries()[1].a, comparison.entries()[1].b), (Some(2), None));
}

/// Added entries stand after the entry that they follow in the second file.
#[test]
fn differences_are_in_the_order_of_the_first_file() {
    let number = |value: u32| OwnedValue::Uint32(value);
    let a = entries_only(&[("a", number(1)), ("b", number(2)), ("c", number(3)), ("d", number(4))]);
    let b = entries_only(&[
        ("first", number(0)),
        ("a", number(9)),
        ("after a", number(0)),
        ("c", number(9)),
        ("d", number(4)),
        ("last", number(0)),
    ]);
    let comparison = compare_headers(&a, &b).unwrap();
    let expected = ["added first", "changed a", "added after a", "removed b", "changed c", "added last"];
    assert_eq!(entry_texts(&comparison, &a, &b), expected);
}

#[test]
fn markdown_has_a_row_for_each_difference() {
    let a = model("line one\nline two", "a | b `c`", &[("t", F32, 8), ("u", F32, 8)]);
    let b = model("line one\nline 2", "b", &[("t", F16, 8), ("v", F32, 8)]);
    let comparison = compare_headers(&a, &b).unwrap();
    let text = comparison.to_markdown(&a, &b, "old.gguf", "new|`.gguf", 100);
    let expected = "# Comparison of two models\n\n- A: `old.gguf`\n- B: ``new\\|`.gguf``\n\n\
        Other types of 1 of 1 tensor, 1 tensor only in A, 1 tensor only in B, 2 entries of the metadata differ.\n\n\
        ## Metadata\n\n2 equal, 0 added, 0 removed, 2 changed, 0 retyped, 0 moved.\n\n\
        | Key | Change | A | B |\n| --- | --- | --- | --- |\n\
        | `general.name` | changed | STRING `` a \\| b `c` `` | STRING `b` |\n\
        | `tokenizer.chat_template` | changed: lines: 1 removed, 1 added | STRING `line one\\u{a}line two` | STRING `line one\\u{a}line 2` |\n\n\
        ## Tensors\n\n0 without a difference, 1 added, 1 removed, 0 renamed, 1 changed, 0 unreadable, 0 moved. The data was not compared.\n\n\
        | Tensor | Change | A | B | Data |\n| --- | --- | --- | --- | --- |\n\
        | `t` | changed | F32 [8] | F16 [8] | not-compared |\n\
        | `v` | added |  | F32 [8] | not-compared |\n\
        | `u` | removed | F32 [8] |  | not-compared |\n";
    assert_eq!(text, expected);
    assert!(comparison.to_markdown(&a, &b, "", "b", 1).ends_with("\n… and 2 more.\n"));
}

#[test]
fn equal_models_have_no_tables() {
    let a = model("x", "y", TENSORS);
    let text = compare_headers(&a, &a).unwrap().to_markdown(&a, &a, "a", "b", 100);
    assert!(!text.contains("| --- |"), "{text}");
}

/// The two values of the only entry that differs, as Markdown shows them.
fn shown(a: OwnedValue, b: OwnedValue) -> [String; 2] {
    let (a, b) = (entries_only(&[("k", a)]), entries_only(&[("k", b)]));
    let markdown = compare_headers(&a, &b).unwrap().to_markdown(&a, &b, "a", "b", 10);
    let row = markdown.lines().find(|line| line.starts_with("| `k`")).unwrap();
    let cells: Vec<&str> = row.split(" | ").collect();
    [cells[2], cells[3]]
        .map(|cell| cell.trim_end_matches(" |").split_once(' ').unwrap().1.trim_matches('`').to_string())
}

fn text(text: &str) -> OwnedValue {
    OwnedValue::String(text.as_bytes().to_vec())
}

/// A text is cut between characters.
#[test]
fn long_values_are_shortened() {
    for length in 190..210 {
        let long = "x".repeat(length) + "ü🦙" + &"y".repeat(30);
        let [shown, _] = shown(text(&long), text("b"));
        let whole = shown.strip_suffix('…').unwrap();
        assert!(long.starts_with(whole) && (197..=200).contains(&whole.len()), "{length}: {shown}");
    }
}

/// Otherwise both sides would look the same.
#[test]
fn long_values_that_differ_late_show_the_difference() {
    for before in ["x".repeat(500), "ü".repeat(300), "🦙".repeat(301)] {
        let [a, b] = shown(text(&format!("{before}one")), text(&format!("{before}two")));
        assert!(a.starts_with('…') && a.ends_with("one") && b.ends_with("two") && a.len() < 40, "{a} {b}");
    }
    let numbers = |last: u8| {
        let elements = (0..100).map(|_| 7_u8).chain([last]).map(OwnedValue::Uint8);
        OwnedValue::Array { element_type: gguf_format::ValueType::Uint8, elements: elements.collect() }
    };
    assert_eq!(shown(numbers(1), numbers(2))[1], "[…, 7, 7, 7, 7, 7, 7, 7, 2] (101 elements)");
    assert_eq!(shown(OwnedValue::String(b"A\xffB".to_vec()), text("A")), ["A\\xffB", "A"]);
}

#[test]
fn another_type_within_nested_arrays_is_another_type() {
    let nested =
        |inner: OwnedValue| OwnedValue::Array { element_type: gguf_format::ValueType::Array, elements: vec![inner] };
    let numbers =
        |element: OwnedValue| OwnedValue::Array { element_type: element.value_type(), elements: vec![element] };
    let (a, b) = (
        entries_only(&[("k", nested(numbers(OwnedValue::Int32(1))))]),
        entries_only(&[("k", nested(numbers(OwnedValue::Int64(1))))]),
    );
    assert_eq!(entry_texts(&compare_headers(&a, &b).unwrap(), &a, &b), ["retyped k"]);
}

#[test]
fn a_swapped_comparison_is_that_of_the_other_direction() {
    let a = model("{{ a }}", "name", &[("t", F32, 8), ("u", F32, 8)]);
    let b = model("{{ b }}", "name", &[("t", F16, 8), ("v", F32, 8)]);
    let (swapped, back) = (compare_headers(&a, &b).unwrap().swapped(), compare_headers(&b, &a).unwrap());
    assert_eq!(swapped.entries(), back.entries());
    assert_eq!((swapped.counts().entries, swapped.counts().tensors), (back.counts().entries, back.counts().tensors));
    assert_eq!(swapped.summary(&b, &a), back.summary(&b, &a));
    let sorted = |comparison| {
        let mut texts = crate::compare::texts::tensor_texts(comparison, &b, &a);
        texts.sort();
        texts
    };
    assert_eq!(sorted(&swapped), sorted(&back));
}
