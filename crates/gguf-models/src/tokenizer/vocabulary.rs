//! The tokens of a file: their texts, scores and types.

use alloc::vec::Vec;

use super::error::{TokenizerError, bad, collected};
use super::metadata;
use super::texts::Texts;
use gguf_declare::names;
use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, Value, ValueType};
use gguf_format::limits::{EMPTY_TEXT_BYTES, TOKEN_TEXT_BYTES, VOCABULARY_BYTES};

names! {
    /// The type of a token, from `tokenizer.ggml.token_type`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_models::tokenizer::TokenType;
    ///
    /// assert_eq!(TokenType::UserDefined.name(), "user-defined");
    /// ```
    pub enum TokenType {
        /// 0, or a number that is not in the specification.
        Undefined = "undefined",
        /// 1: normal text.
        Normal = "normal",
        /// 2: stands for text that no other token covers.
        Unknown = "unknown",
        /// 3: controls the model, and is no text.
        Control = "control",
        /// 4: a text that is always one token.
        UserDefined = "user-defined",
        /// 5: not in use.
        Unused = "unused",
        /// 6: a single byte.
        Byte = "byte",
    }
}

impl TokenType {
    /// The type with a number. `Undefined` if there is none.
    pub fn of_number(number: i32) -> Self {
        usize::try_from(number).ok().and_then(|number| Self::ALL.get(number).copied()).unwrap_or(Self::Undefined)
    }
}

/// What llama.cpp takes a token for. A token can be several things: see `attributes.rs`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Attributes(u8);

impl Attributes {
    pub const NORMAL: Self = Self(1);
    pub const UNKNOWN: Self = Self(2);
    pub const CONTROL: Self = Self(4);
    pub const USER_DEFINED: Self = Self(8);
    pub const UNUSED: Self = Self(16);
    pub const BYTE: Self = Self(32);
    /// White space before the token belongs to it.
    pub const STRIPS_BEFORE: Self = Self(64);
    /// White space after the token belongs to it.
    pub const STRIPS_AFTER: Self = Self(128);
    /// Tokens that are no text.
    pub const NO_TEXT: Self = Self::CONTROL.and(Self::UNKNOWN);
    /// Tokens whose text is found in a text before all others.
    pub const SPECIAL: Self = Self::NO_TEXT.and(Self::USER_DEFINED);

    fn of_type(token_type: TokenType) -> Self {
        match token_type {
            TokenType::Undefined => Self(0),
            TokenType::Normal => Self::NORMAL,
            TokenType::Unknown => Self::UNKNOWN,
            TokenType::Control => Self::CONTROL,
            TokenType::UserDefined => Self::USER_DEFINED,
            TokenType::Unused => Self::UNUSED,
            TokenType::Byte => Self::BYTE,
        }
    }

    /// These and other attributes.
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These attributes without others.
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Whether one of the others is set.
    pub const fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// The tokens of a file.
#[derive(Default)]
pub(super) struct Vocabulary {
    pub texts: Texts,
    pub attributes: Vec<Attributes>,
    pub types: Vec<TokenType>,
    scores: Option<Vec<f32>>,
    /// The length of the longest text in bytes.
    pub longest: usize,
}

/// The entries from which tokenizers are made, and which may be large.
const ENTRIES: [&str; 5] = [
    TOKENS,
    "tokenizer.ggml.scores",
    "tokenizer.ggml.token_type",
    "tokenizer.ggml.merges",
    "tokenizer.ggml.precompiled_charsmap",
];

const TOKENS: &str = "tokenizer.ggml.tokens";

/// Refuses a vocabulary that exceeds the limits, before memory is allocated for it.
pub(super) fn check_size(header: &Header) -> Result<(), TokenizerError> {
    let bytes: u64 = ENTRIES.iter().map(|key| entry_bytes(header, key)).sum();
    refuse_above(VOCABULARY_BYTES, bytes, "its entries have")
}

/// The bytes of the value of an entry in the file.
fn entry_bytes(header: &Header, key: &str) -> u64 {
    header.get(key).map_or(0, |entry| {
        let range = entry.value_range();
        range.end - range.start
    })
}

fn refuse_above(limit: u64, bytes: u64, what: &str) -> Result<(), TokenizerError> {
    if bytes > limit {
        return Err(TokenizerError::VocabularyTooLarge(format!("{what} {bytes} bytes, expected at most {limit}")));
    }
    Ok(())
}

/// Refuses texts of tokens that have too many bytes together.
fn check_texts(bytes: u64) -> Result<(), TokenizerError> {
    refuse_above(TOKEN_TEXT_BYTES, bytes, "the texts of its tokens have")
}

/// Calls a function with the text of each token, and whether the file has none.
fn each_text(tokens: Array<'_>, run: &mut dyn FnMut(&[u8], bool)) {
    tokens.visit_strings(|id, _, bytes| match metadata::before_nul(bytes) {
        // llama.cpp gives each empty token a text of its own.
        [] => run(format!("[EMPTY_{id}]").as_bytes(), true),
        text => run(text, false),
    });
}

/// The bytes of the texts of tokens.
#[derive(Default)]
struct Sizes {
    texts: usize,
    /// Of these, the bytes of texts that the file does not have.
    of_empty: usize,
    longest: usize,
}

impl Sizes {
    fn of(tokens: Array<'_>) -> Self {
        let mut sizes = Self::default();
        each_text(tokens, &mut |text, is_empty| {
            sizes.texts += text.len();
            sizes.of_empty += if is_empty { text.len() } else { 0 };
            sizes.longest = sizes.longest.max(text.len());
        });
        sizes
    }

