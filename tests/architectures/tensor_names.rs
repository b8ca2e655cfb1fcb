//! The table of tensor names, and names taken apart.

use std::collections::BTreeSet;

use gguf_models::tensor_names::{TENSOR_SECTIONS, TensorPart, TensorRole, tensor_names, tensor_role};

use crate::corpus;

fn role(name: &str) -> TensorRole {
    tensor_role(name.as_bytes()).unwrap_or_else(|| panic!("{name} is not known"))
}

#[test]
fn the_table_is_sorted_and_says_each_thing_once() {
    assert!(tensor_names().is_sorted_by(|a, b| a.base < b.base));
    let titles: BTreeSet<_> = tensor_names().map(|info| info.title.to_lowercase()).collect();
    let descriptions: BTreeSet<_> = tensor_names().map(|info| info.description.to_lowercase()).collect();
    assert_eq!((titles.len(), descriptions.len()), (tensor_names().count(), tensor_names().count()));
    for info in tensor_names() {
        let words = info.description.split_whitespace().count();
        assert!((3..=12).contains(&words) && info.description.ends_with('.'), "{info:?}");
        assert!(!info.title.is_empty() && !info.title.ends_with('.'), "{info:?}");
    }
}

#[test]
fn sections_and_base_names_refer_to_each_other() {
    let mut used = BTreeSet::new();
    let mut prefixes = BTreeSet::new();
    for section in TENSOR_SECTIONS {
        assert!(prefixes.insert(section.prefix) && section.bases().is_sorted_by(|a, b| a < b), "{section:?}");
        for base in section.bases() {
            let name = format!("{}{base}", section.prefix).replace("{n}", "4");
            let found = role(&format!("{name}.weight"));
            assert_eq!((found.section, found.base), (section, base), "{name} has two readings");
            assert_eq!(found.part, Some(TensorPart::Weight));
            assert_eq!(found.block, section.prefix.contains("{n}").then_some(4), "{name}");
            assert_eq!(found.number.or(found.expert), base.contains("{n}").then_some(4), "{name}");
            used.insert(base);
        }
    }
    let known: BTreeSet<_> = tensor_names().map(|info| info.base).collect();
    assert_eq!(used, known);
}

#[test]
fn names_are_taken_apart() {
    let weight = Some(TensorPart::Weight);
    for (name, base, block, expert, part) in [
        ("token_embd.weight", "token_embd", None, None, weight),
        ("output_norm.bias", "output_norm", None, None, Some(TensorPart::Bias)),
        ("blk.0.attn_q.weight", "attn_q", Some(0), None, weight),
        ("blk.119.ffn_down_exps.scale", "ffn_down_exps", Some(119), None, Some(TensorPart::Scale)),
        ("blk.7.ffn_gate.5.weight", "ffn_gate.{n}", Some(7), Some(5), weight),
        ("blk.2.ssm_a", "ssm_a", Some(2), None, None),
        ("blk.2.exp_probs_b.bias", "exp_probs_b", Some(2), None, Some(TensorPart::Bias)),
        ("blk.2.attn_v.input_scale", "attn_v", Some(2), None, Some(TensorPart::InputScale)),
        ("blk.2.ffn.act.scales", "ffn.act", Some(2), None, Some(TensorPart::Scale)),
        ("dec.blk.1.cross_attn_q.weight", "cross_attn_q", Some(1), None, weight),
        ("v.blk.26.ffn_up.bias", "ffn_up", Some(26), None, Some(TensorPart::Bias)),
        ("blk.3.attn_k.weight.lora_a", "attn_k", Some(3), None, Some(TensorPart::LoraA)),
        ("output.weight.lora_b", "output", None, None, Some(TensorPart::LoraB)),
        ("blk.3.ffn_up_exps.weight.in_sum2", "ffn_up_exps", Some(3), None, Some(TensorPart::InputSquareSums)),
        ("blk.3.ffn_up_exps.weight.counts", "ffn_up_exps", Some(3), None, Some(TensorPart::InputCounts)),
    ] {
        let found = role(name);
        assert_eq!((found.base, found.block, found.expert, found.part), (base, block, expert, part), "{name}");
    }
    assert_eq!(role("mm.2.weight").number, Some(2));
    assert_eq!(role("a.conv1d.1.norm.weight").number, Some(1));
    assert_eq!(role("direction.31").number, Some(31));
    assert_eq!(role("a.gen.wav.dac.blk.1.res.2.conv1.bias").number, Some(2));
    assert_eq!(role("v.blk.0.attn_q.weight").section.title, "Vision encoder block");
    assert_eq!(role("blk.0.attn_q.weight").section.title, "Block");
}

#[test]
fn other_names_have_no_role() {
    for name in [
        "",
        ".",
        "weight",
        ".weight",
        "blk",
        "blk.",
        "blk.0",
        "blk.0.",
        "blk.0.weight",
        "blk.attn_q.weight",
        "blk.-1.attn_q.weight",
        "blk.00.attn_q.weight",
        "blk.01.attn_q.weight",
        "blk.4294967296.attn_q.weight",
        "blk.0.attn_q.weights",
        "blk.0.attn_q.weight.weight",
        "blk.0.attn_q.bias.lora_a",
        "blk.0.attn_q.lora_c",
        "blk.0.attn_q.5.weight",
        "blk.0.ffn_gate.x.weight",
        "blk.0.token_embd.weight",
        "blk.0.blk.0.attn_q.weight",
        "attn_q.weight",
        "BLK.0.attn_q.weight",
        "v.blk.0.ssm_a",
        "token_embd.weight ",
        " token_embd.weight",
        "model.layers.0.self_attn.q_proj.weight",
        "blk.{n}.attn_q.weight",
    ] {
        assert_eq!(tensor_role(name.as_bytes()), None, "{name}");
    }
    assert_eq!(tensor_role(b"blk.0.attn_\xff.weight"), None);
    assert_eq!(tensor_role(&b"blk.0.".repeat(100_000)), None);
    assert_eq!(tensor_role(&b"9".repeat(100_000)), None);
}

#[test]
fn every_tensor_of_the_real_headers_has_a_role() {
    let Some(folder) = corpus::folder() else { return };
    let mut count = 0;
    for part in ["llama-cpp-2026-08/memory", "real"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "gguf") {
                continue;
            }
            let header = gguf_format::parse(&corpus::read(&path)).unwrap();
            for tensor in header.tensors() {
                let name = tensor.name().to_bytes();
                let text = String::from_utf8_lossy(&name);
                let role = tensor_role(&name).unwrap_or_else(|| panic!("{}: {text}", path.display()));
                assert_eq!(role.block.is_some(), text.contains("blk."), "{text}");
                count += 1;
            }
        }
    }
    assert!(count > 9000, "only {count} tensors");
}
