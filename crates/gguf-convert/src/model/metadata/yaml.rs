//! YAML of front matter: mappings, sequences and scalars, in blocks or between brackets.
//!
//! Types of scalars are those of YAML 1.1, as PyYAML has them, but a date is a text. Anchors, tags, complex keys and several documents
//! are refused.

mod flow;
mod scalar;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::front_matter::Line;
use flow::{Flow, MOST_DEPTH, Room};
use gguf_format::error::{Error, Result, error};

/// The value of lines. Null if they are empty.
///
/// # Errors
///
/// `bad-model-card` with the offset if the lines are not YAML, or have a part that is not read.
#[doc(hidden)]
pub fn parse(lines: Vec<Line>) -> Result<Value> {
    let mut reader = Reader { lines, at: 0, depth: 0, room: Room::default() };
    let value = match reader.next_indent() {
        Some(indent) => reader.node(indent)?,
        None => Value::Null,
    };
    match reader.next_indent() {
        Some(_) => Err(reader.bad("a line has another indentation than the lines before it")),
        None => Ok(value),
    }
}

struct Reader {
    lines: Vec<Line>,
    /// The current line.
    at: usize,
    depth: u32,
    room: Room,
}

impl Reader {
    /// The indentation of the next line that is not empty and no comment, which becomes the current one.
    fn next_indent(&mut self) -> Option<usize> {
        while let Some(line) = self.lines.get(self.at) {
            let text = line.text.trim_start_matches(' ');
            if !text.is_empty() && !text.starts_with('#') {
                return Some(line.text.len() - text.len());
            }
            self.at += 1;
        }
        None
    }

    /// The current line from a column on.
    fn rest(&self, column: usize) -> &str {
        self.lines.get(self.at).and_then(|line| line.text.get(column..)).unwrap_or_default()
    }

