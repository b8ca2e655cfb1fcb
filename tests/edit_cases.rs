//! Edits of files that are unlikely among random ones.

use gguf_wasm::encode::Encoder;
use gguf_wasm::{Edit, EditErrorKind, Format, Segment};

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
