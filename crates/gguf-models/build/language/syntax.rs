//! The parts of a text, as the parser makes them.

/// A place in the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    pub file: usize,
    pub line: usize,
}

/// A mistake, and where it is.
#[derive(Debug)]
pub struct Mistake {
    pub at: At,
    pub text: String,
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    pub at: At,
}

impl Word<'_> {
    pub fn mistake(&self, what: &str) -> Mistake {
        Mistake { at: self.at, text: format!("{}: {what}", self.text) }
    }
}

/// A part of a text that stands on its own.
#[derive(Debug)]
pub enum Part<'a> {
    /// `common { … }`: what holds for all architectures.
    Common(Vec<Statement<'a>>),
    /// `row NAME "TITLE" { … }`: the row of an architecture in the table.
    Row(Row<'a>),
    /// `rules NAME … { … }`: the rules of these architectures.
    Rules(Vec<Word<'a>>, Vec<Statement<'a>>),
    /// `group NAME(PARAMETER, …) { … }`: statements that rules share.
    Group(Group<'a>),
    /// `graph SECTION NAME … { … }`: a section of the graphs of these architectures, or of all without a name.
    Section(Section<'a>),
    /// `numbers { … }`: the numbers of graphs that the program knows.
    Numbers(Vec<Word<'a>>),
    /// `results { … }`: the results of graphs that the program knows.
    Results(Vec<Word<'a>>),
}

#[derive(Debug)]
pub struct Row<'a> {
    pub name: Word<'a>,
    /// The title with its quotation marks.
    pub title: Word<'a>,
    pub properties: Vec<(Word<'a>, Vec<Expr<'a>>)>,
}

#[derive(Debug)]
pub struct Group<'a> {
    pub name: Word<'a>,
    pub parameters: Vec<Word<'a>>,
    pub statements: Vec<Statement<'a>>,
}

#[derive(Debug)]
pub struct Section<'a> {
    pub name: Word<'a>,
    pub architectures: Vec<Word<'a>>,
    pub statements: Vec<Statement<'a>>,
}

#[derive(Debug)]
pub enum Statement<'a> {
    /// `name = expression`
    Set(Word<'a>, Expr<'a>),
    /// `let name = expression`
    Let(Word<'a>, Expr<'a>),
    /// `? condition { … } : { … }`
    If(Expr<'a>, Vec<Self>, Vec<Self>),
    /// `@name(argument, …)`, with a `?` behind it or not.
    Run { name: Word<'a>, arguments: Vec<Expr<'a>>, is_optional: bool },
    /// `name(argument, …)`
    Call(Word<'a>, Vec<Expr<'a>>),
    /// `name:type`
    Key(Key<'a>),
    /// `name[dimension, …]`
    Tensor(Tensor<'a>),
    /// `each { … }` and the like.
    Blocks(Blocks<'a>),
}

#[derive(Debug)]
pub struct Key<'a> {
    pub name: Word<'a>,
    pub is_whole: bool,
    pub is_required: bool,
    pub form: KeyForm,
    pub element: u8,
    /// The length of an array.
    pub length: Option<Expr<'a>>,
}

/// What the value of a key may be, by its number in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyForm {
    Single,
    SingleUnlessArray,
    SingleOrArray,
    Array,
    Length,
}

#[derive(Debug)]
pub struct Tensor<'a> {
    pub name: Word<'a>,
    pub is_root: bool,
    pub dimensions: Vec<Expr<'a>>,
    pub is_optional: bool,
    /// The condition under which the tensor is optional.
    pub optional_if: Option<Expr<'a>>,
    pub counts: Counts,
    pub is_reshaped: bool,
}

/// How a tensor counts, by its number in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    Always,
    Once,
    Never,
}

#[derive(Debug)]
pub struct Blocks<'a> {
    pub name: Word<'a>,
    pub range: BlockRange,
    /// The number of blocks of `each(number)`.
    pub count: Option<Expr<'a>>,
    pub optional_if: Option<Expr<'a>>,
    pub statements: Vec<Statement<'a>>,
}

/// A range of blocks, by its number in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockRange {
    Each,
    Every,
    Last,
    First,
}

#[derive(Debug)]
pub enum Expr<'a> {
    Number(u32),
    /// A name. With `/` before it, it is a tensor outside of the blocks.
    Name(Word<'a>, bool),
    /// `function[size, …](argument, …)`
    Call(Word<'a>, Vec<Self>, Vec<Self>),
    Not(Box<Self>),
    /// An operation of two numbers, by its code in the table.
    Binary(u8, Box<Self>, Box<Self>),
}
