//! Changing a header and writing files: the edits, what they cost, new files.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/edit_session/mod.rs"]
mod edit_session;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../support/model/mod.rs"]
mod model;
#[path = "../support/model_value/mod.rs"]
mod model_value;
#[path = "../support/sample.rs"]
mod sample;
#[path = "../support/written.rs"]
mod written;

mod corpus_files;
mod fuzz_regressions;
mod history;
mod large;
mod plan_cost;
mod random_edits;
mod small_files;
mod unknown_sizes;
mod writer;
