//! A folder of a model whose files have at most 1 MB is opened and planned with at most 512 MiB of memory, and does not end the program.

#![no_main]

#[path = "../../tests/support/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../tests/support/model_folder_input.rs"]
mod model_folder_input;

/// The most bytes that are allocated at once.
const MOST_MEMORY: u64 = 512 << 20;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // An allocation beyond it fails as that of a full memory does.
    counting_allocator::with_room(MOST_MEMORY, 0, || model_folder_input::run(input, 1 << 20));
});
