//! The memory that the crate takes. A custom allocator counts the memory of the thread of each test, and can refuse allocations.

#[path = "../support/counting_allocator.rs"]
mod counting_allocator;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;

mod header;
mod merge_lora;
mod model;
mod model_folder;
mod requantize;
mod vocabulary;
mod zeros;
