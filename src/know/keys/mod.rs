//! The known metadata keys, in one table: the value types of each key, and what its value refers to.
//!
//! The keys are those of the specification's "Standardized key-value pairs", and others that many models have. The types
//! are those that llama.cpp reads (`get_key` throws "key has wrong type" for any other type) and that gguf-py writes
//! (`GGUFWriter`), both of August 2026. Where the specification says `uint64`, both have UINT32.

use core::fmt;

use crate::format::value::ValueType;

/// A known metadata key: a row of [`KEYS`].
///
/// # Examples
///
/// ```
/// use gguf_wasm::{KeyType, ValueType, key_info};
///
/// let info = key_info(b"llama.attention.head_count").unwrap();
/// assert_eq!(info.pattern, "{arch}.attention.head_count");
/// assert_eq!(info.types.to_string(), "UINT32 or INT32[] or UINT32[]");
/// assert!(info.types.accept(KeyType::Array(ValueType::Int32)));
/// assert!(!info.types.accept(KeyType::Single(ValueType::Float32)));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyInfo {
    /// The key. `{arch}` stands for the architecture: any text without a dot.
    pub pattern: &'static str,
    /// The types that the value may have.
    pub types: KeyTypes,
    /// Whether the value is the id of a token: an index into `tokenizer.ggml.tokens`.
    pub is_token_id: bool,
    /// Whether the value is an array with one element for each token.
    pub is_per_token: bool,
}

/// The type of a metadata value, arrays told apart by the type of their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyType {
    /// A value of this type, which is not `ARRAY`.
    Single(ValueType),
    /// An array with elements of this type.
    Array(ValueType),
}

/// The value types that a key may have. Of single types and of array types, the first is the one that gguf-py writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTypes(&'static [KeyType]);

const BOOL: KeyTypes = KeyTypes(&[KeyType::Single(ValueType::Bool)]);
const UINT16: KeyTypes = KeyTypes(&[KeyType::Single(ValueType::Uint16)]);
const UINT32: KeyTypes = KeyTypes(&[KeyType::Single(ValueType::Uint32)]);
const INT32: KeyTypes = KeyTypes(&[KeyType::Single(ValueType::Int32)]);
const FLOAT32: KeyTypes = KeyTypes(&[KeyType::Single(ValueType::Float32)]);
const STRING: KeyTypes = KeyTypes(&[KeyType::Single(ValueType::String)]);
const STRINGS: KeyTypes = KeyTypes(&[KeyType::Array(ValueType::String)]);
const FLOATS: KeyTypes = KeyTypes(&[KeyType::Array(ValueType::Float32)]);
const INTEGERS: KeyTypes = KeyTypes(&[KeyType::Array(ValueType::Int32), KeyType::Array(ValueType::Uint32)]);
const BYTES: KeyTypes = KeyTypes(&[KeyType::Array(ValueType::Uint8), KeyType::Array(ValueType::Int8)]);
/// One number for all layers, or an array with a number for each layer.
const PER_LAYER: KeyTypes = KeyTypes(&[
    KeyType::Single(ValueType::Uint32),
    KeyType::Array(ValueType::Int32),
    KeyType::Array(ValueType::Uint32),
]);

