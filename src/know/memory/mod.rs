//! What it takes to run a model: the memory that llama.cpp would allocate, from the header alone.
//!
//! - `options`: the settings, with `context`, the sizes of a context that follow from them
//! - `rules`: how each architecture keeps its context, and `layers`, which layers of a model do
//! - `weights`, `caches`, `state`, `compute`: the parts
//! - `devices`: the parts on the GPU and on the CPU
//! - `estimate`: all of it, with the formulas and what is not known
//! - `largest_context`: the longest context that fits

mod caches;
mod compute;
mod context;
mod devices;
mod estimate;
mod formulas;
mod largest_context;
mod layers;
mod model;
mod options;
mod rules;
mod state;
mod weights;

pub use caches::{Cache, CacheKind};
pub use compute::ByteRange;
pub use devices::{Device, DeviceKind};
pub use estimate::{MemoryEstimate, MemoryRefusal, memory};
pub use formulas::Formula;
pub use largest_context::largest_context;
pub use options::MemoryOptions;
pub use state::State;
pub use weights::Weights;
