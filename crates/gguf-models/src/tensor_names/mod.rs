//! The names of tensors: what each tensor is for.
//!
//! A name has up to three parts: a prefix that says the section of the model, a base name and a suffix.
//!
//! ```text
//! blk.3.attn_q.weight          section blk.{n}., block 3, base attn_q, weight
//! v.blk.3.ffn_up.bias          section v.blk.{n}., block 3, base ffn_up, bias
//! blk.3.ffn_up.7.weight        section blk.{n}., block 3, base ffn_up.{n}, expert 7, weight
//! blk.3.attn_q.weight.lora_a   the same tensor as in the first line, LoRA factor A
//! ```
//!
//! Example: [`tensor_role`].

// - `names`: the table of base names
// - `sections`: the sections, each with the base names that upstream uses there
// - `part`: the suffixes
// - `role`: takes a name apart

mod names;
mod part;
mod role;
mod sections;

pub use names::{TensorNameInfo, tensor_names};
pub use part::TensorPart;
pub(super) use part::split_part;
pub use role::{TensorRole, tensor_role};
pub use sections::{TENSOR_SECTIONS, TensorSection};
