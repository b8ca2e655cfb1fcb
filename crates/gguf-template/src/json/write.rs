//! Writes values as JSON, as the filter `tojson` does.

use crate::error::{Outcome, beyond};
use crate::limits::VALUE_DEPTH;
use crate::values::escaped::{Out, write_escaped};
use crate::values::shown::write_shown;
use crate::values::value::Value;
use crate::values::written_numbers::{write_general, write_int};

/// How JSON is laid out.
struct Layout<'a> {
    /// Blanks for each level. `None`: everything is on one line.
    indent: Option<usize>,
    item_separator: &'a [u8],
    key_separator: &'a [u8],
}

/// Writes a value. Undefined values and functions are `null`.
pub(crate) fn write_json(
    value: &Value,
    indent: Option<usize>,
    item_separator: &[u8],
    key_separator: &[u8],
    out: Out,
) -> Outcome<()> {
    Layout { indent, item_separator, key_separator }.write(value, 0, out)
}

impl Layout<'_> {
    fn write(&self, value: &Value, level: usize, out: Out) -> Outcome<()> {
        if level > VALUE_DEPTH as usize {
            return beyond("the value that `tojson` writes is nested too deeply");
        }
        match value {
            Value::Bool(true) => out(b"true"),
            Value::Bool(false) => out(b"false"),
            Value::Int(number) => write_int(*number, out),
            Value::Float(number) => write_general(*number, out),
            Value::Text(text) => {
                out(b"\"")?;
                text.parts().iter().try_for_each(|part| write_escaped(part.bytes.as_slice(), out))?;
                out(b"\"")
            }
            Value::List(list) => {
                out(b"[")?;
                let items = list.borrow();
                for (index, item) in items.iter().enumerate() {
                    self.separate(index, level + 1, out)?;
                    self.write(item, level + 1, out)?;
                }
                self.end(items.is_empty(), level, out)?;
                out(b"]")
            }
            Value::Dict(dict) => {
                out(b"{")?;
                for (index, (key, value)) in dict.iter().enumerate() {
                    self.separate(index, level + 1, out)?;
                    out(b"\"")?;
                    write_key(&key, out)?;
                    out(b"\"")?;
                    out(self.key_separator)?;
                    self.write(&value, level + 1, out)?;
                }
                self.end(dict.len() == 0, level, out)?;
                out(b"}")
            }
            Value::None | Value::Undefined(_) | Value::Function(_) | Value::Keyword(_) => out(b"null"),
        }
    }

    /// Writes what stands before an element.
    fn separate(&self, index: usize, level: usize, out: Out) -> Outcome<()> {
        if index > 0 {
            out(self.item_separator)?;
        }
        self.new_line(level, out)
    }

    fn end(&self, is_empty: bool, level: usize, out: Out) -> Outcome<()> {
        if is_empty { Ok(()) } else { self.new_line(level, out) }
    }

    fn new_line(&self, level: usize, out: Out) -> Outcome<()> {
        let Some(indent) = self.indent else { return Ok(()) };
        out(b"\n")?;
        for _ in 0..level {
            write_blanks(indent, out)?;
        }
        Ok(())
    }
}

fn write_blanks(mut count: usize, out: Out) -> Outcome<()> {
    const BLANKS: [u8; 64] = [b' '; 64];
    while count > 0 {
        let now = count.min(BLANKS.len());
        out(&BLANKS[..now])?;
        count -= now;
    }
    Ok(())
}

/// Writes the text of a key. Only texts need escapes.
fn write_key(key: &Value, out: Out) -> Outcome<()> {
    match key {
        Value::Text(text) => text.parts().iter().try_for_each(|part| write_escaped(part.bytes.as_slice(), out)),
        _ => write_shown(key, &mut |bytes| write_escaped(bytes, out)),
    }
}
