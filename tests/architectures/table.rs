//! The table of architectures itself.

use std::collections::BTreeSet;

use gguf_wasm::architectures::{
    ARCHITECTURES, Condition, KeyNeed, Need, Place, RequiredKey, TensorGroup, architecture_info,
};
use gguf_wasm::keys::key_info;
use gguf_wasm::tensor_names::tensor_role;

/// The architectures whose requirements must be known.
const FULL_ROWS: &str = "llama mpt gptneox gpt2 bloom falcon mamba llama4 qwen2 qwen2moe qwen3 qwen3moe qwen3next gemma \
    gemma2 gemma3 gemma3n phi2 phi3 deepseek2 gpt-oss glm4 glm4moe command-r cohere2 granite olmo2 starcoder2 stablelm \
    internlm2 mamba2 jamba falcon-h1 rwkv6 rwkv7 bert nomic-bert t5 lfm2 smollm3 nemotron ernie4_5 exaone4 minicpm3";

/// The architectures that the specification describes.
const SPECIFIED: &str = "llama mpt gptneox gptj gpt2 bloom falcon mamba rwkv whisper";

#[test]
fn the_table_is_sorted_and_has_each_name_and_each_title_once() {
    assert!(ARCHITECTURES.is_sorted_by(|a, b| a.name < b.name));
    let titles: BTreeSet<_> = ARCHITECTURES.iter().map(|info| info.title).collect();
    assert_eq!(titles.len(), ARCHITECTURES.len());
    // llama.cpp of August 2026 has 147 names. No row may be lost.
    assert!(ARCHITECTURES.iter().filter(|info| info.is_in_llama_cpp).count() >= 147);
    for info in ARCHITECTURES {
        assert_eq!(architecture_info(info.name.as_bytes()).unwrap().name, info.name);
        assert_eq!(architecture_info(format!("{}x", info.name).as_bytes()).map(|info| info.name), None);
    }
    for name in ["", "(unknown)", "Llama", "llama ", "gpt_oss"] {
        assert!(architecture_info(name.as_bytes()).is_none(), "{name}");
    }
}

#[test]
fn the_rows_that_are_promised_are_full() {
    for name in FULL_ROWS.split_whitespace() {
        let requirements = architecture_info(name.as_bytes()).unwrap().requirements.unwrap();
        assert!(requirements.keys().count() > 3, "{name}");
        assert!(requirements.tensors().any(|group| group.place != Place::Model), "{name}");
    }
    let unknown = ARCHITECTURES.iter().filter(|info| info.requirements.is_none()).count();
    assert!(unknown > 50, "architectures without requirements are named and not guessed");
}

#[test]
fn the_keys_of_the_specification_are_those_of_its_text() {
    let specified = ARCHITECTURES.iter().filter(|info| !info.specified_patterns.is_empty());
    let expected: BTreeSet<_> = SPECIFIED.split_whitespace().collect();
    assert_eq!(specified.clone().map(|info| info.name).collect::<BTreeSet<_>>(), expected);
    for info in ARCHITECTURES.iter().filter(|info| !info.is_in_llama_cpp) {
        assert!(expected.contains(info.name), "{}", info.name);
    }
    let Some(corpus) = crate::corpus::folder() else { return };
    let text = std::fs::read_to_string(corpus.join("../spec/000_c2e55773f885e059.txt")).unwrap();
    let models = text.split("#### Models\n").nth(1).unwrap().split("#### Prompting").next().unwrap();
    for section in models.split("\n##### ").skip(1) {
        let required = section.split("###### Optional").next().unwrap();
        let keys = required.lines().filter_map(|line| line.strip_prefix("- `")).map(|line| {
            let end = line.find(['`', ':']).unwrap();
            line[..end].split_once('.').unwrap()
        });
        let keys: Vec<_> = keys.collect();
        let info = architecture_info(keys[0].0.as_bytes()).unwrap();
        let patterns: Vec<_> = keys.iter().map(|(_, key)| format!("{{arch}}.{key}")).collect();
        assert_eq!(info.specified_patterns, patterns, "{}", info.name);
    }
}

