//! The table of families: how the tensors and the configuration of a class become those of a GGUF file.
//!
//! A family is a row: the names of its classes, its rules for tensors and its keys. A class without a row is refused, and so is a
//! tensor without a rule: nothing is guessed. Names, orders and values are facts of the converter of llama.cpp of October 2026
//! (b11549, the folder `conversion` and `gguf-py/gguf/tensor_mapping.py`).

mod bailing;
mod bert;
mod cohere;
mod decoder;
mod deepseek;
mod dots;
mod ernie;
mod exaone;
mod gemma;
mod gemma_later;
mod glm;
mod gpt;
mod gpt_like;
mod gpt_oss;
mod granite;
mod hunyuan;
mod hybrid;
mod internlm;
mod jamba;
mod kimi_linear;
mod lfm2;
mod llama;
mod llama4;
mod llama_like;
mod mamba;
mod mamba2;
mod minimax;
mod mistral3;
mod modern_bert;
mod mpt;
mod nemotron;
mod olmo;
mod phi;
mod qwen;
mod qwen_like;
mod qwen_next;
mod qwen_vl;
mod rope_factors;
pub(crate) mod row;
pub(crate) mod rule;
pub(crate) mod rule_text;
mod rwkv;
mod stablelm;
mod t5;
mod tied;

use alloc::vec::Vec;
use core::cmp::Reverse;

use gguf_format::order::sorted;

pub(crate) use row::Family;

/// All families.
const TABLE: &[&[Family]] = &[
    llama::FAMILIES,
    llama4::FAMILIES,
    llama_like::FAMILIES,
    bailing::FAMILIES,
    minimax::FAMILIES,
    qwen::FAMILIES,
    qwen_next::FAMILIES,
    qwen_like::FAMILIES,
    gemma::FAMILIES,
    gemma_later::FAMILIES,
    phi::FAMILIES,
    gpt::FAMILIES,
    gpt_like::FAMILIES,
    gpt_oss::FAMILIES,
    deepseek::FAMILIES,
    bert::FAMILIES,
    olmo::FAMILIES,
    cohere::FAMILIES,
    stablelm::FAMILIES,
    mamba::FAMILIES,
    mamba2::FAMILIES,
    jamba::FAMILIES,
    kimi_linear::FAMILIES,
    rwkv::FAMILIES,
    t5::FAMILIES,
    exaone::FAMILIES,
    glm::FAMILIES,
    internlm::FAMILIES,
    lfm2::FAMILIES,
    nemotron::FAMILIES,
    mistral3::FAMILIES,
    mpt::FAMILIES,
    qwen_vl::FAMILIES,
    modern_bert::FAMILIES,
    hunyuan::FAMILIES,
    granite::FAMILIES,
    hybrid::FAMILIES,
    ernie::FAMILIES,
    dots::FAMILIES,
];

/// The family of a class.
pub(crate) fn family_of(class: &str) -> Option<&'static Family> {
    TABLE.iter().copied().flatten().find(|family| family.classes.contains(&class))
}

/// The names of all classes that can be converted, sorted.
pub fn classes() -> Vec<&'static str> {
    let classes: Vec<&str> = TABLE.iter().copied().flatten().flat_map(|family| family.classes).copied().collect();
    sorted(&classes)
}

/// The class that can be converted whose name begins most like this one.
pub(crate) fn nearest_class(class: &str) -> &'static str {
    let likeness = |known: &str| {
        let common =
            class.bytes().zip(known.bytes()).take_while(|(left, right)| left.eq_ignore_ascii_case(right)).count();
        (common, Reverse(known.len().abs_diff(class.len())))
    };
    classes().into_iter().max_by_key(|known| likeness(known)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_class_begins_alike() {
        assert_eq!(nearest_class("Qwen3NewForCausalLM"), "Qwen3NextForCausalLM");
        assert_eq!(nearest_class("LlamaForCausalLMEagle3"), "LlamaForCausalLM");
        assert_eq!(nearest_class("gemma3ForCausalLM"), "Gemma3ForCausalLM");
    }

    #[test]
    fn a_class_belongs_to_one_family() {
        let mut classes = classes();
        let count = classes.len();
        classes.dedup();
        assert_eq!(classes.len(), count);
    }

    #[test]
    fn the_first_rule_for_a_name_is_the_only_one() {
        for family in TABLE.iter().copied().flatten() {
            let rules: Vec<rule::Rule> = family.rules.iter().copied().flat_map(rule_text::Rules::iter).collect();
            for (position, rule) in rules.iter().enumerate() {
                let is_same = |other: &rule::Rule| other.source == rule.source && other.suffix == rule.suffix;
                assert!(!rules[..position].iter().any(is_same), "{}: {}", family.architecture, rule.source);
            }
        }
    }
}
