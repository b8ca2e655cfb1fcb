//! GPT-2 and the families that came from it: GPT-NeoX, StarCoder, Falcon, BLOOM.

use alloc::string::String;
use alloc::vec::Vec;

use super::decoder::{ATTENTION, ENDS, NORMS};
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, Rule, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::tensors::view::View;
use gguf_format::error::{Result, error};

/// The matrices of GPT-2 have a row for each input.
const fn transposed(source: &'static str, target: &'static str) -> Rule {
    name(source, target).with(Change::Transpose)
}

const GPT2: Rules = rules![
    name("wte", "token_embd"),
    name("wpe", "position_embd"),
    name("ln_f", "output_norm"),
    name("lm_head", "output"),
    name("h.#.ln_1", "blk.#.attn_norm"),
    name("h.#.ln_2", "blk.#.ffn_norm"),
    transposed("h.#.attn.c_attn", "blk.#.attn_qkv"),
    transposed("h.#.attn.c_proj", "blk.#.attn_output"),
    transposed("h.#.mlp.c_fc", "blk.#.ffn_up"),
    transposed("h.#.mlp.c_proj", "blk.#.ffn_down"),
];

const BIGCODE: Rules = rules![
    name("wte", "token_embd"),
    name("wpe", "position_embd"),
    name("ln_f", "output_norm"),
    name("lm_head", "output"),
    name("h.#.ln_1", "blk.#.attn_norm"),
    name("h.#.ln_2", "blk.#.ffn_norm"),
    name("h.#.attn.c_attn", "blk.#.attn_qkv"),
    name("h.#.attn.c_proj", "blk.#.attn_output"),
    name("h.#.mlp.c_fc", "blk.#.ffn_up"),
    name("h.#.mlp.c_proj", "blk.#.ffn_down"),
];

const NEOX: Rules = rules![
    name("embed_in", "token_embd"),
    name("final_layer_norm", "output_norm"),
    name("embed_out", "output"),
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm"),
    name("layers.#.attention.query_key_value", "blk.#.attn_qkv").with(Change::Custom(heads_together)),
    name("layers.#.attention.dense", "blk.#.attn_output"),
    name("layers.#.mlp.dense_h_to_4h", "blk.#.ffn_up"),
    name("layers.#.mlp.dense_4h_to_h", "blk.#.ffn_down"),
];

const STARCODER2: Rules =
    rules![name("layers.#.mlp.c_fc", "blk.#.ffn_up"), name("layers.#.mlp.c_proj", "blk.#.ffn_down")];

const FALCON: Rules = rules![
    name("word_embeddings", "token_embd"),
    name("ln_f", "output_norm"),
    name("lm_head", "output"),
    name("h.#.input_layernorm", "blk.#.attn_norm"),
    name("h.#.ln_mlp", "blk.#.attn_norm"),
    name("h.#.ln_attn", "blk.#.attn_norm_2"),
    name("h.#.self_attention.query_key_value", "blk.#.attn_qkv").with(Change::Custom(groups_together)),
    name("h.#.self_attention.dense", "blk.#.attn_output"),
    name("h.#.mlp.dense_h_to_4h", "blk.#.ffn_up"),
    name("h.#.mlp.dense_4h_to_h", "blk.#.ffn_down"),
];

const BLOOM: Rules = rules![
    name("word_embeddings", "token_embd"),
    name("word_embeddings_layernorm", "token_embd_norm"),
    name("ln_f", "output_norm"),
    name("lm_head", "output"),
    name("h.#.input_layernorm", "blk.#.attn_norm"),
    name("h.#.post_attention_layernorm", "blk.#.ffn_norm"),
    name("h.#.self_attention.query_key_value", "blk.#.attn_qkv").with(Change::Custom(heads_together)),
    name("h.#.self_attention.dense", "blk.#.attn_output"),
    name("h.#.mlp.dense_h_to_4h", "blk.#.ffn_up"),
    name("h.#.mlp.dense_4h_to_h", "blk.#.ffn_down"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["GPT2LMHeadModel"],
        architecture: "gpt2",
        config: ConfigRules::Types(&["gpt2"]),
        rename: without_transformer,
        rules: &[GPT2],
        keys: &[
            BLOCK_COUNT,
            // The class of transformers calls it n_positions, too.
            Key::RequiredUnsigned("context_length", &["n_ctx"]),
            Key::RequiredUnsigned("embedding_length", &["n_embd"]),
            Key::Call(four_times_n_embd),
            Key::RequiredUnsigned("attention.head_count", &["n_head"]),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon"]),
            Key::FileType,
        ],
        ..DECODER
    },
    Family {
        classes: &["GPTBigCodeForCausalLM"],
        architecture: "starcoder",
        config: ConfigRules::Types(&["gpt_bigcode"]),
        rename: without_transformer,
        rules: &[BIGCODE],
        keys: &[
            Key::RequiredUnsigned("context_length", &["n_positions"]),
            Key::RequiredUnsigned("embedding_length", &["n_embd"]),
            Key::Call(four_times_n_embd),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["n_head"]),
            Key::FixedUnsigned("attention.head_count_kv", 1),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon"]),
            Key::FileType,
        ],
        ..DECODER
    },
    Family {
        classes: &["GPTNeoXForCausalLM"],
        architecture: "gptneox",
        config: ConfigRules::Types(&["gpt_neox"]),
        rename: without_gpt_neox,
        rules: &[NEOX],
        // The reference writes no file type.
        keys: &[
            Key::RequiredUnsigned("context_length", &["max_position_embeddings"]),
            Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
            BLOCK_COUNT,
            Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
            Key::Call(rotated_part),
            Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
            Key::Call(parallel_residual),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_eps"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["Starcoder2ForCausalLM"],
        architecture: "starcoder2",
        config: ConfigRules::Types(&["starcoder2"]),
        rules: &[ENDS, ATTENTION, NORMS, STARCODER2],
        ..DECODER
    },
    Family {
        classes: &["FalconForCausalLM", "RWForCausalLM"],
        architecture: "falcon",
        config: ConfigRules::Types(&["falcon"]),
        rename: without_transformer,
        rules: &[FALCON],
        keys: &[
            // config.json does not say it.
            Key::FixedUnsigned("context_length", 2048),
            Key::FixedText("tensor_data_layout", "jploski"),
            Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
            Key::Call(four_times_hidden_size),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["num_attention_heads", "n_head"]),
            Key::Call(falcon_key_value_heads),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon"]),
            Key::FileType,
        ],
        ..DECODER
    },
    Family {
        classes: &["BloomForCausalLM", "BloomModel"],
        architecture: "bloom",
        config: ConfigRules::Types(&["bloom"]),
        rename: without_transformer,
        rules: &[BLOOM],
        keys: &[
            Key::RequiredUnsigned("context_length", &["seq_length", "hidden_size"]),
            Key::RequiredUnsigned("embedding_length", &["hidden_size", "n_embed"]),
            Key::Call(four_times_hidden_size),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["n_head", "num_attention_heads"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["n_head", "num_attention_heads"]),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon"]),
            Key::FileType,
        ],
        ..DECODER
    },
];

