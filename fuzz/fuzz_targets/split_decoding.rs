//! The decoder does not panic on any bytes, and its result does not depend on how the bytes are split.

#![no_main]

#[path = "../../tests/support/fuzz_input.rs"]
mod fuzz_input;
#[path = "../../tests/support/split.rs"]
mod split;

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz_input::run(input));
