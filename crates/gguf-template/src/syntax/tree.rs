//! The syntax tree: nodes in one list, which name each other by their number. So a deep tree is dropped without recursion.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of a node.
pub(crate) type Id = u32;

/// Nodes one after the other: a block, or elements.
pub(crate) type Ids = Box<[Id]>;

/// A parsed template.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<(Node, u32)>,
    /// Names of variables, members, filters and tests. A node has the position of a name here.
    pub names: Vec<String>,
    /// Texts between tags, and quoted texts.
    pub texts: Vec<String>,
    /// The statements of the template.
    pub body: Ids,
}

/// A node.
#[derive(Debug)]
pub(crate) enum Node {
    /// A text between tags.
    Text(u32),
    /// A text in quotes.
    Quoted(u32),
    Int(i64),
    Float(f64),
    Name(u32),
    List(Ids),
    Tuple(Ids),
    /// Keys and values in turn.
    Dict(Ids),
    And(Id, Id),
    Or(Id, Id),
    Not(Id),
    Binary(Operator, Id, Id),
    Filter {
        value: Id,
        filter: Id,
    },
    Test {
        value: Id,
        is_negated: bool,
        test: Id,
    },
    /// `value if test` without `else`, which is also the filter of a loop.
    Select {
        value: Id,
        test: Id,
    },
    Ternary {
        test: Id,
        yes: Id,
        no: Id,
    },
    /// `object.name`
    Member {
        object: Id,
        name: Id,
    },
    /// `object[index]`
    Index {
        object: Id,
        index: Id,
    },
    /// `object[start:stop:step]`
    Slice {
        object: Id,
        start: Option<Id>,
        stop: Option<Id>,
        step: Option<Id>,
    },
    /// An omitted index: `object[]`.
    Blank,
    Call {
        callee: Id,
        args: Ids,
    },
    Keyword {
        name: Id,
        value: Id,
    },
    Spread,
    /// Each branch has a test and a block. The last block is that of `else`.
    If {
        branches: Box<[(Id, Ids)]>,
        otherwise: Ids,
    },
    For(Box<For>),
    Set {
        target: Id,
        value: Id,
    },
    SetBlock {
        target: Id,
        body: Ids,
    },
    Macro(Box<Macro>),
    /// A call of a macro with a block, which the macro calls by the name `caller`.
    CallBlock {
        callee: Id,
        args: Ids,
        block: Box<Macro>,
    },
    FilterBlock {
        filter: Id,
        body: Ids,
    },
    Break,
    Continue,
    /// A comment, or a tag that llama.cpp ignores.
    Nothing,
}

/// A loop.
#[derive(Debug)]
pub(crate) struct For {
    /// A name, or a tuple of names.
    pub target: Id,
    pub iterable: Id,
    pub body: Ids,
    pub otherwise: Ids,
}

/// A macro, or the block of a `call`.
#[derive(Debug)]
pub(crate) struct Macro {
    /// A name, if the template is well made. `None` for the block of a `call`.
    pub name: Option<Id>,
    /// Names, and keywords with the value for a missing argument.
    pub parameters: Ids,
    pub body: Ids,
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    In,
    NotIn,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Add,
    Subtract,
    Concatenate,
    Multiply,
    Divide,
    Modulo,
}

impl Operator {
    /// How the template writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::In => "in",
            Operator::NotIn => "not in",
            Operator::Less => "<",
            Operator::Greater => ">",
            Operator::LessOrEqual => "<=",
            Operator::GreaterOrEqual => ">=",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Concatenate => "~",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Modulo => "%",
        }
    }
}

impl Tree {
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize].0
    }

    /// The position of a node: an offset in the source.
    pub fn at(&self, id: Id) -> u32 {
        self.nodes[id as usize].1
    }

    pub fn add(&mut self, node: Node, at: u32) -> Id {
        self.nodes.push((node, at));
        self.nodes.len() as Id - 1
    }

    /// The text of a node that is a name.
    pub fn name(&self, id: Id) -> Option<&str> {
        match self.node(id) {
            Node::Name(name) => Some(&self.names[*name as usize]),
            _ => None,
        }
    }
}
