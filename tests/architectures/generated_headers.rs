//! Headers that are generated from each row: with everything that any block may need, nothing is missing, and without any
//! one requirement something is.

use std::collections::BTreeSet;

use gguf_wasm::architectures::{
    ARCHITECTURES, ArchitectureInfo, ExpertBlocks, MissingRequirement, Need, NextTokenBlocks, Place, Requirements,
    missing_requirements,
};
use gguf_wasm::write::encode::OwnedValue;
use gguf_wasm::{Format, Header, ValueType};

use crate::gguf_bytes::GgufBytes;

/// Enough for the condition of Command R+, and more than one period of every hybrid.
const BLOCK_COUNT: u32 = 64;

/// The keys that decide conditions, with values for which some blocks are of one kind and some of the other.
fn deciding_entries(has_latent_queries: bool) -> Vec<(&'static str, OwnedValue)> {
    let alternating = (0..BLOCK_COUNT).map(|block| OwnedValue::Uint32(block % 2 * 8)).collect();
    let latent = u32::from(has_latent_queries);
    vec![
        ("block_count", OwnedValue::Uint32(BLOCK_COUNT)),
        ("attention.head_count", OwnedValue::Uint32(8)),
        ("attention.head_count_kv", OwnedValue::Array { element_type: ValueType::Uint32, elements: alternating }),
        ("leading_dense_block_count", OwnedValue::Uint32(2)),
        ("interleave_moe_layer_step", OwnedValue::Uint32(2)),
        ("moe_every_n_layers", OwnedValue::Uint32(2)),
        ("nextn_predict_layers", OwnedValue::Uint32(1)),
        ("expert_count", OwnedValue::Uint32(8)),
        ("expert_shared_count", OwnedValue::Uint32(1)),
        ("expert_shared_feed_forward_length", OwnedValue::Uint32(64)),
        ("attention.q_lora_rank", OwnedValue::Uint32(latent * 64)),
        ("attention.key_length_mla", OwnedValue::Uint32(latent * 64)),
        ("attention.value_length_mla", OwnedValue::Uint32(latent * 64)),
    ]
}

/// A model of an architecture.
struct Model {
    entries: Vec<(String, OwnedValue)>,
    tensors: Vec<String>,
}

impl Model {
    /// Has every required key, and every required tensor in every block.
    fn of(info: &ArchitectureInfo, requirements: &Requirements, has_latent_queries: bool) -> Self {
        let mut entries = vec![("general.architecture".to_owned(), OwnedValue::from(info.name))];
        for (key, value) in deciding_entries(has_latent_queries) {
            entries.push((format!("{}.{key}", info.name), value));
        }
        for key in requirements.keys() {
            let name = key.pattern.replace("{arch}", info.name);
            if entries.iter().all(|(own, _)| *own != name) {
                entries.push((name, OwnedValue::Uint32(64)));
            }
        }
        let mut tensors = Vec::new();
        for group in requirements.tensors().filter(|group| group.need == Need::Required) {
            for name in group.names {
                tensors.extend(whole_names(group.place, name));
            }
        }
        // Jamba: the blocks with experts are those with a router.
        if requirements.expert_blocks == ExpertBlocks::WithRouter {
            tensors.extend((0..BLOCK_COUNT).step_by(2).map(|block| format!("blk.{block}.ffn_gate_inp.weight")));
        }
        Self { entries, tensors }
    }

    fn header_without(&self, removed: &BTreeSet<String>) -> Header {
        let entries: Vec<_> = self.entries.iter().filter(|(key, _)| !removed.contains(key)).collect();
        let tensors: Vec<_> = self.tensors.iter().filter(|name| !removed.contains(*name)).collect();
        let mut file = GgufBytes::new(Format::default());
        file.header(tensors.len() as u64, entries.len() as u64);
        entries.iter().for_each(|(key, value)| _ = file.entry(key.as_bytes(), value));
        tensors.iter().for_each(|name| _ = file.tensor(name.as_bytes(), &[1], 0, 0));
        gguf_wasm::parse(file.as_bytes()).unwrap()
    }
}

fn whole_names(place: Place, name: &str) -> Vec<String> {
    match place {
        Place::Model => vec![name.to_owned()],
        _ => (0..BLOCK_COUNT).map(|block| format!("{}{block}.{name}", place.prefix())).collect(),
    }
}

fn full_rows() -> impl Iterator<Item = (&'static ArchitectureInfo, &'static Requirements)> {
    ARCHITECTURES.iter().filter_map(|info| Some((info, info.requirements?)))
}

#[test]
fn a_model_with_everything_lacks_nothing() {
    for (info, requirements) in full_rows() {
        for has_latent_queries in [false, true] {
            let model = Model::of(info, requirements, has_latent_queries);
            assert_eq!(missing_requirements(&model.header_without(&BTreeSet::new())), [], "{}", info.name);
        }
    }
}

