//! The difference of two sequences: which parts of one were replaced by which parts of the other.
//!
//! Equal beginnings and ends are left out first. For what remains, Myers' algorithm finds the fewest items that were removed and
//! added ("An O(ND) Difference Algorithm and Its Variations", 1986). It takes quadratic time if most items differ, so its work is
//! limited. Beyond the limit, items that both sequences have exactly once divide the sequences into parts, and each part is
//! compared by itself. A part without such items counts as replaced.

use alloc::vec::Vec;
use core::ops::Range;

use gguf_declare::result;

result! {
    /// A part of the first value that became a part of the second one. One of them can be empty. A part ends before its end.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Hunk {
        /// The part of the first value.
        #[rust]
        pub a: Range<u64>,
        /// The part of the second value.
        #[rust]
        pub b: Range<u64>,
        fn start_a(&self) -> u64,
        fn end_a(&self) -> u64,
        fn start_b(&self) -> u64,
        fn end_b(&self) -> u64,
    }
}

impl Hunk {
    /// The part `a` of the first value, and the part `b` of the second one.
    pub const fn new(a: Range<u64>, b: Range<u64>) -> Self {
        Self { a, b }
    }
}

gguf_declare::js! {
    impl Hunk {
        fn start_a(&self) -> u64 {
            self.a.start
        }

        fn end_a(&self) -> u64 {
            self.a.end
        }

        fn start_b(&self) -> u64 {
            self.b.start
        }

        fn end_b(&self) -> u64 {
            self.b.end
        }
    }
}

/// The most removed and added items that Myers' algorithm looks for in one part. It keeps this number squared of positions.
const MOST_EDITS: usize = 512;

/// The most steps of Myers' algorithm for all parts: some tens of milliseconds.
const MOST_STEPS: usize = 20_000_000;

/// How often a part is divided.
const MOST_DIVISIONS: u32 = 8;

/// Two parts that are still to be compared.
struct Part {
    a: Range<usize>,
    b: Range<usize>,
    divisions: u32,
}

/// The hunks of two sequences, in order. Items are equal if their numbers are; the numbers are less than `number_count`.
pub(super) fn hunks(a: &[u32], b: &[u32], number_count: usize) -> Vec<Hunk> {
    let mut comparing = Comparing { a, b, steps: 0, unique: Unique::new(number_count), hunks: Vec::new() };
    let mut parts = vec![Part { a: 0..a.len(), b: 0..b.len(), divisions: 0 }];
    while let Some(part) = parts.pop() {
        comparing.compare(part, &mut parts);
    }
    comparing.hunks
}

struct Comparing<'a> {
    a: &'a [u32],
    b: &'a [u32],
    steps: usize,
    unique: Unique,
    hunks: Vec<Hunk>,
}

impl Comparing<'_> {
    /// Compares two parts, or divides them into smaller ones. The parts come in order, so the hunks do too.
    fn compare(&mut self, Part { a, b, divisions }: Part, parts: &mut Vec<Part>) {
        let (items_a, items_b) = (&self.a[a.clone()], &self.b[b.clone()]);
        let same_start = items_a.iter().zip(items_b).take_while(|(a, b)| a == b).count();
        let (rest_a, rest_b) = (&items_a[same_start..], &items_b[same_start..]);
        let same_end = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
        let (a, b) = (a.start + same_start..a.end - same_end, b.start + same_start..b.end - same_end);
        if a.is_empty() && b.is_empty() {
            return;
        }
        if a.is_empty() || b.is_empty() {
            return self.add(a, b);
        }
        if let Some(edits) = fewest_edits(&self.a[a.clone()], &self.b[b.clone()], &mut self.steps) {
            for edit in edits {
                self.add(a.start + edit.a.start..a.start + edit.a.end, b.start + edit.b.start..b.start + edit.b.end);
            }
            return;
        }
        let common = match divisions < MOST_DIVISIONS {
            true => self.unique.in_both(&self.a[a.clone()], &self.b[b.clone()]),
            false => Vec::new(),
        };
        if common.is_empty() {
            return self.add(a, b);
        }
        // The last part is taken first, so they are added from the end.
        let (mut end_a, mut end_b) = (a.end, b.end);
        for (at_a, at_b) in common.into_iter().rev() {
            let (start_a, start_b) = (a.start + at_a + 1, b.start + at_b + 1);
            parts.push(Part { a: start_a..end_a, b: start_b..end_b, divisions: divisions + 1 });
            (end_a, end_b) = (start_a - 1, start_b - 1);
        }
        parts.push(Part { a: a.start..end_a, b: b.start..end_b, divisions: divisions + 1 });
    }

    /// Adds a hunk after the others. If it touches the last one, both become one.
    fn add(&mut self, a: Range<usize>, b: Range<usize>) {
        let (a, b) = (a.start as u64..a.end as u64, b.start as u64..b.end as u64);
        match self.hunks.last_mut().filter(|last| last.a.end == a.start && last.b.end == b.start) {
            Some(last) => {
                last.a.end = a.end;
                last.b.end = b.end;
            }
            None => self.hunks.push(Hunk { a, b }),
        }
    }
}