/// Every known key, sorted by pattern. Patterns that begin with `{arch}.` come last.
pub const KEYS: &[KeyInfo] = &[
    key("adapter.lora.alpha", FLOAT32),
    key("adapter.type", STRING),
    key("clip.has_audio_encoder", BOOL),
    key("clip.has_vision_encoder", BOOL),
    key("clip.projector_type", STRING),
    key("clip.use_gelu", BOOL),
    key("clip.use_silu", BOOL),
    key("general.alignment", UINT32),
    key("general.architecture", STRING),
    key("general.author", STRING),
    key("general.base_model.count", UINT32),
    key("general.basename", STRING),
    key("general.dataset.count", UINT32),
    key("general.datasets", STRINGS),
    key("general.description", STRING),
    key("general.doi", STRING),
    key("general.file_type", UINT32),
    key("general.finetune", STRING),
    key("general.languages", STRINGS),
    key("general.license", STRING),
    key("general.license.link", STRING),
    key("general.license.name", STRING),
    key("general.name", STRING),
    key("general.organization", STRING),
    key("general.quantization_version", UINT32),
    key("general.quantized_by", STRING),
    key("general.repo_url", STRING),
    key("general.size_label", STRING),
    key("general.source.url", STRING),
    key("general.tags", STRINGS),
    key("general.type", STRING),
    key("general.url", STRING),
    key("general.uuid", STRING),
    key("general.version", STRING),
    key("split.count", UINT16),
    key("split.no", UINT16),
    key("split.tensors.count", INT32),
    key("tokenizer.chat_template", STRING),
    key("tokenizer.chat_templates", STRINGS),
    key("tokenizer.ggml.add_bos_token", BOOL),
    key("tokenizer.ggml.add_eos_token", BOOL),
    key("tokenizer.ggml.add_sep_token", BOOL),
    key("tokenizer.ggml.add_space_prefix", BOOL),
    key("tokenizer.ggml.added_tokens", STRINGS),
    key("tokenizer.ggml.bos_token_id", UINT32).token_id(),
    key("tokenizer.ggml.cls_token_id", UINT32).token_id(),
    key("tokenizer.ggml.eom_token_id", UINT32).token_id(),
    key("tokenizer.ggml.eos_token_id", UINT32).token_id(),
    key("tokenizer.ggml.eot_token_id", UINT32).token_id(),
    key("tokenizer.ggml.fim_mid_token_id", UINT32).token_id(),
    key("tokenizer.ggml.fim_pad_token_id", UINT32).token_id(),
    key("tokenizer.ggml.fim_pre_token_id", UINT32).token_id(),
    key("tokenizer.ggml.fim_rep_token_id", UINT32).token_id(),
    key("tokenizer.ggml.fim_sep_token_id", UINT32).token_id(),
    key("tokenizer.ggml.fim_suf_token_id", UINT32).token_id(),
    key("tokenizer.ggml.mask_token_id", UINT32).token_id(),
    key("tokenizer.ggml.merges", STRINGS),
    key("tokenizer.ggml.model", STRING),
    key("tokenizer.ggml.padding_token_id", UINT32).token_id(),
    key("tokenizer.ggml.pre", STRING),
    key("tokenizer.ggml.precompiled_charsmap", BYTES),
    key("tokenizer.ggml.remove_extra_whitespaces", BOOL),
    key("tokenizer.ggml.scores", FLOATS).per_token(),
    key("tokenizer.ggml.seperator_token_id", UINT32).token_id(),
    key("tokenizer.ggml.token_type", INTEGERS).per_token(),
    key("tokenizer.ggml.token_type_count", UINT32),
    key("tokenizer.ggml.tokens", STRINGS),
    key("tokenizer.ggml.unknown_token_id", UINT32).token_id(),
    key("tokenizer.huggingface.json", STRING),
    key("{arch}.attention.causal", BOOL),
    key("{arch}.attention.clamp_kqv", FLOAT32),
    key("{arch}.attention.head_count", PER_LAYER),
    key("{arch}.attention.head_count_kv", PER_LAYER),
    key("{arch}.attention.key_length", UINT32),
    key("{arch}.attention.key_length_mla", UINT32),
    key("{arch}.attention.kv_lora_rank", UINT32),
    key("{arch}.attention.layer_norm_epsilon", FLOAT32),
    key("{arch}.attention.layer_norm_rms_epsilon", FLOAT32),
    key("{arch}.attention.max_alibi_bias", FLOAT32),
    key("{arch}.attention.q_lora_rank", UINT32),
    key("{arch}.attention.scale", FLOAT32),
    key("{arch}.attention.sliding_window", UINT32),
    key("{arch}.attention.value_length", UINT32),
    key("{arch}.attention.value_length_mla", UINT32),
    key("{arch}.attn_logit_softcapping", FLOAT32),
    key("{arch}.block_count", UINT32),
    key("{arch}.context_length", UINT32),
    key("{arch}.embedding_length", UINT32),
    key("{arch}.expert_count", UINT32),
    key("{arch}.expert_feed_forward_length", UINT32),
    key("{arch}.expert_gating_func", UINT32),
    key("{arch}.expert_group_count", UINT32),
    key("{arch}.expert_group_used_count", UINT32),
    key("{arch}.expert_shared_count", UINT32),
    key("{arch}.expert_used_count", UINT32),
    key("{arch}.expert_weights_norm", BOOL),
    key("{arch}.expert_weights_scale", FLOAT32),
    key("{arch}.feed_forward_length", PER_LAYER),
    key("{arch}.final_logit_softcapping", FLOAT32),
    key("{arch}.leading_dense_block_count", UINT32),
    key("{arch}.logit_scale", FLOAT32),
    key("{arch}.nextn_predict_layers", UINT32),
    key("{arch}.pooling_type", UINT32),
    key("{arch}.rope.dimension_count", UINT32),
    key("{arch}.rope.dimension_sections", INTEGERS),
    key("{arch}.rope.freq_base", FLOAT32),
    key("{arch}.rope.scale_linear", FLOAT32),
    key("{arch}.rope.scaling.attn_factor", FLOAT32),
    key("{arch}.rope.scaling.factor", FLOAT32),
    key("{arch}.rope.scaling.finetuned", BOOL),
    key("{arch}.rope.scaling.original_context_length", UINT32),
    key("{arch}.rope.scaling.type", STRING),
    key("{arch}.ssm.conv_kernel", UINT32),
    key("{arch}.ssm.group_count", UINT32),
    key("{arch}.ssm.inner_size", UINT32),
    key("{arch}.ssm.state_size", UINT32),
    key("{arch}.ssm.time_step_rank", UINT32),
    key("{arch}.tensor_data_layout", STRING),
    key("{arch}.use_parallel_residual", BOOL),
    key("{arch}.vocab_size", UINT32),
];

