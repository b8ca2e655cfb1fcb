//! `key_info` finds the row of a key, and no row for keys that nobody knows.

use gguf_format::ValueType;
use gguf_models::keys::{KeyType, key_info, keys};

fn pattern(key: &str) -> Option<&'static str> {
    key_info(key.as_bytes()).map(|info| info.pattern)
}

fn types(key: &str) -> String {
    key_info(key.as_bytes()).unwrap().types.to_string()
}

#[test]
fn every_key_of_the_table_is_found() {
    for info in keys() {
        for (architecture, id, name) in [("llama", "0", "default"), ("command-r", "17", "blk.0.attn_q.weight")] {
            let key = info.pattern.replace("{arch}", architecture).replace("{id}", id).replace("{name}", name);
            assert_eq!(pattern(&key), Some(info.pattern), "{key}");
            let is_open = info.pattern.ends_with("{name}");
            assert_eq!(pattern(&format!("{key}x")), is_open.then_some(info.pattern), "{key}x");
            assert_eq!(pattern(&format!("x{key}")).is_some(), info.pattern.starts_with("{arch}"), "x{key}");
        }
        assert_eq!(pattern(info.pattern), Some(info.pattern));
    }
}

#[test]
fn any_architecture_has_the_keys_of_architectures() {
    for architecture in ["my_model", "My Model", "{name}", "\u{202e}"] {
        let key = format!("{architecture}.context_length");
        assert_eq!(pattern(&key), Some("{arch}.context_length"), "{key}");
    }
}

#[test]
fn unknown_keys_have_no_row() {
    let unknown = [
        "",
        ".",
        "...",
        "{arch}",
        "{arch}.",
        "general.",
        "general",
        "block_count",
        ".block_count",
        "llama.",
        "llama.blk.block_count",
        "llama.block_count.0",
        "llama.BLOCK_COUNT",
        "clip.vision.llama.block_count",
        "clip.video.block_count",
        "tokenizer.ggml",
        "tokenizer.ggml.my_token_id",
        "tokenizer.chat_template.",
        "comfy.gguf.orig_shape",
        "falcon.rwkv.architecture_version",
    ];
    for key in unknown {
        assert_eq!(pattern(key), None, "{key}");
    }
    assert!(key_info(b"llama.block_count\0").is_none());
    assert!(key_info(b"\xff\xfe.\xff").is_none());
}

#[test]
fn a_section_of_the_format_is_not_an_architecture() {
    let sections = [
        "adapter",
        "clip",
        "comfy",
        "controlvector",
        "diffusion",
        "general",
        "imatrix",
        "quantize",
        "split",
        "tokenizer",
        "xielu",
    ];
    for section in sections {
        assert_eq!(pattern(&format!("{section}.block_count")), None);
    }
    // These architectures also have keys of their own.
    for architecture in ["falcon", "rwkv", "whisper"] {
        assert_eq!(pattern(&format!("{architecture}.block_count")), Some("{arch}.block_count"));
    }
}

#[test]
fn numbers_stand_for_ids() {
    for (key, expected) in [
        ("general.base_model.0.name", Some("general.base_model.{id}.name")),
        ("general.base_model.123.repo_url", Some("general.base_model.{id}.repo_url")),
        ("general.dataset.4294967296.uuid", Some("general.dataset.{id}.uuid")),
        ("general.base_model.count", Some("general.base_model.count")),
        ("general.base_model..name", None),
        ("general.base_model.a.name", None),
        ("general.base_model.1a.name", None),
        ("general.base_model.-1.name", None),
        ("general.base_model.0", None),
        ("general.base_model.0.", None),
        ("general.base_model.0.0.name", None),
        ("general.base_model.0.license", None),
        ("general.source.0.name", None),
    ] {
        assert_eq!(pattern(key), expected, "{key}");
    }
}

#[test]
fn names_are_any_text() {
    for (key, expected) in [
        ("tokenizer.chat_template", Some("tokenizer.chat_template")),
        ("tokenizer.chat_template.tool_use", Some("tokenizer.chat_template.{name}")),
        ("tokenizer.chat_templates", Some("tokenizer.chat_templates")),
        ("comfy.gguf.orig_shape.double_blocks.0.img_attn.qkv.weight", Some("comfy.gguf.orig_shape.{name}")),
    ] {
        assert_eq!(pattern(key), expected, "{key}");
    }
}

#[test]
fn types_are_named_and_told_apart() {
    for (key, expected) in [
        ("general.tags", "STRING[]"),
        ("split.no", "UINT16"),
        ("split.tensors.count", "INT32"),
        ("general.alignment", "UINT32"),
        ("tokenizer.ggml.precompiled_charsmap", "UINT8[] or INT8[]"),
        ("tokenizer.ggml.add_bos_token", "BOOL"),
        ("x.rope.freq_base", "FLOAT32"),
        ("x.feed_forward_length", "UINT32 or INT32[] or UINT32[]"),
        ("x.attention.sliding_window_pattern", "UINT32 or BOOL[] or INT32[] or UINT32[]"),
        ("x.swiglu_clamp_exp", "FLOAT32[] or FLOAT32"),
    ] {
        assert_eq!(types(key), expected, "{key}");
    }
    let accepts = |key: &str, found| key_info(key.as_bytes()).unwrap().types.accept(found);
    assert!(accepts("general.tags", KeyType::Array(ValueType::String)));
    assert!(!accepts("general.tags", KeyType::Single(ValueType::String)));
    assert!(!accepts("split.no", KeyType::Single(ValueType::Uint32)));
    assert!(!accepts("split.no", KeyType::Array(ValueType::Uint16)));
    assert!(!accepts("x.block_count", KeyType::Single(ValueType::Uint64)));
}

#[test]
fn long_and_hostile_keys_are_looked_up() {
    // A lookup that is not linear does not end in these cases.
    let dots = ".".repeat(1 << 20);
    let digits = format!("general.base_model.{}.nam", "1".repeat(1 << 20));
    let placeholders = "{arch}.{id}.{name}".repeat(1 << 16);
    let architecture = format!("{}.block_count", "x".repeat(1 << 20));
    for _ in 0..20 {
        assert_eq!(pattern(&dots), None);
        assert_eq!(pattern(&digits), None);
        assert_eq!(pattern(&placeholders), None);
        assert_eq!(pattern(&architecture), Some("{arch}.block_count"));
    }
}
