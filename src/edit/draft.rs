//! A header as it is to be, in terms of the one that it was.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::Change;
use crate::encode::Encoder;
use crate::format::{DEFAULT_ALIGNMENT, Format};
use crate::header::{Header, MetadataKv};
use crate::input::{ALIGNMENT, NewValue};
use crate::value::{Value, ValueType};

pub(super) struct Draft {
    pub format: Format,
    pub entries: Vec<Entry>,
    pub tensors: Vec<Tensor>,
    /// Whether the data is placed anew though nothing else demands it.
    pub is_repacked: bool,
}

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

/// An array, put together of others' elements.
pub(super) struct Spliced {
    pub element_type: ValueType,
    pub spans: Vec<Span>,
}

/// Elements that follow one another.
#[derive(Clone)]
pub(super) struct Span {
    /// The array whose elements they are: that of the entry in the old header if there is no other.
    pub source: Option<NewValue>,
    pub elements: Range<u64>,
}

pub(super) struct Tensor {
    /// The position in the old header.
    pub origin: usize,
    /// Another name than there.
    pub name: Option<Arc<[u8]>>,
}

impl Draft {
    /// What `changes` make of a header.
    pub fn new(header: &Header, changes: &[Change]) -> Self {
        let entry = |origin| Entry { origin: Some(origin), key: None, content: Content::Origin };
        let mut draft = Self {
            format: header.format(),
            entries: (0..header.metadata().len()).map(entry).collect(),
            tensors: (0..header.tensors().len()).map(|origin| Tensor { origin, name: None }).collect(),
            is_repacked: false,
        };
        for change in changes {
            draft.apply(header, change);
        }
        draft
    }

    /// Makes a change that has been found possible.
    pub fn apply(&mut self, header: &Header, change: &Change) {
        match change {
            Change::Set { entry, value } | Change::Retype { entry, value } => {
                self.entries[*entry].content = Content::New(value.clone())
            }
            Change::Add { position, key, value } => {
                let entry = Entry { origin: None, key: Some(key.clone()), content: Content::New(value.clone()) };
                self.entries.insert(*position, entry);
            }
            Change::Remove { entry } => {
                self.entries.remove(*entry);
            }
            Change::Rename { entry, key } => self.entries[*entry].key = Some(key.clone()),
            Change::Move { entry, position } => {
                let moved = self.entries.remove(*entry);
                self.entries.insert(*position, moved);
            }
            Change::Splice { entry, elements, inserted } => {
                let entry = &mut self.entries[*entry];
                if !matches!(entry.content, Content::Spliced(_)) {
                    entry.content = Content::Spliced(entry.whole(header));
                }
                if let Content::Spliced(spliced) = &mut entry.content {
                    spliced.replace(elements, inserted.as_ref());
                }
            }
            Change::RenameTensor { tensor, name } => self.tensors[*tensor].name = Some(name.clone()),
            Change::RemoveTensor { tensor } => {
                self.tensors.remove(*tensor);
            }
            Change::Repack => self.is_repacked = true,
            Change::Version(version) => self.format.version = *version,
            Change::ByteOrder(endian) => self.format.endian = *endian,
        }
    }

    /// The position of the first entry with a key.
    pub fn find(&self, header: &Header, key: &[u8]) -> Option<usize> {
        self.entries.iter().position(|entry| entry.has_key(header, key))
    }

    /// The position of the first tensor with a name.
    pub fn find_tensor(&self, header: &Header, name: &[u8]) -> Option<usize> {
        let renamed = self.tensors.iter().position(|tensor| tensor.name.as_deref() == Some(name));
        let kept = || {
            let origin = header.tensor(name)?.index();
            let position = self.tensors.partition_point(|tensor| tensor.origin < origin);
            let is_kept = |tensor: &&Tensor| tensor.origin >= origin && tensor.name.is_none();
            let named = |tensor: &Tensor| header.tensor_at(tensor.origin).is_some_and(|old| old.name() == *name);
            // Where the first one of that name has gone, another may be left.
            self.tensors[position..].iter().position(|tensor| is_kept(&tensor) && named(tensor)).map(|at| position + at)
        };
        // No tensor is given another's name; the first of several may have been given its own again.
        renamed.or_else(kept)
    }

