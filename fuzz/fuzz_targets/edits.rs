//! Any file after any edits is equal to the plain model of the same edits.

#![no_main]

#[path = "../../tests/support/edit_session/mod.rs"]
mod edit_session;
#[path = "../../tests/support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../../tests/support/model/mod.rs"]
mod model;
#[path = "../../tests/support/model_value/mod.rs"]
mod model_value;
#[path = "../../tests/support/written.rs"]
mod written;

libfuzzer_sys::fuzz_target!(|input: &[u8]| edit_session::run(input));
