//! Image and video models: their families, the parts that a file has, and the original shapes of tensors.
//!
//! Many writers of such files write no metadata, so a model is known by the names of its tensors. The facts are those of ComfyUI-GGUF
//! (December 2025) and of stable-diffusion.cpp (August 2026).
//!
//! Example: [`ImageModel::of`].

// - `pattern`: how names are matched
// - `families`: the table of families
// - `parts`: what else is in a file, and what a file without a diffusion model is
// - `model`: the family of a file, its variant and its blocks
// - `blocks`: repeated blocks, counted by the names of tensors
// - `original_shape`: the shapes of tensors that ComfyUI-GGUF stores as rows of 256

mod blocks;
mod families;
mod model;
mod original_shape;
mod parts;
mod pattern;

pub(crate) use blocks::count_of_longest_list;
pub(crate) use families::is_image_architecture;
pub use families::{FAMILIES, ImageFamily};
pub use model::ImageModel;
pub(crate) use model::is_of_tool;
pub use original_shape::original_shape;
pub(crate) use original_shape::{product, stored_shape, tensor_of_key};
pub use parts::ModelPart;
pub(crate) use parts::parts_of;
#[doc(hidden)]
pub use pattern::any_matches;
pub(crate) use pattern::{Matches, matches};
