//! The rules of an architecture.

use alloc::{vec, vec::Vec};

use super::grammar::{Expr, Item};

/// The rules of an architecture.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// The keys, without the name of the architecture.
    pub(crate) keys: Vec<&'static str>,
    /// The definitions, by name.
    pub(crate) definitions: Vec<(&'static str, Expr)>,
    /// Whether the value of a definition may differ between blocks.
    pub(super) varies: Vec<bool>,
    pub(crate) items: Vec<Item>,
    /// The places of the definitions `blocks`, `all_blocks` and `experts`.
    pub(super) blocks: usize,
    pub(super) all_blocks: usize,
    pub(super) experts: usize,
}

impl Rules {
    /// The place of a key.
    pub(crate) fn key(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|own| *own == name)
    }

    /// Finds the definitions whose value may differ between blocks, until there are no more.
    pub(super) fn find_varying(&mut self) {
        self.varies = vec![false; self.definitions.len()];
        loop {
            let found: Vec<bool> = self.definitions.iter().map(|(_, expr)| self.expr_varies(expr)).collect();
            if found == self.varies {
                return;
            }
            self.varies = found;
        }
    }

    fn expr_varies(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Block | Expr::KeyOfBlock(_) => true,
            Expr::Has(name) | Expr::Dimension(name, _) => name.is_in_block || name.name.contains('#'),
            Expr::Definition(index) => self.varies[*index],
            Expr::Not(inner) | Expr::GivenOr(_, inner) => self.expr_varies(inner),
            Expr::HasAt(_, block) | Expr::At(block, _) => self.expr_varies(block),
            Expr::Binary(_, left, right) | Expr::Or(left, right) | Expr::Max(left, right) => {
                self.expr_varies(left) || self.expr_varies(right)
            }
            Expr::If(condition, then, otherwise) => {
                self.expr_varies(condition) || self.expr_varies(then) || self.expr_varies(otherwise)
            }
            _ => false,
        }
    }
}
