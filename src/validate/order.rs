//! The order in which checks visit the items of a list.

use core::cmp::Ordering;

/// Sorts positions in the list of entries or of tensors.
///
/// The checks share this function, because the compiler makes a copy of the sort, of 3 to 8 kB, for each comparison.
pub(crate) fn sort_positions(positions: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    positions.sort_unstable_by(|a, b| compare(*a, *b));
}
