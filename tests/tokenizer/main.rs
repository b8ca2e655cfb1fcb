//! The tokenizer gives the ids that llama.cpp gives.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../support/long.rs"]
mod long;
#[path = "../support/tokenizer_input.rs"]
mod tokenizer_input;

mod changed;
mod hostile;
mod malformed;
mod pre_tokenizers;
mod random_vocabularies;
mod ranges;
mod round_trip;
mod vectors;
mod vocabularies;
