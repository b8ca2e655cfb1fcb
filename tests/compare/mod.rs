//! Comparing two models: metadata, tensors, details of values, the sentence and the Markdown.

mod corpus_files;
mod details;
mod header_bytes;
mod hostile;
mod random_edits;
mod report;
mod texts;
