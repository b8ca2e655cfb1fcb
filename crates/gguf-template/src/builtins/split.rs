//! `split` and `rsplit` of texts.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::{Outcome, failed};
use crate::values::bytes::Bytes;
use crate::values::finder::Finder;
use crate::values::shown::shown;
use crate::values::value::{Call, Value};

/// `split(separator=" ", count=-1)`
pub(super) fn split(call: &Call) -> Outcome<Value> {
    let items = pieces(call, false)?;
    call.host.list(items)
}

/// `rsplit(separator=" ", count=-1)`
pub(super) fn rsplit(call: &Call) -> Outcome<Value> {
    let mut items = pieces(call, true)?;
    items.reverse();
    call.host.list(items)
}

/// The pieces of a text from one side. Only the last one can be input.
fn pieces(call: &Call, from_right: bool) -> Outcome<Vec<Value>> {
    call.count(1, 3)?;
    let meter = &call.host.meter;
    let text = call.text_at(0)?;
    let separator = match call.args.get(1) {
        Some(separator) => shown(separator, meter)?,
        None => Cow::Borrowed(&b" "[..]),
    };
    if separator.is_empty() {
        return failed(format!("the separator of `{}` is empty", call.name));
    }
    let mut left = call.args.get(2).map_or(Ok(-1), Value::int)?;
    let finder = Finder::new(&separator, from_right, meter)?;
    let bytes = text.bytes()?;
    let mut rest = &bytes[..];
    let mut items = Vec::new();
    while left != 0
        && let Some(start) = finder.find(rest, meter)?
    {
        meter.step(1)?;
        let (before, after) = (&rest[..start], &rest[start + separator.len()..]);
        let (piece, next) = if from_right { (after, before) } else { (before, after) };
        items.push(call.host.text(piece)?);
        rest = next;
        left = left.wrapping_sub(1);
    }
    items.push(call.host.text_like(Bytes::of(rest, meter)?, text)?);
    Ok(items)
}
