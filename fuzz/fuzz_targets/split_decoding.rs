//! Whatever the bytes are and however they are split, the decoder neither panics nor changes its mind.

#![no_main]

#[path = "../../tests/support/fuzz_input.rs"]
mod fuzz_input;
#[path = "../../tests/support/split.rs"]
mod split;

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz_input::run(input));
