//! Values between brackets, and texts in quotes.

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value};

use super::scalar;

/// The most mappings and sequences in each other.
pub(super) const MOST_DEPTH: u32 = 64;

/// Reads one value. A value that is not complete is `Ok(None)`: more lines may follow.
pub(super) struct Flow<'a> {
    text: &'a [char],
    at: usize,
    depth: u32,
}

type Read<T> = Result<Option<T>, &'static str>;

impl<'a> Flow<'a> {
    pub fn new(text: &'a [char]) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// The value, if nothing but a comment follows after it.
    pub fn whole(mut self) -> Read<Value> {
        let Some(value) = self.value()? else { return Ok(None) };
        let rest: String = self.text[self.at..].iter().collect();
        match rest.trim().is_empty() || rest.trim_start().starts_with('#') {
            true => Ok(Some(value)),
            false => Err("something follows after a closing quote or bracket"),
        }
    }

    /// The text in quotes at the start, and its length. `None` if it is not closed.
    pub fn quoted_start(mut self) -> Option<(String, usize)> {
        let text = self.quoted().ok()??;
        Some((text, self.at))
    }

    fn skip_space(&mut self) {
        while let Some(found) = self.text.get(self.at) {
            if *found == '#' && self.at > 0 && self.text[self.at - 1].is_whitespace() {
                while self.text.get(self.at).is_some_and(|found| *found != '\n') {
                    self.at += 1;
                }
            } else if found.is_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn next_if(&mut self, character: char) -> bool {
        let is_next = self.text.get(self.at) == Some(&character);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self) -> Read<Value> {
        self.skip_space();
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err("values are nested too deeply");
        }
        let value = match self.text.get(self.at) {
            None => Ok(None),
            Some('[') => self.list(),
            Some('{') => self.object(),
            Some('"' | '\'') => Ok(self.quoted()?.map(Value::String)),
            Some('&' | '*' | '!' | '%' | '@' | '`') => {
                Err("anchors, tags and directives are not read: write the value itself")
            }
            Some(_) => Ok(Some(scalar::resolved(&self.plain()))),
        };
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Read<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.next_if(']') {
                return Ok(Some(Value::Array(items)));
            }
            let Some(item) = self.value()? else { return Ok(None) };
            self.skip_space();
            if self.next_if(':') {
                // A mapping with one member: `[a: b]`.
                let Some(value) = self.value()? else { return Ok(None) };
                items.push(Value::Object(Map::from_iter([(key_text(item)?, value)])));
                self.skip_space();
            } else {
                items.push(item);
            }
            if !self.next_if(',') && self.text.get(self.at) != Some(&']') {
                return if self.at >= self.text.len() {
                    Ok(None)
                } else {
                    Err("a list has no comma between its items")
                };
            }
        }
    }

    fn object(&mut self) -> Read<Value> {
        self.at += 1;
        let mut members = Map::new();
        loop {
            self.skip_space();
            if self.next_if('}') {
                return Ok(Some(Value::Object(members)));
            }
            let Some(key) = self.value()? else { return Ok(None) };
            self.skip_space();
            let value = match self.next_if(':') {
                true => {
                    self.skip_space();
                    match self.text.get(self.at) {
                        Some(',' | '}') => Value::Null,
                        _ => match self.value()? {
                            Some(value) => value,
                            None => return Ok(None),
                        },
                    }
                }
                false => Value::Null,
            };
            members.insert(key_text(key)?, value);
            self.skip_space();
            if !self.next_if(',') && self.text.get(self.at) != Some(&'}') {
                return if self.at >= self.text.len() {
                    Ok(None)
                } else {
                    Err("a mapping has no comma between its members")
                };
            }
        }
    }

    /// Reads a text without quotes, up to a sign that ends it.
    fn plain(&mut self) -> String {
        let start = self.at;
        while let Some(found) = self.text.get(self.at) {
            let next = self.text.get(self.at + 1);
            let is_end = match found {
                ',' | '[' | ']' | '{' | '}' => true,
                ':' => next.is_none_or(|next| next.is_whitespace() || matches!(next, ',' | '[' | ']' | '{' | '}')),
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
        lines.join(" ").trim().into()
    }

    /// Reads a text in quotes.
    fn quoted(&mut self) -> Read<String> {
        let quote = self.text[self.at];
        self.at += 1;
        let mut text = String::new();
        while let Some(found) = self.text.get(self.at).copied() {
            self.at += 1;
            match found {
                '\'' if quote == '\'' && self.next_if('\'') => text.push('\''),
                found if found == quote => return Ok(Some(text)),
                '\\' if quote == '"' => match self.escape()? {
                    Some(Some(character)) => text.push(character),
                    Some(None) => {}
                    None => return Ok(None),
                },
                '\n' => self.line_break(&mut text),
                found => text.push(found),
            }
        }
        Ok(None)
    }

    /// A line break becomes a space; empty lines become line breaks.
    fn line_break(&mut self, text: &mut String) {
        text.truncate(text.trim_end_matches([' ', '\t']).len());
        let mut breaks = 0;
        while let Some(found) = self.text.get(self.at) {
            match found {
                '\n' => breaks += 1,
                ' ' | '\t' => {}
                _ => break,
            }
            self.at += 1;
        }
        scalar::fold(text, "", breaks);
    }

    /// Reads what follows after `\`: `Some(None)` if the line break after it is left out.
    fn escape(&mut self) -> Read<Option<char>> {
        let Some(found) = self.text.get(self.at).copied() else { return Ok(None) };
        self.at += 1;
        let digits = match found {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let Some(code) = self.text.get(self.at..self.at + digits) else { return Ok(None) };
            self.at += digits;
            let code: String = code.iter().collect();
            let character = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
            return character.map(|character| Some(Some(character))).ok_or("an escape is no character");
        }
        Ok(Some(Some(match found {
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
                while self.text.get(self.at).is_some_and(|found| matches!(found, ' ' | '\t')) {
                    self.at += 1;
                }
                return Ok(Some(None));
            }
            _ => return Err("a text in quotes has an unknown escape"),
        })))
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
