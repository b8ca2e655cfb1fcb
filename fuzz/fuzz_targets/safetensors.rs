//! The decoder of safetensors headers does not panic on any bytes. The tensors that it accepts lie in the file, side by side.

#![no_main]

#[path = "../../tests/support/safetensors_input.rs"]
mod safetensors_input;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    safetensors_input::run(input);
});
