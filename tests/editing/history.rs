//! Changes that change nothing, undo, redo and revert.

use std::slice;

use gguf_format::edit::{Change, Edit, HistoryStep};
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::{NewValue, Segment};
use gguf_format::{Endian, Error, Format, ValueType};

use crate::editing::small_files::{file_with_tensors, small_file};
use crate::gguf_bytes::GgufBytes;

/// A change that must have no effect.
type Made = &'static dyn Fn(&mut Edit) -> Result<(), Error>;

/// A change to the present value is not recorded, and does not clear the list of undone changes.
#[test]
fn changes_without_an_effect_are_not_recorded() {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 4)
        .entry(b"number", &7u32.into())
        .entry(b"text", &"text".into())
        .entry(b"list", &OwnedValue::array(ValueType::String, ["a", "b"]))
        .entry(b"general.alignment", &64u32.into())
        .tensor(b"t", &[8], 0, 0)
        .pad_to(64)
        .bytes(&[0; 64]);
    let mut edit = Edit::new(gguf_format::parse(file.as_bytes()).unwrap());
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

fn keys(edit: &Edit) -> Vec<String> {
    let key = |at| String::from_utf8(edit.entry(at).unwrap().key().into_owned()).unwrap();
    (0..edit.entry_count()).map(key).collect()
}

#[test]
fn a_reverted_removal_brings_the_entry_back_to_its_place() {
    let mut edit = Edit::new(gguf_format::parse(small_file().as_bytes()).unwrap());
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
    let undone: Vec<_> = edit.undone().iter().flat_map(HistoryStep::ids).collect();
    assert_eq!((&change_ids(&edit)[..], &undone[..]), (&ids[..], &ids[..1]));
    assert!(edit.redo());
    assert_eq!(keys(&edit), ["number", "list", "text", "new"]);
}

#[test]
fn a_revert_is_refused_if_a_later_change_depends_on_the_change() {
    let mut edit = Edit::new(gguf_format::parse(small_file().as_bytes()).unwrap());
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
    // No change depends on an entry that is removed in the end.
    edit.remove("number").unwrap();
    edit.revert(1).unwrap();
    assert_eq!((edit.changes().len(), keys(&edit)), (4, vec!["text".to_owned(), "list".to_owned()]));
}

#[test]
fn a_reverted_change_keeps_a_later_change_of_the_type() {
    let mut edit = Edit::new(gguf_format::parse(small_file().as_bytes()).unwrap());
    edit.set("number", &0.5f32.into()).unwrap();
    edit.retype("number", &[ValueType::String]).unwrap();
    edit.revert(0).unwrap();
    assert_eq!(edit.entry(0).unwrap().value().unwrap().as_str().unwrap(), "7");
    edit.set("text", &"1e3".into()).unwrap();
    edit.retype("text", &[ValueType::Uint16]).unwrap();
    assert_eq!(edit.revert(1).unwrap_err().code(), "does-not-fit");
}

#[test]
fn without_changes_the_whole_file_is_copied() {
    let file = small_file();
    let mut edit = Edit::new(gguf_format::parse(file.as_bytes()).unwrap());
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

/// The index of tensor names follows renamed, removed and duplicate tensors.
#[test]
fn tensors_are_found_by_their_present_names() {
    let names = ["a", "twin", "b", "twin", "c"];
    let tensors: Vec<_> = names.into_iter().zip((0..).step_by(32)).map(|(name, at)| (name, &[8][..], 0, at)).collect();
    let mut edit = Edit::new(gguf_format::parse(&file_with_tensors(&tensors, 160)).unwrap());
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
fn changes_that_are_applied_together_are_one_step() {
    let mut edit = Edit::new(gguf_format::parse(small_file().as_bytes()).unwrap());
    edit.set("text", &"before".into()).unwrap();
    assert!(edit.undo());
    let add = Change::Add { position: 0, key: b"new"[..].into(), value: NewValue::new(&1u8.into()).unwrap() };
    // Positions are those directly before the change: the first entry is the added one.
    edit.apply(&[add.clone(), Change::Rename { entry: 0, key: b"renamed"[..].into() }, Change::Remove { entry: 1 }])
        .unwrap();
    assert_eq!(keys(&edit), ["renamed", "text", "list"]);
    assert_eq!((edit.changes().len(), edit.can_redo()), (3, false));
    assert!(edit.undo());
    assert_eq!((keys(&edit), edit.changes().len()), (vec!["number".into(), "text".into(), "list".into()], 0));
    assert_eq!(edit.undone().iter().flat_map(HistoryStep::ids).count(), 3);
    assert!(edit.redo() && !edit.can_redo());
    assert_eq!(keys(&edit), ["renamed", "text", "list"]);
    // Each change can be reverted alone, and a later undo brings it back.
    edit.revert(2).unwrap();
    assert_eq!(keys(&edit), ["renamed", "number", "text", "list"]);
    assert!(edit.undo() && edit.undo() && !edit.can_undo());
}

#[test]
fn if_one_of_several_changes_is_refused_nothing_changes() {
    let mut edit = Edit::new(gguf_format::parse(small_file().as_bytes()).unwrap());
    edit.remove("list").unwrap();
    edit.set("text", &"undone".into()).unwrap();
    assert!(edit.undo());
    let refused = [Change::Remove { entry: 0 }, Change::Rename { entry: 5, key: b"k"[..].into() }];
    assert_eq!(edit.apply(&refused).unwrap_err().code(), "unknown-key");
    assert_eq!(keys(&edit), ["number", "text"]);
    assert_eq!((edit.changes().len(), edit.undone().len()), (1, 1));
    // Changes without effect are no step.
    edit.apply(&[]).unwrap();
    assert!(edit.redo() && edit.undo() && edit.undo() && !edit.can_undo());
}
