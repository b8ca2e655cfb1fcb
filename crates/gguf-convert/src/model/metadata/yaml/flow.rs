//! Values between brackets, and texts in quotes.

use alloc::{string::String, vec::Vec};
use core::cell::Cell;

use serde_json::{Map, Value};

use super::scalar;

/// The most values. The longest known model cards have about 20,000.
const MOST_VALUES: u32 = 1 << 18;

/// The deepest nesting of mappings and sequences.
pub(super) const MOST_DEPTH: u32 = 64;

/// What the values of a text may still be: each takes many times the memory of its text.
pub(super) struct Room(pub Cell<u32>);

impl Default for Room {
    fn default() -> Self {
        Self(Cell::new(MOST_VALUES))
    }
}

impl Room {
    /// Counts a value.
    pub fn take(&self) -> Read<()> {
        self.0.set(self.0.get().checked_sub(1).ok_or("it has more than 262,144 values, the limit for front matter")?);
        Ok(())
    }
}

/// What was read, or why it is not.
type Read<T> = Result<T, &'static str>;

/// Reads one value. It asks for the next line when the lines before it have ended, so each line is read once.
pub(super) struct Flow<'a> {
    /// The lines up to the current one, with line breaks between them.
    text: Vec<char>,
    at: usize,
    depth: u32,
    room: &'a Room,
    next_line: &'a mut dyn FnMut() -> Read<&'a str>,
}

impl<'a> Flow<'a> {
    /// `start` is the rest of the line in which the value begins. `next_line` fails if the value cannot go on.
    pub fn new(start: &str, room: &'a Room, next_line: &'a mut dyn FnMut() -> Read<&'a str>) -> Self {
        Self { text: start.chars().collect(), at: 0, depth: 0, room, next_line }
    }

    /// The value, if nothing but a comment follows after it.
    pub fn whole(mut self) -> Read<Value> {
        let value = self.value()?;
        let rest: String = self.text[self.at..].iter().collect();
        match rest.trim().is_empty() || rest.trim_start().starts_with('#') {
            true => Ok(value),
            false => Err("something follows after a closing quote or bracket"),
        }
    }

    /// The text in quotes at the start, and its length in bytes.
    pub fn quoted_start(mut self) -> Read<(String, usize)> {
        let text = self.quoted()?;
        Ok((text, self.text[..self.at].iter().map(|found| found.len_utf8()).sum()))
    }

    /// The current character. At the end of a line, this is the line break.
    fn current(&mut self) -> Read<char> {
        while self.at >= self.text.len() {
            let line = (self.next_line)()?;
            self.text.push('\n');
            self.text.extend(line.chars());
        }
        Ok(self.text[self.at])
    }

    /// Takes the current character.
    fn take(&mut self) -> Read<char> {
        let found = self.current()?;
        self.at += 1;
        Ok(found)
    }

    /// The first character that is no space and in no comment.
    fn skip_space(&mut self) -> Read<char> {
        loop {
            let found = self.current()?;
            if found == '#' && self.at > 0 && self.text[self.at - 1].is_whitespace() {
                while self.current()? != '\n' {
                    self.at += 1;
                }
            } else if found.is_whitespace() {
                self.at += 1;
            } else {
                return Ok(found);
            }
        }
    }

