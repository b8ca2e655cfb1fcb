//! The algorithm and the pre-tokenizer that a header names.

use alloc::string::String;

use super::error::TokenizerError;
use super::metadata;
use crate::pre_tokenizers::{PreTokenizer, pre_tokenizer};
use gguf_format::format::header::Header;
use gguf_format::format::tokenizer_model::{TokenizerAlgorithm, TokenizerModel, tokenizer_model};

/// The algorithm that a header names, and the pre-tokenizer if the algorithm has one.
pub(super) fn algorithm_of(header: &Header) -> Result<(&'static TokenizerModel, Option<PreTokenizer>), TokenizerError> {
    let name = metadata::text(header, "tokenizer.ggml.model")?.ok_or(TokenizerError::NoTokenizer)?;
    let unsupported = || TokenizerError::UnsupportedModel(String::from_utf8_lossy(&name).into_owned());
    let model = tokenizer_model(&name).ok_or_else(unsupported)?;
    let pre = match model.algorithm {
        TokenizerAlgorithm::NoVocabulary => return Err(TokenizerError::NoTokenizer),
        TokenizerAlgorithm::OtherBytePairs | TokenizerAlgorithm::Other | TokenizerAlgorithm::Refused => {
            return Err(unsupported());
        }
        TokenizerAlgorithm::BytePairs => Some(named_pre_tokenizer(header)?),
        // llama.cpp ignores what the file names.
        TokenizerAlgorithm::Gemma4 => pre_tokenizer(b"gemma4"),
        TokenizerAlgorithm::SentencePiece | TokenizerAlgorithm::WordPiece | TokenizerAlgorithm::Unigram => None,
    };
    Ok((model, pre))
}

/// The pre-tokenizer that a header names. `default` if it names none.
fn named_pre_tokenizer(header: &Header) -> Result<PreTokenizer, TokenizerError> {
    let name = metadata::text(header, "tokenizer.ggml.pre")?.unwrap_or_default();
    let known = pre_tokenizer(if name.is_empty() { b"default" } else { &name });
    known.ok_or_else(|| TokenizerError::UnknownPreTokenizer(String::from_utf8_lossy(&name).into_owned()))
}
