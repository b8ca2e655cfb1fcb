//! Expressions in words, with their numbers, and the keys that they depend on.

use alloc::{format, string::String, vec::Vec};

use super::evaluate::{Evaluator, Stored};
use super::grammar::{Expr, Operator};
use crate::architectures::table_reader::lists::KEYS;

/// An expression with its numbers: `attention.head_count (4) × attention.key_length (16)`.
pub(super) fn text(evaluator: &mut Evaluator<'_, '_>, expr: &Expr) -> String {
    write(evaluator, expr, false)
}

fn write(evaluator: &mut Evaluator<'_, '_>, expr: &Expr, is_operand: bool) -> String {
    // In practice, both lifetimes are the lifetime of the rules. `expr` is only read here.
    let value = evaluator.value(expr);
    let number = value.map_or_else(|| "unknown".into(), |value| format!("{value}"));
    let of_key = |evaluator: &Evaluator<'_, '_>, key: usize| {
        let name = KEYS[key];
        match evaluator.values[key] {
            Stored::Unread | Stored::Missing => format!("{name} (missing: {number})"),
            _ => format!("{name} ({number})"),
        }
    };
    match expr {
        Expr::Key(key) | Expr::GivenOr(key, _) | Expr::KeyOfBlock(key)
            if !matches!(expr, Expr::GivenOr(..)) || evaluator.is_given(*key) =>
        {
            of_key(evaluator, *key)
        }
        Expr::GivenOr(_, default) => write(evaluator, default, is_operand),
        Expr::Vocabulary | Expr::Tokens => format!("the number of tokens ({number})"),
        Expr::TokenTypes => format!("tokenizer.ggml.token_type_count ({number})"),
        Expr::Labels => format!("the number of classes ({number})"),
        Expr::Block => format!("the number of the block ({number})"),
        Expr::Definition(index) => {
            let rules = evaluator.rules;
            write(evaluator, &rules.definitions[*index], is_operand)
        }
        Expr::If(condition, then, otherwise) => {
            let branch = if evaluator.value(condition).is_some_and(|value| value != 0) { then } else { otherwise };
            write(evaluator, branch, is_operand)
        }
        Expr::Or(left, right) => {
            let branch = if evaluator.value(left).is_some_and(|value| value != 0) { left } else { right };
            write(evaluator, branch, is_operand)
        }
        Expr::At(block, inner) => {
            let block = evaluator.value(block).unwrap_or(0);
            evaluator.at(block, |own| write(own, inner, is_operand))
        }
        Expr::Binary(operator, left, right) => {
            let (left, right) = (write(evaluator, left, true), write(evaluator, right, true));
            let sign = sign(*operator);
            if is_operand { format!("({left} {sign} {right})") } else { format!("{left} {sign} {right}") }
        }
        Expr::Not(inner) => format!("not {}", write(evaluator, inner, true)),
        Expr::Given(key) => format!("{} is given", KEYS[*key]),
        Expr::Scalar(key) => format!("{} is one value", KEYS[*key]),
        Expr::Count(key) => format!("the length of {} ({number})", KEYS[*key]),
        Expr::MostOf(key) => format!("the largest of {} ({number})", KEYS[*key]),
        Expr::LeastOf(key) => format!("the smallest of {} ({number})", KEYS[*key]),
        Expr::Distinct(key) => format!("the distinct elements of {} ({number})", KEYS[*key]),
        Expr::Max(left, right) => {
            let is_left = evaluator.value(left) == value;
            write(evaluator, if is_left { left } else { right }, is_operand)
        }
        Expr::Number(_)
        | Expr::Key(_)
        | Expr::KeyOfBlock(_)
        | Expr::Is(..)
        | Expr::MostOfBlocks(_)
        | Expr::Has(_)
        | Expr::HasAt(..)
        | Expr::Dimension(..) => number,
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::OrElse => "or",
        Operator::And => "and",
        Operator::Equal => "=",
        Operator::Unequal => "≠",
        Operator::Less => "<",
        Operator::Greater => ">",
        Operator::LessOrEqual => "≤",
        Operator::GreaterOrEqual => "≥",
        Operator::Add => "+",
        Operator::Subtract => "−",
        Operator::Multiply => "×",
        Operator::Divide => "/",
        Operator::Remainder => "mod",
    }
}

/// The keys that an expression depends on, each with a value that gives the expression the wanted value.
pub(super) fn candidates(evaluator: &mut Evaluator<'_, '_>, expr: &Expr, wanted: i64) -> Vec<(usize, i64)> {
    let mut keys = Vec::new();
    collect(evaluator, expr, &mut keys);
    let mut found = Vec::new();
    for key in keys {
        if let Some(value) = solve(evaluator, expr, key, wanted) {
            found.push((key, value));
        }
    }
    found
}

fn collect(evaluator: &mut Evaluator<'_, '_>, expr: &Expr, keys: &mut Vec<usize>) {
    let add = |keys: &mut Vec<usize>, key: usize| {
        if !keys.contains(&key) {
            keys.push(key);
        }
    };
    match expr {
        Expr::Key(key) | Expr::KeyOfBlock(key) => add(keys, *key),
        // A key with a default may be missing, so the keys of the default are at fault.
        Expr::GivenOr(key, default) if !evaluator.is_given(*key) => collect(evaluator, default, keys),
        Expr::GivenOr(key, _) => add(keys, *key),
        Expr::Definition(index) => {
            let rules = evaluator.rules;
            collect(evaluator, &rules.definitions[*index], keys);
        }
        Expr::If(condition, then, otherwise) => {
            let branch = if evaluator.value(condition).is_some_and(|value| value != 0) { then } else { otherwise };
            collect(evaluator, branch, keys);
        }
        Expr::Or(left, right) => {
            collect(evaluator, left, keys);
            if evaluator.value(left).is_none_or(|value| value == 0) {
                collect(evaluator, right, keys);
            }
        }
        Expr::At(block, inner) => {
            let block = evaluator.value(block).unwrap_or(0);
            evaluator.at(block, |own| collect(own, inner, keys));
        }
        Expr::Binary(_, left, right) | Expr::Max(left, right) => {
            collect(evaluator, left, keys);
            collect(evaluator, right, keys);
        }
        _ => {}
    }
}

/// The value of a key with which an expression has a value, if it grows evenly with the key. Keys with an array have none.
fn solve(evaluator: &mut Evaluator<'_, '_>, expr: &Expr, key: usize, wanted: i64) -> Option<i64> {
    let stored = evaluator.values[key].clone();
    let own = match stored {
        Stored::One(value) => value,
        Stored::Missing | Stored::Unread => 0,
        Stored::Many(_) | Stored::Text(_) => return None,
    };
    let mut with = |value: i64| {
        evaluator.store(key, Stored::One(value));
        evaluator.value(expr)
    };
    let mut solution = None;
    // Near 0 the step is the same everywhere; a division needs a larger one.
    for (start, step) in [(1i64, 1i64), (1 << 20, 1 << 20)] {
        let (Some(first), Some(second)) = (with(start), with(start + step)) else { continue };
        let slope = second - first;
        let Some(distance) = wanted.checked_sub(first).and_then(|missing| missing.checked_mul(step)) else { continue };
        if slope == 0 || distance % slope != 0 {
            continue;
        }
        let value = start + distance / slope;
        if (1..=u32::MAX.into()).contains(&value) && value != own && with(value) == Some(wanted) {
            solution = Some(value);
            break;
        }
    }
    evaluator.store(key, stored);
    solution
}
