//! The decoder of files before GGUF does not panic on any bytes, and its result does not depend on how the bytes are split.
//! What it accepts can be read and migrated.

#![no_main]

#[path = "../../tests/support/legacy_input.rs"]
mod legacy_input;

libfuzzer_sys::fuzz_target!(|input: &[u8]| legacy_input::run(input));
