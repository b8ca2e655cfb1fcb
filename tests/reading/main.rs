//! Decoding a header: whole, in pieces, from broken and hostile files.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/fuzz_input.rs"]
mod fuzz_input;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../support/model_value/mod.rs"]
mod model_value;
#[path = "../support/sample.rs"]
mod sample;
#[path = "../support/split.rs"]
mod split;

mod cost;
mod declared_limits;
mod dumps;
mod fuzz_regressions;
mod hostile;
mod malformed;
mod pieces;
mod prediction;
mod round_trip;
