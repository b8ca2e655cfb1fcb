//! A comparison lists the edits that were made, and nothing else.

use std::collections::BTreeSet;

use gguf_files::compare::{Comparison, compare_headers};
use gguf_format::edit::Edit;
use gguf_format::write::NewValue;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format, Header, Value, parse};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::compare::texts::{entry_texts, tensor_texts};
use crate::gguf_bytes::GgufBytes;
use crate::long::in_long;
use crate::written::written;

const ENTRY_COUNT: usize = 24;
const TENSOR_COUNT: usize = 12;

/// A value, by its kind. Arrays are long enough to be edited in the middle.
fn value(kind: usize, seed: u64) -> OwnedValue {
    let numbers = |count: u64| (0..count).map(|index| OwnedValue::Int32((seed + index * 7) as i32));
    match kind % 6 {
        0 => OwnedValue::Uint32(seed as u32),
        1 => OwnedValue::String(format!("text {seed}").into_bytes()),
        2 => OwnedValue::Float64(seed as f64 / 8.0),
        3 => OwnedValue::Bool(seed.is_multiple_of(2)),
        4 => OwnedValue::Array { element_type: gguf_format::ValueType::Int32, elements: numbers(30).collect() },
        _ => {
            let texts = (0..20).map(|index| OwnedValue::String(format!("{seed} {index}").into_bytes()));
            OwnedValue::Array { element_type: gguf_format::ValueType::String, elements: texts.collect() }
        }
    }
}

/// A file with entries of all kinds, and tensors of 32 bytes.
fn original(format: Format) -> Vec<u8> {
    let mut file = GgufBytes::new(format);
    file.header(TENSOR_COUNT as u64, ENTRY_COUNT as u64);
    for index in 0..ENTRY_COUNT {
        file.entry(format!("key.{index}").as_bytes(), &value(index, index as u64));
    }
    for index in 0..TENSOR_COUNT {
        file.tensor(format!("tensor.{index}").as_bytes(), &[8], 0, index as u64 * 32);
    }
    file.pad_to(32);
    for index in 0..TENSOR_COUNT {
        file.bytes(&[index as u8; 32]);
    }
    file.into_bytes()
}

/// What the comparison should list.
#[derive(Default, Debug)]
struct Expected {
    entries: BTreeSet<String>,
    tensors: BTreeSet<String>,
    moves: usize,
}

/// Makes one edit of an entry that has not been edited yet.
fn edit_entry(edit: &mut Edit, key: usize, kind: u8, number: u8, expected: &mut Expected) {
    let name = format!("key.{key}");
    let mut expect = |text: String| _ = expected.entries.insert(text);
    match kind % 7 {
        0 => {
            let new = value(key, 1000 + u64::from(number));
            // Of a truth value, another seed may be the same value.
            let is_other = edit.entry(edit.find(name.as_str().into()).unwrap()).unwrap().value()
                != NewValue::new(&new).ok().as_ref().map(NewValue::value);
            edit.set(name.as_str(), &new).unwrap();
            if is_other {
                expect(format!("changed {name}"));
            }
        }
        1 => {
            edit.remove(name.as_str()).unwrap();
            expect(format!("removed {name}"));
        }
        2 => {
            edit.rename(name.as_str(), format!("renamed.{key}").as_bytes()).unwrap();
            expect(format!("removed {name}"));
            expect(format!("added renamed.{key}"));
        }
        3 => {
            let position = usize::from(number) % (edit.entry_count() + 1);
            edit.add(Some(position), format!("new.{key}").as_bytes(), &value(number.into(), key as u64)).unwrap();
            expect(format!("added new.{key}"));
        }
        4 => {
            edit.set(name.as_str(), &value(key + 1, 5)).unwrap();
            expect(format!("retyped {name}"));
        }
        5 => {
            let position = usize::from(number) % edit.entry_count();
            edit.move_to(name.as_str(), position).unwrap();
            expected.moves += 1;
        }
        // An edit that takes itself back changes nothing.
        _ => {
            edit.set(name.as_str(), &value(key + 1, 5)).unwrap();
            edit.set(name.as_str(), &value(key, key as u64)).unwrap();
        }
    }
}

fn edit_tensor(edit: &mut Edit, tensor: usize, kind: u8, expected: &mut Expected) {
    let name = format!("tensor.{tensor}");
    expected.tensors.insert(format!("removed {name}"));
    if kind.is_multiple_of(2) {
        edit.remove_tensor(name.as_str()).unwrap();
    } else {
        edit.rename_tensor(name.as_str(), format!("renamed.{tensor}").as_bytes()).unwrap();
        expected.tensors.insert(format!("added renamed.{tensor}"));
    }
}

/// Without the data, only moved entries are not predicted one by one.
fn without_moves(texts: Vec<String>) -> BTreeSet<String> {
    texts.into_iter().filter(|text| !text.starts_with("moved")).map(|text| text.replace('*', "")).collect()
}

