//! The difference of a value between a header with a reverted change and the same header without it.

use core::ops::Range;

/// The difference between an entry's value with the reverted change and without it.
#[derive(Clone)]
pub(super) enum ValueDifference {
    /// The values are equal.
    None,
    /// The values differ as a whole.
    Value,
    /// The arrays differ in some elements.
    Elements {
        /// Their range in the array with the change.
        with: Range<u64>,
        /// Their range in the array without the change.
        without: Range<u64>,
    },
}

impl ValueDifference {
    /// Translates a later change of the array. With the reverted change, it replaces `elements` with `inserted` new
    /// elements.
    ///
    /// Returns the range of the elements that it replaces in the array without the reverted change, and updates the
    /// difference. Returns `None` if it replaces some of the elements that differ, but not all of them.
    pub fn translate(&mut self, elements: &Range<u64>, inserted: u64) -> Option<Range<u64>> {
        let (with, without) = match self {
            Self::None => return Some(elements.clone()),
            Self::Value => return None,
            Self::Elements { with, without } => (with, without),
        };
        let replaces_all = elements.start <= with.start && elements.end >= with.end && !with.is_empty();
        if replaces_all {
            let end = without.end + (elements.end - with.end);
            let start = without.start - (with.start - elements.start);
            *self = Self::None;
            return Some(start..end);
        }
        if elements.end <= with.start {
            let moved = |index: u64| index - (elements.end - elements.start) + inserted;
            *with = moved(with.start)..moved(with.end);
            *without = moved(without.start)..moved(without.end);
            return Some(elements.clone());
        }
        if elements.start >= with.end {
            let moved = |index: u64| index - with.end + without.end;
            return Some(moved(elements.start)..moved(elements.end));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Replaces elements. The numbers of the new ones begin at `first`.
    fn splice(list: &mut Vec<u64>, range: &Range<u64>, inserted: u64, first: u64) {
        list.splice(range.start as usize..range.end as usize, first..first + inserted);
    }

    fn ranges(length: u64) -> impl Iterator<Item = Range<u64>> {
        (0..=length).flat_map(move |start| (start..=length).map(move |end| start..end))
    }

    /// Makes every two splices of five elements, and reverts the first.
    #[test]
    fn a_translated_splice_gives_the_array_without_the_reverted_splice() {
        let old: Vec<u64> = (0..5).collect();
        let (mut translated, mut refused) = (0, 0);
        for (first, first_inserted) in ranges(5).flat_map(|range| (0..3).map(move |inserted| (range.clone(), inserted)))
        {
            let mut with = old.clone();
            splice(&mut with, &first, first_inserted, 100);
            for (second, inserted) in
                ranges(with.len() as u64).flat_map(|range| (0..3).map(move |inserted| (range.clone(), inserted)))
            {
                let mut both = with.clone();
                splice(&mut both, &second, inserted, 200);
                let end = first.start + first_inserted;
                let mut difference = ValueDifference::Elements { with: first.start..end, without: first.clone() };
                let replaced = &with[second.start as usize..second.end as usize];
                let new = replaced.iter().filter(|element| **element >= 100).count() as u64;
                let meets = second.start < end && first.start < second.end;
                let covers = second.start <= first.start && end <= second.end && first_inserted > 0;
                let Some(range) = difference.translate(&second, inserted) else {
                    assert!(meets && !covers, "{first:?} {first_inserted}, {second:?} {inserted}");
                    refused += 1;
                    continue;
                };
                translated += 1;
                let mut without = old.clone();
                splice(&mut without, &range, inserted, 200);
                // The array has the elements that the second splice inserted. It has neither the elements that the second
                // splice replaced, nor the elements that the first splice inserted.
                let expected: Vec<u64> = match new {
                    0 => old
                        .iter()
                        .copied()
                        .filter(|element| !replaced.contains(element))
                        .chain(200..200 + inserted)
                        .collect(),
                    _ => both.clone(),
                };
                let sorted = |list: &[u64]| {
                    let mut list = list.to_vec();
                    list.sort_unstable();
                    list
                };
                assert_eq!(sorted(&without), sorted(&expected), "{first:?} {first_inserted}, {second:?} {inserted}");
                // The elements that both arrays have are in the same order.
                let common: Vec<u64> = without.iter().copied().filter(|element| both.contains(element)).collect();
                let kept: Vec<u64> = both.iter().copied().filter(|element| without.contains(element)).collect();
                assert_eq!(common, kept, "{first:?} {first_inserted}, {second:?} {inserted}");
                // Replacing the elements that differ makes the two arrays equal.
                if let ValueDifference::Elements { with, without: other } = difference {
                    let put = both[with.start as usize..with.end as usize].to_vec();
                    without.splice(other.start as usize..other.end as usize, put);
                }
                assert_eq!(without, both, "{first:?} {first_inserted}, {second:?} {inserted}");
            }
        }
        assert!(translated > 1000 && refused > 50, "{translated} {refused}");
    }

    #[test]
    fn elements_cannot_be_translated_if_the_whole_value_differs() {
        assert_eq!(ValueDifference::Value.translate(&(0..1), 1), None);
        assert_eq!(ValueDifference::None.translate(&(2..3), 1), Some(2..3));
    }
}
