//! What a rule says of all models of an architecture: the keys and tensors that they need, without a model.

use alloc::{string::String, vec::Vec};

use super::evaluate::has_suffix;
use super::grammar::{Counts, Expr, Item, Operator, TensorItem, TensorName, TensorNeed};
use super::row_rules::Rules;
use crate::architectures::table_reader::lists::{KEYS, definition};
use crate::architectures::tensor_group::{KeyNeed, Need, Place, TensorGroup};

/// The keys and tensors of an architecture.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// The keys that are needed, without the name of the architecture, in the order of the rule.
    pub(crate) keys: Vec<(&'static str, KeyNeed)>,
    /// The keys without an architecture.
    pub(crate) whole_keys: Vec<&'static str>,
    pub(crate) groups: Vec<TensorGroup>,
}

/// Where statements are.
#[derive(Clone, Copy, Default)]
struct Scope {
    /// Whether only some models or some blocks have them.
    is_conditional: bool,
    is_optional: bool,
    /// The tensor without which the statements are looked at.
    alternative: Option<TensorName>,
}

impl Summary {
    pub(crate) fn of(rules: &Rules) -> Self {
        let mut summary = Self::default();
        summary.items(rules, &rules.items, Scope::default());
        // llama.cpp refuses experts of which a token uses none, whatever the architecture.
        if let Some(place) = summary.keys.iter().position(|(key, _)| *key == "expert_count")
            && summary.keys.iter().all(|(key, _)| *key != "expert_used_count")
        {
            let (_, need) = summary.keys[place];
            summary.keys.insert(place + 1, ("expert_used_count", need));
        }
        summary
    }

    fn items(&mut self, rules: &Rules, items: &[Item], scope: Scope) {
        for item in items {
            match item {
                Item::Key(key) => {
                    if key.is_whole {
                        self.whole_keys.push(KEYS[key.key]);
                    }
                    if key.is_required {
                        self.need_key(KEYS[key.key], scope);
                    }
                }
                Item::Tensor(tensor) => self.tensor(rules, tensor, scope),
                Item::If(condition, then, otherwise) => self.branches(rules, condition, then, otherwise, scope),
                Item::Blocks(blocks) => self.items(rules, &blocks.items, scope),
                Item::Optional(items) => self.items(rules, items, Scope { is_optional: true, ..scope }),
                Item::Must(_) | Item::Assert(_) => {}
            }
        }
    }

    fn branches(&mut self, rules: &Rules, condition: &Expr, then: &[Item], otherwise: &[Item], scope: Scope) {
        let conditional = Scope { is_conditional: true, ..scope };
        match condition {
            // Blocks that predict further tokens may lack what the others need.
            Expr::Binary(Operator::Less, left, right) if matches!((&**left, &**right), (Expr::Block, Expr::Definition(index)) if *index == definition::BLOCKS) =>
            {
                self.items(rules, then, scope);
            }
            Expr::Has(name) => {
                self.items(rules, then, Scope { is_optional: true, ..scope });
                self.items(rules, otherwise, Scope { alternative: Some(*name), ..scope });
            }
            Expr::Not(inner) if let Expr::Has(name) = **inner => {
                if matches!(then, [Item::Tensor(TensorItem { counts: Counts::Never, .. })]) {
                    self.tie(name);
                }
                self.items(rules, then, Scope { alternative: Some(name), ..scope });
                self.items(rules, otherwise, scope);
            }
            _ => {
                self.items(rules, then, conditional);
                self.items(rules, otherwise, conditional);
                // Every model needs a key that it needs in both cases.
                let needs = |items| {
                    let mut part = Self::default();
                    part.items(rules, items, scope);
                    part.keys
                };
                let (first, second) = (needs(then), needs(otherwise));
                for (name, need) in first {
                    if need == KeyNeed::Always && second.contains(&(name, need)) {
                        self.need_key(name, scope);
                    }
                }
            }
        }
    }

    /// Makes an optional tensor one that the token embedding replaces.
    fn tie(&mut self, name: TensorName) {
        if name.name != "output" {
            return;
        }
        let name = whole_name(name.name);
        for group in &mut self.groups {
            if group.names == [name.as_str()] && group.need == Need::Optional {
                group.need = Need::Tied;
            }
        }
    }

    fn tensor(&mut self, rules: &Rules, tensor: &TensorItem, scope: Scope) {
        if tensor.counts == Counts::Never {
            return;
        }
        let (place, own) = place_of(tensor.name);
        let name = whole_name(own);
        let need = match tensor.need {
            TensorNeed::Required if !scope.is_optional => Need::Required,
            _ => Need::Optional,
        };
        if need == Need::Required {
            let mut keys = Vec::new();
            tensor.dimensions.iter().for_each(|dimension| needed_keys(rules, dimension, &mut keys));
            keys.into_iter().for_each(|key| self.need_key(KEYS[key], scope));
        }
        let is_conditional = scope.is_conditional || matches!(tensor.need, TensorNeed::OptionalIf(_));
        let alternative = scope.alternative.map(|name| whole_name(name.name));
        // A tensor stands once: with the shape that most models have, or where it is required.
        let known = self.groups.iter().any(|group| group.place == place && group.names.contains(&name));
        if known {
            return;
        }
        match self.groups.last_mut() {
            Some(last)
                if last.place == place
                    && last.need == need
                    && last.is_conditional == is_conditional
                    && last.alternative == alternative =>
            {
                last.names.push(name);
            }
            _ => {
                let names = [name].into();
                self.groups.push(TensorGroup { names, place, need, alternative, is_conditional });
            }
        }
    }

    fn need_key(&mut self, name: &'static str, scope: Scope) {
        let need = if scope.is_conditional || scope.is_optional { KeyNeed::Conditional } else { KeyNeed::Always };
        match self.keys.iter_mut().find(|(own, _)| *own == name) {
            Some((_, known)) if need == KeyNeed::Always => *known = need,
            Some(_) => {}
            None => self.keys.push((name, need)),
        }
    }
}

/// The name of a tensor with its suffix.
fn whole_name(name: &str) -> String {
    let mut text = String::from(name.strip_suffix('.').unwrap_or(name));
    if !has_suffix(name) {
        text.push_str(".weight");
    }
    text
}

/// The keys without which a dimension would be 0. A key with a default is not one of them.
fn needed_keys(rules: &Rules, expr: &Expr, keys: &mut Vec<usize>) {
    match expr {
        Expr::Key(key) | Expr::KeyOfBlock(key) => keys.push(*key),
        Expr::Definition(index) => needed_keys(rules, &rules.definitions[*index], keys),
        Expr::At(_, inner) => needed_keys(rules, inner, keys),
        Expr::Binary(Operator::Subtract, left, _) => needed_keys(rules, left, keys),
        Expr::Binary(_, left, right) => {
            needed_keys(rules, left, keys);
            needed_keys(rules, right, keys);
        }
        _ => {}
    }
}

/// The place of a tensor that a rule names, and its name there.
pub(crate) fn place_of(name: TensorName) -> (Place, &'static str) {
    let of_place = |place: Place| Some((place, name.name.strip_prefix(place.prefix())?.strip_prefix("#.")?));
    match name.is_in_block {
        true => (Place::Block, name.name),
        false => {
            let of_coders = of_place(Place::EncoderBlock).or_else(|| of_place(Place::DecoderBlock));
            of_coders.unwrap_or((Place::Model, name.name))
        }
    }
}
