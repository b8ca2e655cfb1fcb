//! YAML 1.1 of front matter, read as PyYAML's `safe_load` reads it.
//!
//! A date is a text. Directives, marks of documents and the tags of bytes, sets and pairs are refused.

// - this file: mappings and sequences in blocks
// - `flow`: those between brackets
// - `scalar`: where a scalar ends, and its text; `resolve`: its type
// - `node`: anchors, aliases, tags and merges
// - `reader`: what they share

mod flow;
mod node;
mod reader;
mod resolve;
mod scalar;

use alloc::vec::Vec;

use serde_json::{Map, Value};

use node::{Key, Members, Properties};
use reader::{MOST_DEPTH, Read, Reader, Scalar, is_space};

/// The most values, with those that aliases repeat: each takes many times the memory of its text. The longest known model cards have
/// about 20,000.
const MOST_VALUES: usize = 1 << 18;

/// The longest key that does not begin with `?`, in characters.
const LONGEST_KEY: usize = 1024;

/// The value of a text in which each line ends with LF. Null if there is none.
///
/// # Errors
///
/// The place of a line among all lines, and what is wrong there.
#[doc(hidden)]
pub fn parse(text: &str) -> Result<Value, (usize, &'static str)> {
    let mut reader = Reader { text, at: 0, may_begin_block: true, depth: 0, values: MOST_VALUES, anchors: Map::new() };
    reader.document().map_err(|what| {
        let end = reader.at.min(text.len().saturating_sub(1));
        (text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count(), what)
    })
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Read<Value> {
        let is_refused = |found: char| matches!(found, '\0'..='\t' | '\u{B}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}');
        if let Some(at) = self.text.find(is_refused) {
            self.at = at;
            return Err("it has a control character");
        }
        let value = self.value(0, false)?;
        self.skip()?;
        match self.rest() {
            "" => Ok(value),
            rest if rest.starts_with(':') => Err("a mapping begins within a text: quote the text"),
            _ if self.may_begin_block => Err("a line has another indentation than the lines before it"),
            _ => Err("something follows after a closing quote or bracket"),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The current byte. 0 at the end.
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Whether a byte is the current one, with a space or the end of the line behind it.
    fn is_indicator(&self, byte: u8) -> bool {
        self.byte() == byte && is_space(self.text.as_bytes().get(self.at + 1))
    }

    fn column(&self) -> usize {
        self.at - self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    /// Goes to the next character that is no space and in no comment.
    fn skip(&mut self) -> Read<()> {
        loop {
            let rest = self.rest().trim_start_matches(' ');
            self.at = self.text.len() - rest.len();
            match self.byte() {
                b'\n' => {
                    self.at += 1;
                    self.may_begin_block = true;
                }
                b'#' => self.at += rest.find('\n').unwrap_or(rest.len()),
                _ => break,
            }
        }
        match self.is_mark() || self.byte() == b'%' && self.column() == 0 {
            true => Err("marks of documents and directives are not read"),
            false => Ok(()),
        }
    }

    /// Whether the current line is a mark of a document.
    fn is_mark(&self) -> bool {
        let rest = self.rest();
        (rest.starts_with("---") || rest.starts_with("..."))
            && is_space(rest.as_bytes().get(3))
            && (self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n')
    }

    /// Reads a value in a block, if one begins at the column `least` or to the right of it. `|` and `>` may stand one column to the
    /// left. So may a sequence if `may_be_left` says so: below a key.
    fn value(&mut self, least: usize, may_be_left: bool) -> Read<Value> {
        // Those of the lines before the value.
        let mut outer = Properties::default();
        loop {
            self.skip()?;
            let (start, column) = (self.at, self.column());
            let is_left = may_be_left && self.is_indicator(b'-') || matches!(self.byte(), b'|' | b'>');
            if self.byte() == 0 || column + usize::from(is_left) < least {
                return self.scalar_value(outer, Scalar::Plain("".into()));
            }
            let may_begin_block = self.may_begin_block;
            if may_begin_block && self.is_indicator(b'-') {
                let value = self.sequence(column)?;
                return self.collection(outer, value);
            }
            if may_begin_block && self.is_indicator(b'?') {
                let value = self.mapping(column, None)?;
                return self.collection(outer, value);
            }
            let own = self.properties()?;
            match self.byte() {
                b'|' | b'>' => {
                    let text = self.block_scalar(least)?;
                    return self.scalar_value(outer.and(own)?, Scalar::Quoted(text));
                }
                b'[' | b'{' => {
                    let value = self.flow()?;
                    return self.collection(outer.and(own)?, value);
                }
                b'\n' | b'#' if self.at > start => outer = outer.and(own)?,
                _ => {
                    let scalar = self.scalar(Some(least), &own)?;
                    if may_begin_block && self.is_key(start) && self.is_indicator(b':') {
                        let key = self.key(own, scalar)?;
                        let value = self.mapping(column, Some(key))?;
                        return self.collection(outer, value);
                    }
                    return self.scalar_value(outer.and(own)?, scalar);
                }
            }
        }
    }

    fn sequence(&mut self, column: usize) -> Read<Value> {
        self.enter()?;
        let mut items = Vec::new();
        while self.byte() != 0 && self.column() == column && self.is_indicator(b'-') {
            self.at += 1;
            self.may_begin_block = true;
            items.push(self.value(column + 1, false)?);
            self.skip()?;
        }
        self.depth -= 1;
        Ok(Value::Array(items))
    }

    /// Reads a mapping at its first key, or behind it.
    fn mapping(&mut self, column: usize, mut first: Option<Key>) -> Read<Value> {
        self.enter()?;
        let mut members = Members::default();
        while self.byte() != 0 && (first.is_some() || self.column() == column) {
            let key = if let Some(key) = first.take() {
                key
            } else if self.is_indicator(b'?') {
                self.at += 1;
                self.may_begin_block = true;
                let key = Key::of(self.value(column + 1, true)?)?;
                self.skip()?;
                if !self.is_indicator(b':') || self.column() != column {
                    members.insert(key, Value::Null)?;
                    continue;
                }
                key
            } else {
                let start = self.at;
                let own = self.properties()?;
                let scalar = self.scalar(Some(column + 1), &own)?;
                if !self.is_key(start) || !self.is_indicator(b':') {
                    self.at = start;
                    return Err("a line has no key: expected \"key: value\"");
                }
                self.key(own, scalar)?
            };
            self.at += 1;
            let value = self.value(column + 1, true)?;
            members.insert(key, value)?;
            self.skip()?;
        }
        self.depth -= 1;
        Ok(members.whole())
    }

    /// Counts a mapping or a sequence.
    fn enter(&mut self) -> Read<()> {
        self.depth += 1;
        match self.depth > MOST_DEPTH {
            true => Err("values are nested too deeply"),
            false => node::take(&mut self.values, 1),
        }
    }

    /// Goes to the next character. Tells whether what begins at `start` is short enough for a key, and in the same line.
    fn is_key(&mut self, start: usize) -> bool {
        self.at = self.text.len() - self.rest().trim_start_matches(' ').len();
        let text = &self.text[start..self.at];
        text.chars().nth(LONGEST_KEY).is_none() && !text.contains('\n')
    }
}
