//! `EditPlan`: a planned file, which is read, written, or applied to the original.

mod apply_to;
pub(crate) mod edit_plan;
#[cfg(feature = "know")]
mod findings;
mod write_to;
