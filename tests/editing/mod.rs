//! Changing a header and writing files: the edits, what they cost, new files.

mod corpus_files;
mod encoder;
mod fuzz_regressions;
mod history;
mod large;
mod original_shapes;
mod plan_cost;
mod random_edits;
mod replaced;
mod small_files;
mod unknown_sizes;
mod writer;
