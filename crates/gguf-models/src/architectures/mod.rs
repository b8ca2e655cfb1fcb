//! The model architectures: their names, and the keys and tensors that a model of each needs.
//!
//! [`ARCHITECTURES`] is the table. What llama.cpp reads of a model is in the rules of the architecture, from which its keys
//! and tensors, [`missing_requirements`] and the checks of a model derive.
//!
//! Examples: [`architecture_info`], [`missing_requirements`].

// - `table`: the rows, which are in `families`, and `row`, their columns
// - `rules`: the keys that llama.cpp reads, and the tensors that it creates; `families`: the texts that say it
// - `table_reader`: the table that the build script makes of the texts; `opcodes`: its codes
// - `key_need`: whether all models of an architecture need a key; `tensor_group`: the tensors that it reads
// - `context_rule`: how llama.cpp keeps the context
// - `missing`: what a model lacks
// - `block_names`: the numbers of blocks in names of tensors; `hyperparameters`: numbers of a header

mod block_names;
mod context_rule;
mod hyperparameters;
mod key_need;
mod key_of;
mod missing;
mod name_list;
mod newer;
pub(crate) mod opcodes;
mod row;
pub(crate) mod rules;
mod table;
pub(crate) mod table_reader;
mod tensor_group;

pub(crate) use block_names::{block_and_name, block_count_of_tensors, split_place};
pub(crate) use context_rule::{ContextRule, Indexer, Memory, NextTokenLayers, OwnCache, RecurrentLayers, StateForm};
pub(crate) use hyperparameters::Hyperparameters;
pub use hyperparameters::MOST_BLOCKS;
pub(crate) use key_need::architectures_that_need;
pub use key_of::key_of;
pub use missing::{MissingRequirement, RequiredTensor, missing_requirements};
pub(crate) use newer::is_newer_architecture;
pub use row::ArchitectureInfo;
pub(crate) use row::Exception;
pub use rules::RULES_VERSION;
pub(crate) use rules::UNKNOWN;
pub(crate) use rules::required_keys;
pub use table::{ARCHITECTURES, architecture_info};
pub use tensor_group::{KeyNeed, Need, Place, TensorGroup};
