//! The tokenizer of a model: how its text becomes tokens, and tokens become text.
//!
//! It does what llama.cpp of October 2026 does (`src/llama-vocab.cpp` and `src/unicode.cpp`), also where the model's own
//! tokenizer does something else. Every step takes time in proportion to the length of the text, or n log n. A vocabulary
//! may be hostile: its size is limited before memory is allocated, and a tokenizer takes at most 8 times its bytes.
//!
//! Examples: [`Tokenizer`], [`special_tokens`], [`pre_tokenizer`].

// - `vocabulary`, `texts`, `attributes`: the tokens, and what llama.cpp takes them for
// - `partition`: finds special tokens in a text; the algorithms tokenise what is between them
// - `byte_pairs` with `split` and `merges`; `sentence_piece`; `word_piece`; `unigram` with `charsmap`: the algorithms
// - `decode`: from tokens to text

mod added_tokens;
mod algorithm;
mod attributes;
mod buckets;
mod byte_pairs;
mod charsmap;
mod decode;
mod decode_options;
mod decomposition;
mod error;
mod lower_case;
mod merges;
mod metadata;
mod output;
mod partition;
mod runs;
mod sentence_piece;
mod source;
mod split;
mod texts;
mod trie;
mod unicode;
mod unigram;
mod vocabulary;
mod word_piece;

use alloc::vec::Vec;
use core::ops::Range;

use added_tokens::AddedTokens;
use algorithm::algorithm_of;
use byte_pairs::BytePairs;
use error::{bad, collected};
use gguf_declare::result;
use gguf_format::format::header::Header;
use gguf_format::format::tokenizer_model::TokenizerAlgorithm;
use gguf_format::format::value::ValueType;
use output::Output;
use partition::{Fragment, SpecialTokens};
use source::Mapped;
use trie::Trie;
use unigram::Unigram;
use vocabulary::{Attributes, Vocabulary};
use word_piece::{Normalizer, WordPiece};

pub use crate::pre_tokenizers::{PreTokenizer, pre_tokenizer, pre_tokenizers};
pub use crate::special_tokens::{SpecialToken, special_tokens};
#[doc(hidden)]
pub use added_tokens::NamedTokens;
#[doc(hidden)]
pub use byte_pairs::byte_of_character;
pub use decode_options::DecodeOptions;
pub use error::TokenizerError;
pub use gguf_format::format::tokenizer_model::{TOKENIZER_MODELS, TokenSpelling, TokenizerModel};
#[doc(hidden)]
pub use split::Splitter;
pub use vocabulary::TokenType;

/// The tokenizer of a model, made from the entries `tokenizer.ggml.*` of a header.
///
/// It gives the ids and the texts that llama.cpp of October 2026 gives. The tokenizers `llama`, `gpt2`, `gemma4`, `bert` and `t5` are
/// supported.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, ValueType, write::encode::{Encoder, OwnedValue}};
/// use gguf_models::tokenizer::{DecodeOptions, EncodeOptions, Tokenizer};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(0, 4)
///     .kv(b"tokenizer.ggml.model", &"gpt2".into())
///     .kv(b"tokenizer.ggml.pre", &"gpt-2".into())
///     .kv(b"tokenizer.ggml.tokens", &OwnedValue::array(ValueType::String, ["h", "i", "Ġ", "hi", "Ġhi"]))
///     .kv(b"tokenizer.ggml.merges", &OwnedValue::array(ValueType::String, ["h i", "Ġ hi"]));
/// let header = gguf_format::parse(file.as_bytes())?;
///
/// let tokenizer = Tokenizer::new(&header)?;
/// let ids = tokenizer.encode("hi hi", EncodeOptions::default())?;
/// assert_eq!(ids, [3, 4]);
/// assert_eq!(tokenizer.decode(&ids, DecodeOptions::default())?, b"hi hi");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tokenizer {
    model: &'static str,
    pre: Option<&'static str>,
    vocabulary: Vocabulary,
    /// The special tokens, and those that the algorithm searches by their beginning.
    trie: Trie,
    special: SpecialTokens,
    algorithm: Algorithm,
    added: AddedTokens,
    /// Whether a space is put before a text.
    adds_space: bool,
    /// Whether spaces before punctuation are left out of a decoded text.
    cleans_spaces: bool,
}

enum Algorithm {
    BytePairs(BytePairs),
    SentencePiece,
    WordPiece(WordPiece),
    Unigram(Unigram),
}

/// How a text becomes tokens.
///
/// # Examples
///
/// ```
/// let options = gguf_models::tokenizer::EncodeOptions::default();
/// assert!(options.add_special && options.parse_special);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeOptions {
    /// Adds the tokens that the file wants before and after a text, such as BOS and EOS. True by default.
    pub add_special: bool,
    /// Recognises the texts of control tokens and of the unknown token. True by default. User-defined tokens are always
    /// recognised.
    pub parse_special: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { add_special: true, parse_special: true }
    }
}

