//! T5, mT5 and UMT5.

use super::row::{DECODER, Family};
use super::rule::{Change, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use alloc::string::String;
use gguf_format::error::Result;

const RULES: Rules = rules![
    // The encoder, the decoder and the model have the same embedding, of which the first that is stored counts.
    name("shared", "token_embd").with(Change::First),
    name("encoder.embed_tokens", "token_embd").with(Change::First),
    name("decoder.embed_tokens", "token_embd").with(Change::First),
    name("lm_head", "output"),
    name("encoder.final_layer_norm", "enc.output_norm"),
    name("encoder.block.#.layer.0.layer_norm", "enc.blk.#.attn_norm"),
    name("encoder.block.#.layer.0.SelfAttention.q", "enc.blk.#.attn_q"),
    name("encoder.block.#.layer.0.SelfAttention.k", "enc.blk.#.attn_k"),
    name("encoder.block.#.layer.0.SelfAttention.v", "enc.blk.#.attn_v"),
    name("encoder.block.#.layer.0.SelfAttention.o", "enc.blk.#.attn_o"),
    name("encoder.block.#.layer.0.SelfAttention.relative_attention_bias", "enc.blk.#.attn_rel_b"),
    name("encoder.block.#.layer.1.layer_norm", "enc.blk.#.ffn_norm"),
    name("encoder.block.#.layer.1.DenseReluDense.wi", "enc.blk.#.ffn_up"),
    name("encoder.block.#.layer.1.DenseReluDense.wi_0", "enc.blk.#.ffn_gate"),
    name("encoder.block.#.layer.1.DenseReluDense.wi_1", "enc.blk.#.ffn_up"),
    name("encoder.block.#.layer.1.DenseReluDense.wo", "enc.blk.#.ffn_down"),
];

const DECODER_RULES: Rules = rules![
    name("decoder.final_layer_norm", "dec.output_norm"),
    name("decoder.block.#.layer.0.layer_norm", "dec.blk.#.attn_norm"),
    name("decoder.block.#.layer.0.SelfAttention.q", "dec.blk.#.attn_q"),
    name("decoder.block.#.layer.0.SelfAttention.k", "dec.blk.#.attn_k"),
    name("decoder.block.#.layer.0.SelfAttention.v", "dec.blk.#.attn_v"),
    name("decoder.block.#.layer.0.SelfAttention.o", "dec.blk.#.attn_o"),
    name("decoder.block.#.layer.0.SelfAttention.relative_attention_bias", "dec.blk.#.attn_rel_b"),
    name("decoder.block.#.layer.1.layer_norm", "dec.blk.#.cross_attn_norm"),
    name("decoder.block.#.layer.1.EncDecAttention.q", "dec.blk.#.cross_attn_q"),
    name("decoder.block.#.layer.1.EncDecAttention.k", "dec.blk.#.cross_attn_k"),
    name("decoder.block.#.layer.1.EncDecAttention.v", "dec.blk.#.cross_attn_v"),
    name("decoder.block.#.layer.1.EncDecAttention.o", "dec.blk.#.cross_attn_o"),
    name("decoder.block.#.layer.1.EncDecAttention.relative_attention_bias", "dec.blk.#.cross_attn_rel_b"),
    name("decoder.block.#.layer.2.layer_norm", "dec.blk.#.ffn_norm"),
    name("decoder.block.#.layer.2.DenseReluDense.wi", "dec.blk.#.ffn_up"),
    name("decoder.block.#.layer.2.DenseReluDense.wi_0", "dec.blk.#.ffn_gate"),
    name("decoder.block.#.layer.2.DenseReluDense.wi_1", "dec.blk.#.ffn_up"),
    name("decoder.block.#.layer.2.DenseReluDense.wo", "dec.blk.#.ffn_down"),
];

const SIZES: &[Key] = &[
    Key::Call(context_length),
    Key::RequiredUnsigned("embedding_length", &["d_model"]),
    Key::RequiredUnsigned("feed_forward_length", &["d_ff"]),
    BLOCK_COUNT,
];

const ATTENTION: &[Key] = &[
    Key::RequiredUnsigned("attention.head_count", &["num_heads"]),
    Key::RequiredUnsigned("attention.key_length", &["d_kv"]),
    Key::RequiredUnsigned("attention.value_length", &["d_kv"]),
    Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon"]),
    Key::RequiredUnsigned("attention.relative_buckets_count", &["relative_attention_num_buckets"]),
    Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["layer_norm_epsilon"]),
];

const T5: Family = Family {
    architecture: "t5",
    config: ConfigRules::Types(&["t5", "mt5", "umt5"]),
    rename: |_: &Config, name: &str| Some(String::from(name)),
    vocabulary: Vocabulary::T5,
    rules: &[RULES, DECODER_RULES],
    keys: &[
        Key::List(SIZES),
        Key::Unsigned("decoder_block_count", &["num_decoder_layers"]),
        Key::List(ATTENTION),
        Key::RequiredUnsigned("decoder_start_token_id", &["decoder_start_token_id"]),
        Key::FileType,
    ],
    ..DECODER
};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &[
            "T5ForConditionalGeneration",
            "T5WithLMHeadModel",
            "MT5ForConditionalGeneration",
            "UMT5ForConditionalGeneration",
            "UMT5Model",
        ],
        ..T5
    },
    Family {
        classes: &["T5EncoderModel"],
        architecture: "t5encoder",
        rules: &[RULES],
        keys: &[Key::List(SIZES), Key::List(ATTENTION), Key::FileType],
        ..T5
    },
];

fn context_length(keys: &mut Keys<'_>) -> Result<()> {
    let length = keys.config.unsigned(&["n_positions"])?.unwrap_or(512);
    keys.put("context_length", EntryValue::U32(length));
    Ok(())
}
