//! The JavaScript API of editing and writing: `Editor`, `HeaderPlan` and `GgufWriter`.

mod byte_order;
pub(crate) mod editor;
#[cfg(feature = "know")]
mod findings;
mod gguf;
mod given_value;
mod header_plan;
pub(crate) mod writer;
