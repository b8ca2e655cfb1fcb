//! Layers that predict later tokens: the blocks after those of the model itself, which llama.cpp uses as a draft.

use alloc::string::String;

use super::config::Config;
use super::entries::EntryValue;
use super::keys::Keys;
use super::next_token_layers::NextTokenLayers;
use gguf_format::error::Result;

/// The tensors that such layers share with the model.
const SHARED: &[&str] = &["model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"];

/// The names of tensors of `mtp` that are in no layer, and their names in the block.
const HEAD: &[(&str, &str)] = &[
    ("fc", "eh_proj"),
    ("pre_fc_norm_embedding", "enorm"),
    ("pre_fc_norm_hidden", "hnorm"),
    ("norm", "shared_head.norm"),
];

/// The number of layers whose tensors have names like `mtp.layers.0.mlp.up_proj.weight`.
pub(super) fn stored_layers<'a>(names: impl Iterator<Item = &'a str>) -> u32 {
    let layer = |name: &'a str| {
        let name = name.strip_prefix("model.").unwrap_or(name);
        let (number, _) = name.strip_prefix("mtp.layers.")?.split_once('.')?;
        number.parse::<u32>().ok()?.checked_add(1)
    };
    names.filter_map(layer).max().unwrap_or(0)
}

/// Adds the blocks that the configuration counts in `num_nextn_predict_layers`, unless they are left out.
pub(crate) fn counted_blocks(config: &mut Config) -> Result<()> {
    let count = match config.next_token_layers() {
        NextTokenLayers::LeftOut => 0,
        _ => config.unsigned(&["num_nextn_predict_layers"])?.unwrap_or(0),
    };
    config.add_next_token_blocks(count)
}

/// The name without `model.`. Tensors of blocks that are not wanted are left out. The blocks come after those of the model.
pub(crate) fn block_name(config: &Config, name: &str) -> Option<String> {
    let inner = name.strip_prefix("model.").unwrap_or(name);
    let number = name.strip_prefix("model.layers.").and_then(|rest| rest.split_once('.')?.0.parse::<u32>().ok());
    let first = config.first_next_token_block().ok()?;
    let is_next = number.is_some_and(|number| number >= first);
    let is_wanted = match config.next_token_layers() {
        NextTokenLayers::Included => true,
        NextTokenLayers::Alone => is_next || SHARED.contains(&name),
        NextTokenLayers::LeftOut => !is_next,
    };
    is_wanted.then(|| inner.into())
}

/// The name without `model.`. Names that begin with `mtp.` become those of the blocks after the model.
pub(crate) fn mtp_name(config: &Config, name: &str) -> Option<String> {
    let inner = name.strip_prefix("model.").unwrap_or(name);
    let Some(next) = inner.strip_prefix("mtp.") else {
        let is_shared = SHARED.contains(&name) || matches!(name, "embed_tokens.weight" | "norm.weight");
        let is_wanted = config.next_token_layers() != NextTokenLayers::Alone || is_shared;
        return is_wanted.then(|| inner.into());
    };
    if config.next_token_layers() == NextTokenLayers::LeftOut {
        return None;
    }
    let first = config.first_next_token_block().ok()?;
    if let Some((number, rest)) = next.strip_prefix("layers.").and_then(|rest| rest.split_once('.'))
        && let Ok(number) = number.parse::<u32>()
    {
        return Some(format!("layers.{}.{rest}", first.saturating_add(number)));
    }
    let of_head = next.split_once('.').and_then(|(part, end)| {
        let (_, target) = HEAD.iter().find(|(source, _)| *source == part)?;
        (!end.contains('.')).then(|| format!("layers.{first}.{target}.{end}"))
    });
    Some(of_head.unwrap_or_else(|| inner.into()))
}

/// `nextn_predict_layers`, if the model has such layers.
pub(crate) fn stored_count(keys: &mut Keys<'_>) -> Result<()> {
    match keys.config.next_token_count() {
        0 => {}
        count => keys.put("nextn_predict_layers", EntryValue::U32(count)),
    }
    Ok(())
}

/// `nextn_predict_layers`, if the configuration has the number, even 0, unless the layers are left out.
pub(crate) fn given_count(keys: &mut Keys<'_>) -> Result<()> {
    let count = keys.config.unsigned(&["num_nextn_predict_layers"])?;
    if let Some(count) = count.filter(|_| keys.config.next_token_layers() != NextTokenLayers::LeftOut) {
        keys.put("nextn_predict_layers", EntryValue::U32(count));
    }
    Ok(())
}
