//! The known metadata keys: which value types each of them has, in one table.
//!
//! Sources: the specification's "Standardized key-value pairs"; for keys that it does not have, and for the types of
//! all, what llama.cpp reads (`LLM_KV_NAMES`, and `get_key`, which throws "key has wrong type" for any type but the
//! one it asks for) and what gguf-py writes (`GGUFWriter`), both of August 2026; for the keys of importance matrices, control
//! vectors, projectors and image models, what the tools write that make these. Where the specification says `uint64`, llama.cpp reads
//! and every tool writes UINT32: the table follows them.

use core::cmp::Ordering;
use core::fmt;

use crate::value::ValueType;

/// A metadata key, or a family of keys, that tools agree on.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{ValueType, known_key};
///
/// let known = known_key(b"llama.attention.head_count").unwrap();
/// assert_eq!(known.pattern, "{arch}.attention.head_count");
/// assert_eq!(known.types.to_string(), "UINT32 or ARRAY of UINT32 or INT32");
/// assert!(known.types.accept(ValueType::Array, Some(ValueType::Int32)));
/// assert!(!known.types.accept(ValueType::Float32, None));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KnownKey {
    /// The key. `{arch}` and `{id}` stand for one segment between dots, the latter for a number; `{name}` for the rest.
    pub pattern: &'static str,
    /// The types that its value may have.
    pub types: KeyTypes,
}

/// The value types that a key may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTypes {
    /// The types of values that are no arrays: a bit each, at the place that is the type's id.
    scalars: u16,
    /// The types of elements, if the value is an array.
    elements: u16,
}

impl KeyTypes {
    /// Whether a value of a type, and if it is an array with elements of a type, is what the key asks for.
    pub fn accept(self, value_type: ValueType, element_type: Option<ValueType>) -> bool {
        match element_type {
            Some(element_type) => self.elements & bit(element_type) != 0,
            None => self.scalars & bit(value_type) != 0,
        }
    }

    const fn or_array_of(self, elements: Self) -> Self {
        Self { scalars: self.scalars, elements: elements.scalars }
    }

    const fn or(self, other: Self) -> Self {
        Self { scalars: self.scalars | other.scalars, elements: self.elements | other.elements }
    }
}

impl fmt::Display for KeyTypes {
    /// The types' names: `UINT32 or ARRAY of INT32`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (prefix, types) in [("", self.scalars), ("ARRAY of ", self.elements)] {
            let mut before = prefix;
            for value_type in ValueType::ALL {
                if types & bit(*value_type) != 0 {
                    f.write_str(between)?;
                    f.write_str(before)?;
                    f.write_str(value_type.name())?;
                    (between, before) = (" or ", "");
                }
            }
        }
        Ok(())
    }
}

const fn bit(value_type: ValueType) -> u16 {
    1 << value_type.id()
}

const fn only(value_type: ValueType) -> KeyTypes {
    KeyTypes { scalars: bit(value_type), elements: 0 }
}

const fn array_of(elements: KeyTypes) -> KeyTypes {
    KeyTypes { scalars: 0, elements: elements.scalars }
}

const fn key(pattern: &'static str, types: KeyTypes) -> KnownKey {
    KnownKey { pattern, types }
}

const BOOL: KeyTypes = only(ValueType::Bool);
const FLOAT32: KeyTypes = only(ValueType::Float32);
const INT32: KeyTypes = only(ValueType::Int32);
const STRING: KeyTypes = only(ValueType::String);
const UINT16: KeyTypes = only(ValueType::Uint16);
const UINT32: KeyTypes = only(ValueType::Uint32);
// llama-quantize wrote the former once, and writes the latter.
const INT32_OR_UINT32: KeyTypes = INT32.or(UINT32);
const BOOLS: KeyTypes = array_of(BOOL);
const BYTES: KeyTypes = array_of(only(ValueType::Uint8).or(only(ValueType::Int8)));
const FLOATS: KeyTypes = array_of(FLOAT32);
const INTEGERS: KeyTypes = array_of(INT32_OR_UINT32);
const STRINGS: KeyTypes = array_of(STRING);
// One value for all layers, or one for each.
const FLOAT32_OR_ARRAY: KeyTypes = FLOAT32.or_array_of(FLOAT32);
const UINT32_OR_ARRAY: KeyTypes = UINT32.or_array_of(INT32_OR_UINT32);
const PER_LAYER_FLAG: KeyTypes = UINT32.or_array_of(INT32_OR_UINT32.or(BOOL));

