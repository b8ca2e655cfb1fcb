//! The cost of an edit: a plan contains the new bytes, and copies the rest.

use std::ops::Range;

use gguf_format::edit::Edit;
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::{Segment, WritePlan};
use gguf_format::{Format, ValueType};

use crate::gguf_bytes::GgufBytes;

const TOKENS: u64 = 128_256;
const TENSORS: u64 = 291;
const KEY: &str = "tokenizer.ggml.tokens";

/// A header as large as that of Llama 3, and the size of its file, which does not exist.
fn large() -> (Edit, u64) {
    let mut file = GgufBytes::new(Format::default());
    file.header(TENSORS, 4)
        .entry(b"general.architecture", &"llama".into())
        .key(KEY.as_bytes(), ValueType::Array.id())
        .array(ValueType::String.id(), TOKENS);
    for token in 0..TOKENS {
        file.string(format!("token{token:06}").as_bytes());
    }
    file.key(b"tokenizer.ggml.token_type", ValueType::Array.id()).array(ValueType::Int32.id(), TOKENS);
    (0..TOKENS).for_each(|_| {
        file.u32(1);
    });
    file.entry(b"tokenizer.ggml.bos_token_id", &1u32.into());
    for tensor in 0..TENSORS {
        file.tensor(format!("blk.{tensor}.attn_q.weight").as_bytes(), &[4096, 4096], 0, tensor << 26);
    }
    let size = file.len().next_multiple_of(32) + (TENSORS << 26);
    (Edit::new(gguf_format::parse(file.as_bytes()).unwrap()), size)
}

/// The number of segments of a plan, of the bytes in it, and of the bytes that it writes in place.
fn cost(plan: &WritePlan) -> (usize, usize, Option<u64>) {
    let new = |segment: &Segment| if let Segment::Bytes(bytes) = segment { bytes.len() } else { 0 };
    let patched = |patches: &[Range<u64>]| patches.iter().map(|patch| patch.end - patch.start).sum();
    (plan.segments().len(), plan.segments().iter().map(new).sum(), plan.patches().map(patched))
}

/// The cost of one edit, which is then undone.
fn cost_of(edit: &mut Edit, size: u64, make: impl FnOnce(&mut Edit)) -> (usize, usize, Option<u64>) {
    make(edit);
    let plan = edit.plan(Some(size)).unwrap();
    assert!(edit.undo());
    cost(&plan)
}

#[test]
fn the_plan_of_one_edit_contains_only_new_bytes() {
    let (mut edit, size) = large();
    let element = |text: &'static str| move |edit: &mut Edit| edit.set_element(KEY, 100_000, &text.into()).unwrap();
    // The new element has the same length as the old one, so only its length and bytes are new.
    assert_eq!(cost_of(&mut edit, size, element("other_token")), (3, 19, Some(19)));
    // The padding before the data absorbs the extra bytes of the element.
    let (segments, bytes, patched) = cost_of(&mut edit, size, element("a longer token"));
    // All later tokens and types move.
    let behind = (TOKENS - 100_001) * 19 + 4 * TOKENS;
    assert!((segments, bytes) == (5, 22 + 6), "{segments} segments, {bytes} bytes");
    assert!(patched.is_some_and(|bytes| (behind..behind + 20_000).contains(&bytes)), "{patched:?}, {behind}");
    let one = |index| {
        move |edit: &mut Edit| {
            let value = OwnedValue::array(ValueType::Int32, [3i32]);
            edit.insert_elements("tokenizer.ggml.token_type", index, &value).unwrap();
        }
    };
    // The type and length of the array, the element, and padding.
    for index in [0, 64_000, TOKENS] {
        let (segments, bytes, _) = cost_of(&mut edit, size, one(index));
        assert!(segments <= 7 && bytes < 12 + 4 + 32, "{segments} segments, {bytes} bytes");
    }
    let remove = |edit: &mut Edit| edit.remove_elements(KEY, 5..100_005).unwrap();
    let (segments, bytes, _) = cost_of(&mut edit, size, remove);
    assert!(segments <= 6 && bytes < 12 + 32, "{segments} segments, {bytes} bytes");
    let (segments, bytes, patched) = cost_of(&mut edit, size, |edit| edit.move_to(KEY, 3).unwrap());
    assert!(segments <= 5 && bytes == 0 && patched.is_some(), "{segments} segments, {bytes} bytes");
    let rename = |edit: &mut Edit| edit.rename(KEY, b"another.key.of.21.bytes").unwrap();
    assert!(cost_of(&mut edit, size, rename).1 < 8 + 23 + 32);
    assert_eq!(cost_of(&mut edit, size, |edit| edit.rename(KEY, b"a.key.of.twenty-one.b").unwrap()).1, 8 + 21);
    // The offset of every tensor, two counts and an entry. The sizes of the tensors are multiples of any alignment.
    let (segments, bytes, _) = cost_of(&mut edit, size, |edit| edit.remove_tensor(0).unwrap());
    assert!(segments <= 2 * 291 + 3 && bytes < 24 + 291 * 8 + 64, "{segments} segments, {bytes} bytes");
}

#[test]
fn each_changed_element_is_a_segment() {
    let (mut edit, size) = large();
    for index in 0..100 {
        edit.set_element("tokenizer.ggml.token_type", index * 1000, &6i32.into()).unwrap();
    }
    let plan = edit.plan(Some(size)).unwrap();
    // The bytes before the first element belong to the same array, so they are copied with it.
    assert_eq!(cost(&plan), (2 * 100 + 1, 4 * 100, Some(4 * 100)));
    assert_eq!(plan.patches().unwrap().len(), 100);
}

/// A tensor of unknown type extends as far as it can, whatever the next offset is.
#[test]
fn an_offset_beyond_the_file_does_not_end_a_tensor() {
    let mut file = GgufBytes::new(Format::default());
    file.header(2, 0).tensor(b"a", &[4], 137, 0).tensor(b"b", &[0], 0, u64::MAX).pad_to(32).bytes(&[7; 32]);
    let mut edit = Edit::new(gguf_format::parse(file.as_bytes()).unwrap());
    edit.repack();
    let plan = edit.plan(Some(file.len())).unwrap();
    let data = Segment::Copy { source: 0, range: file.len() - 32..file.len() };
    assert_eq!((plan.size(), plan.segments().last()), (file.len(), Some(&data)));
    let header: Vec<u8> = plan.header_pieces(edit.header().bytes(), 0..plan.header_size()).flatten().copied().collect();
    assert_eq!(gguf_format::parse(&header).unwrap().tensor("b").unwrap().offset(), 32);
}

/// A plan holds no gigabytes of padding, although the header declares an alignment of gigabytes.
#[test]
fn missing_data_is_not_padded() {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 1).entry(b"general.alignment", &(1u32 << 31).into()).tensor(b"a", &[0], 0, 0);
    let mut edit = Edit::new(gguf_format::parse(file.as_bytes()).unwrap());
    edit.add(None, b"b", &1u8.into()).unwrap();
    assert!(edit.plan(Some(file.len())).unwrap().size() < 200);
    edit.repack();
    assert_eq!(edit.plan(Some(file.len())).unwrap_err().code(), "too-large");
    edit.set_alignment(64).unwrap();
    assert!(edit.plan(Some(file.len())).unwrap().size() < 300);
}