#[test]
fn each_required_key_is_found_when_it_is_missing() {
    for (info, requirements) in full_rows() {
        let model = Model::of(info, requirements, true);
        for key in requirements.keys() {
            let whole = |pattern: &str| pattern.replace("{arch}", info.name);
            let removed = [Some(key.pattern), key.alternative].into_iter().flatten().map(whole).collect();
            let missing = missing_requirements(&model.header_without(&removed));
            let is_found = missing.contains(&MissingRequirement::Key(*key));
            // Without the number of experts, llama.cpp looks for the tensors of a model without experts. This model has
            // them too.
            let is_indirect = key.pattern == "{arch}.expert_count"
                && requirements.expert_blocks == ExpertBlocks::IfCounted
                && missing.is_empty();
            assert!(is_found || is_indirect, "{} without {}: {missing:?}", info.name, key.pattern);
        }
    }
}

#[test]
fn each_required_tensor_is_found_when_it_is_missing() {
    for (info, requirements) in full_rows() {
        for group in requirements.tensors().filter(|group| group.need == Need::Required) {
            for name in group.names {
                let removed: BTreeSet<_> = whole_names(group.place, name).into_iter().collect();
                let found = [false, true].map(|has_latent_queries| {
                    let model = Model::of(info, requirements, has_latent_queries);
                    let missing = missing_requirements(&model.header_without(&removed));
                    let is_it = |other: &MissingRequirement| match other {
                        MissingRequirement::Tensor(tensor) => removed.contains(&tensor.to_string()),
                        _ => false,
                    };
                    assert!(missing.iter().all(is_it), "{} without {name}: {missing:?}", info.name);
                    missing.len()
                });
                // A file without this tensor is one without the blocks that predict further tokens.
                let is_mark =
                    requirements.next_token_blocks == NextTokenBlocks::Separable && *name == "nextn.eh_proj.weight";
                // The second condition of experts cannot be made false for `expert_count`: see above.
                let is_dense = requirements.expert_blocks == ExpertBlocks::IfCounted && name.starts_with("ffn_");
                assert!(found.iter().any(|count| *count > 0) || is_dense || is_mark, "{} without {name}", info.name);
            }
        }
    }
}

#[test]
fn an_alternative_replaces_its_group() {
    for (info, requirements) in full_rows() {
        for group in requirements.tensors().filter(|group| group.need == Need::Required) {
            let Some(alternative) = group.alternative else { continue };
            let mut model = Model::of(info, requirements, true);
            let removed = group.names.iter().flat_map(|name| whole_names(group.place, name)).collect();
            assert_ne!(missing_requirements(&model.header_without(&removed)), [], "{}", info.name);
            model.tensors.extend(whole_names(group.place, alternative));
            assert_eq!(missing_requirements(&model.header_without(&removed)), [], "{}", info.name);
        }
    }
}

#[test]
fn a_separable_model_may_have_one_part_only() {
    let names = |range: std::ops::Range<u32>, model: &Model| -> BTreeSet<String> {
        let is_in = |name: &&String| range.clone().any(|block| name.starts_with(&format!("blk.{block}.")));
        model.tensors.iter().filter(is_in).cloned().collect()
    };
    for architecture in ["deepseek2", "qwen3next"] {
        let (info, requirements) = full_rows().find(|(info, _)| info.name == architecture).unwrap();
        let model = Model::of(info, requirements, true);
        let (main, draft) = (names(0..BLOCK_COUNT - 1, &model), names(BLOCK_COUNT - 1..BLOCK_COUNT, &model));
        assert_eq!(missing_requirements(&model.header_without(&draft)), [], "{architecture}");
        let missing = missing_requirements(&model.header_without(&main));
        assert!(missing.iter().all(|missing| matches!(missing, MissingRequirement::Key(_))), "{architecture}");
    }
}

#[test]
fn numbers_that_no_model_has_are_not_followed() {
    let (info, requirements) = full_rows().find(|(info, _)| info.name == "llama").unwrap();
    for (key, value) in [
        ("block_count", OwnedValue::Uint32(u32::MAX)),
        ("block_count", OwnedValue::Uint64(u64::MAX)),
        ("block_count", OwnedValue::from("64")),
        ("expert_count", OwnedValue::Float32(1.5)),
    ] {
        let mut model = Model::of(info, requirements, true);
        let name = format!("llama.{key}");
        model.entries.iter_mut().find(|(own, _)| *own == name).unwrap().1 = value;
        assert_eq!(missing_requirements(&model.header_without(&BTreeSet::new())), [], "{name}");
    }
    for architecture in ["gptj", "clip", "whisper", "no-such-architecture", ""] {
        let mut model = Model::of(info, requirements, true);
        model.entries[0].1 = OwnedValue::from(architecture);
        let removed = model.tensors.iter().cloned().collect();
        assert_eq!(missing_requirements(&model.header_without(&removed)), [], "{architecture}");
    }
}
