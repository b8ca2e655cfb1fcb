//! From the text of a template to its syntax tree.

mod described;
pub(crate) mod expressions;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod statements;
pub(crate) mod tree;
