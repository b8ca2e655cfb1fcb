//! Sorting. The crate sorts with these functions only, which clippy checks: the compiler makes a copy of the sort, of 1 to 3 kB,
//! for each type of items and each comparison that it knows.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Ordering;

/// Sorts numbers.
#[inline(never)]
#[expect(clippy::disallowed_methods, reason = "the one copy for numbers")]
#[doc(hidden)]
pub fn sort(items: &mut [u64]) {
    items.sort_unstable();
}

/// Sorts the few numbers that every module sorts. Without a copy of [`sort`], the reader is smaller.
#[doc(hidden)]
pub fn heap_sorted(items: Vec<u64>) -> Vec<u64> {
    BinaryHeap::from(items).into_sorted_vec()
}

/// Sorts items that are copied cheaply, for example positions in a list, by a comparison that is passed as a value.
#[inline(never)]
#[expect(clippy::disallowed_methods, reason = "a copy for each type of items, and not for each comparison")]
#[doc(hidden)]
pub fn sort_by<T: Copy>(items: &mut [T], compare: &dyn Fn(T, T) -> Ordering) {
    items.sort_unstable_by(|a, b| compare(*a, *b));
}

/// The items in their order: their positions are sorted.
#[doc(hidden)]
pub fn sorted<T: Copy + Ord>(items: &[T]) -> Vec<T> {
    let mut positions: Vec<usize> = (0..items.len()).collect();
    sort_by(&mut positions, &|a, b| items[a].cmp(&items[b]));
    positions.into_iter().map(|position| items[position]).collect()
}
