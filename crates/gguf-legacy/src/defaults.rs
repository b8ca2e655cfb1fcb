//! Answers that depend on the model: what LLaMA 1, Llama 2 and CodeLlama have, and how a file shows which of them it is.

use super::llama;
use super::model::LegacyModel;
use gguf_format::io::Source;

/// The number of tokens of CodeLlama, which has 16 more than LLaMA.
const CODE_LLAMA_TOKENS: u32 = 32016;

/// Defaults that depend on the model: context length, epsilon and rope base, with the reason for all.
pub(super) struct Defaults {
    pub context_length: u32,
    /// As a text and as a number.
    pub rms_epsilon: (&'static str, f32),
    pub rope_base: u32,
    pub reason: &'static str,
}

impl<S: Source> LegacyModel<S> {
    pub(super) fn defaults(&self) -> Defaults {
        let header = self.header();
        let sizes = llama::sizes(header, self.tensors());
        if header.integer("n_vocab") == CODE_LLAMA_TOKENS {
            let reason = "The vocabulary has 32016 tokens, as that of CodeLlama.";
            Defaults { context_length: 16384, rms_epsilon: ("1e-5", 1e-5), rope_base: 1_000_000, reason }
        } else if sizes.is_ok_and(|sizes| sizes.key_value_heads < sizes.heads) {
            let reason = "The heads share keys and values, as in Llama 2 70B.";
            Defaults { context_length: 4096, rms_epsilon: ("1e-5", 1e-5), rope_base: 10_000, reason }
        } else if header.container_name() == "GGJTv3" {
            let reason = "The file can be of LLaMA 1 or Llama 2. The default is that of llama.cpp's migration script.";
            Defaults { context_length: 2048, rms_epsilon: ("5e-6", 5e-6), rope_base: 10_000, reason }
        } else {
            let reason = "The container was used before July 2023, and the models of that time were LLaMA 1.";
            Defaults { context_length: 2048, rms_epsilon: ("1e-6", 1e-6), rope_base: 10_000, reason }
        }
    }
}
