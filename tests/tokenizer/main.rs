//! The tokenizer gives the ids that llama.cpp gives.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;

mod changed;
mod pre_tokenizers;
mod vectors;
mod vocabularies;
