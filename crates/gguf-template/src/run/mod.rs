//! Runs the syntax tree of a template.

mod calls;
mod expressions;
pub(crate) mod machine;
mod members;
mod operators;
mod output;
mod pieces;
mod scope;
mod statements;
