//! The memory that a model takes: against what llama.cpp allocates, and what must hold for every model and setting.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;

mod hostile;
mod llama_cpp;
mod properties;
