//! CodeShell, Refact and OpenELM, whose tensors have the names of GPT-2.

use alloc::vec::Vec;

use serde_json::Value;

use super::gpt::{four_times_n_embd, without_transformer};
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, dropped, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules, float, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::json_members::elements;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

const ENDS: Rules = rules![name("wte", "token_embd"), name("ln_f", "output_norm"), name("lm_head", "output")];

const BLOCKS: Rules = rules![
    name("h.#.ln_1", "blk.#.attn_norm"),
    name("h.#.ln_2", "blk.#.ffn_norm"),
    name("h.#.attn.c_proj", "blk.#.attn_output"),
    name("h.#.mlp.c_proj", "blk.#.ffn_down"),
];

const CODE_SHELL: Rules = rules![
    name("h.#.attn.c_attn", "blk.#.attn_qkv"),
    name("h.#.mlp.c_fc", "blk.#.ffn_up"),
    dropped("h.#.attn.rotary_emb.inv_freq"),
];

const REFACT: Rules = rules![
    whole("h.#.attn.q.weight", "blk.#.attn_q.weight"),
    whole("h.#.attn.kv.weight", "").with(Change::Custom(key_and_value)),
    whole("h.#.mlp.gate_up_proj.weight", "").with(Change::Custom(gate_and_up)),
];

const OPEN_ELM: Rules = rules![
    name("token_embeddings", "token_embd"),
    name("norm", "output_norm"),
    name("layers.#.attn_norm", "blk.#.attn_norm"),
    name("layers.#.attn.qkv_proj", "blk.#.attn_qkv"),
    name("layers.#.attn.q_norm", "blk.#.attn_q_norm"),
    name("layers.#.attn.k_norm", "blk.#.attn_k_norm"),
    name("layers.#.attn.out_proj", "blk.#.attn_output"),
    name("layers.#.ffn_norm", "blk.#.ffn_norm"),
    whole("layers.#.ffn.proj_1.weight", "").with(Change::Custom(first_projection)),
    name("layers.#.ffn.proj_2", "blk.#.ffn_down"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["CodeShellForCausalLM"],
        architecture: "codeshell",
        config: ConfigRules::AsItIs(&["codeshell"]),
        rename: without_transformer,
        rules: &[ENDS, BLOCKS, CODE_SHELL],
        keys: &[
            Key::RequiredUnsigned("context_length", &["n_positions"]),
            Key::RequiredUnsigned("embedding_length", &["n_embd"]),
            Key::Call(four_times_n_embd),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["n_head"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["num_query_groups"]),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon"]),
            Key::FileType,
            Key::FixedFloat("rope.freq_base", 10_000.0),
            Key::FixedText("rope.scaling.type", "linear"),
            Key::FixedFloat("rope.scaling.factor", 1.0),
        ],
        ..DECODER
    },
    Family {
        classes: &["GPTRefactForCausalLM"],
        architecture: "refact",
        config: ConfigRules::AsItIs(&["gpt_refact"]),
        rename: without_transformer,
        rules: &[ENDS, BLOCKS, REFACT],
        vocabulary: Vocabulary::Refact,
        keys: &[
            Key::RequiredUnsigned("context_length", &["n_positions"]),
            Key::RequiredUnsigned("embedding_length", &["n_embd"]),
            Key::Call(|keys| {
                let length = refact_length(keys.config)?;
                keys.put("feed_forward_length", EntryValue::U32(length as u32));
                Ok(())
            }),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["n_head"]),
            Key::FixedUnsigned("attention.head_count_kv", 1),
            Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["layer_norm_epsilon"]),
            Key::FileType,
        ],
        ..DECODER
    },
    Family {
        classes: &["OpenELMForCausalLM"],
        architecture: "openelm",
        config: ConfigRules::AsItIs(&["openelm"]),
        adjust: |config| {
            // The reference does not read other names of the number of blocks.
            let count = config.required(&["num_transformer_layers"])?;
            config.set("n_layers", count.into());
            Ok(())
        },
        rename: without_transformer,
        rules: &[OPEN_ELM],
        vocabulary: Vocabulary::SentencePiece,
        keys: &[
            BLOCK_COUNT,
            Key::RequiredUnsigned("context_length", &["max_context_length"]),
            Key::RequiredUnsigned("embedding_length", &["model_dim"]),
            Key::Call(lists),
            Key::RequiredFloat("rope.freq_base", &["rope_freq_constant"]),
            Key::FixedFloat("attention.layer_norm_rms_epsilon", 1e-6),
            Key::RequiredUnsigned("rope.dimension_count", &["head_dim"]),
            Key::RequiredUnsigned("attention.key_length", &["head_dim"]),
            Key::RequiredUnsigned("attention.value_length", &["head_dim"]),
            Key::FileType,
        ],
        ..DECODER
    },
];

