//! The parts of rules.

use alloc::{boxed::Box, vec::Vec};

/// A statement of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// llama.cpp reads a key.
    Key(KeyItem),
    /// llama.cpp creates a tensor.
    Tensor(TensorItem),
    /// The first statements if the condition holds, else the others.
    If(Expr, Vec<Item>, Vec<Item>),
    /// The statements for each block of a range.
    Blocks(BlocksItem),
    /// llama.cpp refuses the file unless the condition holds.
    Must(Expr),
    /// llama.cpp stops unless the condition holds.
    Assert(Expr),
    /// The tensors of the statements are optional.
    Optional(Vec<Item>),
}

/// A key that llama.cpp reads.
#[derive(Clone, Debug)]
pub(crate) struct KeyItem {
    /// The place of the key in [`KEYS`](crate::architectures::table_reader::lists::KEYS).
    pub(crate) key: usize,
    /// Whether the name of the architecture does not stand before the key.
    pub(crate) is_whole: bool,
    pub(crate) form: KeyForm,
    pub(crate) is_required: bool,
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Uint32,
    Int32,
    Float32,
    Bool,
    String,
    Uint64,
}

/// What llama.cpp accepts as the value of a key.
#[derive(Clone, Debug)]
pub(crate) enum KeyForm {
    /// One value.
    Single(Element),
    /// One value. An optional array counts as missing.
    SingleUnlessArray(Element),
    /// One value for all, or an array of this length.
    SingleOrArray(Element, Expr),
    /// An array of at most 512 elements, 64 if they are `UINT64`.
    Array(Element),
    /// An array of any element type, of which only the length is read.
    Length,
}

/// A tensor that llama.cpp creates.
#[derive(Clone, Debug)]
pub(crate) struct TensorItem {
    pub(crate) name: TensorName,
    pub(crate) dimensions: Vec<Expr>,
    pub(crate) need: TensorNeed,
    /// How the tensor counts among those that llama.cpp compares with the number of tensors in the file.
    pub(crate) counts: Counts,
    /// Whether only the number of elements is compared.
    pub(crate) is_reshaped: bool,
}

/// Whether llama.cpp needs a tensor.
#[derive(Clone, Debug)]
pub(crate) enum TensorNeed {
    Required,
    Optional,
    OptionalIf(Expr),
}

/// How a created tensor counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Each time.
    Always,
    /// The first time: all blocks share it.
    Once,
    /// Never: it is a tensor that counts elsewhere.
    Never,
}

/// Statements for a range of blocks.
#[derive(Clone, Debug)]
pub(crate) struct BlocksItem {
    pub(crate) range: BlockRange,
    /// The tensors of the blocks for which this holds are optional.
    pub(crate) optional_if: Option<Expr>,
    pub(crate) items: Vec<Item>,
}

/// A range of blocks.
#[derive(Clone, Debug)]
pub(crate) enum BlockRange {
    /// `each`: all blocks but those that predict further tokens.
    Each,
    /// `every`: all blocks.
    Every,
    /// `last`: the blocks that predict further tokens.
    Last,
    /// `each(n)`: this number of blocks.
    First(Expr),
}

/// An expression of numbers. Conditions are 0 or 1.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(i64),
    /// A definition: its place in [`Rules::definitions`](super::Rules::definitions).
    Definition(usize),
    /// The value of a key, of the first block if it is an array.
    Key(usize),
    /// The value of a key for the block.
    KeyOfBlock(usize),
    /// The number of the block.
    Block,
    /// The number of tokens of the vocabulary.
    Vocabulary,
    /// The number of tokens in the list of tokens.
    Tokens,
    /// The number of token types.
    TokenTypes,
    /// The number of classes of a classifier.
    Labels,
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// The first if it is not 0, else the second.
    Or(Box<Expr>, Box<Expr>),
    /// `if(condition, a, b)`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `given(key)`: whether llama.cpp has read the key.
    Given(usize),
    /// `given(key, default)`: its value, or the default without it.
    GivenOr(usize, Box<Expr>),
    /// `scalar(key)`: whether llama.cpp has read the key as one value.
    Scalar(usize),
    /// `count(key)`: the length of an array.
    Count(usize),
    /// `most(key)`: the largest element of an array, -1 without one.
    MostOf(usize),
    /// `least(key)`: the smallest element of an array, 0 without one.
    LeastOf(usize),
    /// `distinct(key)`: the number of distinct elements that are not negative.
    Distinct(usize),
    /// `is(key, text)`.
    Is(usize, &'static str),
    /// `most(expression)`: the largest value for any block.
    MostOfBlocks(Box<Expr>),
    /// `max(a, b)`.
    Max(Box<Expr>, Box<Expr>),
    /// `at(block, expression)`.
    At(Box<Expr>, Box<Expr>),
    /// `has(tensor)`, of the block if the name is one of a block.
    Has(TensorName),
    /// `has(tensor, block)`.
    HasAt(TensorName, Box<Expr>),
    /// `dim(tensor, index)`: a dimension in the file, 0 without the tensor.
    Dimension(TensorName, i64),
}

/// The name of a tensor in a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TensorName {
    /// The name as it is written in the rule. A `#` stands for the number of the block.
    pub(crate) name: &'static str,
    /// Whether the tensor belongs to the block: `blk.3.` stands before the name.
    pub(crate) is_in_block: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    OrElse,
    And,
    Equal,
    Unequal,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
