//! Which ranges of a file are read for hashing, so that the data of the tensors comes in the order of the list.

use alloc::vec::Vec;
use core::ops::Range;

/// The largest gap between the data of two tensors that is read and skipped, in bytes.
const LARGEST_GAP: u64 = 64 << 10;

/// Bytes that are read one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub range: Range<u64>,
    /// The index after the last tensor whose data is hashed from these bytes.
    pub tensors_end: usize,
    /// Whether the run is the whole file, so that its bytes also go into the hash of the file.
    pub is_file: bool,
}

/// The runs that hold the data of all tensors, whose extents are given in the order of the list. With `file_size`, also one that
/// holds the whole file: the only one, if the data lies in the order of the list.
pub(super) fn runs(extents: &[Range<u64>], file_size: Option<u64>) -> Vec<Run> {
    let file = file_size.map(|size| Run { range: 0..size, tensors_end: extents.len(), is_file: true });
    if is_ordered(extents)
        && let Some(file) = file
    {
        return [file].into();
    }
    let mut runs: Vec<Run> = Vec::new();
    for (index, extent) in extents.iter().enumerate().filter(|(_, extent)| !extent.is_empty()) {
        match runs.last_mut().filter(|run| follows(extent, run.range.end)) {
            Some(run) => {
                run.range.end = extent.end;
                run.tensors_end = index + 1;
            }
            None => runs.push(Run { range: extent.clone(), tensors_end: index + 1, is_file: false }),
        }
    }
    runs.extend(file);
    runs
}

/// Whether an extent begins at `end` or close after it.
fn follows(extent: &Range<u64>, end: u64) -> bool {
    extent.start >= end && extent.start - end <= LARGEST_GAP
}

/// Whether every extent begins after the end of all extents before it. Empty extents have no place.
fn is_ordered(extents: &[Range<u64>]) -> bool {
    let with_data = extents.iter().filter(|extent| !extent.is_empty());
    with_data.clone().zip(with_data.skip(1)).all(|(extent, next)| extent.end <= next.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(range: Range<u64>, tensors_end: usize, is_file: bool) -> Run {
        Run { range, tensors_end, is_file }
    }

    #[test]
    fn close_tensors_are_read_together_and_the_file_in_one_pass() {
        let extents = [100..200, 0..0, 224..300, 300 + LARGEST_GAP..1 << 20, (1 << 21)..(1 << 21) + 5, 0..0];
        let expected = [run(100..1 << 20, 4, false), run((1 << 21)..(1 << 21) + 5, 5, false)];
        assert_eq!(runs(&extents, None), expected);
        assert_eq!(runs(&extents, Some(1 << 22)), [run(0..1 << 22, 6, true)]);
    }

    #[test]
    fn tensors_in_another_order_and_overlaps_take_a_pass_of_their_own() {
        let file = run(0..1000, 2, true);
        for extents in [[200..300, 100..200], [100..200, 150..250], [100..200, 100..200]] {
            let [first, second] = extents.clone();
            let expected = [run(first, 1, false), run(second, 2, false)];
            assert_eq!(runs(&extents, None), expected);
            assert_eq!(runs(&extents, Some(1000))[..2], expected);
            assert_eq!(runs(&extents, Some(1000)).last(), Some(&file));
        }
    }

    #[test]
    fn a_file_without_data_is_read_only_for_its_own_hash() {
        assert_eq!(runs(&[], None), []);
        assert_eq!(runs(&[0..0, 0..0], None), []);
        assert_eq!(runs(&[0..0, 0..0], Some(10)), [run(0..10, 2, true)]);
    }
}