/// An item that was removed or added.
struct SingleEdit {
    a: Range<usize>,
    b: Range<usize>,
}

/// The fewest items that were removed and added, by Myers' algorithm. `None` if they are more than [`MOST_EDITS`], or if the
/// steps are used up.
///
/// Diagonal `k` holds the positions with `x - y = k`, where `x` items of `a` and `y` items of `b` have been passed. For each number
/// of edits, the algorithm notes how far each diagonal can be reached.
fn fewest_edits(a: &[u32], b: &[u32], steps: &mut usize) -> Option<Vec<SingleEdit>> {
    let most = MOST_EDITS.min(a.len() + b.len());
    let middle = most as isize + 1;
    // The furthest `x` on each diagonal; diagonal `k` is at `middle + k`.
    let mut furthest = vec![0_usize; 2 * most + 3];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=most as isize {
        for diagonal in (-edits..=edits).step_by(2) {
            let at = (middle + diagonal) as usize;
            let is_added = takes_from_b(&furthest, at, diagonal, edits);
            let mut x = if is_added { furthest[at + 1] } else { furthest[at - 1] + 1 };
            let start = x;
            let y = |x: usize| (x as isize - diagonal) as usize;
            while x < a.len() && y(x) < b.len() && a[x] == b[y(x)] {
                x += 1;
            }
            *steps += x - start + 1;
            furthest[at] = x;
            if x >= a.len() && y(x) >= b.len() {
                rounds.push(furthest);
                return Some(trace(&rounds, a.len(), b.len(), middle));
            }
        }
        if *steps > MOST_STEPS {
            return None;
        }
        rounds.push(furthest.clone());
    }
    None
}

/// Whether the furthest way to a diagonal comes from the diagonal above it, by an item of `b`. Otherwise it comes from the one
/// below, by an item of `a`.
fn takes_from_b(furthest: &[usize], at: usize, diagonal: isize, edits: isize) -> bool {
    diagonal == -edits || (diagonal != edits && furthest[at - 1] < furthest[at + 1])
}

/// The edits on the way to the end of both sequences. `rounds` has the furthest positions after each number of edits.
fn trace(rounds: &[Vec<usize>], length_a: usize, length_b: usize, middle: isize) -> Vec<SingleEdit> {
    let (mut x, mut y) = (length_a, length_b);
    let mut found = Vec::new();
    for edits in (1..rounds.len()).rev() {
        let before = &rounds[edits - 1];
        let diagonal = x as isize - y as isize;
        let at = (middle + diagonal) as usize;
        if takes_from_b(before, at, diagonal, edits as isize) {
            x = before[at + 1];
            y = (x as isize - diagonal - 1) as usize;
            found.push(SingleEdit { a: x..x, b: y..y + 1 });
        } else {
            x = before[at - 1];
            y = (x as isize - diagonal + 1) as usize;
            found.push(SingleEdit { a: x..x + 1, b: y..y });
        }
    }
    found.reverse();
    found
}

/// Finds items that two parts have exactly once each.
struct Unique {
    /// For each number: how often it is in the two parts, and where.
    seen: Vec<Seen>,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    in_a: u32,
    in_b: u32,
    at_b: u32,
}

impl Unique {
    fn new(number_count: usize) -> Self {
        Self { seen: vec![Seen::default(); number_count] }
    }

