//! Which layers of a model keep keys and values, which have a window, and which have a state.

use alloc::{format, vec::Vec};

use super::model::{Model, Unknown};
use crate::architectures::rules::{WINDOW_PATTERN, Window};
use crate::architectures::{Indexer, Memory, NextTokenLayers, OwnCache, RecurrentLayers};

/// A model with at least this context is a GLM-5.2, which lists the layers that have an indexer.
const CONTEXT_OF_GLM_5_2: u64 = 1 << 20;

/// What the layers of a model keep.
#[derive(Clone)]
pub(super) struct Layers {
    /// The number of tokens that layers with a window see. `None` if no layer has one.
    pub window: Option<u64>,
    /// One for each layer.
    pub kept: Vec<Kept>,
}

/// What a layer keeps of the tokens that it has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// Keys and values.
    pub attention: bool,
    /// Keys and values are kept only for the tokens in the window.
    pub has_window: bool,
    /// The layer sees only the tokens in the window, even if it uses the keys and values of another layer.
    pub sees_window: bool,
    /// A state of fixed size.
    pub state: bool,
    /// The keys of an indexer.
    pub indexer: bool,
}

impl Layers {
    pub fn of(model: &Model<'_>) -> Result<Self, Unknown> {
        let count = model.layer_count as usize;
        let next_token_count = match model.rule().next_token_layers {
            NextTokenLayers::NotCached if model.next_token_count < model.layer_count => model.next_token_count as usize,
            _ => 0,
        };
        let cached = count - next_token_count;
        let mut kept = vec![Kept::default(); count];
        match model.rule().memory {
            Memory::Nothing => {}
            Memory::Attention => {
                let own = match model.rule().own_cache {
                    OwnCache::All => cached,
                    OwnCache::First(count) => cached.min(count as usize),
                    OwnCache::BeforeShared => {
                        let shared = model.or_zero("{arch}.attention.shared_kv_layers")?;
                        cached.min(model.layer_count.saturating_sub(shared) as usize)
                    }
                };
                kept[..own].iter_mut().for_each(|layer| layer.attention = true);
            }
            Memory::Recurrent => kept.iter_mut().for_each(|layer| layer.state = true),
            Memory::Hybrid(recurrent) => mark_hybrid(model, recurrent, &mut kept[..cached])?,
            Memory::Compressed => kept.iter_mut().for_each(|layer| layer.attention = true),
        }
        check_heads(model, &kept)?;
        let window = window(model)?;
        let windowed = window.iter().flat_map(|window| &window.blocks);
        for (sees_window, kept) in windowed.zip(&mut kept) {
            kept.sees_window = *sees_window;
            kept.has_window = *sees_window && kept.attention;
        }
        let window = window.map(|window| window.length);
        for (layer, kept) in kept[..cached].iter_mut().enumerate() {
            kept.indexer = has_indexer(model, layer, kept)?;
        }
        Ok(Self { window, kept })
    }

    /// The indices of the layers for which `is_kept` holds.
    pub fn indices(&self, is_kept: impl Fn(&Kept) -> bool) -> Vec<u32> {
        (0..).zip(&self.kept).filter(|(_, kept)| is_kept(kept)).map(|(index, _)| index).collect()
    }
}

/// Checks that the layers with keys and values have heads with a length. Single layers may have none.
fn check_heads(model: &Model<'_>, kept: &[Kept]) -> Result<(), Unknown> {
    const HEAD_COUNT: &str = "{arch}.attention.head_count";
    const KEY_LENGTH: &str = "{arch}.attention.key_length";
    let mut with_attention = model.layers.iter().zip(kept).filter(|(_, kept)| kept.attention).peekable();
    if with_attention.peek().is_none() {
        return Ok(());
    }
    if !model.has(HEAD_COUNT) {
        return Err(Unknown::Missing(model.key(HEAD_COUNT)));
    }
    if with_attention.all(|(numbers, _)| numbers.heads == 0) {
        return Err(model.unusable(HEAD_COUNT));
    }
    if model.head.key == 0 || model.head.value == 0 {
        return Err(model.unusable(if model.has(KEY_LENGTH) { KEY_LENGTH } else { HEAD_COUNT }));
    }
    Ok(())
}