    /// What the data will be aligned to: as [`Header::alignment`] reads it.
    pub fn alignment(&self, header: &Header) -> u64 {
        let value = match self.find(header, ALIGNMENT).map(|index| &self.entries[index]) {
            None => None,
            Some(entry) => entry.value(header).and_then(|value| value.as_u64()),
        };
        value.filter(|alignment| (1..1 << 32).contains(alignment)).unwrap_or(DEFAULT_ALIGNMENT)
    }
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

    fn has_key(&self, header: &Header, key: &[u8]) -> bool {
        match (&self.key, self.old(header)) {
            (Some(own), _) => **own == *key,
            (None, old) => old.is_some_and(|old| old.key() == *key),
        }
    }

    pub fn value_type(&self, header: &Header) -> ValueType {
        self.value(header).map_or(ValueType::Array, |value| value.value_type())
    }

    /// The value, unless it is an array that is put together of several.
    pub fn value<'a>(&'a self, header: &'a Header) -> Option<Value<'a>> {
        match &self.content {
            Content::Origin => Some(self.old(header)?.value()),
            Content::New(value) => Some(value.value()),
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
        match &self.content {
            Content::Origin => Some((self.old(header)?, index)),
            Content::New(value) => Some((value.entry(), index)),
            Content::Spliced(spliced) => {
                for span in &spliced.spans {
                    let length = span.elements.end - span.elements.start;
                    if index < length {
                        return Some((span.entry(self.old(header))?, span.elements.start + index));
                    }
                    index -= length;
                }
                None
            }
        }
    }

    /// The value of an array that is put together, as a new one.
    pub fn joined(&self, header: &Header) -> Option<NewValue> {
        let Content::Spliced(spliced) = &self.content else { return None };
        let mut encoder = NewValue::encoder(ValueType::Array);
        encoder.array(spliced.element_type.id(), spliced.len());
        for span in &spliced.spans {
            span.recode(self.old(header), &mut encoder);
        }
        Some(NewValue::encoded(encoder))
    }

    /// An array that has not been put together yet, as one of which it is put together.
    fn whole(&self, header: &Header) -> Spliced {
        let source = match &self.content {
            Content::New(value) => Some(value.clone()),
            Content::Origin | Content::Spliced(_) => None,
        };
        let (element_type, length) = self.array(header).unwrap_or((ValueType::Array, 0));
        Spliced { element_type, spans: Vec::from([Span { source, elements: 0..length }]) }
    }
}

impl Spliced {
    pub fn len(&self) -> u64 {
        self.spans.iter().map(|span| span.elements.end - span.elements.start).sum()
    }

    /// Puts the elements of `inserted` in the place of some.
    fn replace(&mut self, elements: &Range<u64>, inserted: Option<&NewValue>) {
        let (first, end) = (self.split(elements.start), self.split(elements.end));
        let inserted = inserted.and_then(|value| {
            let length = value.value().as_array()?.len();
            (length > 0).then(|| Span { source: Some(value.clone()), elements: 0..length })
        });
        let after = self.spans.split_off(end);
        self.spans.truncate(first);
        self.spans.extend(inserted);
        self.spans.extend(after);
    }

    /// Makes the element at `index` the first of a span; says of which.
    fn split(&mut self, index: u64) -> usize {
        let mut before = 0;
        for (position, span) in self.spans.iter_mut().enumerate() {
            if index == before {
                return position;
            }
            let length = span.elements.end - span.elements.start;
            if index < before + length {
                let rest = Span {
                    source: span.source.clone(),
                    elements: span.elements.start + (index - before)..span.elements.end,
                };
                span.elements.end = rest.elements.start;
                self.spans.insert(position + 1, rest);
                return position + 1;
            }
            before += length;
        }
        self.spans.len()
    }
}

impl Span {
    /// Writes the elements; `old` is the entry in the old header.
    pub fn recode(&self, old: Option<MetadataKv<'_>>, encoder: &mut Encoder) {
        let Some(entry) = self.entry(old) else { return };
        if let Some(array) = entry.value().as_array() {
            let Range { start, end } = self.elements;
            encoder.recode(entry.storage(), array.element_type(), end - start, array.iter_from(start).offset());
        }
    }