pub(super) fn without_transformer(_: &Config, name: &str) -> Option<String> {
    Some(name.strip_prefix("transformer.").unwrap_or(name).into())
}

fn without_gpt_neox(_: &Config, name: &str) -> Option<String> {
    Some(name.strip_prefix("gpt_neox.").unwrap_or(name).into())
}

fn four_times(keys: &mut Keys<'_>, member: &str) -> Result<()> {
    let size = keys.config.required(&[member])?;
    keys.put("feed_forward_length", EntryValue::U32(size.saturating_mul(4)));
    Ok(())
}

pub(super) fn four_times_n_embd(keys: &mut Keys<'_>) -> Result<()> {
    four_times(keys, "n_embd")
}

fn four_times_hidden_size(keys: &mut Keys<'_>) -> Result<()> {
    four_times(keys, "hidden_size")
}

/// `rope.dimension_count`: a part of the size of a head.
fn rotated_part(keys: &mut Keys<'_>) -> Result<()> {
    let head = keys.config.required(&["hidden_size"])? / keys.config.heads()?;
    let part = keys.config.required_float(&["rotary_pct"])?;
    keys.put("rope.dimension_count", EntryValue::U32((part * f64::from(head)) as u32));
    Ok(())
}

fn parallel_residual(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "use_parallel_residual";
    // Null is false.
    let default = keys.config.get(NAME).is_none();
    let value = keys.config.boolean(NAME)?.unwrap_or(default);
    keys.put("use_parallel_residual", EntryValue::Bool(value));
    Ok(())
}

/// The number of heads of keys and values, and 1 if it is 0.
fn key_value_heads(config: &Config) -> Result<u32> {
    Ok(config.unsigned(&["num_kv_heads", "n_head_kv"])?.unwrap_or(1).max(1))
}

fn falcon_key_value_heads(keys: &mut Keys<'_>) -> Result<()> {
    let heads = key_value_heads(keys.config)?;
    keys.put("attention.head_count_kv", EntryValue::U32(heads));
    Ok(())
}

/// Rows are stored head by head: query, key, value. The new tensor has all queries, then all keys, then all values.
fn heads_together(found: &Found<'_>) -> Result<Vec<Piece>> {
    let heads = u64::from(found.config.heads()?);
    let view = found.view.clone().divided(0, &[Some(heads), Some(3), None])?;
    let part = |part| view.clone().sliced(1, part, 1, 1);
    Ok(vec![found.joined(vec![part(0)?, part(1)?, part(2)?])])
}

/// Rows are stored group by group: the queries of the group, a key, a value. The new tensor has all queries, then all keys, then all
/// values.
fn groups_together(found: &Found<'_>) -> Result<Vec<Piece>> {
    let heads = u64::from(found.config.heads()?);
    let groups = u64::from(key_value_heads(found.config)?);
    let size = u64::from(found.config.required(&["hidden_size"])?);
    if !heads.is_multiple_of(groups) || !size.is_multiple_of(heads) {
        return Err(error!(BadJson:
            "the configuration has {heads} heads, {groups} heads of keys, and a hidden size of {size}: expected multiples"));
    }
    let queries = heads / groups;
    let view: View =
        found.view.clone().with_rank(2)?.divided(0, &[Some(groups), Some(queries + 2), Some(size / heads)])?;
    let part = |start, length| view.clone().sliced(1, start, 1, length);
    Ok(vec![found.joined(vec![part(0, queries)?, part(queries, 1)?, part(queries + 1, 1)?])])
}
