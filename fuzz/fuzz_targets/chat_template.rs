//! A chat template of any bytes is rendered in bounded time and memory, or has an error with a code.

#![no_main]

#[path = "../../tests/support/chat_template_input.rs"]
mod chat_template_input;

libfuzzer_sys::fuzz_target!(|input: &[u8]| chat_template_input::run(input));
