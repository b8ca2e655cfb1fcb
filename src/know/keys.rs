//! The known metadata keys: which value types each of them has, in one table.
//!
//! They are the keys of the specification's "Standardized key-value pairs", and others that many models have. The types are
//! those that llama.cpp reads (`get_key`, which throws "key has wrong type" for any type but the one it asks for) and that
//! gguf-py writes (`GGUFWriter`), both of August 2026. Where the specification says `uint64`, both have UINT32.

use alloc::string::String;
use core::fmt;

use crate::format::header_bytes::hash;
use crate::format::value::ValueType;

/// The keys, each without its prefix, after the types that its value may have, after the prefix that the keys of several
/// types share; `*.` is any architecture's. One text, because references to many cost the module more than what they say.
///
/// A type is the character that has its id added to `` ` ``, and added to `0` if it is that of an array's elements.
/// Types end with `=`, or say more of the value: `>` that it is a token's id, `?` that it has an element for each token.
/// Before that can stand `m`, which marks what says what a file is, `n`, which marks the version of quantization, and `o`,
/// which marks the alignment. Of all these characters the low five bits say what they are.
///
/// The text itself is not in programs, only what is made of it here.
const KEYS: &str = "\
general. \
do= alignment \
d= base_model.count dataset.count file_type \
dn= quantization_version \
hm= architecture \
h= author basename description doi finetune license license.link license.name name organization \
quantized_by repo_url size_label source.url type url uuid version \
8= datasets languages tags \
split. b= count bm= no e= tensors.count \
tokenizer. h= chat_template 8= chat_templates h= huggingface.json \
tokenizer.ggml. \
d> bos_token_id cls_token_id eom_token_id eos_token_id eot_token_id fim_mid_token_id fim_pad_token_id \
fim_pre_token_id fim_rep_token_id fim_sep_token_id fim_suf_token_id mask_token_id padding_token_id \
seperator_token_id unknown_token_id \
6? scores 45? token_type \
8= added_tokens merges tokens \
d= token_type_count \
g= add_bos_token add_eos_token add_sep_token add_space_prefix remove_extra_whitespaces \
h= model pre 01= precompiled_charsmap \
adapter. h= type f= lora.alpha \
clip. g= has_audio_encoder has_vision_encoder use_gelu use_silu h= projector_type \
*. \
d= attention.key_length attention.key_length_mla attention.kv_lora_rank attention.q_lora_rank \
attention.sliding_window attention.value_length attention.value_length_mla block_count context_length \
embedding_length expert_count expert_feed_forward_length expert_gating_func expert_group_count \
expert_group_used_count expert_shared_count expert_used_count leading_dense_block_count nextn_predict_layers \
pooling_type rope.dimension_count rope.scaling.original_context_length ssm.conv_kernel ssm.group_count ssm.inner_size \
ssm.state_size ssm.time_step_rank vocab_size \
d45= attention.head_count attention.head_count_kv feed_forward_length \
f= attention.clamp_kqv attention.layer_norm_epsilon attention.layer_norm_rms_epsilon attention.max_alibi_bias \
attention.scale attn_logit_softcapping expert_weights_scale final_logit_softcapping logit_scale rope.freq_base \
rope.scale_linear rope.scaling.attn_factor rope.scaling.factor \
g= attention.causal expert_weights_norm rope.scaling.finetuned use_parallel_residual \
h= rope.scaling.type tensor_data_layout \
45= rope.dimension_sections";

/// The value types that a key may have.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{ValueType, known_types};
///
/// let types = known_types(b"llama.attention.head_count").unwrap();
/// assert_eq!(types.to_string(), "UINT32 or UINT32[] or INT32[]");
/// assert!(types.accept(ValueType::Array, Some(ValueType::Int32)));
/// assert!(!types.accept(ValueType::Float32, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTypes(
    /// A bit for each type, at the place that is its id; for each of elements [`ELEMENTS`] above; and the marks above these.
    pub(crate) u32,
);

/// Where the types of elements begin: the low five bits of `0`.
const ELEMENTS: u32 = 16;

