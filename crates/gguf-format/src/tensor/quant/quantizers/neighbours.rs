//! The points around the entries of a grid: for each point, the entry at it, or the entries that are nearest to it.
//!
//! A point has the number of a level for each of its elements. An entry of a grid is one of these points.

use alloc::vec::Vec;

/// A grid with the neighbours of all points: `ELEMENTS` elements with one of `LEVELS` levels each.
#[derive(Clone, Debug)]
pub(super) struct NeighbourGrid<const ELEMENTS: usize, const LEVELS: usize> {
    entries: Vec<[u8; ELEMENTS]>,
    /// The entry at each point, or `NONE`.
    entry_at: Vec<u16>,
    /// The end of each point's part of `neighbours`. A point that is an entry has none.
    ends: Vec<u32>,
    /// The entries near each point, sorted by their distance, and then by their number.
    neighbours: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl<const ELEMENTS: usize, const LEVELS: usize> NeighbourGrid<ELEMENTS, LEVELS> {
    const POINTS: usize = LEVELS.pow(ELEMENTS as u32);

    /// `entries` are written as in `grids`. The neighbours of a point are the entries at the `distance_count` least distances.
    pub fn new(entries: &[u32], distance_count: usize) -> Self {
        let entries: Vec<[u8; ELEMENTS]> =
            entries.iter().map(|entry| core::array::from_fn(|i| (entry >> (4 * i) & 15) as u8)).collect();
        let mut entry_at = vec![NONE; Self::POINTS];
        for (number, entry) in entries.iter().enumerate() {
            entry_at[Self::index(entry)] = number as u16;
        }
        let (mut ends, mut neighbours) = (Vec::with_capacity(Self::POINTS), Vec::new());
        let mut distances = vec![0; entries.len()];
        for (index, entry) in entry_at.iter().enumerate() {
            if *entry == NONE {
                let point = Self::point(index);
                for (distance, entry) in distances.iter_mut().zip(&entries) {
                    *distance = square_distance(&point, entry);
                }
                push_nearest(&distances, distance_count, &mut neighbours);
            }
            ends.push(neighbours.len() as u32);
        }
        Self { entries, entry_at, ends, neighbours }
    }

    fn point(index: usize) -> [u8; ELEMENTS] {
        let mut rest = index;
        core::array::from_fn(|_| {
            let level = rest % LEVELS;
            rest /= LEVELS;
            level as u8
        })
    }

    #[inline(always)]
    fn index(point: &[u8; ELEMENTS]) -> usize {
        point.iter().rev().fold(0, |index, level| index * LEVELS + usize::from(*level))
    }

    /// The entry with a number.
    #[inline(always)]
    pub fn entry(&self, number: u16) -> &[u8; ELEMENTS] {
        &self.entries[usize::from(number)]
    }

    /// The number of the entry at a point.
    #[inline(always)]
    pub fn entry_at(&self, point: &[u8; ELEMENTS]) -> Option<u16> {
        Some(self.entry_at[Self::index(point)]).filter(|entry| *entry != NONE)
    }

    /// The number of the neighbour with the least error, which is a sum over the elements, for a point that is no entry. It is
    /// the first neighbour if no error is a number below infinity.
    #[inline(always)]
    pub fn best_neighbour(&self, point: &[u8; ELEMENTS], error: impl Fn(&[u8; ELEMENTS]) -> f32) -> u16 {
        let index = Self::index(point);
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let neighbours = &self.neighbours[start as usize..self.ends[index] as usize];
        let (mut best, mut least_error) = (neighbours[0], f32::MAX);
        for neighbour in neighbours {
            let error = error(self.entry(*neighbour));
            if error < least_error {
                (best, least_error) = (*neighbour, error);
            }
        }
        best
    }
}

fn square_distance<const ELEMENTS: usize>(a: &[u8; ELEMENTS], b: &[u8; ELEMENTS]) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b).pow(2)).sum()
}

/// Appends the numbers of the entries at the least distances.
fn push_nearest(distances: &[u8], distance_count: usize, numbers: &mut Vec<u16>) {
    let mut is_present = [false; 256];
    for distance in distances {
        is_present[usize::from(*distance)] = true;
    }
    let present = (0..=255).filter(|distance: &u8| is_present[usize::from(*distance)]);
    for least in present.take(distance_count) {
        numbers.extend((0..).zip(distances).filter(|(_, distance)| **distance == least).map(|(number, _)| number));
    }
}
