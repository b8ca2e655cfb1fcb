//! Edits of files that are unlikely among random ones.

use std::slice;

use gguf_wasm::encode::{Encoder, OwnedValue};
use gguf_wasm::{Decoder, Edit, EditError, EditErrorKind, Endian, Format, Limits, Segment, ValueType};

/// A file with tensors of a name, dimensions, a type and an offset, and with so many bytes of data.
fn file(tensors: &[(&str, &[u64], u32, u64)], data: usize) -> Vec<u8> {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, 0);
    for (name, dimensions, ggml_type, offset) in tensors {
        file.tensor_info(name.as_bytes(), dimensions, *ggml_type, *offset);
    }
    file.pad_to(32).bytes(&vec![7; data]);
    file.into_bytes()
}

#[test]
fn a_tensor_without_data_does_not_end_one_of_unknown_size() {
    let file = file(&[("a", &[8], 0, 0), ("unknown", &[4], 200, 32), ("empty", &[0], 0, 64)], 288);
    let mut edit = Edit::new(gguf_wasm::parse(&file).unwrap());
    edit.remove_tensor("a").unwrap();
    let plan = edit.plan(Some(file.len() as u64)).unwrap();
    assert_eq!(plan.size() - plan.data_offset(), 256, "all that can be the tensor's");
}

#[test]
fn tensors_that_overlap_make_no_file_that_nobody_can_count() {
    // They are not there to be read: only how large they say they are counts.
    let size = 1 << 52;
    let tensors: Vec<_> = ["a", "b", "c"].map(|name| (name, [size / 4 - 64], 0, 0)).into();
    let tensors: Vec<_> = tensors.iter().map(|(name, dims, ty, at)| (*name, &dims[..], *ty, *at)).collect();
    let mut edit = Edit::new(gguf_wasm::parse(&file(&tensors, 0)).unwrap());
    edit.repack();
    let error = edit.plan(Some(size)).unwrap_err();
    assert_eq!(error.kind(), EditErrorKind::LimitExceeded);
}

#[test]
fn padding_is_not_made_for_an_alignment_of_gigabytes() {
    let file = file(&[("a", &[8], 0, 0), ("b", &[8], 0, 32)], 64);
    let mut edit = Edit::new(gguf_wasm::parse(&file).unwrap());
    edit.set_alignment(1 << 30).unwrap();
    let error = edit.plan(Some(file.len() as u64)).unwrap_err();
    assert_eq!(error.kind(), EditErrorKind::TooLarge);
    assert!(edit.undo());
    let whole = Segment::Copy { source: 0, range: 0..file.len() as u64 };
    assert_eq!(edit.plan(Some(file.len() as u64)).unwrap().segments(), [whole]);
}

/// A reader may have been told to follow more arrays: others are not.
#[test]
fn arrays_are_not_nested_deeper_than_readers_follow() {
    let mut file = Encoder::new(Format::default());
    file.header(0, 1).key(b"deep", ValueType::Array.id());
    (1..65).for_each(|_| _ = file.array(ValueType::Array.id(), 1));
    file.array(ValueType::Uint8.id(), 1).u8(7);
    let mut limits = Limits::default();
    limits.array_depth = 65;
    let mut decoder = Decoder::with_limits(limits);
    decoder.push(file.as_bytes()).unwrap();
    let mut edit = Edit::new(decoder.into_header().unwrap());
    let types = |depth| [vec![ValueType::Array; depth], vec![ValueType::Uint16]].concat();
    assert_eq!(edit.retype("deep", &types(65)).unwrap_err().kind(), EditErrorKind::LimitExceeded);
    assert_eq!(edit.changes().len(), 0);
    let deep = |depth| {
        (1..depth)
            .fold(OwnedValue::array(ValueType::Uint8, [7u8]), |inner, _| OwnedValue::array(ValueType::Array, [inner]))
    };
    edit.set("deep", &deep(64)).unwrap();
    edit.retype("deep", &types(64)).unwrap();
    assert_eq!(edit.set("deep", &deep(65)).unwrap_err().kind(), EditErrorKind::LimitExceeded);
}

/// A change, or what is none.
type Made = &'static dyn Fn(&mut Edit) -> Result<(), EditError>;

/// What is so already is no change: neither for what is made, nor for what can be made again.
#[test]
fn what_changes_nothing_is_no_change() {
    let mut file = Encoder::new(Format::default());
    file.header(1, 4)
        .kv(b"number", &7u32.into())
        .kv(b"text", &"text".into())
        .kv(b"list", &OwnedValue::array(ValueType::String, ["a", "b"]))
        .kv(b"general.alignment", &64u32.into())
        .tensor_info(b"t", &[8], 0, 0)
        .pad_to(64)
        .bytes(&[0; 64]);
    let mut edit = Edit::new(gguf_wasm::parse(file.as_bytes()).unwrap());
    edit.remove("number").unwrap();
    assert!(edit.undo());
    let nothing: [(&str, Made); 6] = [
        ("rename", &|edit| edit.rename("text", b"text")),
        ("move", &|edit| edit.move_to("text", 1)),
        ("rename_tensor", &|edit| edit.rename_tensor("t", b"t")),
        ("version", &|edit| edit.set_version(3)),
        ("elements", &|edit| edit.remove_elements("list", 1..1)),
        ("elements", &|edit| edit.insert_elements("list", 1, &OwnedValue::array(ValueType::String, [""; 0]))),
    ];
    let whole = Segment::Copy { source: 0, range: 0..file.len() };
    for (what, make) in nothing {
        make(&mut edit).unwrap();
        assert_eq!((edit.changes().len(), edit.undone().len()), (0, 1), "{what}");
        assert_eq!(edit.plan(Some(file.len())).unwrap().segments(), slice::from_ref(&whole), "{what}");
    }
    edit.repack();
    edit.set_byte_order(Endian::Big);
    assert_eq!((edit.changes().len(), edit.undone().len()), (2, 0));
    edit.repack();
    edit.set_byte_order(Endian::Big);
    assert_eq!(edit.changes().len(), 2);
}
