//! The reader of SentencePiece models does not panic on any bytes. A vocabulary that it accepts has a score and a type for each
//! token.

#![no_main]

#[path = "../../tests/support/piece_model_input.rs"]
mod piece_model_input;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    piece_model_input::run(input);
});
