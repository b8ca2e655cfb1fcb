//! The JavaScript API of editing and writing: `Editor`, `HeaderPlan`, `EditPlan` and `GgufWriter`.

mod apply_to;
#[cfg(feature = "edit")]
mod byte_order;
pub(crate) mod edit_plan;
#[cfg(feature = "edit")]
pub(crate) mod editor;
#[cfg(feature = "know")]
mod findings;
#[cfg(feature = "edit")]
mod gguf;
#[cfg(feature = "edit")]
mod given_value;
#[cfg(feature = "edit")]
mod header_plan;
mod write_to;
#[cfg(feature = "edit")]
pub(crate) mod writer;
