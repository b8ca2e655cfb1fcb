//! The tokenizer gives the ids that llama.cpp gives.

mod changed;
mod hostile;
mod malformed;
mod pre_tokenizers;
mod random_vocabularies;
mod ranges;
mod round_trip;
mod vectors;
mod vocabularies;
