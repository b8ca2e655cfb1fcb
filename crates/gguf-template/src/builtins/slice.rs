//! Slices of texts and lists.

use crate::error::{Outcome, failed};
use crate::values::bytes::Bytes;
use crate::values::value::{Call, Value};

/// `text[start:stop:step]` in bytes.
pub(super) fn slice_text(call: &Call) -> Outcome<Value> {
    call.count(1, 4)?;
    let text = call.text_at(0)?;
    let bounds = Bounds::of(call, text.len())?;
    let bytes = text.bytes()?;
    let mut result = Bytes::new(&call.host.meter)?;
    if bounds.step == 1 {
        result.push(&bytes[bounds.first as usize..(bounds.end.max(bounds.first)) as usize])?;
    } else {
        for index in bounds {
            call.host.meter.step(1)?;
            result.push(&bytes[index..=index])?;
        }
    }
    call.host.text_like(result, text)
}

/// `list[start:stop:step]`
pub(super) fn slice_list(call: &Call) -> Outcome<Value> {
    call.count(1, 4)?;
    let list = call.list_at(0)?;
    let bounds = Bounds::of(call, list.len())?;
    call.host.meter.room(list.len() * size_of::<Value>())?;
    let items = bounds.filter_map(|index| list.get(index)).collect();
    call.host.sequence(items, list.is_tuple)
}

/// The indexes of a slice, in order. All of them are valid.
struct Bounds {
    first: i64,
    /// The first index that is no more in the slice.
    end: i64,
    step: i64,
    length: i64,
}

impl Bounds {
    /// The bounds of the slice that the arguments 1 to 3 describe: start, stop and step.
    fn of(call: &Call, length: usize) -> Outcome<Bounds> {
        let length = length as i64;
        let start = call.int_at(1)?;
        // llama.cpp has no default values here: without a stop, the call fails.
        let undefined = Value::Undefined(None);
        let stop = call.args.get(2).unwrap_or(&undefined).int()?;
        let step = if call.args.len() > 2 { call.args.get(3).unwrap_or(&undefined).int()? } else { 1 };
        if step == 0 {
            return failed("the step of a slice is zero");
        }
        // A negative step can end before the first element, which is written as -1.
        let (most, least) = if step > 0 { (length, 0) } else { (length - 1, -1) };
        let from_end = |index: i64, least: i64| index.saturating_add(length).max(least);
        let first = if start < 0 { from_end(start, 0) } else { start.min(most) };
        let end = if stop < least { from_end(stop, least) } else { stop.min(most) };
        Ok(Bounds { first, end, step, length })
    }
}

impl Iterator for Bounds {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let index = self.first;
        let is_inside = if self.step > 0 { index < self.end } else { index > self.end };
        if !is_inside || !(0..self.length).contains(&index) {
            return None;
        }
        self.first = index.saturating_add(self.step);
        Some(index as usize)
    }
}
