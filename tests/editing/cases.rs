//! Edits of files that are unlikely among random ones.

use std::slice;

use crate::gguf_bytes::GgufBytes;
use crate::written::written;
use gguf_wasm::encode::OwnedValue;
use gguf_wasm::{
    Check, Decoder, Edit, EditError, Endian, ErrorCode, Format, HistoryStep, Limits, Segment, Subject, ValueType,
    validate,
};

/// A file with tensors of a name, dimensions, a type and an offset, and with so many bytes of data.
fn file(tensors: &[(&str, &[u64], u32, u64)], data: usize) -> Vec<u8> {
    let mut file = GgufBytes::new(Format::default());
    file.header(tensors.len() as u64, 0);
    for (name, dimensions, ggml_type, offset) in tensors {
        file.tensor(name.as_bytes(), dimensions, *ggml_type, *offset);
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

/// Opens a file, changes it, and returns the bytes of the new file.
fn changed(file: &[u8], change: impl FnOnce(&mut Edit)) -> Vec<u8> {
    let mut edit = Edit::new(gguf_wasm::parse(file).unwrap());
    change(&mut edit);
    written(&edit.plan(Some(file.len() as u64)).unwrap(), file)
}

#[test]
fn a_tensor_of_unknown_size_at_the_end_does_not_grow_when_the_file_is_realigned() {
    let mut old = file(&[("a", &[8], 0, 0), ("unknown", &[4], 200, 32), ("empty", &[0], 0, 64)], 128);
    for alignment in [64, 32, 256, 8, 4096, 32] {
        let new = changed(&old, |edit| edit.set_alignment(alignment).unwrap());
        let header = gguf_wasm::parse(&new).unwrap();
        assert_eq!(header.alignment(), u64::from(alignment));
        let unknown = header.tensor("unknown").unwrap();
        assert_eq!(unknown.offset() % u64::from(alignment), 0);
        let start = unknown.file_offset().unwrap() as usize;
        assert_eq!(new[start..], [7; 96], "alignment {alignment}");
        old = new;
    }
}

#[test]
fn a_tensor_of_unknown_size_before_others_takes_only_the_padding_that_the_alignment_needs() {
    let old = file(&[("unknown", &[4], 200, 0), ("a", &[8], 0, 96)], 128);
    let new = changed(&old, |edit| edit.set_alignment(64).unwrap());
    let header = gguf_wasm::parse(&new).unwrap();
    let data = &new[header.data_offset() as usize..];
    assert_eq!(header.tensor("a").unwrap().offset(), 128);
    assert_eq!((&data[..96], &data[96..128], &data[128..160]), (&[7; 96][..], &[0; 32][..], &[7; 32][..]));
    for alignment in [32, 64, 128, 8] {
        let again = changed(&new, |edit| edit.set_alignment(alignment).unwrap());
        assert_eq!(gguf_wasm::parse(&again).unwrap().tensor("a").unwrap().offset(), 128, "alignment {alignment}");
    }
}

#[test]
fn validating_and_planning_agree_on_whether_a_tensor_of_unknown_size_is_complete() {
    for (data, is_complete) in [(32, false), (33, true)] {
        let file = file(&[("a", &[8], 0, 0), ("unknown", &[4], 200, 32)], data);
        let header = gguf_wasm::parse(&file).unwrap();
        let findings = validate(&header, Some(file.len() as u64));
        let truncated = findings.iter().find(|finding| finding.check == Check::Truncated);
        assert_eq!(truncated.is_none(), is_complete, "{findings:?}");
        assert!(truncated.is_none_or(|finding| finding.subject == Some(Subject::Tensor(1))));
        let mut edit = Edit::new(header);
        edit.repack();
        let planned = edit.plan(Some(file.len() as u64)).map_err(|error| error.code().name());
        assert_eq!(planned.err(), (!is_complete).then_some("truncated"));
    }
}

#[test]
fn a_tensor_of_unknown_size_leaves_no_gap_before_the_next_tensor_with_data() {
    let file = file(&[("unknown", &[4], 200, 0), ("empty", &[0], 0, 32), ("a", &[8], 0, 96)], 128);
    let findings = validate(&gguf_wasm::parse(&file).unwrap(), Some(file.len() as u64));
    assert!(findings.iter().all(|finding| finding.check != Check::Gap), "{findings:?}");
}

/// Names are found by an index: it must know renamed, removed, and duplicate tensors.
#[test]
fn tensors_are_found_by_their_names_as_they_are_now() {
    let names = ["a", "twin", "b", "twin", "c"];
    let tensors: Vec<_> = names.into_iter().zip((0..).step_by(32)).map(|(name, at)| (name, &[8][..], 0, at)).collect();
    let mut edit = Edit::new(gguf_wasm::parse(&file(&tensors, 160)).unwrap());
    let find = |edit: &Edit, name: &str| edit.find_tensor(name.into()).ok();
    let all = |edit: &Edit| ["a", "twin", "b", "c", "x", "y"].map(|name| find(edit, name));
    assert_eq!(all(&edit), [Some(0), Some(1), Some(2), Some(4), None, None]);
    edit.rename_tensor("twin", b"x").unwrap();
    assert_eq!(all(&edit), [Some(0), Some(3), Some(2), Some(4), Some(1), None]);
    edit.remove_tensor("a").unwrap();
    assert_eq!(all(&edit), [None, Some(2), Some(1), Some(3), Some(0), None]);
    edit.rename_tensor("c", b"a").unwrap();
    edit.rename_tensor("x", b"y").unwrap();
    assert_eq!(all(&edit), [Some(3), Some(2), Some(1), None, None, Some(0)]);
    assert_eq!(edit.rename_tensor("b", b"y").unwrap_err().code(), "name-taken");
    edit.rename_tensor("y", b"c").unwrap();
    edit.remove_tensor("twin").unwrap();
    assert_eq!(all(&edit), [Some(2), None, Some(1), Some(0), None, None]);
    while edit.undo() {}
    assert_eq!(all(&edit), [Some(0), Some(1), Some(2), Some(4), None, None]);
    while edit.redo() {}
    assert_eq!(all(&edit), [Some(2), None, Some(1), Some(0), None, None]);
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
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
}

#[test]
fn padding_is_not_made_for_an_alignment_of_gigabytes() {
    let file = file(&[("a", &[8], 0, 0), ("b", &[8], 0, 32)], 64);
    let mut edit = Edit::new(gguf_wasm::parse(&file).unwrap());
    edit.set_alignment(1 << 30).unwrap();
    let error = edit.plan(Some(file.len() as u64)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert!(edit.undo());
    let whole = Segment::Copy { source: 0, range: 0..file.len() as u64 };
    assert_eq!(edit.plan(Some(file.len() as u64)).unwrap().segments(), [whole]);
}

/// A reader may have been told to follow more arrays: others are not.
#[test]
fn arrays_are_not_nested_deeper_than_readers_follow() {
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

/// A change, or what is none.
type Made = &'static dyn Fn(&mut Edit) -> Result<(), EditError>;

/// What is so already is no change: neither for what is made, nor for what can be made again.
#[test]
fn what_changes_nothing_is_no_change() {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 4)
        .entry(b"number", &7u32.into())
        .entry(b"text", &"text".into())
        .entry(b"list", &OwnedValue::array(ValueType::String, ["a", "b"]))
        .entry(b"general.alignment", &64u32.into())
        .tensor(b"t", &[8], 0, 0)
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

fn small() -> GgufBytes {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 3)
        .entry(b"number", &7u32.into())
        .entry(b"text", &"text".into())
        .entry(b"list", &OwnedValue::array(ValueType::String, ["a", "b", "c"]))
        .tensor(b"t", &[8], 0, 0)
        .pad_to(32)
        .bytes(&[1; 32]);
    file
}

fn keys(edit: &Edit) -> Vec<String> {
    let key = |at| String::from_utf8(edit.entry(at).unwrap().key().into_owned()).unwrap();
    (0..edit.entry_count()).map(key).collect()
}

#[test]
fn a_reverted_removal_brings_the_entry_back_to_its_place() {
    let mut edit = Edit::new(gguf_wasm::parse(small().as_bytes()).unwrap());
    edit.remove("number").unwrap();
    edit.move_to("list", 0).unwrap();
    edit.add(None, b"new", &1u8.into()).unwrap();
    let change_ids = |edit: &Edit| edit.changes().iter().map(|made| made.id).collect::<Vec<_>>();
    let ids = change_ids(&edit);
    edit.revert(0).unwrap();
    assert_eq!(keys(&edit), ["number", "list", "text", "new"]);
    assert_eq!(change_ids(&edit), &ids[1..]);
    assert!(edit.undo());
    assert_eq!(keys(&edit), ["list", "text", "new"]);
    let undone: Vec<_> = edit.undone().iter().map(HistoryStep::id).collect();
    assert_eq!((&change_ids(&edit)[..], &undone[..]), (&ids[..], &ids[..1]));
    assert!(edit.redo());
    assert_eq!(keys(&edit), ["number", "list", "text", "new"]);
}

#[test]
fn a_revert_is_refused_where_a_later_change_needs_the_change() {
    let mut edit = Edit::new(gguf_wasm::parse(small().as_bytes()).unwrap());
    edit.remove("number").unwrap();
    edit.add(None, b"number", &1u8.into()).unwrap();
    edit.set("number", &2u8.into()).unwrap();
    edit.insert_elements("list", 1, &OwnedValue::array(ValueType::String, ["x", "y"])).unwrap();
    edit.set_element("list", 2, &"z".into()).unwrap();
    edit.remove_tensor("t").unwrap();
    let code = |edit: &mut Edit, at| edit.revert(at).unwrap_err().code();
    assert_eq!(code(&mut edit, 0), "key-taken");
    assert_eq!(code(&mut edit, 1), "conflict");
    assert_eq!(code(&mut edit, 3), "conflict");
    assert_eq!(code(&mut edit, 6), "unknown-change");
    assert_eq!((edit.changes().len(), edit.undone().len()), (6, 0));
    // An entry that is gone in the end is needed by no change.
    edit.remove("number").unwrap();
    edit.revert(1).unwrap();
    assert_eq!((edit.changes().len(), keys(&edit)), (4, vec!["text".to_owned(), "list".to_owned()]));
}

#[test]
fn a_type_is_given_to_the_value_that_is_left() {
    let mut edit = Edit::new(gguf_wasm::parse(small().as_bytes()).unwrap());
    edit.set("number", &0.5f32.into()).unwrap();
    edit.retype("number", &[ValueType::String]).unwrap();
    edit.revert(0).unwrap();
    assert_eq!(edit.entry(0).unwrap().value().unwrap().as_str().unwrap(), "7");
    edit.set("text", &"1e3".into()).unwrap();
    edit.retype("text", &[ValueType::Uint16]).unwrap();
    assert_eq!(edit.revert(1).unwrap_err().code(), "does-not-fit");
}

#[test]
fn without_any_change_left_the_file_is_copied_whole() {
    let file = small();
    let mut edit = Edit::new(gguf_wasm::parse(file.as_bytes()).unwrap());
    edit.set("text", &"another".into()).unwrap();
    edit.rename_tensor("t", b"u").unwrap();
    edit.set_byte_order(Endian::Big);
    edit.remove_elements("list", 0..2).unwrap();
    for at in [1, 2, 0, 0] {
        edit.revert(at).unwrap();
    }
    let whole = Segment::Copy { source: 0, range: 0..file.len() };
    assert_eq!(edit.plan(Some(file.len())).unwrap().segments(), [whole]);
    while edit.undo() {}
    assert_eq!((edit.changes().len(), edit.undone().len()), (0, 8));
}

/// Values that only a redo or an undo can bring back count, too.
#[test]
fn values_of_reverted_changes_count_for_what_changes_keep() {
    let mut edit = Edit::new(gguf_wasm::parse(small().as_bytes()).unwrap());
    let large = OwnedValue::String(vec![b'x'; 250 << 20]);
    edit.set("text", &large).unwrap();
    edit.revert(0).unwrap();
    edit.set("text", &large).unwrap();
    edit.revert(0).unwrap();
    let error = edit.set("text", &large).unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
    assert!(error.to_string().contains("all changes"), "{error}");
}
