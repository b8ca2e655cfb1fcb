//! The small files of models of Hugging Face: vocabularies and metadata.

mod conversions;
mod hostile;
mod pre_tokenizer;
