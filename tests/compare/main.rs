//! Comparing two models: metadata, tensors, details of values, the sentence and the Markdown.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../support/written.rs"]
mod written;

mod corpus_files;
mod details;
mod header_bytes;
mod hostile;
mod random_edits;
mod report;
mod texts;
