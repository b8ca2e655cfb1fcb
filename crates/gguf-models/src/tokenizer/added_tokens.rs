//! The tokens that llama.cpp adds before and after a text.

use alloc::vec::Vec;

use super::algorithm::algorithm_of;
use super::error::TokenizerError;
use super::metadata;
use crate::pre_tokenizers::PreTokenizer;
use gguf_format::format::header::Header;
use gguf_format::format::tokenizer_model::{TokenizerAlgorithm, TokenizerModel};

/// The token before a text, and the one after it: whether it is added, and its id.
pub(super) struct AddedTokens {
    pub before: (bool, Option<u32>),
    pub after: (bool, Option<u32>),
    /// The BOS and the EOS token that `remove_added` leaves out of a decoded text.
    pub removed: [Option<u32>; 2],
}

impl AddedTokens {
    /// Those of a header whose vocabulary has so many tokens.
    pub fn of(
        header: &Header,
        model: &TokenizerModel,
        pre: Option<PreTokenizer>,
        tokens: u32,
    ) -> Result<Self, TokenizerError> {
        let defaults = &model.special;
        let before = id(
            header,
            "tokenizer.ggml.bos_token_id",
            defaults.before.filter(|_| pre.is_none_or(|pre| pre.has_default_bos)),
            tokens,
        )?;
        let is_bert = model.algorithm == TokenizerAlgorithm::WordPiece;
        let after_key = if is_bert { "tokenizer.ggml.seperator_token_id" } else { "tokenizer.ggml.eos_token_id" };
        let after = id(header, after_key, defaults.after, tokens)?;
        let adds_bos = pre.map_or(defaults.adds_before, |pre| pre.adds_bos);
        let mut adds_before = metadata::flag(header, "tokenizer.ggml.add_bos_token")?.unwrap_or(adds_bos);
        let adds_eos = metadata::flag(header, "tokenizer.ggml.add_eos_token")?;
        let mut adds_after = adds_eos.unwrap_or(defaults.adds_after);
        adds_before |= pre.is_some_and(|pre| pre.always_adds_bos);
        let mut removed = [before.filter(|_| adds_before), after.filter(|_| adds_after)];
        if defaults.always_adds {
            // llama.cpp leaves out EOS, not SEP: SEP is left out only if it is EOS, too.
            let eos = id(header, "tokenizer.ggml.eos_token_id", None, tokens)?;
            removed[1] = eos.filter(|_| adds_eos == Some(true));
            (adds_before, adds_after) = (true, true);
        }
        Ok(Self { before: (adds_before, before), after: (adds_after, after), removed })
    }
}

/// The token that an entry names. llama.cpp takes the default if the file names a token that is not there.
pub(super) fn id(header: &Header, key: &str, default: Option<u32>, tokens: u32) -> Result<Option<u32>, TokenizerError> {
    let is_token = |id: &u32| *id < tokens;
    Ok(metadata::number(header, key)?.filter(is_token).or(default.filter(is_token)))
}

/// The BOS and the EOS token of a header as chat templates get them, without making its tokenizer: the text of each, empty if there is none,
/// and whether the tokenizer adds it to a text.
pub struct NamedTokens {
    /// The token before a text.
    pub bos: (Vec<u8>, bool),
    /// The token after a text.
    pub eos: (Vec<u8>, bool),
}

impl NamedTokens {
    /// Those of a header.
    ///
    /// # Errors
    ///
    /// The header has no tokenizer, llama.cpp has no such tokenizer, or it refuses one of the entries that are read.
    pub fn of(header: &Header) -> Result<Self, TokenizerError> {
        let (model, pre) = algorithm_of(header)?;
        let texts = header.get("tokenizer.ggml.tokens").and_then(|entry| entry.value().as_array());
        let count = texts.map_or(0, |texts| u32::try_from(texts.len()).unwrap_or(u32::MAX));
        let AddedTokens { before, after, .. } = AddedTokens::of(header, model, pre, count)?;
        let named = |(is_added, id): (bool, Option<u32>)| {
            let text = id.and_then(|id| texts?.get(id.into())?.as_str());
            (text.map_or(Vec::new(), |text| text.to_bytes().into_owned()), is_added && id.is_some())
        };
        Ok(Self { bos: named(before), eos: named(after) })
    }
}
