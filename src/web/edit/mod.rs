//! The JavaScript API of editing and writing: `Editor`, `HeaderPlan`, `EditPlan` and `GgufWriter`.

mod apply_to;
mod byte_order;
pub(crate) mod chunk_stream;
pub(crate) mod edit_plan;
pub(crate) mod editor;
mod gguf;
mod given_value;
mod header_plan;
mod write_to;
pub(crate) mod writer;
