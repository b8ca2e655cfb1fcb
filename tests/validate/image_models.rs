//! Image models: the limits of their programs, the original shapes of their tensors, and their family.

use gguf_format::edit::Edit;
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, GgmlType, Header, ValueType, parse};
use gguf_models::image::original_shape;
use gguf_models::validate::{Check, validate};

use crate::image_header::image_header;

fn codes(header: &Header) -> Vec<&'static str> {
    validate(header, None).iter().map(|finding| finding.check.code()).collect()
}

/// A header with one entry, and tensors: a name, and dimensions if they matter.
fn with_entry(key: &str, value: &str, tensors: &[(&str, &[u64])]) -> Header {
    image_header(Some((key, value)), GgmlType::F32, tensors.iter().copied())
}

fn header(architecture: &'static str, tensors: &[(&str, &[u64])]) -> Header {
    with_entry("general.architecture", architecture, tensors)
}

#[test]
fn names_and_dimensions_of_image_models_are_those_of_their_programs() {
    let long = "x".repeat(159);
    let tensors: &[(&str, &[u64])] = &[(&long, &[2, 2, 1, 16, 64]), ("patch_embedding.weight", &[2, 2, 1, 16, 64])];
    assert_eq!(codes(&header("wan", tensors)), [""; 0]);
    let llama = codes(&header("llama", tensors));
    assert!(llama.contains(&"long-tensor-name") && llama.contains(&"too-many-dimensions"));
    let longer = "x".repeat(160);
    let beyond = codes(&header("wan", &[(&longer, &[]), ("a", &[1, 1, 1, 1, 1, 1])]));
    assert_eq!(beyond, ["long-tensor-name", "too-many-dimensions"]);
}

#[test]
fn original_shapes_are_checked() {
    let file = |shape: OwnedValue| {
        let mut file = Encoder::new(Format::default());
        file.header(1, 2).kv(b"general.architecture", &"sd1".into()).kv(b"comfy.gguf.orig_shape.a", &shape);
        file.tensor_info(b"a", &[256, 36], 0, 0);
        parse(file.as_bytes()).unwrap()
    };
    let of_type = |value_type, shape: [i32; 4]| file(OwnedValue::array(value_type, shape));
    let right = of_type(ValueType::Int32, [32, 32, 3, 3]);
    assert_eq!(codes(&right), [""; 0]);
    assert_eq!(original_shape(&right, b"a"), Some(vec![3, 3, 32, 32]));
    assert_eq!(original_shape(&right, b"b"), None);
    for wrong in
        [of_type(ValueType::Int32, [32, 32, 3, 4]), of_type(ValueType::Int32, [-32, -32, 3, 3]), file("32".into())]
    {
        assert!(codes(&wrong).contains(&"original-shape"));
        assert_eq!(original_shape(&wrong, b"a"), None);
    }
    let mut file = Encoder::new(Format::default());
    file.header(0, 1).kv(b"comfy.gguf.orig_shape.b", &OwnedValue::array(ValueType::Int32, [1_i32]));
    assert!(codes(&parse(file.as_bytes()).unwrap()).contains(&"shape-without-tensor"));
}

#[test]
fn a_family_is_named_only_where_its_program_takes_the_name() {
    let tensors: &[(&str, &[u64])] = &[("double_blocks.0.img_attn.proj.weight", &[])];
    let unnamed = with_entry("general.name", "My Flux", tensors);
    let findings = validate(&unnamed, None);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].check, Check::UnnamedFamily);
    let fix = findings[0].fix.as_ref().unwrap();
    assert!(!fix.is_safe);
    let mut edit = Edit::new(unnamed);
    edit.apply(&fix.changes).unwrap();
    assert_eq!(edit.entry(1).unwrap().key(), &b"general.architecture"[..]);
    // stable-diffusion.cpp writes no metadata, and ComfyUI-GGUF refuses names with the prefix, once there is an architecture.
    let bare = parse(
        Encoder::new(Format::default()).header(1, 0).tensor_info(tensors[0].0.as_bytes(), &[64, 2], 0, 0).as_bytes(),
    );
    assert_eq!(codes(&bare.unwrap()), [""; 0]);
    let prefixed = [("model.diffusion_model.double_blocks.0.img_attn.proj.weight", &[][..])];
    assert_eq!(codes(&with_entry("general.name", "My Flux", &prefixed)), [""; 0]);
    for architecture in ["pig", "cow", "flux"] {
        assert_eq!(codes(&header(architecture, tensors)), [""; 0]);
    }
}