    /// The entry whose elements they are; `old` is the one in the old header.
    pub fn entry<'a>(&'a self, old: Option<MetadataKv<'a>>) -> Option<MetadataKv<'a>> {
        self.source.as_ref().map(NewValue::entry).or(old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::OwnedValue;

    const OLD: u64 = 5;

    fn value(numbers: &[u32]) -> NewValue {
        NewValue::new(&OwnedValue::array(ValueType::Uint32, numbers.iter().copied())).unwrap()
    }

    fn whole() -> Spliced {
        Spliced { element_type: ValueType::Uint32, spans: Vec::from([Span { source: None, elements: 0..OLD }]) }
    }

    /// The elements, those of the old array being 0, 1, 2, …
    fn elements(spliced: &Spliced) -> Vec<u64> {
        let old = |span: &Span| span.elements.clone().collect();
        let of = |span: &Span| match &span.source {
            None => old(span),
            Some(value) => {
                let array = value.value().as_array().unwrap();
                let get = |index| array.get(index).unwrap().as_u64().unwrap();
                span.elements.clone().map(get).collect::<Vec<u64>>()
            }
        };
        spliced.spans.iter().flat_map(of).collect()
    }

    /// Every two replacements, one after the other, of 5 elements and what is left of them.
    #[test]
    fn spans_are_replaced_as_elements_are() {
        let inserted = [None, Some(value(&[])), Some(value(&[100])), Some(value(&[200, 201, 202]))];
        let ranges = |len: u64| (0..=len).flat_map(move |start| (start..=len).map(move |end| start..end));
        let replace = |expected: &mut Vec<u64>, range: &Range<u64>, inserted: Option<&NewValue>| {
            let new = inserted.map_or(Vec::new(), |value| {
                let array = value.value().as_array().unwrap();
                array.iter().map(|element| element.as_u64().unwrap()).collect()
            });
            expected.splice(range.start as usize..range.end as usize, new);
        };
        for (first, new) in ranges(OLD).flat_map(|range| inserted.iter().map(move |new| (range.clone(), new.as_ref())))
        {
            let mut once: Vec<u64> = (0..OLD).collect();
            replace(&mut once, &first, new);
            for second in ranges(once.len() as u64) {
                for next in &inserted {
                    let (mut spliced, mut expected) = (whole(), once.clone());
                    spliced.replace(&first, new);
                    spliced.replace(&second, next.as_ref());
                    replace(&mut expected, &second, next.as_ref());
                    assert_eq!(elements(&spliced), expected, "{first:?}, {second:?}");
                    assert_eq!(spliced.len(), expected.len() as u64);
                    assert!(spliced.spans.iter().all(|span| !span.elements.is_empty()));
                }
            }
        }
    }

    #[test]
    fn spans_are_split_once_at_a_place() {
        let mut spliced = whole();
        assert_eq!((spliced.split(0), spliced.split(OLD), spliced.spans.len()), (0, 1, 1));
        assert_eq!((spliced.split(2), spliced.split(2), spliced.spans.len()), (1, 1, 2));
        assert_eq!((spliced.split(4), spliced.split(2), spliced.spans.len()), (2, 1, 3));
        assert_eq!(elements(&spliced), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn an_element_set_again_and_again_is_one_span() {
        let mut spliced = whole();
        for turn in 0..1000 {
            spliced.replace(&(2..3), Some(&value(&[turn])));
        }
        assert_eq!((spliced.spans.len(), elements(&spliced)), (3, Vec::from([0, 1, 999, 3, 4])));
    }
}