/// The first rows become one tensor, the others another.
fn two_parts(found: &Found<'_>, first: u64, targets: [&str; 2]) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(2)?;
    let rows = view.axes[0].length;
    if first > rows {
        return Err(error!(BadSafetensors: "its shape is {:?}: expected at least {first} rows", view.shape()));
    }
    let part = |target, start, count| -> Result<Piece> {
        Ok(found.piece_named(target, view.clone().sliced(0, start, 1, count)?))
    };
    Ok(vec![part(targets[0], 0, first)?, part(targets[1], first, rows - first)?])
}

fn key_and_value(found: &Found<'_>) -> Result<Vec<Piece>> {
    let head = found.config.required(&["n_embd"])? / found.config.heads()?;
    two_parts(found, head.into(), ["blk.#.attn_k.weight", "blk.#.attn_v.weight"])
}

fn gate_and_up(found: &Found<'_>) -> Result<Vec<Piece>> {
    two_parts(found, refact_length(found.config)?, ["blk.#.ffn_gate.weight", "blk.#.ffn_up.weight"])
}

/// Two thirds of the usual length, rounded up.
fn refact_length(config: &Config) -> Result<u64> {
    let length = 8 * u64::from(config.required(&["n_embd"])?) / 3;
    Ok(length.next_multiple_of(256))
}

fn first_projection(found: &Found<'_>) -> Result<Vec<Piece>> {
    let length = lengths(found.config)?.get(found.block as usize).copied();
    let length = length.ok_or_else(|| missing(&["ffn_multipliers"]))?;
    two_parts(found, u64::try_from(length).unwrap_or(u64::MAX), ["blk.#.ffn_gate.weight", "blk.#.ffn_up.weight"])
}

/// The lengths of the feed-forward networks of OpenELM.
fn lengths(config: &Config) -> Result<Vec<i32>> {
    let size = f64::from(config.required(&["model_dim"])?);
    let divisor = f64::from(config.required(&["ffn_dim_divisor"])?);
    let multipliers = elements(config.get("ffn_multipliers").ok_or_else(|| missing(&["ffn_multipliers"]))?);
    let length = |multiplier: &Value| {
        let length = float("ffn_multipliers", multiplier)? * size;
        let rounded = divisor.max(libm::floor(libm::trunc(length + divisor / 2.0) / divisor) * divisor);
        Ok(if rounded < 0.9 * length { rounded + divisor } else { rounded } as i32)
    };
    multipliers.iter().map(length).collect()
}

fn lists(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let blocks = config.block_count()? as usize;
    let numbers = |name: &str| -> Result<Vec<i32>> {
        let list = config.get(name).ok_or_else(|| missing(&[name]))?;
        let numbers = elements(list).iter().map(|number| number.as_u64().and_then(|number| i32::try_from(number).ok()));
        let numbers: Option<Vec<i32>> = numbers.collect();
        numbers.ok_or_else(|| wrong_type(name, list, "a list of whole numbers"))
    };
    let lists = [
        ("feed_forward_length", lengths(config)?, "ffn_multipliers"),
        ("attention.head_count", numbers("num_query_heads")?, "num_query_heads"),
        ("attention.head_count_kv", numbers("num_kv_heads")?, "num_kv_heads"),
    ];
    for (key, list, name) in lists {
        if list.len() != blocks {
            let found = config.get(name).unwrap_or(&Value::Null);
            return Err(wrong_type(name, found, &format!("{blocks} numbers")));
        }
        keys.put(key, EntryValue::I32s(list));
    }
    Ok(())
}
