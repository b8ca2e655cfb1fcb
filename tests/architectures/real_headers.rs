//! Headers of real models against the rows of their architectures.

use std::collections::{BTreeMap, BTreeSet};

use gguf_format::Header;
use gguf_models::architectures::{MissingRequirement, architecture_info, missing_requirements};

use crate::architectures::header_parts::HeaderParts;
use crate::corpus;

/// The tensors of headers with the shapes of published models that llama.cpp does not require. For each architecture, the names
/// in the smallest header, without the number of the block. Every other tensor is required, and its absence must be found.
const OPTIONAL: &[(&str, &str)] = &[
    ("bailingmoe2", "exp_probs_b.bias nextn.shared_head_norm.weight"),
    ("bert", "attn_k.bias attn_output.bias attn_q.bias attn_v.bias ffn_down.bias ffn_up.bias token_types.weight"),
    ("bloom", "output.weight"),
    ("cohere2", ""),
    ("command-r", ""),
    ("deci", "output.weight rope_freqs.weight"),
    ("deepseek2", "output.weight"),
    ("ernie4_5-moe", "exp_probs_b.bias ffn_gate_exps.weight"),
    ("exaone4", ""),
    ("falcon-h1", "output.weight ssm_conv1d.bias"),
    ("gemma2", ""),
    ("gemma3", ""),
    ("gemma3n", "attn_k.bias attn_q.bias attn_v.bias"),
    ("gemma4", "attn_k.weight attn_k_norm.weight attn_v.weight layer_output_scale.weight"),
    (
        "glm4moe",
        "attn_k.bias attn_k.weight attn_norm.weight attn_q.bias attn_q.weight attn_v.bias attn_v.weight nextn.eh_proj.weight nextn.shared_head_norm.weight output.weight",
    ),
    ("gpt-oss", "attn_k.bias attn_q.bias attn_v.bias"),
    ("gpt2", ""),
    ("granitehybrid", "ffn_gate_exps.weight ssm_conv1d.bias"),
    ("hunyuan-moe", "attn_k.bias attn_q.bias attn_v.bias"),
    ("jamba", "attn_k.bias attn_q.bias attn_v.bias"),
    ("kimi-linear", "ffn_down_shexp.weight ffn_gate_shexp.weight ffn_up_shexp.weight"),
    ("lfm2", ""),
    ("llama", "output.weight"),
    ("llama4", "output.weight rope_freqs.weight"),
    ("mamba", ""),
    ("mamba2", ""),
    ("minicpm3", ""),
    ("minimax-m2", "attn_k.bias attn_q.bias attn_v.bias"),
    ("nemotron_h", "attn_k.bias attn_output.bias attn_q.bias attn_v.bias output.weight ssm_conv1d.bias"),
    ("nomic-bert", "attn_k.bias attn_output.bias attn_q.bias attn_v.bias ffn_down.bias ffn_up.bias token_types.weight"),
    ("olmo2", ""),
    ("olmoe", "attn_k.bias attn_q.bias attn_v.bias"),
    ("openelm", ""),
    ("phi2", "attn_k.bias attn_q.bias attn_v.bias"),
    ("phi3", "attn_qkv.weight output.weight"),
    ("plamo3", ""),
    ("qwen2", "attn_k.bias attn_q.bias attn_v.bias output.weight"),
    ("qwen2moe", "attn_k.bias attn_q.bias attn_v.bias"),
    ("qwen3", ""),
    (
        "qwen35",
        "attn_gate.weight attn_k.weight attn_norm.weight attn_q.weight attn_qkv.weight attn_v.weight nextn.eh_proj.weight nextn.shared_head_norm.weight output.weight",
    ),
    (
        "qwen35moe",
        "attn_gate.weight attn_k.weight attn_norm.weight attn_q.weight attn_qkv.weight attn_v.weight nextn.eh_proj.weight nextn.shared_head_norm.weight output.weight",
    ),
    ("qwen3moe", "output.weight"),
    ("qwen3next", "attn_gate.weight attn_qkv.weight output.weight"),
    (
        "rwkv6",
        "time_mix_lerp_fused.weight time_mix_lerp_g.weight time_mix_lerp_k.weight time_mix_lerp_r.weight time_mix_lerp_v.weight time_mix_lerp_w.weight",
    ),
    ("rwkv7", ""),
    ("seed_oss", "attn_k.bias attn_q.bias attn_v.bias output.weight"),
    ("smallthinker", "attn_k.bias attn_q.bias attn_v.bias"),
    ("starcoder2", "attn_k.bias attn_q.bias attn_v.bias output.weight"),
    ("t5", "dec.attn_rel_b.weight dec.ffn_gate.weight enc.attn_rel_b.weight enc.ffn_gate.weight output.weight"),
];

