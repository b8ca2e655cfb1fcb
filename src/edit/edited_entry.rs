//! A metadata entry as it is to be.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::edited_array::{Span, Spliced};
use super::edited_header::has_name;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::{Value, ValueType};
use crate::write::new_value::NewValue;

pub(super) struct Entry {
    /// The position in the old header, if it comes from there.
    pub origin: Option<usize>,
    /// Another key than there.
    pub key: Option<Arc<[u8]>>,
    pub content: Content,
}

/// Where an entry's value is.
pub(super) enum Content {
    /// In the old header.
    Origin,
    New(NewValue),
    /// An array of which only some elements are new.
    Spliced(Spliced),
}

impl Entry {
    /// The entry of the old header that it comes from.
    pub fn old<'a>(&self, header: &'a Header) -> Option<MetadataKv<'a>> {
        header.metadata_at(self.origin?)
    }

    pub fn key<'a>(&'a self, header: &'a Header) -> Cow<'a, [u8]> {
        match (&self.key, self.old(header)) {
            (Some(key), _) => Cow::Borrowed(key),
            (None, Some(old)) => old.key().to_bytes(),
            (None, None) => Cow::Borrowed(&[]),
        }
    }

    pub fn has_key(&self, header: &Header, key: &[u8]) -> bool {
        has_name(self.key.as_deref(), self.old(header).map(|old| old.key()), key)
    }

    pub fn value_type(&self, header: &Header) -> ValueType {
        self.stored(header).map_or(ValueType::Array, |stored| stored.value_type())
    }

    /// The value, unless it is an array that is put together of several.
    pub fn value<'a>(&'a self, header: &'a Header) -> Option<Value<'a>> {
        Some(self.stored(header)?.value())
    }

    /// The entry, of the old header or a new one, whose value it is as a whole.
    fn stored<'a>(&'a self, header: &'a Header) -> Option<MetadataKv<'a>> {
        match &self.content {
            Content::Origin => self.old(header),
            Content::New(value) => Some(value.entry()),
            Content::Spliced(_) => None,
        }
    }

    /// The type of an array's elements and how many there are: `None` if the value is no array.
    pub fn array(&self, header: &Header) -> Option<(ValueType, u64)> {
        match (&self.content, self.value(header)) {
            (Content::Spliced(spliced), _) => Some((spliced.element_type, spliced.len())),
            (_, Some(Value::Array(array))) => Some((array.element_type(), array.len())),
            _ => None,
        }
    }

    /// The element at `index` of an array.
    pub fn element<'a>(&'a self, header: &'a Header, index: u64) -> Option<Value<'a>> {
        let (entry, index) = self.element_at(header, index)?;
        entry.value().as_array()?.get(index)
    }

    /// Where the element at `index` is: in which entry, and at which index there.
    fn element_at<'a>(&'a self, header: &'a Header, mut index: u64) -> Option<(MetadataKv<'a>, u64)> {
        let Content::Spliced(spliced) = &self.content else { return Some((self.stored(header)?, index)) };
        for span in &spliced.spans {
            if index < span.len() {
                return Some((span.entry(self.old(header))?, span.elements.start + index));
            }
            index -= span.len();
        }
        None
    }

    /// The value of an array that is put together, as a new one, if it is not too long for that.
    pub fn joined(&self, header: &Header) -> Option<NewValue> {
        let Content::Spliced(spliced) = &self.content else { return None };
        let mut encoder = NewValue::encoder(ValueType::Array);
        encoder.array(spliced.element_type.id(), spliced.len());
        for span in &spliced.spans {
            span.recode(self.old(header), &mut encoder);
        }
        NewValue::encoded(encoder)
    }

    /// An array that has not been put together yet, as one of which it is put together.
    pub fn whole(&self, header: &Header) -> Spliced {
        let source = match &self.content {
            Content::New(value) => Some(value.clone()),
            Content::Origin | Content::Spliced(_) => None,
        };
        let (element_type, length) = self.array(header).unwrap_or((ValueType::Array, 0));
        Spliced { element_type, spans: Vec::from([Span { source, elements: 0..length }]) }
    }
}
