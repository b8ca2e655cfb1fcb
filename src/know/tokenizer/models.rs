//! The tokenizers, for programs that show tokens.

use crate::declare::result;
use crate::format::tokenizer_model::{MODELS, TokenSpelling};

result! {
    /// A tokenizer: a value of `tokenizer.ggml.model`. Its name for people is a value of `keyInfo("tokenizer.ggml.model")`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::tokenizer::{TokenSpelling, tokenizer_models};
    ///
    /// let model = tokenizer_models().find(|model| model.name == "gpt2").unwrap();
    /// assert_eq!(model.spelling, TokenSpelling::ByteLetters);
    /// ```
    #[derive(Clone, Copy, Debug)]
    pub struct TokenizerModelInfo {
        /// The value of `tokenizer.ggml.model`.
        pub name: &'static str,
        /// How the stored text of a token spells bytes.
        pub spelling: TokenSpelling,
        /// Whether llama.cpp adds the BOS token to a text, if neither the file nor the pre-tokenizer says so.
        pub adds_bos: bool,
    }
}

/// Every tokenizer of llama.cpp, August 2026, and of the specification.
pub fn tokenizer_models() -> impl Iterator<Item = TokenizerModelInfo> {
    MODELS.iter().map(|model| TokenizerModelInfo {
        name: model.name,
        spelling: model.spelling,
        adds_bos: model.special.adds_before,
    })
}