    /// The positions in both parts of items that are in each exactly once. Only those that are in the same order in both.
    fn in_both(&mut self, a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
        for number in a {
            self.seen[*number as usize].in_a += 1;
        }
        for (at_b, number) in b.iter().enumerate() {
            let seen = &mut self.seen[*number as usize];
            seen.in_b += 1;
            seen.at_b = at_b as u32;
        }
        let unique = a.iter().enumerate().filter_map(|(at_a, number)| {
            let seen = self.seen[*number as usize];
            (seen.in_a == 1 && seen.in_b == 1).then_some((at_a, seen.at_b))
        });
        let unique: Vec<(usize, u32)> = unique.collect();
        for number in a.iter().chain(b) {
            self.seen[*number as usize] = Seen::default();
        }
        let positions: Vec<u32> = unique.iter().map(|(_, at_b)| *at_b).collect();
        let moved = super::order::moved(&positions);
        unique
            .into_iter()
            .zip(moved)
            .filter(|(_, moved)| !moved)
            .map(|((at_a, at_b), _)| (at_a, at_b as usize))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Hunk, hunks};
    use alloc::vec::Vec;

    fn applied(a: &[u32], b: &[u32], hunks: &[Hunk]) -> Vec<u32> {
        let mut result = Vec::new();
        let mut at = 0;
        for hunk in hunks {
            result.extend(&a[at..hunk.a.start as usize]);
            result.extend(&b[hunk.b.start as usize..hunk.b.end as usize]);
            at = hunk.a.end as usize;
        }
        result.extend(&a[at..]);
        result
    }

    /// The number of items that were removed and added.
    fn size(hunks: &[Hunk]) -> u64 {
        hunks.iter().map(|hunk| hunk.a.end - hunk.a.start + hunk.b.end - hunk.b.start).sum()
    }

    /// The fewest items that must be removed and added, by the table of common subsequences.
    fn fewest(a: &[u32], b: &[u32]) -> u64 {
        let mut row: Vec<u64> = (0..=b.len() as u64).collect();
        for (i, item) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i as u64 + 1;
            for (j, other) in b.iter().enumerate() {
                let here = if item == other { diagonal } else { 1 + row[j].min(row[j + 1]) };
                diagonal = row[j + 1];
                row[j + 1] = here;
            }
        }
        row[b.len()]
    }

    /// All pairs of sequences of up to five items of three kinds.
    #[test]
    fn short_sequences_have_the_fewest_edits() {
        let mut sequences: Vec<Vec<u32>> = Vec::from([Vec::new()]);
        for length in 0..5 {
            let longer: Vec<_> = sequences
                .iter()
                .filter(|sequence| sequence.len() == length)
                .flat_map(|sequence| (0..3).map(|item| [sequence.as_slice(), &[item]].concat()))
                .collect();
            sequences.extend(longer);
        }
        for a in &sequences {
            for b in &sequences {
                let found = hunks(a, b, 3);
                assert_eq!(applied(a, b, &found), *b, "{a:?} {b:?}");
                assert_eq!(size(&found), fewest(a, b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn parts_that_touch_are_one_hunk() {
        assert_eq!(hunks(&[1, 2, 3], &[1, 9, 8, 3], 10), [Hunk { a: 1..2, b: 1..3 }]);
        assert_eq!(hunks(&[1, 2], &[1, 2], 10), []);
        assert_eq!(hunks(&[], &[4, 5], 10), [Hunk { a: 0..0, b: 0..2 }]);
    }

    /// More edits than the algorithm looks for: items that are unique divide the sequences.
    #[test]
    fn long_sequences_with_many_edits_are_divided() {
        let a: Vec<u32> = (0..100_000).collect();
        // Every tenth item is another one.
        let b: Vec<u32> = a.iter().map(|item| if item % 10 == 5 { item + 100_000 } else { *item }).collect();
        let found = hunks(&a, &b, 200_000);
        assert_eq!(found.len(), 10_000);
        assert_eq!(applied(&a, &b, &found), b);
        assert_eq!(size(&found), 20_000);
    }

    /// Sequences of two kinds of items, in no order: the work is limited, and the result is still right.
    #[test]
    fn sequences_without_unique_items_end() {
        let mut state = 1_u32;
        let mut items = |count: usize| -> Vec<u32> {
            (0..count)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 31
                })
                .collect()
        };
        let (a, b) = (items(200_000), items(200_000));
        assert_eq!(applied(&a, &b, &hunks(&a, &b, 2)), b);
    }
}
