//! Texts as lists of parts.
//!
//! A part knows whether it comes from the conversation or from the template. Concatenation keeps the parts apart, and
//! `capitalize` and `title` show that: they work on each part by itself.

use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;

use super::ascii::is_space;
use super::bytes::{Bytes, OVERHEAD};
use crate::error::Outcome;
use crate::limits::Meter;

/// A part of a text.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub bytes: Rc<Bytes>,
    /// Whether the part comes from the conversation.
    pub is_input: bool,
}

/// A sum of lengths. Many parts can be the same bytes, so it can be more than there are addresses.
fn total(lengths: impl Iterator<Item = usize>) -> usize {
    lengths.fold(0, usize::saturating_add)
}

/// What a text takes. Its parts can be shared, but its bytes are put together where they are needed.
fn memory(parts: &Vec<Part>, length: usize) -> usize {
    let bytes = if parts.len() > 1 { length } else { 0 };
    bytes.saturating_add(OVERHEAD + parts.capacity() * size_of::<Part>())
}

/// A text.
#[derive(Debug)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    length: usize,
    is_input: bool,
    meter: Rc<Meter>,
    /// What a template has done with the text: see [`super::seen`].
    pub seen: Cell<u8>,
}

impl Parts {
    #[inline(never)]
    pub fn new(parts: Vec<Part>, meter: &Rc<Meter>) -> Outcome<Rc<Parts>> {
        meter.step((parts.len() / 2).max(1))?;
        let length = total(parts.iter().map(|part| part.bytes.as_slice().len()));
        let is_input = parts.iter().all(|part| part.is_input);
        meter.take(memory(&parts, length))?;
        Ok(Rc::new(Parts { parts, length, is_input, meter: meter.clone(), seen: Cell::new(0) }))
    }

    /// A text of one part.
    #[inline(never)]
    pub fn of(bytes: &[u8], is_input: bool, meter: &Rc<Meter>) -> Outcome<Rc<Parts>> {
        Parts::of_bytes(Bytes::of(bytes, meter)?, is_input, meter)
    }

    #[inline(never)]
    pub fn of_bytes(bytes: Bytes, is_input: bool, meter: &Rc<Meter>) -> Outcome<Rc<Parts>> {
        Parts::new(vec![Part { bytes: Rc::new(bytes), is_input }], meter)
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.length
    }

    /// The bytes of all parts. To put them together counts steps.
    #[inline(never)]
    pub fn bytes(&self) -> Outcome<Cow<'_, [u8]>> {
        Ok(match &self.parts[..] {
            [] => Cow::Borrowed(&[]),
            [part] => Cow::Borrowed(part.bytes.as_slice()),
            parts => {
                self.meter.step(parts.len())?;
                self.meter.look(self.length)?;
                let mut bytes = Vec::with_capacity(self.length);
                parts.iter().for_each(|part| bytes.extend_from_slice(part.bytes.as_slice()));
                Cow::Owned(bytes)
            }
        })
    }

    /// Whether all parts come from the conversation. A text without parts counts as one that does.
    pub fn is_input(&self) -> bool {
        self.is_input
    }

    /// The parts of both texts.
    #[inline(never)]
    pub fn followed_by(&self, other: &Parts) -> Outcome<Rc<Parts>> {
        self.meter.take((self.parts.len() + other.parts.len()) * size_of::<Part>())?;
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        parts.extend_from_slice(&self.parts);
        parts.extend_from_slice(&other.parts);
        self.meter.give(parts.len() * size_of::<Part>());
        Parts::new(parts, &self.meter)
    }

    /// Each part changed by itself. The lengths stay.
    pub fn changed(&self, change: fn(&mut [u8])) -> Outcome<Rc<Parts>> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let mut bytes = Bytes::of(part.bytes.as_slice(), &self.meter)?;
            change(bytes.as_mut_slice());
            parts.push(Part { bytes: Rc::new(bytes), is_input: part.is_input });
        }
        Parts::new(parts, &self.meter)
    }

    /// The text without some bytes at its ends, and without the parts that consist of them. By default the six blanks are
    /// dropped.
    #[inline(never)]
    pub fn stripped(&self, left: bool, right: bool, dropped: Option<&[u8]>) -> Outcome<Rc<Parts>> {
        let is_dropped = |byte: &u8| dropped.map_or(is_space(*byte), |dropped| dropped.contains(byte));
        self.meter.step(self.parts.len())?;
        self.meter.look(self.length.saturating_mul(1 + dropped.map_or(0, |dropped| dropped.len())))?;
        self.meter.room(self.parts.len() * size_of::<(&Part, &[u8])>())?;
        let mut parts: Vec<(&Part, &[u8])> = self.parts.iter().map(|part| (part, part.bytes.as_slice())).collect();
        if left {
            let mut empty = 0;
            for (_, bytes) in &mut parts {
                while let [first, rest @ ..] = *bytes
                    && is_dropped(first)
                {
                    *bytes = rest;
                }
                if !bytes.is_empty() {
                    break;
                }
                empty += 1;
            }
            parts.drain(..empty);
        }
        if right {
            while let Some((_, bytes)) = parts.last_mut() {
                while let [rest @ .., last] = *bytes
                    && is_dropped(last)
                {
                    *bytes = rest;
                }
                if !bytes.is_empty() {
                    break;
                }
                parts.pop();
            }
        }
        let mut kept = Vec::with_capacity(parts.len());
        for (part, bytes) in parts {
            let is_whole = bytes.len() == part.bytes.as_slice().len();
            let bytes = if is_whole { part.bytes.clone() } else { Rc::new(Bytes::of(bytes, &self.meter)?) };
            kept.push(Part { bytes, is_input: part.is_input });
        }
        Parts::new(kept, &self.meter)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.meter.give(memory(&self.parts, self.length));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths_do_not_wrap() {
        assert_eq!(super::total([usize::MAX / 2 + 1; 2].into_iter()), usize::MAX);
        assert_eq!(super::total([3, 4].into_iter()), 7);
    }
}
