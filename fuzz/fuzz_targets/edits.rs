//! Whatever a file is and however it is edited, what comes of it is what a plain model says.

#![no_main]

#[path = "../../tests/support/edit_input.rs"]
mod edit_input;
#[path = "../../tests/support/edit_model.rs"]
mod edit_model;
#[path = "../../tests/support/written.rs"]
mod written;

libfuzzer_sys::fuzz_target!(|input: &[u8]| edit_input::run(input));