/// A token of a text.
///
/// # Examples
///
/// ```
/// let token = gguf_models::tokenizer::TextToken { id: 1, range: 0..0 };
/// assert!(token.range.is_empty()); // The token was added.
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextToken {
    /// The id of the token.
    pub id: u32,
    /// The bytes of the text that the token stands for. The ranges of the tokens of a text follow each other, and cover the
    /// text: bytes that no token stands for belong to the next token, or to the last one. Added tokens have empty ranges.
    pub range: Range<usize>,
}

impl TextToken {
    /// The start of each token in UTF-16 units, and the end of the text. A token that begins within a character begins after it.
    pub fn utf16_offsets(text: &str, tokens: &[Self]) -> Vec<u32> {
        let mut characters = text.chars();
        let mut units = 0;
        let mut offset = |position: usize| {
            // The rest of `characters` begins at this position or later, or before it.
            while text.len() - characters.as_str().len() < position {
                units += characters.next().map_or(0, |character| character.len_utf16() as u32);
            }
            units
        };
        let mut offsets: Vec<u32> = tokens.iter().map(|token| offset(token.range.start)).collect();
        offsets.push(offset(text.len()));
        offsets
    }
}

result! {
    /// A token of a vocabulary.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_models::tokenizer::{Token, TokenType};
    ///
    /// fn describe(token: &Token<'_>) -> String {
    ///     format!("{} ({})", String::from_utf8_lossy(token.text), token.token_type.name())
    /// }
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct Token<'a> {
        /// The text as the vocabulary stores it, up to a NUL. llama.cpp's own text if the vocabulary stores none.
        #[rust]
        pub text: &'a [u8],
        /// The text as the vocabulary stores it, with U+FFFD in place of bytes that are not UTF-8.
        give text: alloc::borrow::Cow<'_, str> = |token| alloc::string::String::from_utf8_lossy(token.text),
        /// The bytes that the token stands for in a text.
        #[rust]
        pub bytes: Vec<u8>,
        /// The bytes that the token stands for in a text.
        give bytes: gguf_declare::value::Octets<'_> = |token| gguf_declare::value::Octets(&token.bytes),
        /// The type that the file gives the token. Normal if it gives none.
        #[rust]
        pub token_type: TokenType,
        /// The type: normal if the file gives none.
        give r#type: TokenType = |token| token.token_type,
        /// The score. Not present if the file has no scores.
        pub score: Option<f32>,
        /// Whether the text of the token is found in a text before all others: it is a control token, the unknown token or a
        /// user-defined token, by its type or because llama.cpp takes it for one.
        pub is_special: bool,
    }
}

impl Tokenizer {
    /// Makes the tokenizer of a header.
    ///
    /// # Errors
    ///
    /// The header has no tokenizer, its tokenizer is unsupported, or llama.cpp refuses its vocabulary. The vocabulary has more
    /// than 64 MiB, its tokens have more than 16 MiB of text, or the memory for it is not available: up to 8 times its bytes.
    pub fn new(header: &Header) -> Result<Self, TokenizerError> {
        let (model, pre) = algorithm_of(header)?;
        let defaults = &model.special;
        vocabulary::check_size(header)?;
        let mut vocabulary = Vocabulary::new(header)?;
        let is_bert = model.algorithm == TokenizerAlgorithm::WordPiece;
        let added = AddedTokens::of(header, model, pre, vocabulary.len())?;
        let unknown = added_tokens::id(header, "tokenizer.ggml.unknown_token_id", defaults.unknown, vocabulary.len())?;
        let flag = |key, default| Ok(metadata::flag(header, key)?.unwrap_or(default));
        let adds_space = flag("tokenizer.ggml.add_space_prefix", model.algorithm == TokenizerAlgorithm::SentencePiece)?;
        // llama.cpp reads these entries for every tokenizer, and refuses other types.
        let normalizer = Normalizer::new(header)?;
        metadata::array(header, "tokenizer.ggml.suppress_tokens", &[ValueType::Int32])?;
        attributes::detect(&mut vocabulary, header)?;
        attributes::strip(&mut vocabulary, header)?;
        let is_in_trie = |id: &u32| {
            vocabulary.attributes(*id).has(Attributes::SPECIAL)
                || is_bert
                || model.algorithm == TokenizerAlgorithm::Unigram && Unigram::is_used(&vocabulary, *id)
        };
        let ids = (0..vocabulary.len()).filter(is_in_trie);
        let trie = Trie::new(&vocabulary.texts, collected(ids.clone().count(), ids)?)?;
        let algorithm = match (model.algorithm, pre) {
            (_, Some(pre)) => Algorithm::BytePairs(BytePairs::new(header, &vocabulary, &pre)?),
            (TokenizerAlgorithm::SentencePiece, _) => Algorithm::SentencePiece,
            (TokenizerAlgorithm::WordPiece, _) => Algorithm::WordPiece(WordPiece::new(unknown, normalizer)),
            _ => Algorithm::Unigram(Unigram::new(header, &vocabulary, &trie, unknown, adds_space)?),
        };
        Ok(Self {
            special: SpecialTokens::new(&vocabulary, &trie)?,
            pre: pre.map(|pre| pre.name),
            cleans_spaces: pre.map_or(is_bert, |pre| pre.cleans_spaces),
            added,
            model: model.name,
            vocabulary,
            trie,
            algorithm,
            adds_space,
        })
    }