    /// `bytes` are those of the tokens in the file.
    fn check(&self, bytes: u64) -> Result<(), TokenizerError> {
        check_texts(self.texts as u64)?;
        let limit = EMPTY_TEXT_BYTES.max(bytes / 8);
        refuse_above(limit, self.of_empty as u64, "the texts that llama.cpp gives its empty tokens have")
    }
}

impl Vocabulary {
    pub fn new(header: &Header) -> Result<Self, TokenizerError> {
        let Some(tokens) = metadata::array(header, TOKENS, &[ValueType::String])? else {
            return Err(bad(
                "the file has no tokens: tokenizer.ggml.tokens is missing, and llama.cpp refuses the file.",
            ));
        };
        let bytes = entry_bytes(header, TOKENS);
        // Without the length of each text. This is checked before any text is read.
        check_texts(bytes.saturating_sub(8 * tokens.len()))?;
        let sizes = Sizes::of(tokens);
        sizes.check(bytes)?;
        // The size of the vocabulary was checked, and a token takes 8 bytes or more.
        let count = tokens.len() as u32;
        let mut vocabulary = Self { longest: sizes.longest, ..Self::default() };
        vocabulary.texts = Texts::with_room(count as usize, sizes.texts)?;
        each_text(tokens, &mut |text, _| vocabulary.texts.push(text));
        if let Some([first, second]) = vocabulary.texts.complete()? {
            return Err(bad(format!("tokens {first} and {second} have the same text, and llama.cpp stops.")));
        }
        let types = [ValueType::Float32, ValueType::Int32];
        let scores = metadata::per_token(header, "tokenizer.ggml.scores", &types, count)?;
        let score = |value| match value {
            Value::Float32(score) => score,
            Value::Int32(score) => score as f32,
            _ => 0.0,
        };
        vocabulary.scores = scores.map(|scores| collected(count as usize, scores.iter().map(score))).transpose()?;
        let types = metadata::per_token(header, "tokenizer.ggml.token_type", &[ValueType::Int32], count)?;
        vocabulary.types = match types {
            None => collected(count as usize, core::iter::repeat(TokenType::Normal))?,
            Some(types) => {
                let of_value = |value: Value<'_>| TokenType::of_number(value.as_i64().unwrap_or(0) as i32);
                collected(count as usize, types.iter().map(of_value))?
            }
        };
        let attributes = vocabulary.types.iter().map(|found| Attributes::of_type(*found));
        vocabulary.attributes = collected(count as usize, attributes)?;
        Ok(vocabulary)
    }

    /// The number of tokens.
    pub fn len(&self) -> u32 {
        self.texts.len()
    }

    /// The score of a token. 0 if the file has no scores.
    pub fn score(&self, id: u32) -> f32 {
        self.stored_score(id).unwrap_or(0.0)
    }

    /// The score of a token. `None` if the file has no scores.
    pub fn stored_score(&self, id: u32) -> Option<f32> {
        self.scores.as_ref()?.get(id as usize).copied()
    }

    /// The attributes of a token. None are set if there is no such token.
    pub fn attributes(&self, id: u32) -> Attributes {
        self.attributes.get(id as usize).copied().unwrap_or_default()
    }

    /// The token of a byte in the form `<0x0A>`.
    pub fn byte_token(&self, byte: u8) -> Option<u32> {
        self.texts.find(format!("<0x{byte:02X}>").as_bytes())
    }

    /// The byte of a token in the form `<0x0A>`: 0 if its text has another form.
    pub fn byte(&self, id: u32) -> u8 {
        let digits = self.texts.get(id).get(3..).unwrap_or_default().iter();
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        digits.take(2).map_while(digit).fold(0, |byte, digit| byte << 4 | digit as u8)
    }
}