    /// Whether a character follows in the same line. Then it is taken.
    fn next_if(&mut self, character: char) -> bool {
        let is_next = self.text.get(self.at) == Some(&character);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self) -> Read<Value> {
        let first = self.skip_space()?;
        self.room.take()?;
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err("values are nested too deeply");
        }
        let value = match first {
            '[' => self.list(),
            '{' => self.object(),
            '"' | '\'' => self.quoted().map(Value::String),
            '&' | '*' | '!' | '%' | '@' | '`' => {
                Err("anchors, tags and directives are not read: write the value itself")
            }
            _ => self.plain().map(|text| scalar::resolved(&text)),
        }?;
        self.depth -= 1;
        Ok(value)
    }

    fn list(&mut self) -> Read<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            if self.skip_space()? == ']' {
                self.at += 1;
                return Ok(Value::Array(items));
            }
            let item = self.value()?;
            if self.skip_space()? == ':' {
                // A mapping with one member: `[a: b]`.
                self.at += 1;
                let value = self.value()?;
                items.push(Value::Object(Map::from_iter([(key_text(item)?, value)])));
            } else {
                items.push(item);
            }
            match self.skip_space()? {
                ',' => self.at += 1,
                ']' => {}
                _ => return Err("a list has no comma between its items"),
            }
        }
    }

    fn object(&mut self) -> Read<Value> {
        self.at += 1;
        let mut members = Map::new();
        loop {
            if self.skip_space()? == '}' {
                self.at += 1;
                return Ok(Value::Object(members));
            }
            let key = key_text(self.value()?)?;
            let mut value = Value::Null;
            if self.skip_space()? == ':' {
                self.at += 1;
                if !matches!(self.skip_space()?, ',' | '}') {
                    value = self.value()?;
                }
            }
            members.insert(key, value);
            match self.skip_space()? {
                ',' => self.at += 1,
                '}' => {}
                _ => return Err("a mapping has no comma between its members"),
            }
        }
    }

    /// Reads a text without quotes, up to a sign that ends it.
    fn plain(&mut self) -> Read<String> {
        let start = self.at;
        loop {
            let is_end = match self.current()? {
                ',' | '[' | ']' | '{' | '}' => true,
                ':' => self.text.get(self.at + 1).is_none_or(|next| next.is_whitespace() || ",[]{}".contains(*next)),
                '#' => self.at > start && self.text[self.at - 1].is_whitespace(),
                _ => false,
            };
            if is_end {
                break;
            }
            self.at += 1;
        }
        let text: String = self.text[start..self.at].iter().collect();
        let lines: Vec<&str> = text.split('\n').map(str::trim).collect();
        Ok(lines.join(" ").trim().into())
    }

    /// Reads a text in quotes.
    fn quoted(&mut self) -> Read<String> {
        let quote = self.take()?;
        let mut text = String::new();
        loop {
            match self.take()? {
                '\'' if quote == '\'' && self.next_if('\'') => text.push('\''),
                found if found == quote => return Ok(text),
                '\\' if quote == '"' => text.extend(self.escape()?),
                '\n' => self.line_break(&mut text)?,
                found => text.push(found),
            }
        }
    }

    /// A line break becomes a space; empty lines become line breaks.
    fn line_break(&mut self, text: &mut String) -> Read<()> {
        text.truncate(text.trim_end_matches([' ', '\t']).len());
        let mut breaks = 0;
        loop {
            match self.current()? {
                '\n' => breaks += 1,
                ' ' | '\t' => {}
                _ => break,
            }
            self.at += 1;
        }
        scalar::fold(text, "", breaks);
        Ok(())
    }

    /// Reads what follows after `\`: nothing if the line break after it is left out.
    fn escape(&mut self) -> Read<Option<char>> {
        let found = self.take()?;
        let digits = match found {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let code: String = (0..digits).map(|_| self.take()).collect::<Read<_>>()?;
            let character = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
            return character.map(Some).ok_or("an escape is no character");
        }
        Ok(Some(match found {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{B}',
            'f' => '\u{C}',
            'r' => '\r',
            'e' => '\u{1B}',
            ' ' | '"' | '/' | '\\' => found,
            'N' => '\u{85}',
            '_' => '\u{A0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            '\n' => {
                while self.next_if(' ') || self.next_if('\t') {}
                return Ok(None);
            }
            _ => return Err("a text in quotes has an unknown escape"),
        }))
    }
}

/// The text of a key.
fn key_text(key: Value) -> Result<String, &'static str> {
    match key {
        Value::String(text) => Ok(text),
        Value::Array(_) | Value::Object(_) => Err("a key is a list or a mapping, which is not read"),
        other => Ok(alloc::string::ToString::to_string(&other)),
    }
}
