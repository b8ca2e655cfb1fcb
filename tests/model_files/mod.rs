//! The small files of models of Hugging Face: vocabularies and metadata.

mod conversions;
mod front_matter;
mod hostile;
mod long_lists;
mod pre_tokenizer;