fn all_keys() -> impl Iterator<Item = &'static RequiredKey> {
    ARCHITECTURES.iter().filter_map(|info| info.requirements).flat_map(|requirements| requirements.keys())
}

fn all_groups() -> impl Iterator<Item = (&'static str, &'static TensorGroup)> {
    let rows = ARCHITECTURES.iter().filter_map(|info| Some((info.name, info.requirements?)));
    rows.flat_map(|(name, requirements)| requirements.tensors().map(move |group| (name, group)))
}

#[test]
fn required_keys_are_written_as_in_the_table_of_keys() {
    for key in all_keys() {
        for pattern in [Some(key.pattern), key.alternative].into_iter().flatten() {
            assert!(pattern.starts_with("{arch}.") || pattern.starts_with("tokenizer."), "{pattern}");
        }
    }
}

#[test]
fn every_required_tensor_has_a_standard_name() {
    for (architecture, group) in all_groups() {
        for name in group.names.iter().chain(&group.alternative) {
            let number = if group.place == Place::Model { "" } else { "0." };
            let whole = format!("{}{number}{name}", group.place.prefix());
            assert!(tensor_role(whole.as_bytes()).is_some(), "{architecture}: {whole}");
        }
    }
}

#[test]
fn no_row_has_a_required_tensor_twice_for_the_same_blocks() {
    for info in ARCHITECTURES {
        let Some(requirements) = info.requirements else { continue };
        let mut seen = BTreeSet::new();
        for group in requirements.tensors() {
            for name in group.names {
                assert!(seen.insert((group.place.prefix(), name)), "{}: {name} is twice in the row", info.name);
            }
        }
    }
}

#[test]
fn conditions_name_tensors_of_the_same_row() {
    for info in ARCHITECTURES {
        let Some(requirements) = info.requirements else { continue };
        let names: BTreeSet<_> = requirements.tensors().flat_map(|group| group.names).collect();
        let of_keys = requirements.keys().flat_map(|key| key.conditions);
        for condition in requirements.tensors().flat_map(|group| group.conditions).chain(of_keys) {
            if let Condition::FirstBlockHas(name) = condition {
                assert!(names.contains(name), "{}: {name}", info.name);
            }
        }
        let tied: Vec<_> = requirements.tensors().filter(|group| group.need == Need::Tied).collect();
        assert!(tied.iter().all(|group| group.names == ["output.weight"]), "{}", info.name);
        assert!(tied.is_empty() || names.contains(&"token_embd.weight"), "{}", info.name);
    }
}

#[test]
fn every_key_that_the_specification_requires_has_a_row() {
    for info in ARCHITECTURES {
        for key in info.specified_patterns {
            let row = key_info(key.replace("{arch}", info.name).as_bytes()).unwrap();
            assert!(info.is_specified(row.pattern), "{key} of {}", info.name);
        }
    }
    let falcon = architecture_info(b"falcon").unwrap();
    assert!(falcon.is_specified("falcon.attention.use_norm") && !falcon.is_specified("{arch}.rope.freq_base"));
}

#[test]
fn keys_are_needed_always_or_under_conditions() {
    let need =
        |name: &str, pattern| architecture_info(name.as_bytes()).unwrap().requirements.unwrap().key_need(pattern);
    let (always, conditional) = (Some(KeyNeed::Always), Some(KeyNeed::Conditional));
    assert_eq!(need("smollm3", "{arch}.feed_forward_length"), always);
    assert_eq!(need("llama4", "{arch}.feed_forward_length"), conditional);
    assert_eq!(need("qwen3moe", "{arch}.expert_count"), always);
    assert_eq!(need("llama", "{arch}.expert_count"), conditional);
    assert_eq!(need("qwen3", "{arch}.expert_count"), None);
}
