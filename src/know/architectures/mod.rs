//! The model architectures: their names, and the keys and tensors that a model of each needs.
//!
//! [`ARCHITECTURES`] is the table. A row names what the specification requires and what llama.cpp requires. Architectures
//! whose requirements were not read from the source have none. [`missing_requirements`] compares a header with its row.
//!
//! Examples: [`architecture_info`], [`missing_requirements`].

// - `table`: the rows, and `row`, their columns; `specification`: the keys of the specification
// - `requirements`: the form of a requirement; `parts`: requirements that many architectures share
// - `dense`, `experts`, `recurrent`, `encoders`: the requirements of llama.cpp
// - `key_need`: whether all models of an architecture need a key
// - `optional_keys`: keys that llama.cpp reads, and does not require
// - `context_rule`: how llama.cpp keeps the context
// - `missing`: the comparison, with `hyperparameters` and `present`

mod context_rule;
mod dense;
mod encoders;
mod experts;
mod hyperparameters;
mod key_need;
mod missing;
mod optional_keys;
mod parts;
mod present;
mod recurrent;
mod requirements;
mod row;
pub(crate) mod rules;
mod specification;
mod table;

pub(crate) use context_rule::{
    ContextRule, Indexer, Memory, NextTokenLayers, OwnCache, RecurrentLayers, StateForm, WindowLayers, WindowLength,
};
pub(crate) use hyperparameters::{Hyperparameters, MOST_BLOCKS};
pub use key_need::KeyNeed;
pub(crate) use missing::missing_requirements_of;
pub use missing::{MissingRequirement, RequiredTensor, missing_requirements};
pub(crate) use present::{block_and_name, block_count_of_tensors, split_place};
pub use requirements::{
    Condition, ExpertBlocks, Need, NextTokenBlocks, Place, RecurrentBlocks, RequiredKey, Requirements, TensorGroup,
};
pub use row::ArchitectureInfo;
pub(crate) use row::{Exception, TensorLengths};
pub use table::{ARCHITECTURES, architecture_info};