fn mark_hybrid(model: &Model<'_>, recurrent: RecurrentLayers, kept: &mut [Kept]) -> Result<(), Unknown> {
    let between = match recurrent {
        RecurrentLayers::BetweenFullAttention => recurrent_between_full_attention(model)?,
        _ => Vec::new(),
    };
    let main = (model.layer_count - model.next_token_count) as usize;
    for (layer, kept) in kept.iter_mut().enumerate() {
        let numbers = model.layers[layer];
        if layer >= main {
            kept.attention = true;
            continue;
        }
        (kept.state, kept.attention) = match recurrent {
            RecurrentLayers::All => (true, true),
            RecurrentLayers::WithoutKeyValueHeads => (numbers.key_value_heads == 0, numbers.key_value_heads > 0),
            RecurrentLayers::WithoutFeedForward => {
                let is_free = numbers.feed_forward_length == 0;
                (is_free && numbers.key_value_heads == 0, is_free && numbers.key_value_heads > 0)
            }
            RecurrentLayers::BetweenFullAttention => (between[layer], !between[layer]),
        };
    }
    Ok(())
}

/// Whether each layer is recurrent.
fn recurrent_between_full_attention(model: &Model<'_>) -> Result<Vec<bool>, Unknown> {
    if let Some(listed) = model.of_layers("{arch}.attention.recurrent_layers")? {
        return Ok(listed.into_iter().map(|number| number != 0).collect());
    }
    let key = "{arch}.full_attention_interval";
    let interval = model.optional(key)?.unwrap_or(4);
    if interval == 0 {
        return Err(model.unusable(key));
    }
    Ok((1..=model.layer_count).map(|number| !number.is_multiple_of(interval)).collect())
}

/// The window of a model. `None` if no layer has one.
fn window(model: &Model<'_>) -> Result<Option<Window>, Unknown> {
    let pattern = format!("{{arch}}.{WINDOW_PATTERN}");
    model.optional("{arch}.attention.sliding_window")?;
    // A next-token layer has no window.
    let count = model.layer_count - model.next_token_count;
    let window = Window::of(model.header, &model.architecture, count);
    match &window {
        Some(window) if window.lacks_pattern => return Err(Unknown::Missing(model.key(&pattern))),
        Some(window) if window.is_listed => model.check_numbers(&pattern, count)?,
        Some(_) if !model.has_array(&pattern) => {
            model.optional(&pattern)?;
        }
        _ => {}
    }
    Ok(window)
}

fn has_indexer(model: &Model<'_>, layer: usize, kept: &Kept) -> Result<bool, Unknown> {
    let key = "{arch}.attention.indexer.types";
    Ok(match model.rule().indexer {
        Indexer::None => false,
        Indexer::EveryLayer => true,
        Indexer::AfterDense => layer as u64 >= model.or_zero("{arch}.leading_dense_block_count")?,
        Indexer::AllButRecurrent => kept.attention,
        Indexer::ListedOrAll if !model.has(key) => kept.attention,
        Indexer::ListedOrNone if model.or_zero("{arch}.attention.indexer.top_k")? == 0 => false,
        Indexer::ListedOrAll | Indexer::ListedOrNone if !model.has_array(key) => {
            kept.attention && model.or_zero(key)? != 0
        }
        Indexer::ListedOrAll | Indexer::ListedOrNone => {
            let main = (model.layer_count - model.next_token_count) as usize;
            kept.attention && model.of_first_layers(key, main)?.get(layer).is_some_and(|number| *number != 0)
        }
        Indexer::Listed => {
            let main = (model.layer_count - model.next_token_count) as usize;
            model.of_first_layers(key, main)?.get(layer).is_some_and(|number| *number != 0)
        }
        Indexer::ListedOrGlm if model.has_array(key) => {
            let main = (model.layer_count - model.next_token_count) as usize;
            model.of_first_layers(key, main)?.get(layer).is_some_and(|number| *number != 0)
        }
        Indexer::ListedOrGlm => {
            let is_glm_5_2 = model.required("{arch}.context_length")? >= CONTEXT_OF_GLM_5_2;
            !is_glm_5_2 || layer < 2 || layer % 4 == 2
        }
    })
}
