//! MPT.

use serde_json::Value;

use super::gpt::without_transformer;
use super::row::{DECODER, Family};
use super::rule::name;
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, Members, float, unsigned};
use crate::model::entries::EntryValue;
use crate::model::json_members::is_true;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use gguf_format::error::{Result, error};

const RULES: Rules = rules![
    name("wte", "token_embd"),
    name("norm_f", "output_norm"),
    name("lm_head", "output"),
    name("blocks.#.norm_1", "blk.#.attn_norm"),
    name("blocks.#.norm_2", "blk.#.ffn_norm"),
    name("blocks.#.attn.Wqkv", "blk.#.attn_qkv"),
    name("blocks.#.attn.q_ln", "blk.#.attn_q_norm"),
    name("blocks.#.attn.k_ln", "blk.#.attn_k_norm"),
    name("blocks.#.attn.out_proj", "blk.#.attn_output"),
    name("blocks.#.ffn.up_proj", "blk.#.ffn_up"),
    name("blocks.#.ffn.down_proj", "blk.#.ffn_down"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["MPTForCausalLM"],
    architecture: "mpt",
    config: ConfigRules::Types(&["mpt"]),
    rename: without_transformer,
    rules: &[RULES],
    // The reference writes no file type.
    keys: &[
        Key::RequiredUnsigned("context_length", &["max_seq_len"]),
        Key::RequiredUnsigned("embedding_length", &["d_model"]),
        BLOCK_COUNT,
        Key::Call(feed_forward),
        Key::RequiredUnsigned("attention.head_count", &["n_heads"]),
        Key::Call(attention),
    ],
    ..DECODER
}];

fn feed_forward(keys: &mut Keys<'_>) -> Result<()> {
    let size = keys.config.required(&["d_model"])?;
    keys.put("feed_forward_length", EntryValue::U32(size.saturating_mul(4)));
    Ok(())
}

/// The members of `attn_config`.
fn attention_members(config: &Config) -> Result<Members> {
    match config.get("attn_config") {
        None | Some(Value::Null) => Ok(Members::new()),
        Some(Value::Object(members)) => Ok(members.clone()),
        Some(_) => Err(error!(BadJson: "\"attn_config\" in {CONFIG} is no object; download the file again")),
    }
}

/// What `attn_config` says. Missing members have the values of the class.
fn attention(keys: &mut Keys<'_>) -> Result<()> {
    let members = attention_members(keys.config)?;
    let present = |name: &str| members.get(name).filter(|value| !value.is_null());
    if let Some(heads) = present("kv_n_heads").map(|heads| unsigned("kv_n_heads", heads)).transpose()?
        && heads > 0
    {
        keys.put("attention.head_count_kv", EntryValue::U32(heads));
    }
    keys.put("attention.layer_norm_epsilon", EntryValue::F32(1e-5));
    if let Some(clamp) = present("clip_qkv") {
        keys.put("attention.clamp_kqv", EntryValue::F32(float("clip_qkv", clamp)? as f32));
    }
    let bias = match members.get("alibi").is_none_or(is_true) {
        true => present("alibi_bias_max").map_or(Ok(8.0), |bias| float("alibi_bias_max", bias))?,
        false => 0.0,
    };
    keys.put("attention.max_alibi_bias", EntryValue::F32(bias as f32));
    Ok(())
}
