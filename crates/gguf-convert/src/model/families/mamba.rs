//! Mamba.

use alloc::string::String;

use super::row::{DECODER, Family};
use super::rule::{Change, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// Embedding, norms and output of Mamba and Mamba 2.
pub(super) const ENDS: Rules = rules![
    name("embeddings", "token_embd"),
    name("embedding", "token_embd"),
    name("norm_f", "output_norm"),
    name("lm_head", "output"),
    name("layers.#.norm", "blk.#.attn_norm"),
];

const RULES: Rules = rules![
    name("layers.#.mixer.in_proj", "blk.#.ssm_in"),
    name("layers.#.mixer.conv1d", "blk.#.ssm_conv1d").with(Change::Squeeze),
    name("layers.#.mixer.x_proj", "blk.#.ssm_x"),
    name("layers.#.mixer.dt_proj", "blk.#.ssm_dt"),
    whole("layers.#.mixer.A_log", "blk.#.ssm_a").with(Change::NegativeExponential),
    whole("layers.#.mixer.D", "blk.#.ssm_d"),
    name("layers.#.mixer.out_proj", "blk.#.ssm_out"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["MambaForCausalLM", "MambaLMHeadModel", "FalconMambaForCausalLM"],
    architecture: "mamba",
    vocabulary: Vocabulary::Mamba,
    // The reference does not ask the class, which would change values.
    config: ConfigRules::AsItIs(&[]),
    rename: without_backbone,
    rules: &[ENDS, RULES],
    drops_equal_output: true,
    keys: &[
        // llama.cpp needs these numbers, but does not use them.
        Key::FixedUnsigned("context_length", 1 << 20),
        Key::RequiredUnsigned("embedding_length", &["hidden_size", "d_model"]),
        Key::FixedUnsigned("feed_forward_length", 0),
        Key::FixedUnsigned("attention.head_count", 0),
        BLOCK_COUNT,
        Key::Call(state_sizes),
        Key::Call(check_vocabulary),
        Key::FileType,
    ],
    ..DECODER
}];

pub(super) fn without_backbone(_: &Config, name: &str) -> Option<String> {
    Some(name.strip_prefix("backbone.").unwrap_or(name).into())
}

/// The size of the vocabulary must be there: it is rounded up.
fn check_vocabulary(keys: &mut Keys<'_>) -> Result<()> {
    keys.config.required(&["vocab_size"]).map(|_| ())
}

fn state_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    // 0 counts as missing.
    let size = |names: &[&str], default: u32| {
        config.unsigned(names).map(|size| size.filter(|size| *size != 0).unwrap_or(default))
    };
    let model = config.required(&["hidden_size", "d_model"])?;
    let inner = size(&["intermediate_size", "d_inner"], model.saturating_mul(2))?;
    if u64::from(inner) != 2 * u64::from(model) {
        return Err(error!(UnsupportedModel:
            "{CONFIG} has an inner size of {inner} and a hidden size of {model}: llama.cpp expects twice the hidden size"));
    }
    let epsilon = config.float(&["layer_norm_epsilon", "rms_norm_eps"])?.filter(|epsilon| *epsilon != 0.0);
    let kernel = size(&["conv_kernel", "d_conv"], 4)?;
    let state = size(&["state_size", "d_state"], 16)?;
    // The rank may also be "auto".
    let rank = match config.find(&["time_step_rank", "dt_rank"]) {
        Some((_, value)) if value.as_str() == Some("auto") => model.div_ceil(16),
        _ => size(&["time_step_rank", "dt_rank"], model.div_ceil(16))?,
    };
    let is_falcon = config.text(&["model_type"])? == Some("falcon_mamba");
    for (key, value) in [
        ("ssm.conv_kernel", EntryValue::U32(kernel)),
        ("ssm.inner_size", EntryValue::U32(inner)),
        ("ssm.state_size", EntryValue::U32(state)),
        ("ssm.time_step_rank", EntryValue::U32(rank)),
        ("attention.layer_norm_rms_epsilon", EntryValue::F32(epsilon.unwrap_or(1e-5) as f32)),
        ("ssm.dt_b_c_rms", EntryValue::Bool(is_falcon)),
    ] {
        keys.put(key, value);
    }
    Ok(())
}
