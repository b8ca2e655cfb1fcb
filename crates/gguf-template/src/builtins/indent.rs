//! The filter `indent`.

use crate::error::{Outcome, failed};
use crate::values::bytes::Bytes;
use crate::values::value::{Call, Value};

/// `indent(width=4, first=false, blank=false)`. As in llama.cpp, empty lines at the start are dropped.
pub(super) fn indent(call: &Call) -> Outcome<Value> {
    call.count(1, 4)?;
    let meter = &call.host.meter;
    let width = call.named_or_at("width", 1);
    let first = call.flag("first", 2)?;
    let blank = call.flag("blank", 3)?;
    let text = call.text_at(0)?;
    let mut indent = Bytes::new(meter)?;
    match width {
        Value::Int(width) => match usize::try_from(width) {
            Ok(width) => {
                meter.room(width)?;
                indent.push(&vec![b' '; width])?;
            }
            Err(_) => return failed("the width of `indent` is negative"),
        },
        Value::Text(width) => indent.push(&width.bytes()?)?,
        _ => indent.push(b"    ")?,
    }
    let mut result = Bytes::new(meter)?;
    let bytes = text.bytes()?;
    let ends_with_line = bytes.ends_with(b"\n");
    let lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    for line in lines.split(|byte| *byte == b'\n') {
        meter.step(1)?;
        let is_first = result.as_slice().is_empty();
        if !is_first {
            result.push(b"\n")?;
        }
        let is_line = !bytes.is_empty();
        if is_line && if is_first { first } else { blank || !line.is_empty() } {
            result.push(indent.as_slice())?;
        }
        result.push(line)?;
    }
    if ends_with_line {
        result.push(b"\n")?;
        if blank {
            result.push(indent.as_slice())?;
        }
    }
    call.host.text_like(result, text)
}
