//! Which parts of the tensors are read if there is a limit of bytes.

use alloc::vec::Vec;
use core::ops::Range;

use gguf_format::order::sorted;

/// How many bytes of each tensor are read. `sizes` has the bytes of each. The sum of the results is at most `limit`.
///
/// All tensors have the same share. What a small tensor does not need is for the others: so small tensors are read whole, and
/// large ones in parts.
pub(crate) fn shares(sizes: &[u64], limit: u64) -> Vec<u64> {
    let by_size: Vec<(u64, usize)> = sizes.iter().copied().zip(0..).collect();
    let by_size = sorted(&by_size);
    let mut shares = alloc::vec![0; sizes.len()];
    let mut left = limit;
    for (done, (size, index)) in by_size.into_iter().enumerate() {
        let share = left / (sizes.len() - done) as u64;
        shares[index] = size.min(share);
        left -= shares[index];
    }
    shares
}

/// Evenly spread runs of units that have at most `most` units together: the first run begins with the first unit, and the last run
/// ends with the last one. A run has `run` units; the last one can be shorter. All `count` units if they are not more than `most`.
pub(crate) fn spread_runs(count: u64, most: u64, run: u64) -> impl Iterator<Item = Range<u64>> {
    let is_whole = count <= most;
    let run = if is_whole { count } else { run.clamp(1, most.max(1)) };
    let runs = if is_whole { u64::from(count > 0) } else { most / run };
    (0..runs).map(move |index| {
        // The product of two numbers of units can be larger than 64 bits.
        let places = u128::from(count - run);
        let start = match runs {
            1 => 0,
            _ => (places * u128::from(index) / u128::from(runs - 1)) as u64,
        };
        start..start + run
    })
}

#[cfg(test)]
mod tests {
    use super::{shares, spread_runs};
    use alloc::vec::Vec;

    #[test]
    fn small_tensors_are_read_whole_and_large_ones_have_equal_shares() {
        assert_eq!(shares(&[10, 1000, 2000, 20], 430), [10, 200, 200, 20]);
        assert_eq!(shares(&[10, 1000, 2000, 20], 5000), [10, 1000, 2000, 20]);
        assert_eq!(shares(&[10, 1000], 0), [0, 0]);
        assert!(shares(&[], 10).is_empty());
        assert_eq!(shares(&[u64::MAX, 5, u64::MAX], 1005), [500, 5, 500]);
    }

    #[test]
    fn runs_are_spread_from_the_first_to_the_last_unit() {
        let bounds = |count, most, run| -> Vec<(u64, u64)> {
            spread_runs(count, most, run).map(|run| (run.start, run.end)).collect()
        };
        assert_eq!(bounds(100, 100, 10), [(0, 100)]);
        assert_eq!(bounds(100, 30, 10), [(0, 10), (45, 55), (90, 100)]);
        assert_eq!(bounds(100, 5, 10), [(0, 5)]);
        assert_eq!(bounds(100, 0, 10), []);
        assert_eq!(bounds(0, 10, 10), []);
        let runs: Vec<_> = spread_runs(u64::MAX, 1 << 20, 1 << 10).collect();
        assert_eq!((runs.len(), runs[1023].end), (1024, u64::MAX));
        assert!(runs.is_sorted_by(|run, next| run.end <= next.start));
    }
}
