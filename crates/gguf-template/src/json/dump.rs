//! Writes JSON in one line, as the library that llama.cpp uses does.

use alloc::string::String;
use core::fmt::Write;

use super::value::Json;
use crate::values::escaped::write_escaped;
use crate::values::written_numbers::shortest;

impl Json {
    /// The JSON text, without blanks.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        write(self, &mut out);
        out
    }
}

fn write(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        // Writing to a text cannot fail.
        Json::Int(number) => drop(write!(out, "{number}")),
        Json::Unsigned(number) => drop(write!(out, "{number}")),
        Json::Float(number) => out.push_str(&shortest(*number)),
        Json::Text(text) => write_text(text, out),
        Json::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut bytes = alloc::vec::Vec::with_capacity(text.len());
    let _ = write_escaped(text.as_bytes(), &mut |piece| {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    // Escapes are ASCII, and the rest is the text.
    out.push_str(core::str::from_utf8(&bytes).unwrap_or(""));
    out.push('"');
}
