//! An array whose elements come from several arrays.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::header::MetadataKv;
use crate::format::value::ValueType;
use crate::write::encode::Encoder;
use crate::write::new_value::NewValue;

/// An array after elements were inserted, replaced or removed: a list of runs.
pub(super) struct EditedArray {
    pub element_type: ValueType,
    pub runs: Vec<ElementRun>,
}

/// Consecutive elements of one array. An [`EditedArray`] has no empty run.
#[derive(Clone)]
pub(super) struct ElementRun {
    /// The array that has the elements. `None` is the array of the original entry.
    pub source: Option<NewValue>,
    /// The positions of the elements in that array.
    pub elements: Range<u64>,
}

impl EditedArray {
    /// An array with the elements of one run, which can be empty.
    pub fn new(element_type: ValueType, run: ElementRun) -> Self {
        let runs = if run.len() > 0 { Vec::from([run]) } else { Vec::new() };
        Self { element_type, runs }
    }

    pub fn len(&self) -> u64 {
        self.runs.iter().map(ElementRun::len).sum()
    }

    /// Replaces elements with the elements of the `inserted` runs. Returns the runs of the replaced elements.
    pub fn replace(&mut self, elements: &Range<u64>, mut inserted: Vec<ElementRun>) -> Vec<ElementRun> {
        let (first, end) = (self.split_at(elements.start), self.split_at(elements.end));
        let mut after = self.runs.split_off(end);
        let removed = self.runs.split_off(first);
        self.runs.append(&mut inserted);
        self.runs.append(&mut after);
        removed
    }

    /// Splits a run so that the element at `index` is the first of a run. Returns the position of that run.
    fn split_at(&mut self, index: u64) -> usize {
        let mut before = 0;
        for (position, run) in self.runs.iter_mut().enumerate() {
            if index == before {
                return position;
            }
            if index < before + run.len() {
                let mut rest = run.clone();
                rest.elements.start += index - before;
                run.elements.end = rest.elements.start;
                self.runs.insert(position + 1, rest);
                return position + 1;
            }
            before += run.len();
        }
        self.runs.len()
    }
}

impl ElementRun {
    /// One run with all elements of a new array. No run if the array is empty.
    pub fn all(value: &NewValue) -> Vec<Self> {
        let length = value.value().as_array().map_or(0, |array| array.len());
        let run = Self { source: Some(value.clone()), elements: 0..length };
        if run.len() > 0 { Vec::from([run]) } else { Vec::new() }
    }

    pub fn len(&self) -> u64 {
        self.elements.end - self.elements.start
    }

    /// Encodes the elements. `original` is the entry in the original header.
    pub fn encode(&self, original: Option<MetadataKv<'_>>, encoder: &mut Encoder) {
        let Some(entry) = self.entry(original) else { return };
        if let Some(array) = entry.value().as_array() {
            let start = array.iter_from(self.elements.start).offset();
            encoder.copy_values(entry.storage(), array.element_type(), self.len(), start);
        }
    }

    /// The entry whose value has the elements. `original` is the entry in the original header.
    pub fn entry<'a>(&'a self, original: Option<MetadataKv<'a>>) -> Option<MetadataKv<'a>> {
        self.source.as_ref().map(NewValue::entry).or(original)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::encode::OwnedValue;

    /// The number of elements of the original array.
    const ORIGINAL: u64 = 5;

    fn value(numbers: &[u32]) -> NewValue {
        NewValue::new(&OwnedValue::array(ValueType::Uint32, numbers.iter().copied())).unwrap()
    }

    fn runs_of(inserted: Option<&NewValue>) -> Vec<ElementRun> {
        inserted.map(ElementRun::all).unwrap_or_default()
    }

    fn whole() -> EditedArray {
        EditedArray::new(ValueType::Uint32, ElementRun { source: None, elements: 0..ORIGINAL })
    }

    /// The elements of an array. The original array has the elements 0, 1, 2, …
    fn elements(array: &EditedArray) -> Vec<u64> {
        let original = |run: &ElementRun| run.elements.clone().collect();
        let of = |run: &ElementRun| match &run.source {
            None => original(run),
            Some(value) => {
                let array = value.value().as_array().unwrap();
                let get = |index| array.get(index).unwrap().as_u64().unwrap();
                run.elements.clone().map(get).collect::<Vec<u64>>()
            }
        };
        array.runs.iter().flat_map(of).collect()
    }

    /// Replaces every range of 5 elements, and then every range of the result.
    #[test]
    fn runs_are_replaced_as_their_elements_are() {
        let inserted = [None, Some(value(&[])), Some(value(&[100])), Some(value(&[200, 201, 202]))];
        let ranges = |len: u64| (0..=len).flat_map(move |start| (start..=len).map(move |end| start..end));
        let replace = |expected: &mut Vec<u64>, range: &Range<u64>, inserted: Option<&NewValue>| {
            let new = inserted.map_or(Vec::new(), |value| {
                let array = value.value().as_array().unwrap();
                array.iter().map(|element| element.as_u64().unwrap()).collect()
            });
            expected.splice(range.start as usize..range.end as usize, new);
        };
        for (first, new) in
            ranges(ORIGINAL).flat_map(|range| inserted.iter().map(move |new| (range.clone(), new.as_ref())))
        {
            let mut once: Vec<u64> = (0..ORIGINAL).collect();
            replace(&mut once, &first, new);
            for second in ranges(once.len() as u64) {
                for next in &inserted {
                    let (mut array, mut expected) = (whole(), once.clone());
                    array.replace(&first, runs_of(new));
                    let removed = array.replace(&second, runs_of(next.as_ref()));
                    replace(&mut expected, &second, next.as_ref());
                    assert_eq!(elements(&array), expected, "{first:?}, {second:?}");
                    let put =
                        second.start..second.start + runs_of(next.as_ref()).iter().map(ElementRun::len).sum::<u64>();
                    let mut undone = EditedArray { runs: array.runs.clone(), ..whole() };
                    undone.replace(&put, removed);
                    assert_eq!(elements(&undone), once, "{first:?}, {second:?} undone");
                    assert_eq!(array.len(), expected.len() as u64);
                    assert!(array.runs.iter().all(|run| !run.elements.is_empty()));
                }
            }
        }
    }

    #[test]
    fn a_run_is_split_once_at_an_index() {
        let mut array = whole();
        assert_eq!((array.split_at(0), array.split_at(ORIGINAL), array.runs.len()), (0, 1, 1));
        assert_eq!((array.split_at(2), array.split_at(2), array.runs.len()), (1, 1, 2));
        assert_eq!((array.split_at(4), array.split_at(2), array.runs.len()), (2, 1, 3));
        assert_eq!(elements(&array), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn an_element_that_is_set_repeatedly_is_one_run() {
        let mut array = whole();
        for turn in 0..1000 {
            array.replace(&(2..3), ElementRun::all(&value(&[turn])));
        }
        assert_eq!((array.runs.len(), elements(&array)), (3, Vec::from([0, 1, 999, 3, 4])));
    }
}