/// The entries that did not move are in the same order in both files, and no more entries moved than were moved.
fn check_moves(comparison: &Comparison, a: &Header, b: &Header, moves: usize) {
    let moved: BTreeSet<usize> =
        comparison.entries().iter().filter(|entry| entry.is_moved).map(|entry| entry.a.unwrap()).collect();
    assert!(moved.len() <= moves, "{moved:?} of {moves}");
    let in_b = |index: &usize| {
        let key = a.metadata_at(*index).unwrap().key().to_bytes().into_owned();
        b.get(key).map(|entry| entry.index())
    };
    let stayed = (0..a.metadata().len()).filter(|index| !moved.contains(index));
    assert!(stayed.filter_map(|index| in_b(&index)).is_sorted());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(in_long(1000, 250)) })]

    #[test]
    fn a_comparison_lists_the_edits_in_both_directions(
        edits in vec((0..ENTRY_COUNT, any::<u8>(), any::<u8>()), 0..20),
        tensor_edits in vec((0..TENSOR_COUNT, any::<u8>()), 0..4),
        is_swapped in any::<bool>(),
    ) {
        let file = original(Format::default());
        let a = parse(&file).unwrap();
        let mut edit = Edit::new(parse(&file).unwrap());
        let mut expected = Expected::default();
        let mut edited = BTreeSet::new();
        for (key, kind, number) in edits.into_iter().filter(|(key, ..)| edited.insert(*key)) {
            edit_entry(&mut edit, key, kind, number, &mut expected);
        }
        let mut edited = BTreeSet::new();
        for (tensor, kind) in tensor_edits.into_iter().filter(|(tensor, _)| edited.insert(*tensor)) {
            edit_tensor(&mut edit, tensor, kind, &mut expected);
        }
        if is_swapped {
            edit.set_byte_order(Endian::Big);
        }
        let b = parse(&written(&edit.plan(Some(file.len() as u64)).unwrap(), &file)).unwrap();

        let there = compare_headers(&a, &b).unwrap();
        prop_assert_eq!(without_moves(entry_texts(&there, &a, &b)), expected.entries.clone());
        prop_assert_eq!(without_moves(tensor_texts(&there, &a, &b)), expected.tensors.clone());
        prop_assert_eq!(there.format().len(), usize::from(is_swapped));
        check_moves(&there, &a, &b, expected.moves);
        let counts = there.counts().entries;
        prop_assert_eq!(counts.equal + counts.removed + counts.changed + counts.retyped, ENTRY_COUNT);
        prop_assert_eq!(counts.equal + counts.added + counts.changed + counts.retyped, b.metadata().len());

        let back = compare_headers(&b, &a).unwrap();
        let reversed = |texts: &BTreeSet<String>| -> BTreeSet<String> {
            let reversed = |text: &String| match text.split_once(' ').unwrap() {
                ("added", name) => format!("removed {name}"),
                ("removed", name) => format!("added {name}"),
                _ => text.clone(),
            };
            texts.iter().map(reversed).collect()
        };
        prop_assert_eq!(without_moves(entry_texts(&back, &b, &a)), reversed(&expected.entries));
        prop_assert_eq!(without_moves(tensor_texts(&back, &b, &a)), reversed(&expected.tensors));
        check_moves(&back, &b, &a, expected.moves);
    }

    #[test]
    fn the_hunks_of_an_array_are_the_edits_of_its_elements(
        edits in vec((0..30_u64, 0..4_u64, 0..4_u64), 1..5),
    ) {
        let file = original(Format::default());
        let a = parse(&file).unwrap();
        let mut edit = Edit::new(parse(&file).unwrap());
        let key = "key.4";
        let mut edited_elements = 0;
        for (number, (start, removed, inserted)) in edits.into_iter().enumerate() {
            let length = edit.entry(4).unwrap().array().unwrap().1;
            let start = start.min(length);
            let end = length.min(start + removed);
            if start < end {
                edit.remove_elements(key, start..end).unwrap();
            }
            if inserted > 0 {
                let elements = (0..inserted).map(|index| OwnedValue::Int32((number as u64 * 100 + index) as i32 - 5000));
                let elements = elements.collect();
                edit.insert_elements(key, start, &OwnedValue::Array { element_type: gguf_format::ValueType::Int32, elements }).unwrap();
            }
            edited_elements += end - start + inserted;
        }
        let b = parse(&written(&edit.plan(Some(file.len() as u64)).unwrap(), &file)).unwrap();
        let comparison = compare_headers(&a, &b).unwrap();
        let elements = |header: &Header| -> Vec<i64> {
            let Value::Array(array) = header.get(key).unwrap().value() else { panic!("no array") };
            array.iter().map(|element| element.as_i64().unwrap()).collect()
        };
        let (old, new) = (elements(&a), elements(&b));
        if old == new {
            prop_assert!(comparison.is_equal());
            return Ok(());
        }
        let details = comparison.entry_details(0, &a, &b).unwrap();
        let (mut applied, mut at) = (Vec::<i64>::new(), 0);
        let mut size = 0;
        for hunk in &details.hunks {
            applied.extend(&old[at..hunk.a.start as usize]);
            applied.extend(&new[hunk.b.start as usize..hunk.b.end as usize]);
            at = hunk.a.end as usize;
            size += hunk.a.end - hunk.a.start + hunk.b.end - hunk.b.start;
        }
        applied.extend(&old[at..]);
        prop_assert_eq!(applied, new);
        prop_assert!(size <= edited_elements, "{} of {}", size, edited_elements);
    }
}
