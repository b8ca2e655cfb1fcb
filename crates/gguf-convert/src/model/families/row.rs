//! The columns of the table of families.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::config::{Config, ConfigRules};
use super::super::files::SmallFiles;
use super::super::keys::Key;
use super::rule_text::Rules;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

/// A family of models: classes that are converted in the same way.
pub(crate) struct Family {
    /// The names of the classes in `config.json`.
    pub classes: &'static [&'static str],
    /// `general.architecture`.
    pub architecture: &'static str,
    /// How `config.json` is read.
    pub config: ConfigRules,
    /// Changes the configuration before it is used, or refuses it.
    pub adjust: fn(&mut Config) -> Result<()>,
    /// The row that takes the place of this one, as the configuration says.
    pub variant: fn(&Config) -> Result<Option<&'static Self>>,
    /// Whether the layers that predict later tokens can be converted alone, or left out.
    pub splits_next_tokens: bool,
    /// Refuses a model by what else is in its folder.
    pub check: fn(&Config, &Folder<'_>) -> Result<()>,
    /// The name by which a stored tensor is looked for in the rules. `None`: the tensor is left out.
    pub rename: fn(&Config, &str) -> Option<String>,
    /// What becomes of each tensor. A tensor without a rule is refused.
    pub rules: &'static [Rules],
    /// The members with the number of experts.
    pub expert_count: &'static [&'static str],
    /// Whether blocks beyond the number of blocks are left out. Otherwise they are refused.
    pub drops_later_blocks: bool,
    /// Whether an output matrix that equals the token embedding is left out.
    pub drops_equal_output: bool,
    /// Tensors and entries that are computed from the configuration.
    pub generated: fn(&Config) -> Result<Generated>,
    /// The entries of the architecture, in order.
    pub keys: &'static [Key],
    /// How the vocabulary is stored.
    pub vocabulary: Vocabulary,
}

/// The folder of a model.
pub(crate) struct Folder<'a> {
    pub name: &'a str,
    pub files: &'a SmallFiles,
}

/// Tensors and entries that are computed from the configuration.
#[derive(Debug, Default)]
pub(crate) struct Generated {
    /// The names and the numbers of the tensors.
    pub tensors: Vec<(&'static str, Vec<f32>)>,
    /// Numbers that are written before all other entries of the model.
    pub floats: Vec<(&'static str, f32)>,
}

/// The name without `model.`, which models with a head have before their names.
pub(crate) fn without_model(_: &Config, name: &str) -> Option<String> {
    Some(name.strip_prefix("model.").unwrap_or(name).into())
}

/// Most families: decoders with a rotary position embedding.
pub(crate) const DECODER: Family = Family {
    classes: &[],
    architecture: "",
    config: ConfigRules::AsItIs(&[]),
    adjust: |_| Ok(()),
    variant: |_| Ok(None),
    splits_next_tokens: false,
    check: |_, _| Ok(()),
    rename: without_model,
    rules: &[],
    expert_count: &["num_local_experts", "num_experts", "n_routed_experts"],
    drops_later_blocks: false,
    drops_equal_output: false,
    generated: |_| Ok(Generated { tensors: Vec::new(), floats: Vec::new() }),
    keys: super::super::keys::BASE,
    vocabulary: Vocabulary::Gpt2,
};
