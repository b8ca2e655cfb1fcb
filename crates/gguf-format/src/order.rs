//! Sorting, and making sorted sets and maps. The crates sort with these functions only, which clippy checks: the compiler makes a copy of
//! the sort, of 1 to 5 kB, for each type of items and each comparison that it knows.

use alloc::{
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    vec::Vec,
};
use core::cmp::Ordering;

/// Sorts numbers. The sort of slices is twice as fast, and 0.8 kB gzipped.
#[inline(never)]
#[doc(hidden)]
pub fn sort(items: Vec<u64>) -> Vec<u64> {
    BinaryHeap::from(items).into_sorted_vec()
}

/// Sorts positions in a list, or other numbers, by a comparison that is passed as a value.
#[doc(hidden)]
pub fn sort_by<T: Position>(items: &mut [T], compare: &dyn Fn(T, T) -> Ordering) {
    T::sort(items, compare);
}

/// Sorts items that are copied cheaply, by a comparison that is passed as a value. It takes twice as many comparisons as the sort of
/// slices, but a copy for a type has a tenth of its bytes.
#[inline(never)]
#[doc(hidden)]
pub fn sort_items<T: Copy>(items: &mut [T], compare: &dyn Fn(T, T) -> Ordering) {
    // A heap: no item is larger than the one at half its place. The largest item is taken from its top, one after the other.
    let sink = |items: &mut [T], mut parent: usize| {
        loop {
            let mut child = 2 * parent + 1;
            if child >= items.len() {
                return;
            }
            child += usize::from(child + 1 < items.len() && compare(items[child], items[child + 1]).is_lt());
            if compare(items[parent], items[child]).is_ge() {
                return;
            }
            items.swap(parent, child);
            parent = child;
        }
    };
    for parent in (0..items.len() / 2).rev() {
        sink(items, parent);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sink(&mut items[..end], 0);
    }
}

/// A number that is sorted by a comparison.
#[doc(hidden)]
pub trait Position: Copy {
    /// Sorts numbers. It is not generic, so that there is one copy for all crates: each crate would make its own.
    fn sort(items: &mut [Self], compare: &dyn Fn(Self, Self) -> Ordering);
}

macro_rules! positions {
    ($($number:ty),*) => {
        $(impl Position for $number {
            #[inline(never)]
            #[expect(clippy::disallowed_methods, reason = "the one copy for this type")]
            fn sort(items: &mut [Self], compare: &dyn Fn(Self, Self) -> Ordering) {
                items.sort_unstable_by(|a, b| compare(*a, *b));
            }
        })*
    };
}

positions!(usize, u32);

/// A set of items. `collect` sorts the items first, and has a copy of a sort for each type of items.
#[doc(hidden)]
pub fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    items.into_iter().for_each(|item| {
        set.insert(item);
    });
    set
}

/// A map of keys to values, as [`set_of`].
#[doc(hidden)]
pub fn map_of<K: Ord, V>(items: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    items.into_iter().for_each(|(key, value)| {
        map.insert(key, value);
    });
    map
}

/// The items in their order: their positions are sorted.
#[doc(hidden)]
pub fn sorted<T: Copy + Ord>(items: &[T]) -> Vec<T> {
    let mut positions: Vec<usize> = (0..items.len()).collect();
    sort_by(&mut positions, &|a, b| items[a].cmp(&items[b]));
    positions.into_iter().map(|position| items[position]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_in_order() {
        for length in (0..70).chain([1000]) {
            let items: Vec<u32> = (0..length).map(|number: u32| number.wrapping_mul(2_654_435_769) >> 27).collect();
            let mut own = items.clone();
            sort_items(&mut own, &|a, b| a.cmp(&b));
            assert!(own.is_sorted());
            let mut backwards = items.clone();
            sort_by(&mut backwards, &|a, b| b.cmp(&a));
            backwards.reverse();
            assert_eq!(own, backwards);
            let sorted: Vec<u64> = sort(items.iter().copied().map(u64::from).collect());
            assert!(own.iter().copied().map(u64::from).eq(sorted));
        }
    }
}
