//! GGUF model files, read incrementally.
#![no_std]
extern crate alloc;
#[cfg(feature = "web")]
mod web;
