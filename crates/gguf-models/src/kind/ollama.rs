//! What marks a file as one that Ollama's converter wrote.

use crate::evidence::Evidence;
use crate::image::Matches;
use gguf_format::format::header::Header;
use gguf_format::format::version::LONGEST_KEY;

/// Keys that only Ollama's converter writes (2025).
const KEYS: [&str; 4] = [
    "general.parameter_count",
    "tokenizer.ggml.eos_token_ids",
    "tokenizer.ggml.add_padding_token",
    "tokenizer.ggml.add_unknown_token",
];

/// Keys of the encoder of images, after the architecture. Other converters write them to a file of its own.
const VISION_KEYS: [&str; 3] = [".vision.block_count", ".vision.embedding_length", ".mm.tokens_per_image"];

/// Architectures that llama.cpp calls otherwise, or does not have.
const ARCHITECTURES: [&str; 3] = ["gptoss", "qwen25vl", "mllama"];

/// Names of tensors of encoders.
pub(crate) const ENCODER_NAMES: &str = "^v. ^mm. ^a. ^vision.";

/// What says that Ollama's converter wrote a language model or an adapter.
pub(crate) fn ollama_mark(header: &Header) -> Option<Evidence> {
    let entry = |key: &str| header.get(key).map(|entry| Evidence::Entry { index: entry.index() });
    if let Some(mark) = KEYS.into_iter().find_map(entry) {
        return Some(mark);
    }
    let name = header.architecture().filter(|name| name.byte_length() < LONGEST_KEY as u64)?.to_bytes();
    if ARCHITECTURES.iter().any(|own| own.as_bytes() == &*name) {
        return entry("general.architecture");
    }
    let key = |suffix: &str| header.get([&name, suffix.as_bytes()].concat());
    if let Some(entry) = VISION_KEYS.into_iter().filter(|_| *name != *b"clip").find_map(key) {
        return Some(Evidence::Entry { index: entry.index() });
    }
    Matches::of(header, ENCODER_NAMES).evidence().filter(|_| header.tensor("token_embd.weight").is_some())
}
