//! The grids of the IQ1, IQ2 and IQ3 types with their neighbours. Each is computed at first use and kept, because that takes up to a
//! tenth of a second.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use super::neighbours::NeighbourGrid;
use crate::tensor::quant::grids::entries;

/// A grid that is computed at first use. All quantizers share it.
pub(super) struct SharedGrid<const ELEMENTS: usize, const LEVELS: usize> {
    entries: &'static [u32],
    /// How many of the least distances make an entry a neighbour.
    distance_count: usize,
    grid: OnceBox<NeighbourGrid<ELEMENTS, LEVELS>>,
}

/// IQ1_S and IQ1_M.
pub(super) static IQ1: SharedGrid<8, 3> = SharedGrid::new(&entries::IQ1, 3);
pub(super) static IQ2_XXS: SharedGrid<8, 3> = SharedGrid::new(&entries::IQ2_XXS, 2);
pub(super) static IQ2_XS: SharedGrid<8, 3> = SharedGrid::new(&entries::IQ2_XS, 2);
pub(super) static IQ2_S: SharedGrid<8, 3> = SharedGrid::new(&entries::IQ2_S, 1);
pub(super) static IQ3_XXS: SharedGrid<4, 8> = SharedGrid::new(&entries::IQ3_XXS, 2);
pub(super) static IQ3_S: SharedGrid<4, 8> = SharedGrid::new(&entries::IQ3_S, 3);

impl<const ELEMENTS: usize, const LEVELS: usize> SharedGrid<ELEMENTS, LEVELS> {
    const fn new(entries: &'static [u32], distance_count: usize) -> Self {
        Self { entries, distance_count, grid: OnceBox::new() }
    }

    pub fn get(&'static self) -> &'static NeighbourGrid<ELEMENTS, LEVELS> {
        self.grid.get_or_init(|| Box::new(NeighbourGrid::new(self.entries, self.distance_count)))
    }
}
