//! Whether llama.cpp requires a key of every model of an architecture.

use alloc::{boxed::Box, format, string::String, vec::Vec};

use once_cell::race::OnceBox;

use super::key_of::key_of;
use super::row::ArchitectureInfo;
use super::rules::{Rules, Summary};
use super::table::ARCHITECTURES;
use super::tensor_group::{KeyNeed, TensorGroup};
use gguf_format::write::checks::lossy;

impl ArchitectureInfo {
    /// Whether the specification requires the key with this pattern. Some keys have a row for this architecture alone, whose
    /// pattern begins with its name: `falcon.attention.use_norm`.
    pub fn is_specified(&self, pattern: &str) -> bool {
        let is_of_row = |rest| pattern.strip_prefix(self.name) == Some(rest);
        self.specified_patterns.iter().any(|key| *key == pattern || key.strip_prefix("{arch}").is_some_and(is_of_row))
    }

    /// The keys that the specification requires. `None` if it does not describe the architecture.
    pub fn specification_keys(&self) -> Option<Vec<String>> {
        let patterns = Some(self.specified_patterns).filter(|patterns| !patterns.is_empty())?;
        Some(patterns.iter().map(|pattern| lossy(&key_of(pattern, self.name.as_bytes())).into_owned()).collect())
    }

    /// The keys without which llama.cpp refuses every model. `None` if llama.cpp does not load the architecture.
    pub fn llama_cpp_keys(&self) -> Option<Vec<String>> {
        self.keys_needed(KeyNeed::Always)
    }

    /// The keys without which llama.cpp refuses some models. `None` if llama.cpp does not load the architecture.
    pub fn llama_cpp_conditional_keys(&self) -> Option<Vec<String>> {
        self.keys_needed(KeyNeed::Conditional)
    }

    /// The tensors that llama.cpp reads. `None` if llama.cpp does not load the architecture.
    pub fn llama_cpp_tensors(&self) -> Option<Vec<TensorGroup>> {
        Some(self.summary()?.groups)
    }

    /// Which models need a key, with `{arch}` in the place of the architecture. `None` if no model does.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_models::architectures::{KeyNeed, architecture_info};
    ///
    /// let llama = architecture_info(b"llama").unwrap();
    /// assert_eq!(llama.key_need("{arch}.block_count"), Some(KeyNeed::Always));
    /// assert_eq!(llama.key_need("{arch}.expert_count"), Some(KeyNeed::Conditional));
    /// assert_eq!(llama.key_need("{arch}.rope.freq_base"), None);
    /// ```
    pub fn key_need(&self, pattern: &str) -> Option<KeyNeed> {
        NeededKeys::of(self).need(pattern)
    }

    pub(crate) fn summary(&self) -> Option<Summary> {
        self.is_loaded.then(|| Rules::of(self.name)).flatten().map(|rules| Summary::of(&rules))
    }

    fn keys_needed(&self, need: KeyNeed) -> Option<Vec<String>> {
        let summary = self.summary()?;
        let keys = summary.keys.iter().filter(|(_, own)| *own == need);
        let whole = |name: &str| match summary.whole_keys.contains(&name) {
            true => name.into(),
            false => format!("{}.{name}", self.name),
        };
        Some(keys.map(|(name, _)| whole(name)).collect())
    }
}

/// The architectures whose models need a key, by their names, and which of their models do.
pub(crate) fn architectures_that_need(pattern: &str) -> impl Iterator<Item = (&'static str, KeyNeed)> {
    // Reading the rules of all architectures takes milliseconds, so it is done once for all keys.
    static NEEDED_KEYS: OnceBox<Vec<NeededKeys>> = OnceBox::new();
    let needed = NEEDED_KEYS.get_or_init(|| Box::new(ARCHITECTURES.iter().map(NeededKeys::of).collect()));
    ARCHITECTURES.iter().zip(needed).filter_map(move |(info, keys)| Some((info.name, keys.need(pattern)?)))
}

/// The keys that the models of an architecture need.
#[derive(Default)]
struct NeededKeys {
    keys: Vec<(&'static str, KeyNeed)>,
    /// The keys without an architecture.
    whole: Vec<&'static str>,
}

impl NeededKeys {
    fn of(info: &ArchitectureInfo) -> Self {
        let summary = info.summary().unwrap_or_default();
        Self { keys: summary.keys, whole: summary.whole_keys }
    }

    fn need(&self, pattern: &str) -> Option<KeyNeed> {
        let name = pattern.strip_prefix("{arch}.").unwrap_or(pattern);
        let is_own = pattern.starts_with("{arch}") != self.whole.contains(&name);
        let found = self.keys.iter().find(|(own, _)| is_own && *own == name);
        found.map(|(_, need)| *need)
    }
}