    /// The algorithm: the value of `tokenizer.ggml.model`.
    pub fn model(&self) -> &str {
        self.model
    }

    /// The pre-tokenizer. `None` if the algorithm has none. `default` if the file names none.
    pub fn pre(&self) -> Option<&'static str> {
        self.pre
    }

    /// The number of tokens in the vocabulary.
    pub fn token_count(&self) -> u32 {
        self.vocabulary.len()
    }

    /// The ids of the tokens of a text.
    ///
    /// # Errors
    ///
    /// llama.cpp would stop: the vocabulary lacks a token that the text or the options need, or its character map is broken. Or
    /// too many tokens of a `t5` vocabulary are prefixes of each other, so the text takes too long.
    pub fn encode(&self, text: &str, options: EncodeOptions) -> Result<Vec<u32>, TokenizerError> {
        Ok(self.tokens(text, options)?.ids)
    }

    /// The tokens of a text, with the part of the text that each stands for.
    ///
    /// # Errors
    ///
    /// See [`encode`](Self::encode).
    pub fn tokenize(&self, text: &str, options: EncodeOptions) -> Result<Vec<TextToken>, TokenizerError> {
        let mut output = self.tokens(text, options)?;
        output.cover(text.len());
        let mut start = 0;
        let token = |(id, end)| TextToken { id, range: core::mem::replace(&mut start, end)..end };
        Ok(output.ids.into_iter().zip(output.ends).map(token).collect())
    }

    /// The ids of a text that the caller has split into words: `ends` are their ends, in bytes. None if the tokenizer does no
    /// byte-pair encoding.
    #[doc(hidden)]
    pub fn encode_words(&self, text: &str, ends: impl Iterator<Item = usize>) -> Vec<u32> {
        let mut output = Output::default();
        if let Algorithm::BytePairs(algorithm) = &self.algorithm {
            algorithm.encode_words(&self.vocabulary, text, ends, &|position| position, &mut output);
        }
        output.ids
    }

    fn tokens(&self, text: &str, options: EncodeOptions) -> Result<Output, TokenizerError> {
        let mut output = Output::default();
        if options.add_special {
            add(self.added.before, "BOS", &mut output)?;
        }
        let text = text.as_bytes();
        let mut is_after_special = true;
        for fragment in self.special.partition(&self.vocabulary, &self.trie, text, options.parse_special) {
            match fragment {
                Fragment::Token { id, end } => {
                    output.push(id, end);
                    is_after_special = true;
                }
                Fragment::Text(range) => {
                    self.encode_fragment(text, range, is_after_special, &mut output)?;
                    is_after_special = false;
                }
            }
        }
        if options.add_special {
            let name = if matches!(self.algorithm, Algorithm::WordPiece(_)) { "SEP" } else { "EOS" };
            add(self.added.after, name, &mut output)?;
        }
        Ok(output)
    }

    /// Adds the tokens of a part of a text without special tokens.
    fn encode_fragment(
        &self,
        text: &[u8],
        range: Range<usize>,
        is_after_special: bool,
        output: &mut Output,
    ) -> Result<(), TokenizerError> {
        match &self.algorithm {
            Algorithm::BytePairs(algorithm) => algorithm.encode(&self.vocabulary, text, range, output),
            Algorithm::SentencePiece => {
                let mapped = Mapped::with_visible_spaces(text, &range, self.adds_space && is_after_special);
                sentence_piece::encode(&self.vocabulary, &mapped, output)?;
            }
            Algorithm::WordPiece(algorithm) => algorithm.encode(&self.vocabulary, &self.trie, text, range, output)?,
            Algorithm::Unigram(algorithm) => algorithm.encode(&self.vocabulary, &self.trie, text, range, output)?,
        }
        Ok(())
    }

    /// A token of the vocabulary. `None` if there is none with this id.
    pub fn token(&self, id: u32) -> Option<Token<'_>> {
        let token_type = *self.vocabulary.types.get(id as usize)?;
        Some(Token {
            text: self.vocabulary.texts.get(id),
            bytes: self.piece(id),
            token_type,
            score: self.vocabulary.stored_score(id),
            is_special: self.vocabulary.attributes(id).has(Attributes::SPECIAL),
        })
    }
}

/// Adds a token to a text, if it is wanted.
fn add((is_added, id): (bool, Option<u32>), name: &str, output: &mut Output) -> Result<(), TokenizerError> {
    match id {
        Some(id) if is_added => output.push_added(id),
        None if is_added => {
            let reason = format!(
                "the tokenizer adds the token {name}, but the file names none that is in the vocabulary, and llama.cpp stops."
            );
            return Err(bad(reason));
        }
        _ => {}
    }
    Ok(())
}
