//! Sizes and depths that a plan or a change refuses.

use gguf_format::edit::Edit;
use gguf_format::write::Segment;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Decoder, ErrorCode, Format, Limits, ValueType};

use crate::editing::small_files::{file_with_tensors, small_file};
use crate::gguf_bytes::GgufBytes;

#[test]
fn overlapping_tensors_with_a_huge_total_size_are_refused() {
    // The data need not exist: only its declared size counts.
    let size = 1 << 52;
    let tensors: Vec<_> = ["a", "b", "c"].map(|name| (name, [size / 4 - 64], 0, 0)).into();
    let tensors: Vec<_> = tensors.iter().map(|(name, dims, ty, at)| (*name, &dims[..], *ty, *at)).collect();
    let mut edit = Edit::new(gguf_format::parse(&file_with_tensors(&tensors, 0)).unwrap());
    edit.repack();
    let error = edit.plan(Some(size)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
}

#[test]
fn an_alignment_of_gigabytes_is_refused() {
    let file = file_with_tensors(&[("a", &[8], 0, 0), ("b", &[8], 0, 32)], 64);
    let mut edit = Edit::new(gguf_format::parse(&file).unwrap());
    edit.set_alignment(1 << 30).unwrap();
    let error = edit.plan(Some(file.len() as u64)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert!(edit.undo());
    let whole = Segment::Copy { source: 0, range: 0..file.len() as u64 };
    assert_eq!(edit.plan(Some(file.len() as u64)).unwrap().segments(), [whole]);
}

/// A reader may have a higher limit for nested arrays, but other readers do not.
#[test]
fn arrays_nested_deeper_than_readers_allow_are_refused() {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 1).key(b"deep", ValueType::Array.id());
    (1..65).for_each(|_| _ = file.array(ValueType::Array.id(), 1));
    file.array(ValueType::Uint8.id(), 1).bytes(&[7]);
    let mut limits = Limits::default();
    limits.array_depth = 65;
    let mut decoder = Decoder::with_limits(limits);
    decoder.push(file.as_bytes()).unwrap();
    let mut edit = Edit::new(decoder.into_header().unwrap());
    let types = |depth| [vec![ValueType::Array; depth], vec![ValueType::Uint16]].concat();
    assert_eq!(edit.retype("deep", &types(65)).unwrap_err().code(), ErrorCode::LimitExceeded);
    assert_eq!(edit.changes().len(), 0);
    let deep = |depth| {
        (1..depth)
            .fold(OwnedValue::array(ValueType::Uint8, [7u8]), |inner, _| OwnedValue::array(ValueType::Array, [inner]))
    };
    edit.set("deep", &deep(64)).unwrap();
    edit.retype("deep", &types(64)).unwrap();
    assert_eq!(edit.set("deep", &deep(65)).unwrap_err().code(), ErrorCode::LimitExceeded);
}

/// Values that only undo or redo can restore count too.
#[test]
fn values_of_reverted_changes_count_for_the_limit() {
    let mut edit = Edit::new(gguf_format::parse(small_file().as_bytes()).unwrap());
    let large = OwnedValue::String(vec![b'x'; 250 << 20]);
    edit.set("text", &large).unwrap();
    edit.revert(0).unwrap();
    edit.set("text", &large).unwrap();
    edit.revert(0).unwrap();
    let error = edit.set("text", &large).unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
    assert!(error.to_string().contains("all changes"), "{error}");
}
