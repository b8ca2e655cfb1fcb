//! Sorting by comparisons that are passed as values.

use core::cmp::Ordering;

/// Sorts items that are copied cheaply, for example positions in a list.
///
/// The compiler makes a copy of the sort, of 3 to 8 kB, for each comparison that it knows. Of this function it makes one for each
/// type of items.
#[inline(never)]
pub(crate) fn sort_by<T: Copy>(items: &mut [T], compare: &dyn Fn(T, T) -> Ordering) {
    items.sort_unstable_by(|a, b| compare(*a, *b));
}