/// The prefix of the patterns of keys that belong to an architecture.
const ARCHITECTURE: &str = "{arch}.";

/// The first segments of keys that no architecture has.
const RESERVED: [&[u8]; 2] = [b"general", b"tokenizer"];

/// A row of the table without properties.
const fn key(pattern: &'static str, types: KeyTypes) -> KeyInfo {
    KeyInfo { pattern, types, is_token_id: false, is_per_token: false }
}

impl KeyInfo {
    const fn token_id(self) -> Self {
        Self { is_token_id: true, ..self }
    }

    const fn per_token(self) -> Self {
        Self { is_per_token: true, ..self }
    }
}

/// The row of a key in [`KEYS`], if the key is known.
pub fn key_info(key: &[u8]) -> Option<&'static KeyInfo> {
    let (exact, architecture) = KEYS.split_at(KEYS.partition_point(|info| !info.pattern.starts_with(ARCHITECTURE)));
    if let Ok(index) = exact.binary_search_by_key(&key, |info| info.pattern.as_bytes()) {
        return exact.get(index);
    }
    let dot = key.iter().position(|byte| *byte == b'.')?;
    let (first, rest) = (&key[..dot], &key[dot + 1..]);
    if RESERVED.contains(&first) {
        return None;
    }
    let index = architecture.binary_search_by_key(&rest, |info| &info.pattern.as_bytes()[ARCHITECTURE.len()..]);
    architecture.get(index.ok()?)
}

impl KeyTypes {
    /// Whether the key may have a value of this type.
    pub fn accept(self, found: KeyType) -> bool {
        self.0.contains(&found)
    }

    /// The types, in the order of preference.
    pub fn iter(self) -> impl Iterator<Item = KeyType> {
        self.0.iter().copied()
    }

    /// The type that gguf-py writes if the value is not an array.
    #[cfg(feature = "web")]
    pub(crate) fn single_type(self) -> Option<ValueType> {
        self.iter().find_map(|key_type| match key_type {
            KeyType::Single(value_type) => Some(value_type),
            KeyType::Array(_) => None,
        })
    }

    /// The type of the elements that gguf-py writes if the value is an array.
    #[cfg(feature = "web")]
    pub(crate) fn element_type(self) -> Option<ValueType> {
        self.iter().find_map(|key_type| match key_type {
            KeyType::Single(_) => None,
            KeyType::Array(element_type) => Some(element_type),
        })
    }
}

