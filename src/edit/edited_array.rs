//! An array that is put together of others' elements.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::header::MetadataKv;
use crate::format::value::ValueType;
use crate::write::encode::Encoder;
use crate::write::new_value::NewValue;

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

impl Spliced {
    pub fn len(&self) -> u64 {
        self.spans.iter().map(Span::len).sum()
    }

    /// Puts elements in the place of some; says of which.
    #[inline(never)]
    pub fn replace(&mut self, elements: &Range<u64>, mut inserted: Vec<Span>) -> Vec<Span> {
        let (first, end) = (self.split(elements.start), self.split(elements.end));
        let mut after = self.spans.split_off(end);
        let removed = self.spans.split_off(first);
        self.spans.append(&mut inserted);
        self.spans.append(&mut after);
        removed
    }

    /// Makes the element at `index` the first of a span; says of which.
    fn split(&mut self, index: u64) -> usize {
        let mut before = 0;
        for (position, span) in self.spans.iter_mut().enumerate() {
            if index == before {
                return position;
            }
            if index < before + span.len() {
                let mut rest = span.clone();
                rest.elements.start += index - before;
                span.elements.end = rest.elements.start;
                self.spans.insert(position + 1, rest);
                return position + 1;
            }
            before += span.len();
        }
        self.spans.len()
    }
}

impl Span {
    /// All elements of a new array.
    pub fn all(value: &NewValue) -> Vec<Self> {
        let length = value.value().as_array().map_or(0, |array| array.len());
        let span = Self { source: Some(value.clone()), elements: 0..length };
        if length > 0 { Vec::from([span]) } else { Vec::new() }
    }

    pub fn len(&self) -> u64 {
        self.elements.end - self.elements.start
    }

    /// Writes the elements; `old` is the entry in the old header.
    pub fn recode(&self, old: Option<MetadataKv<'_>>, encoder: &mut Encoder) {
        let Some(entry) = self.entry(old) else { return };
        if let Some(array) = entry.value().as_array() {
            let start = array.iter_from(self.elements.start).offset();
            encoder.recode(entry.storage(), array.element_type(), self.len(), start);
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
    use crate::write::encode::OwnedValue;

    const OLD: u64 = 5;

    fn value(numbers: &[u32]) -> NewValue {
        NewValue::new(&OwnedValue::array(ValueType::Uint32, numbers.iter().copied())).unwrap()
    }

    fn spans(inserted: Option<&NewValue>) -> Vec<Span> {
        inserted.map(Span::all).unwrap_or_default()
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
                    spliced.replace(&first, spans(new));
                    let removed = spliced.replace(&second, spans(next.as_ref()));
                    replace(&mut expected, &second, next.as_ref());
                    assert_eq!(elements(&spliced), expected, "{first:?}, {second:?}");
                    let put = second.start..second.start + spans(next.as_ref()).iter().map(Span::len).sum::<u64>();
                    let mut back = Spliced { spans: spliced.spans.clone(), ..whole() };
                    back.replace(&put, removed);
                    assert_eq!(elements(&back), once, "{first:?}, {second:?} and back");
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
            spliced.replace(&(2..3), Span::all(&value(&[turn])));
        }
        assert_eq!((spliced.spans.len(), elements(&spliced)), (3, Vec::from([0, 1, 999, 3, 4])));
    }
}