/// Every known key, in the order of their segments.
pub const KNOWN_KEYS: &[KnownKey] = &[
    key("adapter.alora.invocation_tokens", INTEGERS),
    key("adapter.lora.alpha", FLOAT32),
    key("adapter.lora.prompt_prefix", STRING),
    key("adapter.lora.task_name", STRING),
    key("adapter.type", STRING),
    key("clip.audio.attention.head_count", UINT32),
    key("clip.audio.attention.layer_norm_epsilon", FLOAT32),
    key("clip.audio.block_count", UINT32),
    key("clip.audio.chunk_size", UINT32),
    key("clip.audio.conv_kernel_size", UINT32),
    key("clip.audio.embedding_length", UINT32),
    key("clip.audio.feed_forward_length", UINT32),
    key("clip.audio.max_pos_emb", UINT32),
    key("clip.audio.num_mel_bins", UINT32),
    key("clip.audio.projection_dim", UINT32),
    key("clip.audio.projector.downsample_rate", UINT32),
    key("clip.audio.projector.head_count", UINT32),
    key("clip.audio.projector.stack_factor", UINT32),
    key("clip.audio.projector.window_size", UINT32),
    key("clip.audio.projector_type", STRING),
    key("clip.has_audio_encoder", BOOL),
    key("clip.has_llava_projector", BOOL),
    key("clip.has_text_encoder", BOOL),
    key("clip.has_vision_encoder", BOOL),
    key("clip.projector_type", STRING),
    key("clip.use_gelu", BOOL),
    key("clip.use_silu", BOOL),
    key("clip.vision.attention.head_count", UINT32),
    key("clip.vision.attention.layer_norm_epsilon", FLOAT32),
    key("clip.vision.block_count", UINT32),
    key("clip.vision.embedding_length", UINT32),
    key("clip.vision.feature_layer", INTEGERS),
    key("clip.vision.feed_forward_length", UINT32),
    key("clip.vision.image_grid_pinpoints", INTEGERS),
    key("clip.vision.image_max_pixels", UINT32),
    key("clip.vision.image_mean", FLOATS),
    key("clip.vision.image_min_pixels", UINT32),
    key("clip.vision.image_size", UINT32),
    key("clip.vision.image_std", FLOATS),
    key("clip.vision.is_deepstack_layers", BOOLS),
    key("clip.vision.mm_patch_merge_type", STRING),
    key("clip.vision.n_wa_pattern", UINT32),
    key("clip.vision.patch_size", UINT32),
    key("clip.vision.preproc_image_size", UINT32),
    key("clip.vision.preproc_max_tiles", UINT32),
    key("clip.vision.preproc_min_tiles", UINT32),
    key("clip.vision.projection_dim", UINT32),
    key("clip.vision.projector.scale_factor", UINT32),
    key("clip.vision.projector_type", STRING),
    key("clip.vision.sam.block_count", UINT32),
    key("clip.vision.sam.embedding_length", UINT32),
    key("clip.vision.sam.head_count", UINT32),
    key("clip.vision.spatial_merge_size", UINT32),
    key("clip.vision.wa_layer_indexes", INTEGERS),
    key("clip.vision.window_size", UINT32),
    key("comfy.gguf.orig_shape.{name}", INTEGERS),
    key("controlvector.layer_count", INT32),
    key("controlvector.model_hint", STRING),
    key("diffusion.shift_logits", BOOL),
    key("general.alignment", UINT32),
    key("general.architecture", STRING),
    key("general.author", STRING),
    key("general.base_model.count", UINT32),
    key("general.base_model.{id}.author", STRING),
    key("general.base_model.{id}.description", STRING),
    key("general.base_model.{id}.doi", STRING),
    key("general.base_model.{id}.name", STRING),
    key("general.base_model.{id}.organization", STRING),
    key("general.base_model.{id}.repo_url", STRING),
    key("general.base_model.{id}.url", STRING),
    key("general.base_model.{id}.uuid", STRING),
    key("general.base_model.{id}.version", STRING),
    key("general.basename", STRING),
    key("general.dataset.count", UINT32),
    key("general.dataset.{id}.author", STRING),
    key("general.dataset.{id}.description", STRING),
    key("general.dataset.{id}.doi", STRING),
    key("general.dataset.{id}.name", STRING),
    key("general.dataset.{id}.organization", STRING),
    key("general.dataset.{id}.repo_url", STRING),
    key("general.dataset.{id}.url", STRING),
    key("general.dataset.{id}.uuid", STRING),
    key("general.dataset.{id}.version", STRING),
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
    key("general.sampling.min_p", FLOAT32),
    key("general.sampling.mirostat", INT32),
    key("general.sampling.mirostat_eta", FLOAT32),
    key("general.sampling.mirostat_tau", FLOAT32),
    key("general.sampling.penalty_last_n", INT32),
    key("general.sampling.penalty_repeat", FLOAT32),
    key("general.sampling.sequence", STRING),
    key("general.sampling.temp", FLOAT32),
    key("general.sampling.top_k", INT32),
    key("general.sampling.top_p", FLOAT32),
    key("general.sampling.xtc_probability", FLOAT32),
    key("general.sampling.xtc_threshold", FLOAT32),
    key("general.size_label", STRING),
    key("general.source.doi", STRING),
    key("general.source.huggingface.repository", STRING),
    key("general.source.repo_url", STRING),
    key("general.source.url", STRING),
    key("general.source.uuid", STRING),
    key("general.tags", STRINGS),
    key("general.type", STRING),
    key("general.url", STRING),
    key("general.uuid", STRING),
    key("general.version", STRING),
    key("imatrix.chunk_count", UINT32),
    key("imatrix.chunk_size", UINT32),
    key("imatrix.datasets", STRINGS),
    key("quantize.imatrix.chunks_count", INT32_OR_UINT32),
    key("quantize.imatrix.dataset", STRING),
    key("quantize.imatrix.entries_count", INT32_OR_UINT32),
    key("quantize.imatrix.file", STRING),
    key("split.count", UINT16),
    key("split.no", UINT16),
    key("split.tensors.count", INT32),
    key("tokenizer.chat_template", STRING),
    key("tokenizer.chat_template.{name}", STRING),
    key("tokenizer.chat_templates", STRINGS),
    key("tokenizer.ggml.add_bos_token", BOOL),
    key("tokenizer.ggml.add_eos_token", BOOL),
    key("tokenizer.ggml.add_sep_token", BOOL),
    key("tokenizer.ggml.add_space_prefix", BOOL),
    key("tokenizer.ggml.added_tokens", STRINGS),
    key("tokenizer.ggml.bos_token_id", UINT32),
    key("tokenizer.ggml.cls_token_id", UINT32),
    key("tokenizer.ggml.eom_token_id", UINT32),
    key("tokenizer.ggml.eos_token_id", UINT32),
    key("tokenizer.ggml.eot_token_id", UINT32),
    key("tokenizer.ggml.fim_mid_token_id", UINT32),
    key("tokenizer.ggml.fim_pad_token_id", UINT32),
    key("tokenizer.ggml.fim_pre_token_id", UINT32),
    key("tokenizer.ggml.fim_rep_token_id", UINT32),
    key("tokenizer.ggml.fim_sep_token_id", UINT32),
    key("tokenizer.ggml.fim_suf_token_id", UINT32),
    key("tokenizer.ggml.mask_token_id", UINT32),
    key("tokenizer.ggml.merges", STRINGS),
    key("tokenizer.ggml.middle_token_id", UINT32),
    key("tokenizer.ggml.model", STRING),
    key("tokenizer.ggml.normalizer.lowercase", BOOL),
    key("tokenizer.ggml.normalizer.strip_accents", BOOL),
    key("tokenizer.ggml.padding_token_id", UINT32),
    key("tokenizer.ggml.pre", STRING),
    key("tokenizer.ggml.precompiled_charsmap", BYTES),
    key("tokenizer.ggml.prefix_token_id", UINT32),
    key("tokenizer.ggml.remove_extra_whitespaces", BOOL),
    key("tokenizer.ggml.scores", FLOATS),
    key("tokenizer.ggml.separator_token_id", UINT32),
    key("tokenizer.ggml.seperator_token_id", UINT32),
    key("tokenizer.ggml.suffix_token_id", UINT32),
    key("tokenizer.ggml.suppress_tokens", INTEGERS),
    key("tokenizer.ggml.token_type", INTEGERS),
    key("tokenizer.ggml.token_type_count", UINT32),
    key("tokenizer.ggml.tokens", STRINGS),
    key("tokenizer.ggml.unknown_token_id", UINT32),
    key("tokenizer.huggingface.json", STRING),
    key("tokenizer.rwkv.world", STRING),
    key("xielu.alpha_n", FLOAT32_OR_ARRAY),
    key("xielu.alpha_p", FLOAT32_OR_ARRAY),
    key("xielu.beta", FLOAT32_OR_ARRAY),
    key("xielu.eps", FLOAT32_OR_ARRAY),
    key("{arch}.activation_sparsity_scale", FLOATS),
    key("{arch}.altup.active_idx", UINT32),
    key("{arch}.altup.num_inputs", UINT32),
    key("{arch}.architecture_version", UINT32),
    key("{arch}.attention.alibi_bias_max", FLOAT32),
    key("{arch}.attention.causal", BOOL),
    key("{arch}.attention.clamp_kqv", FLOAT32),
    key("{arch}.attention.clip_kqv", FLOAT32),
    key("{arch}.attention.compress_ratios", INTEGERS),
    key("{arch}.attention.compress_rope_freq_base", FLOAT32),
    key("{arch}.attention.decay_lora_rank", UINT32),
    key("{arch}.attention.gate_lora_rank", UINT32),
    key("{arch}.attention.group_norm_epsilon", FLOAT32),
    key("{arch}.attention.group_norm_groups", UINT32),
    key("{arch}.attention.head_count", UINT32_OR_ARRAY),
    key("{arch}.attention.head_count_kv", UINT32_OR_ARRAY),
    key("{arch}.attention.iclr_lora_rank", UINT32),
    key("{arch}.attention.indexer.head_count", UINT32),
    key("{arch}.attention.indexer.key_length", UINT32),
    key("{arch}.attention.indexer.top_k", UINT32),
    key("{arch}.attention.key_length", UINT32),
    key("{arch}.attention.key_length_mla", UINT32),
    key("{arch}.attention.key_length_swa", UINT32),
    key("{arch}.attention.kv_lora_rank", UINT32),
    key("{arch}.attention.layer_norm_epsilon", FLOAT32),
    key("{arch}.attention.layer_norm_rms_epsilon", FLOAT32),
    key("{arch}.attention.max_alibi_bias", FLOAT32),
    key("{arch}.attention.output_group_count", UINT32),
    key("{arch}.attention.output_lora_rank", UINT32),
    key("{arch}.attention.output_scale", FLOAT32),
    key("{arch}.attention.q_lora_rank", UINT32),
    key("{arch}.attention.recurrent_layers", PER_LAYER_FLAG),
    key("{arch}.attention.relative_buckets_count", UINT32),
    key("{arch}.attention.scale", FLOAT32),
    key("{arch}.attention.shared_kv_layers", UINT32),
    key("{arch}.attention.sliding_window", UINT32),
    key("{arch}.attention.sliding_window_pattern", PER_LAYER_FLAG),
    key("{arch}.attention.temperature_length", UINT32),
    key("{arch}.attention.temperature_scale", FLOAT32),
    key("{arch}.attention.use_norm", BOOL),
    key("{arch}.attention.value_length", UINT32),
    key("{arch}.attention.value_length_mla", UINT32),
    key("{arch}.attention.value_length_swa", UINT32),
    key("{arch}.attention.value_residual_mix_lora_rank", UINT32),
    key("{arch}.attention.value_scale", FLOAT32),
    key("{arch}.attn_logit_softcapping", FLOAT32),
    key("{arch}.block_count", UINT32),
    key("{arch}.classifier.output_labels", STRINGS),
    key("{arch}.context_length", UINT32),
    key("{arch}.convnext.block_count", UINT32),
    key("{arch}.convnext.embedding_length", UINT32),
    key("{arch}.decoder.attention.head_count", UINT32),
    key("{arch}.decoder.block_count", UINT32),
    key("{arch}.decoder.context_length", UINT32),
    key("{arch}.decoder.embedding_length", UINT32),
    key("{arch}.decoder_block_count", UINT32),
    key("{arch}.decoder_start_token_id", UINT32),
    key("{arch}.deepstack_mapping", INTEGERS),
    key("{arch}.dense_2_feat_in", UINT32),
    key("{arch}.dense_2_feat_out", UINT32),
    key("{arch}.dense_3_feat_in", UINT32),
    key("{arch}.dense_3_feat_out", UINT32),
    key("{arch}.embedding_length", UINT32),
    key("{arch}.embedding_length_out", UINT32),
    key("{arch}.embedding_length_per_layer_input", UINT32),
    key("{arch}.embedding_scale", FLOAT32),
    key("{arch}.encoder.attention.head_count", UINT32),
    key("{arch}.encoder.block_count", UINT32),
    key("{arch}.encoder.context_length", UINT32),
    key("{arch}.encoder.embedding_length", UINT32),
    key("{arch}.encoder.mels_count", UINT32),
    key("{arch}.expert_chunk_feed_forward_length", UINT32),
    key("{arch}.expert_count", UINT32),
    key("{arch}.expert_feed_forward_length", UINT32),
    key("{arch}.expert_gating_func", UINT32),
    key("{arch}.expert_group_count", UINT32),
    key("{arch}.expert_group_scale", FLOAT32),
    key("{arch}.expert_group_used_count", UINT32),
    key("{arch}.expert_shared_count", UINT32),
    key("{arch}.expert_shared_feed_forward_length", UINT32),
    key("{arch}.expert_used_count", UINT32),
    key("{arch}.expert_weights_norm", BOOL),
    key("{arch}.expert_weights_scale", FLOAT32),
    key("{arch}.experts_per_group", UINT32),
    key("{arch}.features_length", UINT32),
    key("{arch}.feed_forward_length", UINT32_OR_ARRAY),
    key("{arch}.final_logit_softcapping", FLOAT32),
    key("{arch}.full_attention_interval", UINT32),
    key("{arch}.hash_layer_count", UINT32),
    key("{arch}.hidden_activation", STRING),
    key("{arch}.hyper_connection.count", UINT32),
    key("{arch}.hyper_connection.epsilon", FLOAT32),
    key("{arch}.hyper_connection.sinkhorn_iterations", UINT32),
    key("{arch}.interleave_moe_layer_step", UINT32),
    key("{arch}.kda.head_dim", UINT32),
    key("{arch}.leading_dense_block_count", UINT32),
    key("{arch}.logit_scale", FLOAT32),
    key("{arch}.moe_every_n_layers", UINT32),
    key("{arch}.moe_latent_size", UINT32),
    key("{arch}.n_deepstack_layers", UINT32),
    key("{arch}.nextn_predict_layers", UINT32),
    key("{arch}.norm_before_residual", BOOL),
    key("{arch}.pooling_type", UINT32),
    key("{arch}.posnet.block_count", UINT32),
    key("{arch}.posnet.embedding_length", UINT32),
    key("{arch}.rescale_every_n_layers", UINT32),
    key("{arch}.residual_scale", FLOAT32),
    key("{arch}.rope.dimension_count", UINT32),
    key("{arch}.rope.dimension_count_swa", UINT32),
    key("{arch}.rope.dimension_sections", INTEGERS),
    key("{arch}.rope.freq_base", FLOAT32),
    key("{arch}.rope.freq_base_swa", FLOAT32),
    key("{arch}.rope.scale", FLOAT32),
    key("{arch}.rope.scale_linear", FLOAT32),
    key("{arch}.rope.scaling.alpha", FLOAT32),
    key("{arch}.rope.scaling.attn_factor", FLOAT32),
    key("{arch}.rope.scaling.factor", FLOAT32),
    key("{arch}.rope.scaling.finetuned", BOOL),
    key("{arch}.rope.scaling.original_context_length", UINT32),
    key("{arch}.rope.scaling.type", STRING),
    key("{arch}.rope.scaling.yarn_attn_factor", FLOAT32),
    key("{arch}.rope.scaling.yarn_beta_fast", FLOAT32),
    key("{arch}.rope.scaling.yarn_beta_slow", FLOAT32),
    key("{arch}.rope.scaling.yarn_ext_factor", FLOAT32),
    key("{arch}.rope.scaling.yarn_log_multiplier", FLOAT32),
    key("{arch}.router_logit_softcapping", FLOAT32),
    key("{arch}.shortconv.l_cache", UINT32),
    key("{arch}.ssm.conv_kernel", UINT32),
    key("{arch}.ssm.dt_b_c_rms", BOOL),
    key("{arch}.ssm.group_count", UINT32),
    key("{arch}.ssm.inner_size", UINT32),
    key("{arch}.ssm.state_size", UINT32),
    key("{arch}.ssm.time_step_rank", UINT32),
    key("{arch}.swiglu_clamp_exp", FLOAT32_OR_ARRAY),
    key("{arch}.swiglu_clamp_shexp", FLOAT32_OR_ARRAY),
    key("{arch}.swin_norm", BOOL),
    key("{arch}.target_hidden_size", UINT32),
    key("{arch}.target_layers", INTEGERS),
    key("{arch}.tensor_data_layout", STRING),
    key("{arch}.time_decay_extra_dim", UINT32),
    key("{arch}.time_mix_extra_dim", UINT32),
    key("{arch}.token_shift_count", UINT32),
    key("{arch}.use_parallel_residual", BOOL),
    key("{arch}.vocab_size", UINT32),
    key("{arch}.wkv.head_size", UINT32),
];