impl KeyTypes {
    /// A type, and that of the elements if it is an array.
    pub(crate) fn of(value_type: ValueType, element_type: Option<ValueType>) -> Self {
        Self(1 << element_type.map_or(value_type.id(), |element_type| ELEMENTS + element_type.id()))
    }

    /// Whether a value of a type, and if it is an array with elements of a type, is what the key asks for.
    pub fn accept(self, value_type: ValueType, element_type: Option<ValueType>) -> bool {
        self.0 & Self::of(value_type, element_type).0 != 0
    }

    pub(crate) fn is_alignment(self) -> bool {
        self.has(b'o')
    }

    pub(crate) fn is_token_id(self) -> bool {
        self.has(b'>')
    }

    pub(crate) fn is_per_token(self) -> bool {
        self.has(b'?')
    }

    /// Whether one of the keys whose types these are says what a file is.
    pub(crate) fn says_what_it_is(self) -> bool {
        self.has(b'm')
    }

    /// Whether one of the keys whose types these are is the version of quantization.
    pub(crate) fn has_quantization_version(self) -> bool {
        self.has(b'n')
    }

    fn has(self, mark: u8) -> bool {
        self.0 & 1 << (mark & 31) != 0
    }

    /// The type of the elements that gguf-py writes, if the values can be arrays: of integers that are not bytes `INT32`.
    #[cfg(feature = "web")]
    pub(crate) fn element_type(self) -> Option<ValueType> {
        let ids = (self.0 >> ELEMENTS) & 0x1fff;
        let is_int32 = ids & (1 << ValueType::Int32.id()) != 0;
        if is_int32 { Some(ValueType::Int32) } else { ValueType::from_id(ids.trailing_zeros()) }
    }

    /// The type of the values that are no arrays, if there can be such.
    #[cfg(feature = "web")]
    pub(crate) fn scalar_type(self) -> Option<ValueType> {
        ValueType::from_id((self.0 & 0x1fff).trailing_zeros())
    }

    /// Adds the types' names to a text.
    pub(crate) fn push_to(self, text: &mut String) {
        let start = text.len();
        for bit in 0..28 {
            if self.0 & 1 << bit != 0
                && let Some(value_type) = ValueType::from_id(bit % ELEMENTS)
            {
                if text.len() > start {
                    text.push_str(" or ");
                }
                text.push_str(value_type.name());
                if bit >= ELEMENTS {
                    text.push_str("[]");
                }
            }
        }
    }
}

impl fmt::Display for KeyTypes {
    /// The types' names: `UINT32 or INT32[]`, an array.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.push_to(&mut text);
        f.write_str(&text)
    }
}

/// The groups of keys that have the same types.
const GROUPS: usize = count(b"=>?");

/// What [`KEYS`] says: the hash of every key, `!` that of what follows the first segment if that is any architecture; which
/// group each key is in; and what the groups' types are.
///
/// With hashes in the place of names the module is smaller by a third of a kilobyte. One key in ten million that nobody
/// knows is taken for one of these.
struct Table {
    hashes: [u32; COUNT],
    groups: [u8; COUNT],
    types: [u32; GROUPS],
}

const COUNT: usize = 1 + count(b" ") - count(b"=>?") - prefix_count();

const fn count(characters: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < KEYS.len() {
        let mut i = 0;
        while i < characters.len() {
            count += (KEYS.as_bytes()[at] == characters[i]) as usize;
            i += 1;
        }
        at += 1;
    }
    count
}

const fn prefix_count() -> usize {
    let (mut count, mut at) = (0, 1);
    while at < KEYS.len() {
        count += (KEYS.as_bytes()[at - 1] == b'.' && KEYS.as_bytes()[at] == b' ') as usize;
        at += 1;
    }
    count
}

