//! The entry with the original shape of a tensor follows renames and removals of the tensor.

use gguf_format::edit::Edit;
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, ValueType, parse};

/// A header with a reshaped tensor `a`, and a key that `taken` would need.
fn reshaped() -> Edit {
    let mut file = Encoder::new(Format::default());
    let shape = OwnedValue::array(ValueType::Int32, [32_i32, 2]);
    file.header(2, 3);
    for key in ["comfy.gguf.orig_shape.a", "x", "comfy.gguf.orig_shape.taken"] {
        file.kv(key.as_bytes(), &shape);
    }
    file.tensor_info(b"a", &[64], 0, 0).tensor_info(b"b", &[64], 0, 256);
    Edit::new(parse(file.as_bytes()).unwrap())
}

#[test]
fn the_original_shape_of_a_tensor_follows_its_name() {
    let keys = |edit: &Edit| -> Vec<String> {
        let short = |key: &[u8]| String::from_utf8(key.to_vec()).unwrap().replace("comfy.gguf.orig_shape.", "");
        edit.entries().map(|entry| short(&entry.key())).collect()
    };
    let mut edit = reshaped();
    edit.rename_tensor("b", b"c").unwrap();
    edit.rename_tensor("a", b"d").unwrap();
    assert_eq!(keys(&edit), ["d", "x", "taken"]);
    edit.rename_tensor("d", b"e").unwrap();
    assert_eq!(keys(&edit), ["e", "x", "taken"]);
    edit.remove_tensor("e").unwrap();
    assert_eq!(keys(&edit), ["x", "taken"]);
    assert!(edit.undo());
    assert_eq!(keys(&edit), ["e", "x", "taken"]);
    assert!(edit.undo() && edit.undo());
    assert_eq!(keys(&edit), ["a", "x", "taken"]);
    assert!(edit.redo() && edit.redo() && edit.redo());
    assert_eq!(keys(&edit), ["x", "taken"]);
    // Without the first name, the others still follow it.
    edit.revert(1).unwrap();
    assert_eq!(keys(&edit), ["x", "taken"]);
    edit.revert(2).unwrap();
    assert_eq!(keys(&edit), ["e", "x", "taken"]);

    let mut edit = reshaped();
    edit.rename_tensor("a", b"taken").unwrap();
    assert_eq!(keys(&edit), ["a", "x", "taken"]);
}
