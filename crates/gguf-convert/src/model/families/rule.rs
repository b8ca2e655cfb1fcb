//! The rules for tensors, and what is made of a tensor.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::config::Config;
use super::super::tensors::content::Operation;
use super::super::tensors::view::View;
use gguf_format::error::Result;

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