const TABLE: Table = {
    let mut table = Table { hashes: [0; COUNT], groups: [0; COUNT], types: [0; GROUPS] };
    let (mut keys, mut groups) = (0, 0);
    // The prefix, in which a key follows.
    let (mut buffer, mut prefix) = ([0; 64], 0);
    let (text, mut start) = (KEYS.as_bytes(), 0);
    while start < text.len() {
        let mut end = start;
        while end < text.len() && text[end] != b' ' {
            end += 1;
        }
        let last = text[end - 1];
        let is_types = matches!(last, b'='..=b'?');
        let is_prefix = last == b'.';
        let mut at = if is_prefix { 0 } else { prefix };
        while start < end {
            if is_types {
                table.types[groups] |= 1 << (text[start] & 31);
            } else {
                buffer[at] = text[start];
                at += 1;
            }
            start += 1;
        }
        if is_prefix {
            prefix = at;
        } else if is_types {
            groups += 1;
        } else {
            let (head, key) = buffer.split_at(if buffer[0] == b'*' { 2 } else { 0 });
            let hash = hash(key.split_at(at - head.len()).0);
            table.hashes[keys] = if head.is_empty() { hash } else { !hash };
            table.groups[keys] = groups as u8 - 1;
            keys += 1;
        }
        start = end + 1;
    }
    assert!(keys == COUNT && groups == GROUPS);
    table
};

/// The types that tools agree on for the value of a key, if it is one that they know.
#[inline(never)]
pub fn known_types(key: &[u8]) -> Option<KeyTypes> {
    static KNOWN: Table = TABLE;
    let hashes = [hash(key), !hash(&key[key.iter().position(|byte| *byte == b'.')? + 1..])];
    let index = KNOWN.hashes.iter().position(|known| hashes.contains(known))?;
    Some(KeyTypes(KNOWN.types[usize::from(KNOWN.groups[index])]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    fn names(key: &str) -> Option<String> {
        known_types(key.as_bytes()).map(|types| types.to_string())
    }

    #[test]
    fn every_key_of_the_table_is_found_and_has_types() {
        let mut prefix = "";
        let mut seen = Vec::new();
        for word in KEYS.split(' ') {
            if word.ends_with('.') {
                prefix = word;
            } else if !word.ends_with(['=', '>', '?']) {
                let key = format!("{prefix}{word}").replace('*', "command-r");
                assert!(!names(&key).unwrap().is_empty(), "{key}");
                assert_eq!(names(&format!("{key}x")), None);
                assert!(!seen.contains(&key), "{key} is there twice");
                seen.push(key);
            }
        }
        assert!(seen.len() > 100);
    }

    #[test]
    fn keys_are_told_apart() {
        assert_eq!(names("llama.block_count").as_deref(), Some("UINT32"));
        assert_eq!(names("a.b.block_count"), None);
        assert_eq!(names("block_count"), None);
        assert_eq!(names("general.block_count").as_deref(), Some("UINT32"));
        assert_eq!(names("tokenizer.chat_template").as_deref(), Some("STRING"));
        assert_eq!(names("tokenizer.ggml"), None);
        for key in ["", ".", "...", "*.", "*", "d=", "general.", "general"] {
            assert_eq!(names(key), None, "{key}");
        }
    }

    #[test]
    fn types_are_named_and_told_apart() {
        let types = |key: &str| known_types(key.as_bytes()).unwrap();
        assert_eq!(types("general.tags").to_string(), "STRING[]");
        assert_eq!(types("split.no").to_string(), "UINT16");
        assert_eq!(types("general.alignment").to_string(), "UINT32");
        assert_eq!(types("tokenizer.ggml.precompiled_charsmap").to_string(), "UINT8[] or INT8[]");
        assert_eq!(types("tokenizer.ggml.add_bos_token").to_string(), "BOOL");
        assert_eq!(types("x.rope.freq_base").to_string(), "FLOAT32");
        assert_eq!(types("split.tensors.count").to_string(), "INT32");
        assert_eq!(types("x.feed_forward_length").to_string(), "UINT32 or UINT32[] or INT32[]");
        assert!(types("general.tags").accept(ValueType::Array, Some(ValueType::String)));
        assert!(!types("general.tags").accept(ValueType::String, None));
        assert!(!types("split.no").accept(ValueType::Uint32, None));
        assert!(!types("split.no").accept(ValueType::Array, Some(ValueType::Uint16)));
        assert!(!types("split.no").accept(ValueType::Array, Some(ValueType::Float64)));
    }
}
