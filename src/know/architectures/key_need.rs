//! Whether llama.cpp requires a key of every model of an architecture.

use alloc::{string::String, vec::Vec};

use super::requirements::{Condition, ExpertBlocks, RecurrentBlocks, RequiredKey, Requirements, TensorGroup};
use super::row::ArchitectureInfo;

/// Which models of an architecture need a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyNeed {
    /// llama.cpp refuses every model without the key.
    Always,
    /// llama.cpp refuses some models without the key: those for which the conditions hold, or that lack the alternative.
    Conditional,
}

impl ArchitectureInfo {
    /// Whether the specification requires the key with this pattern. Some keys have a row for this architecture alone, whose
    /// pattern begins with its name: `falcon.attention.use_norm`.
    pub fn is_specified(&self, pattern: &str) -> bool {
        let is_of_row = |rest| pattern.strip_prefix(self.name) == Some(rest);
        self.specified_patterns.iter().any(|key| *key == pattern || key.strip_prefix("{arch}").is_some_and(is_of_row))
    }

    /// The keys that the specification requires. `None` if it does not describe the architecture.
    pub fn specification_keys(&self) -> Option<Vec<String>> {
        Some(self.specified_patterns).filter(|patterns| !patterns.is_empty()).map(|patterns| self.keys(patterns))
    }

    /// The keys without which llama.cpp refuses every model. `None` if the requirements are not known.
    pub fn llama_cpp_keys(&self) -> Option<Vec<String>> {
        Some(self.keys(&self.requirements?.keys_needed(KeyNeed::Always)))
    }

    /// The keys without which llama.cpp refuses some models. `None` if the requirements are not known.
    pub fn llama_cpp_conditional_keys(&self) -> Option<Vec<String>> {
        Some(self.keys(&self.requirements?.keys_needed(KeyNeed::Conditional)))
    }

    /// The tensors that llama.cpp reads. `None` if the requirements are not known.
    pub fn llama_cpp_tensors(&self) -> Option<Vec<TensorGroup>> {
        Some(self.requirements?.tensors().copied().collect())
    }

    /// The keys of patterns. A key without `{arch}` is the same for all architectures.
    fn keys(&self, patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|pattern| pattern.replace("{arch}", self.name)).collect()
    }
}

impl Requirements {
    /// Which models need a key. `None` if no model does.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::architectures::{KeyNeed, architecture_info};
    ///
    /// let requirements = architecture_info(b"llama").unwrap().requirements.unwrap();
    /// assert_eq!(requirements.key_need("{arch}.block_count"), Some(KeyNeed::Always));
    /// assert_eq!(requirements.key_need("{arch}.expert_count"), Some(KeyNeed::Conditional));
    /// assert_eq!(requirements.key_need("{arch}.rope.freq_base"), None);
    /// ```
    pub fn key_need(&self, pattern: &str) -> Option<KeyNeed> {
        let mut found = None;
        for key in self.keys() {
            if key.pattern == pattern || key.alternative == Some(pattern) {
                match self.need_of(key) {
                    Some(KeyNeed::Always) => return Some(KeyNeed::Always),
                    need => found = found.or(need),
                }
            }
        }
        found
    }

    /// The patterns of the keys with this need, each once.
    pub fn keys_needed(&self, need: KeyNeed) -> Vec<&'static str> {
        let mut patterns = Vec::new();
        for key in self.keys() {
            for pattern in [key.pattern, key.alternative.unwrap_or(key.pattern)] {
                if !patterns.contains(&pattern) && self.key_need(pattern) == Some(need) {
                    patterns.push(pattern);
                }
            }
        }
        patterns
    }

    /// Which models need a required key. `None` if its conditions never hold.
    fn need_of(&self, key: &RequiredKey) -> Option<KeyNeed> {
        let has_conditions =
            |holds: Option<bool>| key.conditions.iter().any(|condition| self.is_fixed(*condition) == holds);
        if has_conditions(Some(false)) {
            return None;
        }
        let is_conditional = key.alternative.is_some() || has_conditions(None);
        Some(if is_conditional { KeyNeed::Conditional } else { KeyNeed::Always })
    }

    /// Whether a condition holds for some block of every model, or for no block of any model. `None` if it depends on the
    /// model.
    fn is_fixed(&self, condition: Condition) -> Option<bool> {
        match (condition, self.expert_blocks, self.recurrent_blocks) {
            (Condition::Dense, ExpertBlocks::None, _) | (Condition::Experts, ExpertBlocks::All, _) => Some(true),
            (Condition::Dense, ExpertBlocks::All, _) | (Condition::Experts, ExpertBlocks::None, _) => Some(false),
            (Condition::Attention, _, RecurrentBlocks::None) => Some(true),
            (Condition::Recurrent, _, RecurrentBlocks::None) => Some(false),
            _ => None,
        }
    }
}
