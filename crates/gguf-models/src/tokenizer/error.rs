//! Why a file has no tokenizer that can be run, and why a text cannot be tokenised.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::architectures::UNKNOWN;
use gguf_format::allocation;
use gguf_format::error::ErrorCode;
use gguf_format::error::shown::Shown;

/// Why a tokenizer cannot be made from a header, or why it cannot tokenise a text.
///
/// # Examples
///
/// ```
/// use gguf_format::{ErrorCode, Format, write::encode::Encoder};
/// use gguf_models::tokenizer::Tokenizer;
///
/// let mut file = Encoder::new(Format::default());
/// file.header(0, 1).kv(b"tokenizer.ggml.model", &"rwkv".into());
/// let header = gguf_format::parse(file.as_bytes())?;
/// assert_eq!(Tokenizer::new(&header).err().unwrap().code(), ErrorCode::Unsupported);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenizerError {
    /// The header has no tokenizer.
    NoTokenizer,
    /// The header has a tokenizer that this crate cannot run. With the value of `tokenizer.ggml.model`.
    UnsupportedModel(String),
    /// The pre-tokenizer belongs to a tokenizer that this crate cannot run. With the value of `tokenizer.ggml.pre`.
    UnsupportedPreTokenizer(String),
    /// The pre-tokenizer is unknown. It may be newer than the rules. With the value of `tokenizer.ggml.pre`.
    UnknownPreTokenizer(String),
    /// llama.cpp refuses the vocabulary, or stops when it tokenises the text. With the reason, and what to do.
    BadVocabulary(String),
    /// The vocabulary has no token with an id. With the id and the number of tokens.
    UnknownToken(u32, u32),
    /// The text of the tokens is too large.
    TooLarge,
    /// The vocabulary exceeds a limit. With what was found and expected.
    VocabularyTooLarge(String),
    /// The memory for the vocabulary is not available.
    OutOfMemory,
    /// Too many tokens are prefixes of each other, so the text takes too many steps. The number is the most steps for each byte.
    TooManySteps(u32),
}

impl TokenizerError {
    /// The stable code of the error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoTokenizer => ErrorCode::NoTokenizer,
            Self::UnsupportedModel(_) | Self::UnsupportedPreTokenizer(_) => ErrorCode::Unsupported,
            Self::UnknownPreTokenizer(_) => ErrorCode::UnknownPreTokenizer,
            Self::BadVocabulary(_) => ErrorCode::BadVocabulary,
            Self::UnknownToken(..) => ErrorCode::OutOfRange,
            Self::TooLarge | Self::VocabularyTooLarge(_) | Self::OutOfMemory | Self::TooManySteps(_) => {
                ErrorCode::TooLarge
            }
        }
    }
}

impl fmt::Display for TokenizerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTokenizer => f.write_str(
                "the file has no tokenizer: tokenizer.ggml.model is missing or says that there is none. Open a file with a \
                 vocabulary.",
            ),
            Self::UnsupportedModel(model) => write!(
                f,
                "the tokenizer \"{}\" is unsupported: expected llama, gpt2, gemma4, bert or t5. Use llama.cpp to tokenise text for \
                 this model.",
                Shown(model.as_bytes())
            ),
            Self::UnsupportedPreTokenizer(name) => write!(
                f,
                "the pre-tokenizer \"{}\" is unsupported: it belongs to a tokenizer of the same name, and llama.cpp stops if \
                 another tokenizer uses it. Correct tokenizer.ggml.pre.",
                Shown(name.as_bytes())
            ),
            Self::UnknownPreTokenizer(name) => write!(
                f,
                "the pre-tokenizer \"{}\" is {UNKNOWN}. Correct tokenizer.ggml.pre if it is wrong.",
                Shown(name.as_bytes())
            ),
            Self::BadVocabulary(reason) => f.write_str(reason),
            Self::UnknownToken(id, count) => write!(f, "the vocabulary has no token {id}. Use ids below {count}."),
            Self::TooLarge => {
                f.write_str("the text of the tokens is larger than 256 MiB, or than the free memory. Decode fewer tokens at once.")
            }
            Self::VocabularyTooLarge(reason) => {
                write!(f, "the vocabulary is too large: {reason}. Use llama.cpp to tokenise text for this model.")
            }
            Self::OutOfMemory => f.write_str(
                "the vocabulary needs more memory than is free. Free the files and tokenizers that are not in use, and try again.",
            ),
            Self::TooManySteps(limit) => write!(
                f,
                "the text takes more than {limit} steps for each byte, because tokens of the vocabulary begin with each other. \
                 Tokenise a shorter text."
            ),
        }
    }
}

impl core::error::Error for TokenizerError {}

/// A text needs the unknown token, and there is none.
pub(super) fn no_unknown() -> TokenizerError {
    bad("the text needs the token for unknown text, but the vocabulary has none, and llama.cpp stops.")
}

/// A vocabulary that llama.cpp refuses, for a reason: a sentence.
pub(super) fn bad(reason: impl fmt::Display) -> TokenizerError {
    TokenizerError::BadVocabulary(format!("{reason} Convert the model again."))
}

/// An empty list with room for `len` elements, and no more.
#[doc(hidden)]
pub fn list<T>(len: usize) -> Result<Vec<T>, TokenizerError> {
    allocation::list(len).ok_or(TokenizerError::OutOfMemory)
}

/// A list of elements whose number is known.
pub(super) fn collected<T>(len: usize, elements: impl Iterator<Item = T>) -> Result<Vec<T>, TokenizerError> {
    let mut list = list(len)?;
    list.extend(elements.take(len));
    Ok(list)
}
