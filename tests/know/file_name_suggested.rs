//! The conventional names of generated files.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, GgmlType, parse};
use gguf_models::file_name::{parse_file_name, suggested_file_name};

use crate::gguf_bytes::GgufBytes;

/// The suggested name of a file with some entries, and with tensors of names, dimensions and types.
fn name_of(entries: &[(&str, OwnedValue)], tensors: &[(&str, &[u64], GgmlType)]) -> String {
    let mut bytes = GgufBytes::new(Format::default());
    bytes.header(tensors.len() as u64, entries.len() as u64);
    for (key, value) in entries {
        bytes.entry(key.as_bytes(), value);
    }
    for (name, dimensions, ggml_type) in tensors {
        bytes.tensor(name.as_bytes(), dimensions, ggml_type.0, 0);
    }
    suggested_file_name(&parse(bytes.as_bytes()).unwrap())
}

fn text(text: &str) -> OwnedValue {
    OwnedValue::String(text.into())
}

#[test]
fn the_name_has_each_part_of_the_metadata() {
    let mut entries = vec![
        ("general.architecture", text("llama")),
        ("general.type", text("model")),
        ("general.name", text("Mistral 7B Instruct v0.3")),
        ("general.basename", text(" Mistral ")),
        ("general.size_label", text("7B")),
        ("general.finetune", text("Instruct SFT")),
        ("general.version", text("v0.3")),
        ("general.file_type", OwnedValue::Uint32(15)),
    ];
    let tensors: &[(&str, &[u64], _)] = &[("token_embd.weight", &[256, 4], GgmlType::Q8_0)];
    let name = name_of(&entries, tensors);
    assert_eq!(name, "Mistral-7B-Instruct-SFT-v0.3-Q4_K_M.gguf");
    assert!(parse_file_name(&name).is_conventional());
    // A file type that llama.cpp guessed is the same file type.
    entries[7].1 = OwnedValue::Uint32(1024 + 15);
    assert_eq!(name_of(&entries, tensors), name);
    // Without these entries, the tensors give size label and encoding.
    entries.retain(|(key, _)| !["general.file_type", "general.size_label", "general.basename"].contains(key));
    assert_eq!(name_of(&entries, tensors), "Mistral-7B-Instruct-v0.3-1.0K-Instruct-SFT-v0.3-Q8_0.gguf");
    // A shard has only some of the tensors.
    entries.push(("split.no", OwnedValue::Uint16(1)));
    entries.push(("split.count", OwnedValue::Uint16(12)));
    let shard = "Mistral-7B-Instruct-v0.3-Instruct-SFT-v0.3-00002-of-00012.gguf";
    assert_eq!(name_of(&entries, tensors), shard);
}

#[test]
fn a_file_with_experts_counts_one_expert_of_each_block() {
    let entries = [("general.architecture", text("llama"))];
    let tensors: &[(&str, &[u64], _)] = &[
        ("token_embd.weight", &[1000, 1000], GgmlType::F16),
        ("blk.0.ffn_up_exps.weight", &[1000, 2000, 8], GgmlType::Q4_0),
        ("blk.0.ffn_up_exps.bias", &[2000, 8], GgmlType::F32),
    ];
    // 1000 * 1000 + 1000 * 2000 + 2000 * 8: a bias with two dimensions is not that of an expert in gguf-py's count.
    assert_eq!(name_of(&entries, tensors), "ggml-model-8x3.0M-Q4_0.gguf");
}

#[test]
fn each_kind_of_file_has_its_name() {
    let weight: &[(&str, &[u64], _)] = &[("a.weight", &[4], GgmlType::F32)];
    let named =
        |kind: &str| [("general.type", text(kind)), ("general.name", text("A b")), ("general.version", text("v1"))];
    assert_eq!(name_of(&named("model"), weight), "A-b-0.00K-v1-F32.gguf");
    assert_eq!(name_of(&named("mmproj"), weight), "mmproj-A-b-v1-F32.gguf");
    assert_eq!(name_of(&named("imatrix"), weight), "A-b-imatrix.gguf");
    assert_eq!(name_of(&[("general.type", text("imatrix"))], weight), "imatrix.gguf");
    assert_eq!(name_of(&[("general.architecture", text("controlvector"))], weight), "control_vector.gguf");
    let adapter: &[(&str, &[u64], _)] =
        &[("a.weight.lora_a", &[8, 2], GgmlType::F16), ("a.weight.lora_b", &[2, 9], GgmlType::F16)];
    assert_eq!(name_of(&named("adapter"), adapter), "A-b-v1-F16-LoRA.gguf");
    let tokens = OwnedValue::Array { element_type: gguf_format::ValueType::String, elements: vec![text("a")] };
    let vocabulary = [("general.architecture", text("llama")), ("tokenizer.ggml.tokens", tokens)];
    assert_eq!(name_of(&vocabulary, &[]), "ggml-model-vocab.gguf");
    let draft = [("general.architecture", text("qwen3")), ("qwen3.nextn_predict_layers", OwnedValue::Uint32(1))];
    let layer: &[(&str, &[u64], _)] = &[("blk.28.nextn.eh_proj.weight", &[32, 2], GgmlType::Q8_0)];
    assert_eq!(name_of(&draft, layer), "mtp-ggml-model-Q8_0.gguf");
    assert_eq!(name_of(&[], &[]), "ggml-model.gguf");
}

