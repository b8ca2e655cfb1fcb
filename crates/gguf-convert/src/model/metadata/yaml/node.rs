//! Anchors, aliases, tags and merges.

use alloc::string::{String, ToString};

use serde_json::{Map, Value};

use super::reader::{MOST_DEPTH, Read, Reader, Scalar, is_space};
use super::resolve;

/// What stands before a value: a name for aliases, and a type.
#[derive(Default)]
pub(super) struct Properties<'a> {
    anchor: Option<&'a str>,
    tag: Option<&'a str>,
}

impl<'a> Properties<'a> {
    pub fn is_empty(&self) -> bool {
        self.anchor.is_none() && self.tag.is_none()
    }

    /// With those of `other`, which may not repeat any.
    pub fn and(self, other: Self) -> Read<Self> {
        if self.anchor.and(other.anchor).is_some() || self.tag.and(other.tag).is_some() {
            return Err("a value has two anchors or two tags");
        }
        Ok(Self { anchor: self.anchor.or(other.anchor), tag: self.tag.or(other.tag) })
    }
}

/// A key of a mapping.
pub(super) enum Key {
    Text(String),
    /// `<<`: the value's own members belong to the mapping.
    Merge,
}

impl Key {
    pub fn of(key: Value) -> Read<Self> {
        match key {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Array(_) | Value::Object(_) => Err("a key is a list or a mapping, which is not read"),
            other => Ok(Self::Text(other.to_string())),
        }
    }
}

/// The members of a mapping. Those that are merged count less than its own, wherever they stand.
#[derive(Default)]
pub(super) struct Members {
    own: Map<String, Value>,
    merged: Map<String, Value>,
}

impl Members {
    /// Adds a member. A key that occurs again replaces the value.
    pub fn insert(&mut self, key: Key, value: Value) -> Read<()> {
        match (key, value) {
            (Key::Text(key), value) => {
                self.own.insert(key, value);
            }
            (Key::Merge, Value::Object(members)) => self.merged.extend(members),
            (Key::Merge, Value::Array(mappings)) => {
                // The first has the last word.
                for mapping in mappings.into_iter().rev() {
                    let Value::Object(members) = mapping else { return Err(NO_MAPPING) };
                    self.merged.extend(members);
                }
            }
            (Key::Merge, _) => return Err(NO_MAPPING),
        }
        Ok(())
    }

    pub fn whole(mut self) -> Value {
        self.merged.extend(self.own);
        Value::Object(self.merged)
    }
}

const NO_MAPPING: &str = "<< needs a mapping or a list of mappings";

impl<'a> Reader<'a> {
    /// Reads anchors and tags up to the value or the end of the line.
    pub(super) fn properties(&mut self) -> Read<Properties<'a>> {
        let mut found = Properties::default();
        loop {
            let one = match self.byte() {
                b'&' => Properties { anchor: Some(self.name()?), tag: None },
                b'!' => {
                    let tag = self.rest().split([' ', '\n']).next().unwrap_or_default();
                    self.at += tag.len();
                    Properties { anchor: None, tag: Some(tag) }
                }
                _ => return Ok(found),
            };
            found = found.and(one)?;
            self.at = self.text.len() - self.rest().trim_start_matches(' ').len();
            self.may_begin_block = false;
        }
    }

    /// Reads the name behind `&` or `*`.
    pub(super) fn name(&mut self) -> Read<&'a str> {
        self.at += 1;
        let rest = self.rest();
        let is_in_name = |found: char| found.is_ascii_alphanumeric() || matches!(found, '-' | '_');
        let after = rest.trim_start_matches(is_in_name);
        let name = &rest[..rest.len() - after.len()];
        self.at += name.len();
        match name.is_empty() || !is_space(after.as_bytes().first()) && !after.starts_with(AFTER_NAME) {
            true => Err("the name of an anchor has other characters than letters, digits, - and _"),
            false => Ok(name),
        }
    }

    /// The value of a mapping or a sequence.
    pub(super) fn collection(&mut self, properties: Properties<'a>, value: Value) -> Read<Value> {
        let own = if value.is_array() { "seq" } else { "map" };
        match properties.tag.map(resolve::type_of_tag) {
            None | Some("!") => self.anchored(properties.anchor, value),
            Some(tag) if tag == own => self.anchored(properties.anchor, value),
            Some(_) => Err(resolve::OTHER_TAG),
        }
    }

    pub(super) fn scalar_value(&mut self, properties: Properties<'a>, scalar: Scalar<'a>) -> Read<Value> {
        let value = match scalar {
            Scalar::Alias(name) => {
                let value = self.anchors.get(name).ok_or("an alias names no anchor of a value before it")?;
                return copy(value, self.depth, &mut self.values);
            }
            Scalar::Plain(text) => resolve::scalar(text, true, properties.tag),
            Scalar::Quoted(text) => resolve::scalar(text, false, properties.tag),
        }?;
        take(&mut self.values, 1)?;
        self.anchored(properties.anchor, value)
    }

    pub(super) fn key(&mut self, properties: Properties<'a>, scalar: Scalar<'a>) -> Read<Key> {
        match scalar {
            Scalar::Plain(text) if properties.is_empty() && text == "<<" => Ok(Key::Merge),
            Scalar::Plain(text) if properties.is_empty() && text == "=" => Ok(Key::Text(text)),
            scalar => Key::of(self.scalar_value(properties, scalar)?),
        }
    }

    /// The value, after it was named.
    fn anchored(&mut self, anchor: Option<&'a str>, value: Value) -> Read<Value> {
        if let Some(anchor) = anchor {
            let kept = copy(&value, self.depth, &mut self.values)?;
            if self.anchors.insert(anchor.into(), kept).is_some() {
                return Err("two values have the same anchor");
            }
        }
        Ok(value)
    }
}

/// What may follow after the name of an anchor, besides spaces.
const AFTER_NAME: [char; 8] = ['?', ':', ',', ']', '}', '%', '@', '`'];

/// Takes values from those that may still come.
pub(super) fn take(values: &mut usize, count: usize) -> Read<()> {
    *values = values.checked_sub(count).ok_or("it has more than 262,144 values, the limit for front matter")?;
    Ok(())
}

/// Copies a value that stands in a collection of a depth. Long texts count as several values.
fn copy(value: &Value, depth: usize, values: &mut usize) -> Read<Value> {
    const TEXT_OF_A_VALUE: usize = 64;
    if depth > MOST_DEPTH {
        return Err("values are nested too deeply");
    }
    take(values, 1)?;
    Ok(match value {
        Value::String(text) => {
            take(values, text.len() / TEXT_OF_A_VALUE)?;
            Value::String(text.clone())
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| copy(item, depth + 1, values));
            Value::Array(items.collect::<Read<_>>()?)
        }
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| {
                take(values, key.len() / TEXT_OF_A_VALUE)?;
                Ok((key.clone(), copy(value, depth + 1, values)?))
            });
            Value::Object(members.collect::<Read<_>>()?)
        }
        other => other.clone(),
    })
}
