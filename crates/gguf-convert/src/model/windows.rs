//! `attention.sliding_window` and its pattern: which blocks see a window only.

use alloc::vec::Vec;

use serde_json::Value;

use super::config::{Config, wrong_type};
use super::entries::EntryValue;
use super::keys::Keys;
use gguf_format::error::Result;

/// The type of a layer that sees a window only.
const SLIDING: &str = "sliding_attention";

/// The pattern of a model whose configuration does not list the types of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Every fourth block sees everything.
    EveryFourth,
    /// `sliding_window_pattern` says it: letters, of which `L` is a window, or the distance of blocks that see everything.
    Member,
}

/// Writes the window and the pattern, if the configuration has a window.
pub(crate) fn sliding_windows(keys: &mut Keys<'_>, pattern: Pattern) -> Result<()> {
    const NAME: &str = "sliding_window";
    let window = match (keys.config.get(NAME), pattern) {
        (Some(value @ Value::Null), Pattern::EveryFourth) => return Err(wrong_type(NAME, value, "a whole number")),
        _ => keys.config.unsigned(&[NAME])?,
    };
    let Some(window) = window else { return Ok(()) };
    keys.put("attention.sliding_window", EntryValue::U32(window));
    let blocks = keys.config.block_count()? as usize;
    let windows = match (keys.config.texts("layer_types")?, pattern) {
        (Some(types), _) => types.into_iter().map(|name| name == SLIDING).collect(),
        (None, Pattern::EveryFourth) => (1..=blocks).map(|block| !block.is_multiple_of(4)).collect(),
        (None, Pattern::Member) => of_member(keys.config, blocks)?,
    };
    keys.put("attention.sliding_window_pattern", EntryValue::Bools(windows));
    Ok(())
}

fn of_member(config: &Config, blocks: usize) -> Result<Vec<bool>> {
    const NAME: &str = "sliding_window_pattern";
    match config.get(NAME) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(letters)) if !letters.is_empty() => {
            Ok(letters.chars().cycle().take(blocks).map(|letter| letter == 'L').collect())
        }
        Some(value) => match value.as_u64() {
            Some(distance) if distance > 0 => {
                Ok((1..=blocks as u64).map(|block| !block.is_multiple_of(distance)).collect())
            }
            _ => Err(wrong_type(NAME, value, "letters or a whole number")),
        },
    }
}
