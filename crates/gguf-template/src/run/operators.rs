//! Operators between two values.

use alloc::vec::Vec;

use super::machine::{Machine, Run, Stop};
use crate::builtins::tests::is_in;
use crate::error::{Outcome, failed};
use crate::syntax::tree::{Id, Node, Operator};
use crate::values::compare::equal;
use crate::values::floats::{exponent, power_of_two};
use crate::values::parts::Parts;
use crate::values::shown::as_text;
use crate::values::value::{Host, Value, cut};

impl Machine<'_> {
    /// The value of operators. A chain of them on the left side is walked in a loop, so that it may be long.
    #[inline(never)]
    pub(super) fn operation(&mut self, id: Id) -> Run<Value> {
        let mut chain = Vec::new();
        let mut first = id;
        while let Node::And(left, _) | Node::Or(left, _) | Node::Binary(_, left, _) = self.tree.node(first) {
            chain.push(first);
            first = *left;
        }
        self.host.meter.step(chain.len())?;
        let mut value = self.value(first)?;
        for id in chain.into_iter().rev() {
            value = self.step(id, value).map_err(|stop| stop.located(self.tree.at(id)))?;
        }
        Ok(value)
    }

    fn step(&mut self, id: Id, left: Value) -> Run<Value> {
        match self.tree.node(id) {
            Node::And(_, right) => {
                if left.truth()? {
                    self.value(*right)
                } else {
                    Ok(left)
                }
            }
            Node::Or(_, right) => {
                if left.truth()? {
                    Ok(left)
                } else {
                    self.value(*right)
                }
            }
            Node::Binary(operator, _, right) => {
                let right = self.value(*right)?;
                operate(*operator, &left, &right, &self.host).map_err(Stop::from)
            }
            _ => Ok(left),
        }
    }
}

/// The result of an operator.
fn operate(operator: Operator, left: &Value, right: &Value, host: &Host) -> Outcome<Value> {
    use Operator::{Add, Concatenate, In, Multiply, NotIn};
    match operator {
        Operator::Equal => return Ok(Value::Bool(equal(left, right, &host.meter)?)),
        Operator::NotEqual => return Ok(Value::Bool(!equal(left, right, &host.meter)?)),
        _ => {}
    }
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_));
    if left.is_absent() || right.is_absent() {
        return match operator {
            In | NotIn if right.is_undefined() => Ok(Value::Bool(operator == NotIn)),
            // A text plus nothing is the text.
            Add | Concatenate if is_text(left) || is_text(right) => {
                let nothing = Parts::new(Vec::new(), &host.meter)?;
                let part = |value: &Value| match value {
                    Value::Text(text) => text.clone(),
                    _ => nothing.clone(),
                };
                part(left).followed_by(&part(right)).map(Value::Text)
            }
            _ => refused(operator, left, right),
        };
    }
    if is_number(left) && is_number(right) {
        if operator == Operator::Modulo {
            host.meter.step(rounds(left.float()?, right.float()?))?;
        }
        return calculate(operator, left, right).map_or_else(|| refused(operator, left, right), Ok);
    }
    match (operator, left, right) {
        (Add, Value::List(left), Value::List(right)) => {
            let mut items = left.items()?;
            items.extend(right.items()?);
            host.list(items)
        }
        (_, Value::List(_), Value::List(_)) => refused(operator, left, right),
        (Add | Concatenate, ..) if is_text(left) || is_text(right) => {
            let (left, right) = (as_text(left, &host.meter)?, as_text(right, &host.meter)?);
            left.followed_by(&right).map(Value::Text)
        }
        (Multiply, Value::Text(text), Value::Int(count)) | (Multiply, Value::Int(count), Value::Text(text)) => {
            repeat(text, *count, host)
        }
        (In | NotIn, _, Value::List(_) | Value::Dict(_)) | (In | NotIn, Value::Text(_), Value::Text(_)) => {
            Ok(Value::Bool(is_in(left, right, &host.meter)? == (operator == In)))
        }
        _ => refused(operator, left, right),
    }
}

#[cold]
fn refused(operator: Operator, left: &Value, right: &Value) -> Outcome<Value> {
    failed(format!("llama.cpp has no operator `{}` between {} and {}", operator.symbol(), left.kind(), right.kind()))
}

/// Calculates with doubles, even if both numbers are integers.
fn calculate(operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    let (a, b) = (left.float().ok()?, right.float().ok()?);
    let result = match operator {
        Operator::Less => return Some(Value::Bool(a < b)),
        Operator::Greater => return Some(Value::Bool(a > b)),
        Operator::LessOrEqual => return Some(Value::Bool(a <= b)),
        Operator::GreaterOrEqual => return Some(Value::Bool(a >= b)),
        Operator::Divide => return Some(Value::Float(nan_of_x86(a / b, a, b))),
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Modulo => remainder(a, b),
        _ => return None,
    };
    Some(match (left, right) {
        (Value::Int(_), Value::Int(_)) => Value::Int(cut(result)),
        _ => Value::Float(nan_of_x86(result, a, b)),
    })
}

/// How many subtractions a remainder takes, at most.
fn rounds(a: f64, b: f64) -> usize {
    if a.is_finite() && b != 0.0 { (exponent(a) - exponent(b)).max(0) as usize } else { 0 }
}

/// The remainder of a division, with the sign of the dividend. It is exact.
fn remainder(a: f64, b: f64) -> f64 {
    if !a.is_finite() || b.is_nan() || b == 0.0 {
        return f64::NAN;
    }
    let mut rest = a.abs();
    let divisor = b.abs();
    while rest >= divisor {
        // The largest power of two times the divisor that can be subtracted. The difference is exact, because its bits are those of `rest`.
        let shift = exponent(rest) - exponent(divisor);
        let mut part = power_of_two(divisor, shift);
        if part > rest {
            part = power_of_two(divisor, shift - 1);
        }
        rest -= part;
    }
    rest.copysign(a)
}

/// The sign of NaN is written. It is that of an operand which is NaN, and else negative, as on x86.
fn nan_of_x86(result: f64, a: f64, b: f64) -> f64 {
    match (result.is_nan(), a.is_nan(), b.is_nan()) {
        (false, ..) => result,
        (_, true, _) => a,
        (_, _, true) => b,
        _ => f64::NAN.copysign(-1.0),
    }
}

fn repeat(text: &Parts, count: i64, host: &Host) -> Outcome<Value> {
    // A text without parts stays one, however often it is repeated.
    let count = if text.parts().is_empty() { 0 } else { usize::try_from(count.max(0)).unwrap_or(usize::MAX) };
    let bytes = size_of_val(text.parts()).saturating_mul(count);
    host.meter.room(bytes)?;
    host.meter.step(text.parts().len() * count / 2)?;
    let mut parts = Vec::with_capacity(text.parts().len() * count);
    (0..count).for_each(|_| parts.extend_from_slice(text.parts()));
    Parts::new(parts, &host.meter).map(Value::Text)
}

#[cfg(test)]
mod tests {
    #[test]
    fn remainders_are_those_of_the_processor() {
        let mut state = 7_u64;
        let mut numbers =
            vec![0.0, 1.0, -1.0, 3.0, 0.1, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, 1e20, -7.5];
        for _ in 0..60 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            numbers.push(f64::from_bits(state));
        }
        for a in &numbers {
            for b in &numbers {
                let (ours, expected) = (super::remainder(*a, *b), a % b);
                assert!(
                    ours == expected || ours.is_nan() && expected.is_nan(),
                    "{a:e} % {b:e}: {ours:e}, {expected:e}"
                );
            }
        }
    }
}