impl fmt::Display for KeyType {
    /// The name of the type: `UINT32`, and `INT32[]` for an array.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(value_type) => value_type.fmt(f),
            Self::Array(element_type) => write!(f, "{element_type}[]"),
        }
    }
}

impl fmt::Display for KeyTypes {
    /// The names of the types: `UINT32 or INT32[]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, key_type) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " or " })?;
            key_type.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};

    fn pattern(key: &str) -> Option<&'static str> {
        key_info(key.as_bytes()).map(|info| info.pattern)
    }

    fn types(key: &str) -> String {
        key_info(key.as_bytes()).unwrap().types.to_string()
    }

    #[test]
    fn the_table_is_sorted_and_has_each_key_once() {
        assert!(KEYS.is_sorted_by(|a, b| a.pattern < b.pattern));
        assert!(KEYS.iter().all(|info| !info.pattern.contains('{') || info.pattern.starts_with(ARCHITECTURE)));
        assert!(KEYS.len() > 100);
    }

    #[test]
    fn every_key_of_the_table_is_found_and_has_types() {
        for info in KEYS {
            let key = info.pattern.replace("{arch}", "command-r");
            assert_eq!(pattern(&key), Some(info.pattern));
            assert_eq!(pattern(&format!("{key}x")), None);
            assert!(info.types.iter().next().is_some(), "{key}");
        }
    }

    #[test]
    fn keys_are_told_apart() {
        assert_eq!(pattern("llama.block_count"), Some("{arch}.block_count"));
        assert_eq!(pattern("clip.vision.block_count"), None);
        assert_eq!(pattern("block_count"), None);
        assert_eq!(pattern("tokenizer.chat_template"), Some("tokenizer.chat_template"));
        assert_eq!(pattern("tokenizer.ggml"), None);
        assert_eq!(pattern("clip.projector_type"), Some("clip.projector_type"));
        for reserved in ["general", "tokenizer"] {
            assert_eq!(pattern(&format!("{reserved}.block_count")), None);
        }
        for key in ["", ".", "...", "{arch}", "{arch}.", "general.", "general"] {
            assert_eq!(pattern(key), None, "{key}");
        }
    }

    #[test]
    fn types_are_named_and_told_apart() {
        assert_eq!(types("general.tags"), "STRING[]");
        assert_eq!(types("split.no"), "UINT16");
        assert_eq!(types("general.alignment"), "UINT32");
        assert_eq!(types("tokenizer.ggml.precompiled_charsmap"), "UINT8[] or INT8[]");
        assert_eq!(types("tokenizer.ggml.add_bos_token"), "BOOL");
        assert_eq!(types("x.rope.freq_base"), "FLOAT32");
        assert_eq!(types("split.tensors.count"), "INT32");
        assert_eq!(types("x.feed_forward_length"), "UINT32 or INT32[] or UINT32[]");
        let accepts = |key: &str, found| key_info(key.as_bytes()).unwrap().types.accept(found);
        assert!(accepts("general.tags", KeyType::Array(ValueType::String)));
        assert!(!accepts("general.tags", KeyType::Single(ValueType::String)));
        assert!(!accepts("split.no", KeyType::Single(ValueType::Uint32)));
        assert!(!accepts("split.no", KeyType::Array(ValueType::Uint16)));
    }

    #[test]
    fn properties_belong_to_the_keys_of_the_vocabulary() {
        let with = |property: fn(&KeyInfo) -> bool| KEYS.iter().filter(move |info| property(info));
        assert!(with(|info| info.is_token_id).all(|info| info.pattern.ends_with("_token_id") && info.types == UINT32));
        assert_eq!(
            with(|info| info.is_token_id).count(),
            KEYS.iter().filter(|info| info.pattern.ends_with("_id")).count()
        );
        let per_token = with(|info| info.is_per_token).map(|info| info.pattern);
        assert!(per_token.eq(["tokenizer.ggml.scores", "tokenizer.ggml.token_type"]));
    }
}
