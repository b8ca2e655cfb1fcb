//! The tokenizer gives the ids and the texts that llama.cpp gives.

mod changed;
mod decode;
mod hostile;
mod malformed;
mod pre_tokenizers;
mod random_vocabularies;
mod ranges;
mod round_trip;
mod vectors;
mod vocabularies;