/// What is known of a key: the row of it in [`KNOWN_KEYS`], or of the pattern that it matches.
pub fn known_key(key: &[u8]) -> Option<&'static KnownKey> {
    let literal = KNOWN_KEYS.binary_search_by(|known| compare(known.pattern, key, false));
    let index = literal.or_else(|_| KNOWN_KEYS.binary_search_by(|known| compare(known.pattern, key, true)));
    KNOWN_KEYS.get(index.ok()?)
}

/// The order of a pattern and a key, segment by segment. The key's first segment counts as `{arch}` if so asked, and
/// a number as `{id}`.
fn compare(pattern: &str, key: &[u8], any_architecture: bool) -> Ordering {
    let mut expected = pattern.as_bytes().split(|byte| *byte == b'.');
    let mut found = key.split(|byte| *byte == b'.');
    let mut first = any_architecture;
    loop {
        match (expected.next(), found.next()) {
            (Some(b"{name}"), Some(_)) => return Ordering::Equal,
            (Some(expected), Some(mut found)) => {
                if first {
                    found = b"{arch}";
                } else if !found.is_empty() && found.iter().all(u8::is_ascii_digit) {
                    found = b"{id}";
                }
                first = false;
                match expected.cmp(found) {
                    Ordering::Equal => {}
                    unequal => return unequal,
                }
            }
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn pattern(key: &str) -> Option<&'static str> {
        known_key(key.as_bytes()).map(|known| known.pattern)
    }

    #[test]
    fn the_table_is_in_the_order_in_which_it_is_searched() {
        for pair in KNOWN_KEYS.windows(2) {
            let segments = |at: usize| pair[at].pattern.split('.');
            assert!(segments(0).lt(segments(1)), "{} is not before {}", pair[0].pattern, pair[1].pattern);
        }
    }

    #[test]
    fn every_pattern_is_found_by_a_key_of_it() {
        for known in KNOWN_KEYS {
            let key = known.pattern.replace("{arch}", "command-r").replace("{id}", "12").replace("{name}", "a.b");
            assert_eq!(pattern(&key), Some(known.pattern), "{key}");
            assert_eq!(pattern(&alloc::format!("{key}x.y")).filter(|found| !found.contains("{name}")), None);
        }
    }

    #[test]
    fn placeholders_match_one_segment_or_the_rest() {
        assert_eq!(pattern("llama.block_count"), Some("{arch}.block_count"));
        assert_eq!(pattern("a.b.block_count"), None);
        assert_eq!(pattern("block_count"), None);
        assert_eq!(pattern("general.base_model.0.name"), Some("general.base_model.{id}.name"));
        assert_eq!(pattern("general.base_model.x.name"), None);
        assert_eq!(pattern("general.base_model..name"), None);
        assert_eq!(pattern("tokenizer.chat_template"), Some("tokenizer.chat_template"));
        assert_eq!(pattern("tokenizer.chat_template.tool.use"), Some("tokenizer.chat_template.{name}"));
        assert_eq!(pattern("tokenizer.chat_templates"), Some("tokenizer.chat_templates"));
        assert_eq!(pattern(""), None);
        assert_eq!(pattern("..."), None);
    }

    #[test]
    fn types_are_named_and_told_apart() {
        let types = |key: &str| known_key(key.as_bytes()).unwrap().types;
        assert_eq!(types("general.tags").to_string(), "ARRAY of STRING");
        assert_eq!(types("split.no").to_string(), "UINT16");
        assert_eq!(
            types("x.attention.sliding_window_pattern").to_string(),
            "UINT32 or ARRAY of UINT32 or INT32 or BOOL"
        );
        assert!(types("general.tags").accept(ValueType::Array, Some(ValueType::String)));
        assert!(!types("general.tags").accept(ValueType::String, None));
        assert!(!types("split.no").accept(ValueType::Uint32, None));
        assert!(!types("split.no").accept(ValueType::Array, Some(ValueType::Uint16)));
    }
}
