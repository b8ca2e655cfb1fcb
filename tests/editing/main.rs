//! Changing a header and writing files: the edits, what they cost, new files.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/edit_input.rs"]
mod edit_input;
#[path = "../support/edit_model.rs"]
mod edit_model;
#[path = "../support/sample.rs"]
mod sample;
#[path = "../support/written.rs"]
mod written;

mod cases;
mod corpus_files;
mod fuzz_regressions;
mod plan_cost;
mod random_edits;
mod writer;
