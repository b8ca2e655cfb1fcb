//! The columns of the table of families.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::config::{Config, ConfigRules};
use super::super::files::SmallFiles;
use super::super::keys::Key;
use super::super::tensors::content::Operation;
use super::super::tensors::view::View;
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

/// What becomes of the tensors of one name. `#` stands for the number of the block, `@` for that of the expert.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    /// The stored name. `*` at its end stands for anything.
    pub source: &'static str,
    /// The new name.
    pub target: &'static str,
    /// Which names the rule is for.
    pub suffix: Suffix,
    pub change: Change,
}

/// How the names of a rule end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suffix {
    /// Both names end with `.weight` or both with `.bias`, which the rule does not contain.
    WeightOrBias,
    /// As `WeightOrBias`. Both names can also end with one of the limits to which values are cut.
    WithLimits,
    /// The rule has the whole names.
    Whole,
}

/// What is done with a tensor.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    Keep,
    /// It is left out.
    Drop,
    /// It is left out if another tensor has become the new one.
    First,
    /// 1 is added to each element. A bias stays as it is.
    AddOne,
    /// Each element x becomes -exp(x).
    NegativeExponential,
    /// The halves of each head are interleaved: llama.cpp rotates neighbours, transformers rotates halves.
    Interleave(Heads),
    /// Its rows become columns. A bias stays as it is.
    Transpose,
    /// Dimensions of one element are left out.
    Squeeze,
    /// Blocks of MXFP4 in one tensor, and their scales in another, whose name is given.
    Mxfp4 {
        scales: &'static str,
        /// The names for even and odd rows. If it is `None`, all rows belong to the name of the rule.
        halves: Option<&'static [&'static str; 2]>,
    },
    /// It is used together with another tensor.
    Partner,
    /// Several new tensors, or one that is made in another way.
    Custom(fn(&Found<'_>) -> Result<Vec<Piece>>),
}

/// Which heads a tensor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heads {
    Query,
    KeyValue,
}

/// A stored tensor that a rule is for.
pub(crate) struct Found<'a> {
    pub config: &'a Config,
    pub view: View,
    /// The number of the block.
    pub block: u32,
    /// The end of the names: `.weight`, for example.
    pub suffix: &'static str,
    /// The new name of the rule.
    pub target: &'static str,
    /// The number of tokens of the vocabulary.
    pub token_count: Option<u64>,
}

/// A new tensor.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub name: String,
    /// The number of elements in each dimension, slowest first.
    pub shape: Vec<u64>,
    /// The views, one after the other.
    pub views: Vec<View>,
    pub operation: Operation,
}

impl Found<'_> {
    /// A name with the number of the block and the end of the stored name.
    pub fn named(&self, target: &str) -> String {
        format!("{}{}", target.replace('#', &format!("{}", self.block)), self.suffix)
    }

    /// The tensor of the rule, from one view.
    pub fn piece(&self, view: View) -> Piece {
        self.piece_named(self.target, view)
    }

    /// A tensor with a name, from one view.
    pub fn piece_named(&self, target: &str, view: View) -> Piece {
        Piece { name: self.named(target), shape: view.shape(), views: vec![view], operation: Operation::Keep }
    }

    /// The tensor of the rule, from several views. It has the shape of the stored tensor.
    pub fn joined(&self, views: Vec<View>) -> Piece {
        Piece { name: self.named(self.target), shape: self.view.shape(), views, operation: Operation::Keep }
    }
}

/// A rule that renames.
pub(crate) const fn name(source: &'static str, target: &'static str) -> Rule {
    Rule { source, target, suffix: Suffix::WeightOrBias, change: Change::Keep }
}

/// A rule for a tensor whose name has no end such as `.weight`.
pub(crate) const fn whole(source: &'static str, target: &'static str) -> Rule {
    Rule { source, target, suffix: Suffix::Whole, change: Change::Keep }
}

/// A rule for tensors that are left out.
pub(crate) const fn dropped(source: &'static str) -> Rule {
    Rule { source, target: "", suffix: Suffix::Whole, change: Change::Drop }
}

impl Rule {
    /// The rule with another change.
    pub const fn with(self, change: Change) -> Self {
        Self { change, ..self }
    }
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
