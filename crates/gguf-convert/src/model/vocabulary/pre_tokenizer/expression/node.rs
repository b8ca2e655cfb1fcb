//! The parts of expressions.

use alloc::{boxed::Box, vec::Vec};

use super::class::Class;

/// A part of an expression.
#[derive(Debug)]
pub(super) enum Node {
    /// One character, and the steps of its search.
    Class(Class, u64),
    Sequence(Vec<Node>),
    /// The first one that matches counts.
    Alternatives(Vec<Node>),
    Repeat {
        node: Box<Node>,
        min: usize,
        max: usize,
        style: Style,
    },
    /// Matches without taking characters: whether the part matches here.
    Ahead {
        node: Box<Node>,
        is_negated: bool,
    },
    /// A part that is never matched in another way once it has matched.
    Atomic(Box<Node>),
    /// The start of a line, or its end.
    LineStart,
    LineEnd,
    /// The start of the text, or its end.
    TextStart,
    TextEnd,
    /// The start or the end of a word.
    WordBoundary,
}

impl Node {
    /// One character of a class.
    pub fn of_class(class: Class) -> Self {
        let steps = class.steps();
        Self::Class(class, steps)
    }
}

/// How many characters a repetition takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As many as the rest of the expression allows.
    Greedy,
    /// As few as the rest of the expression allows.
    Lazy,
    /// As many as there are, whatever follows.
    Possessive,
}