    /// Reads the value that begins in the current line.
    fn node(&mut self, indent: usize) -> Result<Value> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.bad("values are nested too deeply"));
        }
        let rest = self.rest(indent);
        let value = if is_item(rest) {
            self.sequence(indent)
        } else if key_of(rest).is_some() {
            self.mapping(indent)
        } else {
            self.value(indent, indent)
        }?;
        self.depth -= 1;
        Ok(value)
    }

    /// Counts a value.
    fn count(&self) -> Result<()> {
        self.room.take().map_err(|reason| self.bad(reason))
    }

    fn sequence(&mut self, indent: usize) -> Result<Value> {
        let mut items = Vec::new();
        while self.next_indent() == Some(indent) && is_item(self.rest(indent)) {
            self.count()?;
            let rest = &self.rest(indent)[1..];
            let inner = rest.trim_start_matches(' ');
            if inner.is_empty() || inner.starts_with('#') {
                self.at += 1;
                items.push(self.nested(indent, false)?);
                continue;
            }
            let column = indent + 1 + rest.len() - inner.len();
            if is_item(inner) || key_of(inner).is_some() {
                // The item is a mapping or a sequence that begins in this line.
                let line = &mut self.lines[self.at];
                line.text.replace_range(indent..=indent, " ");
                items.push(self.node(column)?);
            } else {
                items.push(self.value(column, indent + 1)?);
            }
        }
        Ok(Value::Array(items))
    }

    fn mapping(&mut self, indent: usize) -> Result<Value> {
        let mut members = Map::new();
        while self.next_indent() == Some(indent) {
            self.count()?;
            let rest = self.rest(indent);
            let Some((key, length)) = key_of(rest) else {
                return Err(self.bad("a line has no key: expected \"key: value\""));
            };
            let value = rest[length..].trim_start_matches(' ');
            let column = indent + rest.len() - value.len();
            let value = if value.is_empty() || value.starts_with('#') {
                self.at += 1;
                self.nested(indent, true)?
            } else {
                self.value(column, indent + 1)?
            };
            // A key that occurs again replaces the value.
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }

    /// Reads the value in the lines below a key or a dash. Null if they are not indented. A sequence below a key need not be.
    fn nested(&mut self, indent: usize, is_member: bool) -> Result<Value> {
        match self.next_indent() {
            Some(inner) if inner > indent => self.node(inner),
            Some(inner) if is_member && inner == indent && is_item(self.rest(inner)) => self.node(inner),
            _ => Ok(Value::Null),
        }
    }

    /// Reads a scalar, or a value between brackets, that begins at a column. Its other lines are indented by `indent` at least.
    fn value(&mut self, column: usize, indent: usize) -> Result<Value> {
        let first = self.rest(column).to_owned();
        match first.chars().next() {
            Some('|' | '>') => self.block_scalar(&first, indent),
            Some('[' | '{' | '"' | '\'') => self.flow(column, indent),
            Some('&' | '*' | '!' | '%' | '@' | '`') => {
                Err(self.bad("anchors, tags and directives are not read: write the value itself"))
            }
            _ if key_of(&first).is_some() => Err(self.bad("a mapping begins within a text: quote the text")),
            _ => {
                let mut text = scalar::without_comment(&first).trim_end().to_owned();
                self.at += 1;
                let mut ends = text.len() < first.trim_end().len();
                let mut breaks = 0;
                while !ends && let Some(line) = self.lines.get(self.at) {
                    let inner = line.text.trim();
                    if inner.is_empty() {
                        breaks += 1;
                        self.at += 1;
                        continue;
                    }
                    if line.text.len() - line.text.trim_start_matches(' ').len() < indent || inner.starts_with('#') {
                        break;
                    }
                    if key_of(inner).is_some() {
                        return Err(self.bad("a mapping begins within a text: quote the text"));
                    }
                    let part = scalar::without_comment(inner).trim_end();
                    ends = part.len() < inner.len();
                    scalar::fold(&mut text, part, breaks);
                    breaks = 0;
                    self.at += 1;
                }
                Ok(scalar::resolved(&text))
            }
        }
    }

    /// Reads a value with brackets or quotes, which may have several lines.
    fn flow(&mut self, column: usize, indent: usize) -> Result<Value> {
        let start = self.rest(column);
        let (lines, mut at) = (&self.lines, self.at);
        let mut next_line = || {
            let next = lines.get(at + 1).ok_or("a quote or a bracket is not closed")?;
            let text = next.text.trim_start_matches(' ');
            let is_indented = next.text.len() - text.len() >= indent.min(1);
            if !is_indented && !matches!(text.trim(), "" | "]" | "}") {
                return Err("a quote or a bracket is not closed before the next key");
            }
            at += 1;
            Ok(text)
        };
        let value = Flow::new(start, &self.room, &mut next_line).whole();
        self.at = at;
        let value = value.map_err(|reason| self.bad(reason))?;
        self.at += 1;
        Ok(value)
    }

    /// Reads a text in the lines below `|` or `>`.
    fn block_scalar(&mut self, header: &str, indent: usize) -> Result<Value> {
        let header = scalar::without_comment(header).trim_end().to_owned();
        self.at += 1;
        let mut lines: Vec<String> = Vec::new();
        // A digit in the header says how far the text is indented; otherwise, its first line does.
        let digit = header.chars().find_map(|found| found.to_digit(10)).filter(|digit| *digit > 0);
        let mut inner = digit.map(|digit| indent.saturating_sub(1) + digit as usize);
        let header: String = header.chars().filter(|found| !found.is_ascii_digit()).collect();
        while let Some(line) = self.lines.get(self.at) {
            let own = line.text.len() - line.text.trim_start_matches(' ').len();
            if line.text.trim().is_empty() {
                lines.push(String::new());
            } else {
                let inner = *inner.get_or_insert(own);
                if own < inner || own < indent {
                    break;
                }
                lines.push(line.text[inner..].to_owned());
            }
            self.at += 1;
        }
        scalar::block(&header, &lines)
            .map(Value::String)
            .ok_or_else(|| self.bad("a block of text begins with unknown signs"))
    }

    /// The error of the current line.
    #[cold]
    fn bad(&self, what: &str) -> Error {
        let line = self.lines.get(self.at).or_else(|| self.lines.last());
        let offset = line.map_or(0, |line| line.offset);
        error!(
            BadModelCard: "the front matter of README.md cannot be read at offset {offset}: {what}. Correct it, or leave README.md out."
        )
        .at(offset)
    }
}

/// Whether a line begins with the dash of a sequence.
fn is_item(rest: &str) -> bool {
    rest == "-" || rest.starts_with("- ")
}

/// The key at the start of a line, and the length up to the value.
fn key_of(rest: &str) -> Option<(String, usize)> {
    if rest.starts_with(['"', '\'']) {
        let mut no_line = || Err("a key has one line");
        let (key, bytes) = Flow::new(rest, &Room::default(), &mut no_line).quoted_start().ok()?;
        let after = rest[bytes..].trim_start_matches(' ');
        let is_key = after == ":" || after.starts_with(": ");
        return is_key.then(|| (key, rest.len() - after.len() + 1));
    }
    if rest.starts_with(['[', '{', '|', '>', '&', '*', '!', '%', '@', '`', '?', '#']) {
        return None;
    }
    let text = scalar::without_comment(rest).trim_end();
    let end = text.find(": ").or_else(|| text.strip_suffix(':').map(str::len))?;
    Some((text[..end].trim_end().to_owned(), end + 1))
}
