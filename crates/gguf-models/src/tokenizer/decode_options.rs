//! How tokens become text.

/// How tokens become text.
///
/// # Examples
///
/// ```
/// let options = gguf_models::tokenizer::DecodeOptions::default();
/// assert!(!options.skip_special && !options.remove_added);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecodeOptions {
    /// Leaves out control tokens, such as BOS, and the unknown token. False by default. It is the opposite of llama.cpp's
    /// `unparse_special`.
    pub skip_special: bool,
    /// Leaves out the first token if it is a BOS token that the tokenizer adds, and the last one if it is such an EOS token.
    /// False by default. It is llama.cpp's `remove_special`.
    pub remove_added: bool,
}
