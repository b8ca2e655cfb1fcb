//! The weights of an estimate are all tensors that llama.cpp's loader creates, of every architecture.

use gguf_format::{Format, Header};
use gguf_models::architectures::{ARCHITECTURES, ArchitectureInfo, Place};
use gguf_models::memory::{self, MemoryOptions};

use crate::gguf_bytes::GgufBytes;

/// The blocks of a model. The last one predicts a further token, if the architecture has such blocks.
const BLOCKS: u32 = 3;

/// The architectures with blocks that predict further tokens, and the tensors of these blocks that `load_arch_tensors` creates without
/// `TENSOR_SKIP` (llama.cpp, October 2026).
const NEXT_TOKEN: &[(&str, &[&str])] = &[
    ("bailingmoe2", &[]),
    ("bailingmoe3", &[]),
    ("cohere2moe", &["nextn.embed_tokens", "nextn.shared_head_head", "nextn.shared_head_norm"]),
    ("deepseek2", &[]),
    ("deepseek32", &["exp_probs_b"]),
    ("deepseek4", &[]),
    ("dots3note", &[]),
    ("exaone-moe", &[]),
    ("exaone4", &[]),
    ("glm-dsa", &["exp_probs_b"]),
    ("glm4", &[]),
    ("glm4moe", &[]),
    (
        "hy_v3",
        &[
            "exp_probs_b",
            "ffn_down",
            "ffn_down_exps",
            "ffn_down_shexp",
            "ffn_gate",
            "ffn_gate_exps",
            "ffn_gate_inp",
            "ffn_gate_shexp",
            "ffn_gate_up_exps",
            "ffn_up",
            "ffn_up_exps",
            "ffn_up_shexp",
            "nextn.embed_tokens",
            "nextn.shared_head_head",
            "nextn.shared_head_norm",
        ],
    ),
    ("mimo2", &[]),
    ("nemotron_h", &[]),
    ("nemotron_h_moe", &[]),
    ("qwen35", &[]),
    ("qwen35moe", &[]),
    ("qwen3next", &[]),
    (
        "step35",
        &[
            "attn_gate",
            "attn_k_norm",
            "attn_q_norm",
            "exp_probs_b",
            "ffn_down",
            "ffn_down_exps",
            "ffn_down_shexp",
            "ffn_gate",
            "ffn_gate_exps",
            "ffn_gate_inp",
            "ffn_gate_shexp",
            "ffn_up",
            "ffn_up_exps",
            "ffn_up_shexp",
            "nextn.embed_tokens",
            "nextn.shared_head_head",
            "nextn.shared_head_norm",
        ],
    ),
];

/// The tensors that no operation of llama.cpp uses. llama.cpp ignores them.
const UNUSED: &[&str] = &["cross_attn_rel_b.weight", "masked_embd_centroids.weight", "masked_embd_ordering"];

#[test]
fn the_weights_are_the_tensors_that_the_loader_creates() {
    let mut checked = 0;
    for info in ARCHITECTURES {
        let Some(groups) = info.llama_cpp_tensors() else { continue };
        let next_token = NEXT_TOKEN.iter().find(|(name, _)| *name == info.name).map(|(_, names)| *names);
        let mut names = Vec::new();
        let mut expected = 0;
        for group in &groups {
            let (prefix, blocks) = match group.place {
                Place::Model => ("", 1),
                Place::Block => ("blk.", BLOCKS),
                Place::EncoderBlock => ("enc.blk.", BLOCKS),
                Place::DecoderBlock => ("dec.blk.", BLOCKS),
                _ => panic!("{:?}", group.place),
            };
            for block in 0..blocks {
                for name in &group.names {
                    let number = if prefix.is_empty() { String::new() } else { format!("{block}.") };
                    names.push(format!("{prefix}{number}{name}"));
                    let is_next_token = block == BLOCKS - 1 && group.place == Place::Block;
                    let base = name.trim_end_matches(".weight").trim_end_matches(".bias").trim_end_matches(".scale");
                    let is_loaded = match next_token {
                        Some(loaded) if is_next_token => loaded.contains(&base.trim_end_matches(".input_scale")),
                        _ => true,
                    };
                    expected += if is_loaded && !UNUSED.contains(&&**name) { 32 } else { 0 };
                }
            }
        }
        names.sort();
        names.dedup();
        let header = header(info, &names, u32::from(next_token.is_some()));
        let estimate = memory::estimate(&header, &MemoryOptions::default());
        let estimate = estimate.unwrap();
        let total = estimate.weights.as_ref().unwrap().total;
        assert_eq!(total, expected, "{} {:?}", info.name, estimate.notes);
        checked += 1;
    }
    assert!(checked > 120, "{checked}");
}

/// A model of the architecture with these tensors, of 32 bytes each.
fn header(info: &ArchitectureInfo, names: &[String], next_token_layers: u32) -> Header {
    let mut file = GgufBytes::new(Format::default());
    file.header(names.len() as u64, 5);
    file.entry(b"general.architecture", &info.name.into());
    let numbers = [
        ("block_count", BLOCKS),
        ("context_length", 64),
        ("embedding_length", 8),
        ("nextn_predict_layers", next_token_layers),
    ];
    for (key, number) in numbers {
        file.entry(format!("{}.{key}", info.name).as_bytes(), &number.into());
    }
    for (index, name) in names.iter().enumerate() {
        file.tensor(name.as_bytes(), &[8], 0, 32 * index as u64);
    }
    gguf_format::parse(file.as_bytes()).unwrap()
}
