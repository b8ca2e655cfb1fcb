//! What it takes to run a model: the memory that llama.cpp would allocate, from the header alone.
//!
//! Example: [`estimate()`].

// - `options`: the settings, with `context`, the sizes of a context that follow from them
// - `layers`: which layers of a model keep what, by the rule of its architecture
// - `weights`, `caches`, `state`, `compute`: the parts; `compressed` has the caches and states of DeepSeek-V4
// - `devices`: the parts on the GPU and on the CPU; `placement`: the devices of the layers, by the `shares` of cards
// - `estimate`: all of it, with the formulas and what is not known; `estimator` puts it together
// - `refusal`: the settings that llama.cpp refuses
// - `per_token`: what is read for each token
// - `largest_context`: the longest context that fits
// - `fit`: the best settings for the memory of a machine, as a `choice`; `placements`: which layers and experts can be on the GPU

mod caches;
mod choice;
mod compressed;
mod compute;
mod context;
mod devices;
mod estimate;
mod estimator;
mod fit;
mod formulas;
mod largest_context;
mod layers;
mod model;
mod options;
mod per_token;
mod placement;
mod placements;
mod refusal;
mod shares;
mod state;
mod weights;

pub use caches::{Cache, CacheKind};
pub use choice::{CacheLoss, Fit, FitChoice};
pub use compute::ByteRange;
pub use devices::Device;
pub use estimate::{Formula, MemoryEstimate};
pub use estimator::{estimate, estimate_with_overrides};
pub use fit::{FitOptions, fit};
pub use largest_context::{ContextRoom, largest_context, largest_context_with_overrides};
pub use options::{MemoryOptions, TensorOverride};
pub use refusal::MemoryRefusal;
pub use shares::Shares;
pub use state::State;
pub use weights::Weights;
