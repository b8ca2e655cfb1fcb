//! Mappings and sequences between brackets.

use alloc::vec::Vec;

use serde_json::Value;

use super::node::{Key, Members, Properties};
use super::reader::{Read, Reader, Scalar};

/// What stands between two commas, or before or behind a colon. What a scalar is depends on where it stands.
enum Entry<'a> {
    Collection(Value),
    Scalar(Properties<'a>, Scalar<'a>),
}

impl<'a> Reader<'a> {
    /// Reads from the opening bracket to the closing one.
    pub(super) fn flow(&mut self) -> Read<Value> {
        self.enter()?;
        let is_list = self.byte() == b'[';
        let close = if is_list { b']' } else { b'}' };
        let (mut items, mut members) = (Vec::new(), Members::default());
        self.at += 1;
        self.skip()?;
        while self.byte() != close {
            let is_explicit = self.byte() == b'?';
            if is_explicit {
                self.at += 1;
                self.skip()?;
            }
            let start = self.at;
            let entry = if is_explicit { self.entry_or_nothing() } else { self.entry() }?;
            self.skip()?;
            let has_value = self.byte() == b':';
            if is_list && !is_explicit && !has_value {
                items.push(self.entry_value(entry)?);
            } else {
                if has_value && !is_explicit && !self.is_key(start) {
                    return Err("a key between brackets has more than one line, or more than 1,024 characters");
                }
                let key = match entry {
                    Entry::Collection(value) => Key::of(value)?,
                    Entry::Scalar(properties, scalar) => self.key(properties, scalar)?,
                };
                let mut value = Entry::nothing();
                if has_value {
                    self.at += 1;
                    self.skip()?;
                    value = self.entry_or_nothing()?;
                }
                let value = self.entry_value(value)?;
                members.insert(key, value)?;
                if is_list {
                    // A mapping with one member: `[a: b]`.
                    items.push(core::mem::take(&mut members).whole());
                }
            }
            self.skip()?;
            match self.byte() {
                b',' => self.at += 1,
                0 => return Err("a bracket is not closed"),
                byte if byte == close => break,
                _ => return Err("a comma or a closing bracket is missing between brackets"),
            }
            self.skip()?;
        }
        self.at += 1;
        self.depth -= 1;
        self.may_begin_block = false;
        Ok(if is_list { Value::Array(items) } else { members.whole() })
    }

    fn entry(&mut self) -> Read<Entry<'a>> {
        let mut properties = self.properties()?;
        self.skip()?;
        properties = properties.and(self.properties()?)?;
        self.skip()?;
        match self.byte() {
            b'[' | b'{' => {
                let value = self.flow()?;
                Ok(Entry::Collection(self.collection(properties, value)?))
            }
            0 => Err("a bracket is not closed"),
            _ => {
                let scalar = self.scalar(None, &properties)?;
                Ok(Entry::Scalar(properties, scalar))
            }
        }
    }

    fn entry_or_nothing(&mut self) -> Read<Entry<'a>> {
        match self.byte() {
            b':' | b',' | b']' | b'}' => Ok(Entry::nothing()),
            _ => self.entry(),
        }
    }

    fn entry_value(&mut self, entry: Entry<'a>) -> Read<Value> {
        match entry {
            Entry::Collection(value) => Ok(value),
            Entry::Scalar(properties, scalar) => self.scalar_value(properties, scalar),
        }
    }
}

impl Entry<'_> {
    fn nothing() -> Self {
        Self::Scalar(Properties::default(), Scalar::Plain("".into()))
    }
}
