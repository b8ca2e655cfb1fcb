//! The rules of an architecture.

use alloc::{vec, vec::Vec};

use super::grammar::{BlocksItem, Expr, Item};
use crate::architectures::table_reader::lists::KEYS;

/// The rules of an architecture.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    pub(crate) definitions: Vec<Expr>,
    /// Whether the value of a definition may differ between blocks.
    pub(super) varies: Vec<bool>,
    pub(crate) items: Vec<Item>,
}

impl Rules {
    /// Whether llama.cpp reads a key in some case.
    pub(crate) fn reads(&self, key: &str) -> bool {
        fn reads(items: &[Item], key: &str) -> bool {
            items.iter().any(|item| match item {
                Item::Key(own) => KEYS[own.key] == key,
                Item::If(_, then, otherwise) => reads(then, key) || reads(otherwise, key),
                Item::Blocks(BlocksItem { items, .. }) | Item::Optional(items) => reads(items, key),
                Item::Tensor(_) | Item::Must(_) | Item::Assert(_) => false,
            })
        }
        reads(&self.items, key)
    }

    /// Finds the definitions whose value may differ between blocks, until there are no more.
    pub(super) fn find_varying(&mut self) {
        self.varies = vec![false; self.definitions.len()];
        loop {
            let found: Vec<bool> = self.definitions.iter().map(|expr| self.expr_varies(expr)).collect();
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
