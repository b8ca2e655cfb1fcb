//! The vocabularies of the corpus.

use std::path::Path;

use gguf_format::{Header, parse};

use crate::corpus;

/// The folder of the vectors in the corpus.
pub const VECTORS: &str = "llama-cpp-2026-08/tokenizer";

/// All vocabularies with vectors.
pub const NAMES: [&str; 7] = ["gpt-2", "llama-spm", "phi-3", "bert-bge", "ugm", "deepseek-coder", "refact"];

/// The header of a vocabulary of the corpus: `gpt-2`.
pub fn header(corpus: &Path, name: &str) -> Header {
    parse(&bytes(corpus, name)).unwrap()
}

/// The file of a vocabulary.
pub fn bytes(corpus: &Path, name: &str) -> Vec<u8> {
    let file = format!("ggml-vocab-{name}.gguf");
    let path = ["files", "tokenizer"].map(|folder| corpus.join(folder).join(&file));
    corpus::read(path.iter().find(|path| path.is_file()).unwrap_or_else(|| panic!("there is no {file} in the corpus")))
}
