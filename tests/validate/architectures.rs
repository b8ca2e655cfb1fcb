//! The name of the architecture, and what llama.cpp requires of every architecture.

use gguf_format::write::encode::OwnedValue;
use gguf_models::architectures::ARCHITECTURES;
use gguf_models::validate::{Check, Finding, Severity};

use crate::validate::models::{LlamaModel, assert_fix};

fn only(findings: Vec<Finding>, check: Check) -> Vec<Finding> {
    findings.into_iter().filter(|finding| finding.check == check).collect()
}

/// `load_hparams` and `load_vocab` are the same for all architectures.
#[test]
fn the_keys_of_every_model_are_required_of_every_architecture_that_llama_cpp_loads() {
    let mut count = 0;
    for info in ARCHITECTURES {
        let missing = |key: &str| {
            let findings = LlamaModel::of(info.name).without_entry(&format!("{}.{key}", info.name)).findings();
            let message = format!("the entry {}.{key} is missing. ", info.name);
            findings.into_iter().find(|finding| finding.message.starts_with(&message))
        };
        let of_file = LlamaModel::of(info.name).findings();
        // Files of these architectures are no models for llama.cpp, or belong to a model in another file.
        let is_model = info.is_in_llama_cpp && !["clip", "gptj"].contains(&info.name);
        for key in ["context_length", "embedding_length", "block_count"] {
            assert_eq!(missing(key).is_some(), is_model, "{} without {key}: {of_file:?}", info.name);
        }
        let findings = LlamaModel::of(info.name)
            .without_entry("tokenizer.ggml.model")
            .without_entry("tokenizer.ggml.tokens")
            .findings();
        assert_eq!(!only(findings, Check::NoTokenizer).is_empty(), is_model, "{}", info.name);
        count += usize::from(is_model);
    }
    assert!(count > 140, "{count}");
}

/// A Llama whose architecture was renamed, and nothing else.
fn renamed(architecture: &'static str) -> LlamaModel {
    LlamaModel::new().named(architecture)
}

#[test]
fn a_wrong_name_of_the_architecture_is_corrected_by_the_keys() {
    for name in ["Llama", "mistral", "foo", "whisper", "rwkv"] {
        let message = format!(
            "the architecture is \"{name}\", which is unknown, perhaps newer than llama.cpp b11549 (October 2026). The keys of the file are those of \
             llama. Set the architecture to this name if it is wrong."
        );
        let finding = renamed(name).assert_only(Check::UnknownArchitecture, &message);
        assert_eq!(finding.check.severity(), Severity::Warning);
        assert_fix(&finding, "Set the architecture to llama", false);
    }
    // The file would have errors as a Llama.
    let findings = renamed("mistral").without_entry("llama.context_length").findings();
    assert_eq!(only(findings, Check::UnknownArchitecture)[0].fix, None);
    // The keys are those of two architectures, or some have the name of the file.
    for key in ["qwen2.block_count", "mistral.block_count"] {
        let findings = renamed("mistral").entry(key, 2u32).findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].fix, None);
        assert!(findings[0].message.ends_with("or a newer version."), "{findings:?}");
    }
}

#[test]
fn no_key_is_renamed_to_one_of_an_architecture_that_llama_cpp_does_not_load() {
    for name in ["Llama", "mistral", "whisper", "clip", "gptj"] {
        let findings = renamed(name).entry("llama.max_seq_len", OwnedValue::from(512u32)).findings();
        for finding in &findings {
            let is_of_name = matches!(finding.check, Check::OtherArchitectureKey | Check::UnreadKey);
            assert!(!is_of_name, "{name}: {findings:?}");
        }
    }
    let findings = LlamaModel::of("mistral").without_entry("mistral.context_length").number("max_seq_len", 1u32);
    assert_eq!(only(findings.findings(), Check::UnreadKey), []);
}