/// The headers of the memory corpus that have the shapes of published models, with their architectures.
fn headers() -> Option<Vec<(String, String, HeaderParts)>> {
    let folder = corpus::folder()?.join("llama-cpp-2026-08/memory");
    let index = corpus::json(&folder.join("index.json"));
    let models = index["models"].as_array().unwrap().iter().filter(|model| model["kind"] != "tiny");
    let models = models.map(|model| {
        let name = model["file"].as_str().unwrap().to_owned();
        let bytes = corpus::read(&folder.join(&name));
        let header = gguf_format::parse(&bytes).unwrap();
        let architecture = String::from_utf8(header.architecture().unwrap().to_bytes().into_owned()).unwrap();
        (name, architecture, HeaderParts::of(&bytes))
    });
    let models: Vec<_> = models.collect();
    assert!(models.len() >= 68, "the corpus is not whole: {} headers", models.len());
    Some(models)
}

fn names_of_missing(header: &Header) -> BTreeSet<String> {
    let name = |missing: MissingRequirement| match missing {
        MissingRequirement::Key(key) => format!("{{arch}}.{key}"),
        MissingRequirement::Tensor(tensor) => tensor.to_string(),
        other => panic!("{other:?}"),
    };
    missing_requirements(header).into_iter().map(name).collect()
}

#[test]
fn real_headers_have_everything_that_their_architecture_requires() {
    let Some(headers) = headers() else { return };
    let mut known = 0;
    for (name, architecture, parts) in &headers {
        assert_eq!(names_of_missing(&parts.without(&[])), BTreeSet::new(), "{name}");
        known += usize::from(architecture_info(architecture.as_bytes()).unwrap().llama_cpp_keys().is_some());
    }
    assert!(known >= 60, "only {known} headers have an architecture whose requirements are known");
}

#[test]
fn each_removed_tensor_of_a_real_header_is_found_unless_it_is_optional() {
    let Some(mut headers) = headers() else { return };
    // The smallest header of each architecture.
    headers.sort_by_key(|(_, _, parts)| parts.tensors.len());
    let mut found_optional: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (file, architecture, parts) in &headers {
        if found_optional.contains_key(&**architecture) {
            continue;
        }
        let optional = found_optional.entry(architecture).or_default();
        // The first and the last block with a tensor: the blocks between them are like one of the two.
        let mut ends: BTreeMap<String, (&str, &str)> = BTreeMap::new();
        for (name, _) in &parts.tensors {
            ends.entry(without_block(name)).and_modify(|(_, last)| *last = name).or_insert((name, name));
        }
        for (base, (first, last)) in ends {
            for name in BTreeSet::from([first, last]) {
                let missing = names_of_missing(&parts.without(&[name]));
                match missing.len() {
                    0 => _ = optional.insert(base.clone()),
                    _ => assert!(missing.contains(name), "{file} without {name}: {missing:?}"),
                }
            }
        }
    }
    let found: Vec<_> =
        found_optional.into_iter().map(|(name, bases)| (name, Vec::from_iter(bases).join(" "))).collect();
    let expected: Vec<_> = OPTIONAL.iter().map(|(name, bases)| (*name, (*bases).to_owned())).collect();
    assert_eq!(found, expected);
}

/// The name of a tensor without the number of its block.
fn without_block(name: &str) -> String {
    let is_number = |segment: &&str| !segment.bytes().all(|byte| byte.is_ascii_digit()) && *segment != "blk";
    name.split('.').filter(is_number).collect::<Vec<_>>().join(".")
}

/// Files of the corpus that are not whole models: their architecture has requirements that they do not satisfy, and
/// llama.cpp refuses them.
fn is_made_up(name: &str) -> bool {
    name.contains("files/") || name.contains("malformed/") || name.contains("hash/") || name.contains("split/")
}

#[test]
fn real_models_and_those_that_llama_cpp_wrote_lack_nothing() {
    let Some(folder) = corpus::folder() else { return };
    let mut count = 0;
    for part in ["real", "quantize"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{part}/{}", path.file_name().unwrap().to_string_lossy());
            if !name.ends_with(".gguf") || is_made_up(&name) {
                continue;
            }
            let header = gguf_format::parse(&corpus::read(&path)).unwrap();
            let is_model =
                header.get("general.type").and_then(|kind| kind.value().as_str()).is_none_or(|kind| kind == "model");
            if is_model && header.get("split.count").is_none() {
                assert_eq!(names_of_missing(&header), BTreeSet::new(), "{name}");
                count += 1;
            }
        }
    }
    assert!(count > 1, "only {count} models");
}
