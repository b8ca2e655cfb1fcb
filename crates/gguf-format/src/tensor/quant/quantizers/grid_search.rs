//! The search for the scale of a part of an IQ2 or IQ3 type, whose elements are scale × (2 × level + 1), with signs.

use super::extremes::max;
use super::neighbours::NeighbourGrid;
use super::rounding::{nearest, square_root};

/// The magnitudes of the elements of a part, and one bit for the sign of each.
#[derive(Clone, Copy)]
pub(super) struct Magnitudes<const N: usize> {
    pub magnitudes: [f32; N],
    /// A byte for eight elements. The first element has the lowest bit.
    pub signs: [u8; 4],
}

impl<const N: usize> Magnitudes<N> {
    #[inline(always)]
    pub fn of(x: &[f32; N]) -> Self {
        let mut signs = [0; 4];
        let magnitudes = core::array::from_fn(|i| {
            if x[i] >= 0.0 {
                return x[i];
            }
            signs[i / 8] |= 1 << (i % 8);
            -x[i]
        });
        Self { magnitudes, signs }
    }

    /// With an even number of signs for each eight elements. If it is odd, the element with the least weighted square changes
    /// its sign, so that its magnitude is negative. The eighth sign follows from the others, so its bit is 0.
    #[inline(always)]
    pub fn with_even_signs(x: &[f32; N], weights: &[f32; N]) -> Self {
        let mut part = Self::of(x);
        for (i, eight) in part.magnitudes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            if part.signs[i].count_ones() % 2 == 1 {
                let square = |k: usize| weights[8 * i + k] * x[8 * i + k] * x[8 * i + k];
                let mut least = 0;
                for k in 1..8 {
                    if square(k) < square(least) {
                        least = k;
                    }
                }
                eight[least] = -eight[least];
                part.signs[i] ^= 1 << least;
            }
            part.signs[i] &= 127;
        }
        part
    }

    #[inline(always)]
    pub fn greatest(&self) -> f32 {
        self.magnitudes.iter().skip(1).fold(self.magnitudes[0], |greatest, x| max(greatest, *x))
    }
}

/// Which groups of elements get the entry for the scale that was found, after the attempts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Revision {
    /// The groups that took a neighbour in the best attempt.
    Neighbours,
    /// All, if one of them took a neighbour in the best attempt, or if no attempt succeeded.
    AllIfOneIsNeighbour,
    /// All.
    All,
}

/// The scales that are tried: those for which the greatest magnitude has the level of the greatest one, plus `step` × half a
/// level × i.
pub(super) struct Attempts {
    pub step: f32,
    pub last: i32,
    pub revision: Revision,
}

/// The scale of a part and, in `levels`, the number of each element's level. The levels of each group are an entry of the grid.
///
/// `scale` is the first guess, and `greatest` the magnitude of the greatest level for it.
#[inline(always)]
pub(super) fn search<const N: usize, const ELEMENTS: usize, const LEVELS: usize>(
    grid: &NeighbourGrid<ELEMENTS, LEVELS>,
    x: &[f32; N],
    weights: &[f32; N],
    attempts: &Attempts,
    (mut scale, greatest): (f32, f32),
    levels: &mut [u8; N],
) -> f32 {
    let roots = weights.map(square_root);
    // Sets the levels of a group. Returns whether it took a neighbour.
    let set_levels = |group: usize, inverse: f32, scale: f32, levels: &mut [u8; N]| {
        let (x, roots) = (&x.as_chunks::<ELEMENTS>().0[group], &roots.as_chunks::<ELEMENTS>().0[group]);
        let levels = &mut levels.as_chunks_mut::<ELEMENTS>().0[group];
        *levels = x.map(|x| nearest(0.5 * (inverse * x - 1.0)).clamp(0, LEVELS as i32 - 1) as u8);
        if grid.entry_at(levels).is_some() {
            return false;
        }
        let best = grid.best_neighbour(levels, |entry| {
            let mut error = 0.0;
            for ((level, x), root) in entry.iter().zip(x).zip(roots) {
                let difference = scale * f32::from(2 * level + 1) - x;
                error += root * difference * difference;
            }
            error
        });
        *levels = *grid.entry(best);
        true
    };
    let sums = |levels: &[u8; N]| {
        let (mut xq, mut qq) = (0.0, 0.0);
        for ((level, x), weight) in levels.iter().zip(x).zip(weights) {
            let quant = f32::from(2 * level + 1);
            xq += weight * x * quant;
            qq += weight * quant * quant;
        }
        (xq, qq)
    };
    let groups = N / ELEMENTS;
    let mut best = 0.0;
    // A bit for each group.
    let mut neighbours = if attempts.revision == Revision::Neighbours { 0u32 } else { !0 };
    for attempt in -attempts.last..=attempts.last {
        let inverse = ((2 * LEVELS - 1) as f32 + attempt as f32 * attempts.step) / greatest;
        let (mut tried, mut tried_neighbours) = ([0; N], 0);
        for group in 0..groups {
            tried_neighbours |= u32::from(set_levels(group, inverse, 1.0 / inverse, &mut tried)) << group;
        }
        let (xq, qq) = sums(&tried);
        if qq > 0.0 && xq * xq > best * qq {
            scale = xq / qq;
            best = scale * xq;
            (*levels, neighbours) = (tried, tried_neighbours);
        }
    }
    let revised = match attempts.revision {
        Revision::Neighbours => neighbours,
        Revision::AllIfOneIsNeighbour if neighbours == 0 => 0,
        _ => !0,
    };
    if revised != 0 && scale > 0.0 {
        let inverse = 1.0 / scale;
        for group in (0..groups).filter(|group| revised >> group & 1 == 1) {
            set_levels(group, inverse, scale, levels);
        }
        let (xq, qq) = sums(levels);
        if qq > 0.0 {
            scale = xq / qq;
        }
    }
    scale
}

/// A scale as four bits: the part's scale is `d × (2 × bits + 1)`. `inverse` is 1 / d.
#[inline(always)]
pub(super) fn four_bit_scale(inverse: f32, scale: f32) -> u8 {
    nearest(0.5 * (inverse * scale - 1.0)).clamp(0, 15) as u8
}
