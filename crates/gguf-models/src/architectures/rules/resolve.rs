//! What the names in expressions are: definitions, keys, or numbers of the model.

use super::grammar::{BlockRange, Expr, Item, KeyForm, TensorNeed};
use super::parser::Parser;

impl Parser<'_> {
    pub(super) fn resolve_items(&mut self, items: &mut [Item], names: &[&'static str]) {
        for item in items {
            match item {
                Item::Key(key) => {
                    if let KeyForm::SingleOrArray(_, length) = &mut key.form {
                        self.resolve(length, names);
                    }
                }
                Item::Tensor(tensor) => {
                    tensor.dimensions.iter_mut().for_each(|dimension| self.resolve(dimension, names));
                    if let TensorNeed::OptionalIf(condition) = &mut tensor.need {
                        self.resolve(condition, names);
                    }
                }
                Item::If(condition, then, otherwise) => {
                    self.resolve(condition, names);
                    self.resolve_items(then, names);
                    self.resolve_items(otherwise, names);
                }
                Item::Blocks(blocks) => {
                    if let BlockRange::First(count) = &mut blocks.range {
                        self.resolve(count, names);
                    }
                    if let Some(condition) = &mut blocks.optional_if {
                        self.resolve(condition, names);
                    }
                    self.resolve_items(&mut blocks.items, names);
                }
                Item::Must(condition) | Item::Assert(condition) => self.resolve(condition, names),
                Item::Optional(items) => self.resolve_items(items, names),
            }
        }
    }

    pub(super) fn resolve(&mut self, expr: &mut Expr, names: &[&'static str]) {
        match expr {
            Expr::Name(name) => *expr = self.resolved(name, names),
            Expr::Not(inner) | Expr::GivenOr(_, inner) | Expr::MostOfBlocks(inner) | Expr::HasAt(_, inner) => {
                self.resolve(inner, names);
            }
            Expr::Binary(_, left, right) | Expr::Or(left, right) | Expr::Max(left, right) | Expr::At(left, right) => {
                self.resolve(left, names);
                self.resolve(right, names);
            }
            Expr::If(condition, then, otherwise) => {
                self.resolve(condition, names);
                self.resolve(then, names);
                self.resolve(otherwise, names);
            }
            _ => {}
        }
    }

    fn resolved(&mut self, name: &'static str, names: &[&'static str]) -> Expr {
        match name {
            "i" => return Expr::Block,
            "vocab" => return Expr::Vocabulary,
            "tokens" => return Expr::Tokens,
            "token_types" => return Expr::TokenTypes,
            "labels" => return Expr::Labels,
            _ => {}
        }
        if let Some(index) = names.iter().position(|own| *own == name) {
            return Expr::Definition(index);
        }
        match name.strip_suffix(".i") {
            Some(key) => Expr::KeyOfBlock(self.key(key)),
            None => Expr::Key(self.key(name)),
        }
    }
}
