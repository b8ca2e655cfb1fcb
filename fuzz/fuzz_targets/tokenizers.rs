//! Every vocabulary gives tokens that cover every text, or an error.

#![no_main]

#[path = "../../tests/support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../../tests/support/tokenizer_input.rs"]
mod tokenizer_input;

libfuzzer_sys::fuzz_target!(|input: &[u8]| tokenizer_input::run(input));