#[test]
fn hostile_metadata_gives_a_name_and_no_path() {
    let entries = [
        ("general.basename", text("../..\\C:\0\n<a>|b?*\"")),
        ("general.finetune", text("a/b")),
        ("general.version", OwnedValue::Uint32(3)),
        ("general.size_label", text("  ")),
        ("general.file_type", OwnedValue::Uint32(77)),
        ("split.count", OwnedValue::Uint64(u64::MAX)),
        ("split.no", OwnedValue::Uint64(u64::MAX - 1)),
    ];
    let experts: &[(&str, &[u64], _)] = &[
        ("a_exps.weight", &[u64::MAX >> 1, 3, 0], GgmlType::F32),
        ("b_exps.weight", &[1, 1, u64::MAX >> 1], GgmlType(999)),
        ("c.lora_b", &[4], GgmlType::F32),
    ];
    let count = u64::MAX;
    assert_eq!(name_of(&entries, experts), format!("C----a--b----a-b-{count}-of-{count}.gguf"));
    assert_eq!(name_of(&entries[..5], experts), "C----a--b----a-b.gguf");
}

#[test]
fn a_name_does_not_begin_with_a_dash_or_a_dot() {
    for (base, expected) in [("-rf", "rf.gguf"), (".hidden", "hidden.gguf"), ("\u{202e}-.a.b-", "a.b-.gguf")] {
        assert_eq!(name_of(&[("general.basename", text(base))], &[]), expected);
    }
    let entries = [("general.basename", text(".-.")), ("general.name", text("--A"))];
    assert_eq!(name_of(&entries, &[]), "A.gguf");
    assert_eq!(name_of(&entries[..1], &[]), "ggml-model.gguf");
}

#[test]
fn invisible_characters_become_dashes() {
    for character in ['\u{ad}', '\u{200b}', '\u{200f}', '\u{2028}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}'] {
        let entries =
            [("general.basename", text(&format!("a{character}b"))), ("general.version", text("fugg\u{202e}"))];
        assert_eq!(name_of(&entries, &[]), "a-b-fugg-.gguf", "{character:?}");
    }
    assert_eq!(name_of(&[("general.basename", text("模型-é"))], &[]), "模型-é.gguf");
}

#[test]
fn texts_that_are_too_long_for_a_file_name_are_left_out() {
    let long = "x".repeat(255);
    let entry = |key, value: &str| (key, text(value));
    let too_long = [long.as_str(), "x"].concat();
    assert_eq!(name_of(&[entry("general.basename", &long)], &[]), format!("{}.gguf", &long[5..]));
    assert_eq!(name_of(&[entry("general.basename", &too_long)], &[]), "ggml-model.gguf");
    let named = [entry("general.basename", &too_long), entry("general.name", "A b")];
    assert_eq!(name_of(&named, &[]), "A-b.gguf");
    // The shard and the type stay whole.
    let parts = ["general.basename", "general.finetune", "general.version"].map(|key| entry(key, &long));
    let shard = [("split.no", OwnedValue::Uint16(1)), ("split.count", OwnedValue::Uint16(3))];
    let name = name_of(&[&parts[..], &[("general.file_type", 7_u32.into())], &shard].concat(), &[]);
    assert_eq!(name.len(), 255);
    assert!(name.ends_with("x-Q8_0-00002-of-00003.gguf"), "{name}");
}

#[test]
fn names_of_devices_and_paths_are_no_names() {
    for (base, expected) in
        [("CON", "_CON.gguf"), ("aux.v1", "_aux.v1.gguf"), ("../../x", "x.gguf"), ("a\u{e0041}", "a-.gguf")]
    {
        assert_eq!(name_of(&[("general.basename", text(base))], &[]), expected);
    }
}
