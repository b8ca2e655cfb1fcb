//! The table of architectures itself.

use std::collections::BTreeSet;

use gguf_models::architectures::{ARCHITECTURES, KeyNeed, Need, Place, architecture_info};
use gguf_models::keys::key_info;
use gguf_models::tensor_names::tensor_role;

/// The architectures that the specification describes.
const SPECIFIED: &str = "llama mpt gptneox gptj gpt2 bloom falcon mamba rwkv whisper";

#[test]
fn the_table_is_sorted_and_has_each_name_and_each_title_once() {
    assert!(ARCHITECTURES.is_sorted_by(|a, b| a.name < b.name));
    let titles: BTreeSet<_> = ARCHITECTURES.iter().map(|info| info.title).collect();
    assert_eq!(titles.len(), ARCHITECTURES.len());
    // llama.cpp of October 2026 has 156 names. No row may be lost.
    assert!(ARCHITECTURES.iter().filter(|info| info.is_in_llama_cpp).count() >= 156);
    for info in ARCHITECTURES {
        assert_eq!(architecture_info(info.name.as_bytes()).unwrap().name, info.name);
        assert_eq!(architecture_info(format!("{}x", info.name).as_bytes()).map(|info| info.name), None);
    }
    for name in ["", "(unknown)", "Llama", "llama ", "gpt_oss"] {
        assert!(architecture_info(name.as_bytes()).is_none(), "{name}");
    }
}

#[test]
fn every_architecture_that_llama_cpp_loads_has_keys_and_tensors() {
    let without: Vec<_> =
        ARCHITECTURES.iter().filter(|info| info.llama_cpp_tensors().is_none()).map(|info| info.name).collect();
    assert_eq!(without, ["clip", "gptj", "rwkv", "whisper"]);
    for info in ARCHITECTURES.iter().filter(|info| !without.contains(&info.name)) {
        let (keys, tensors) = (info.llama_cpp_keys().unwrap(), info.llama_cpp_tensors().unwrap());
        assert!(keys.len() > 3, "{}: {keys:?}", info.name);
        assert!(tensors.iter().any(|group| group.need == Need::Required), "{}", info.name);
        assert!(tensors.iter().any(|group| group.place == Place::Model), "{}", info.name);
        let tied: Vec<_> = tensors.iter().filter(|group| group.need == Need::Tied).collect();
        assert!(tied.iter().all(|group| group.names == ["output.weight"]), "{}", info.name);
    }
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

#[test]
fn every_key_is_in_the_table_of_keys() {
    let mut unknown = BTreeSet::new();
    for info in ARCHITECTURES {
        for key in [info.llama_cpp_keys(), info.llama_cpp_conditional_keys()].into_iter().flatten().flatten() {
            if key_info(key.as_bytes()).is_none() {
                unknown.insert(key);
            }
        }
    }
    assert_eq!(unknown, BTreeSet::new());
}

#[test]
fn every_tensor_has_a_standard_name_and_stands_once() {
    let mut unknown = BTreeSet::new();
    for info in ARCHITECTURES {
        let mut seen = BTreeSet::new();
        for group in info.llama_cpp_tensors().into_iter().flatten() {
            for name in group.names.iter().chain(&group.alternative) {
                let number = if group.place == Place::Model { "" } else { "0." };
                let whole = format!("{}{number}{name}", group.place.prefix()).replace('#', "0");
                if tensor_role(whole.as_bytes()).is_none() {
                    unknown.insert(whole);
                }
            }
            for name in group.names {
                assert!(seen.insert((group.place.prefix(), name.clone())), "{}: {name} is twice in the row", info.name);
            }
        }
    }
    assert_eq!(unknown, BTreeSet::new());
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
    let need = |name: &str, pattern| architecture_info(name.as_bytes()).unwrap().key_need(pattern);
    let (always, conditional) = (Some(KeyNeed::Always), Some(KeyNeed::Conditional));
    assert_eq!(need("smollm3", "{arch}.feed_forward_length"), always);
    assert_eq!(need("llama4", "{arch}.feed_forward_length"), conditional);
    assert_eq!(need("qwen3moe", "{arch}.expert_count"), always);
    assert_eq!(need("llama", "{arch}.expert_count"), conditional);
    assert_eq!(need("qwen3", "{arch}.expert_count"), None);
}
