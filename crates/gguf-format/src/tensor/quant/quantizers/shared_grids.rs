//! The grids of the IQ1, IQ2 and IQ3 types with their neighbours. Each is computed at first use and kept, because that takes up to a
//! tenth of a second.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

use super::neighbours::NeighbourGrid;
use crate::tensor::quant::grids;

/// A grid that is computed at first use. All quantizers share it.
pub(super) struct SharedGrid<const ELEMENTS: usize, const LEVELS: usize> {
    entries: fn() -> Vec<u32>,
    /// How many of the least distances make an entry a neighbour.
    distance_count: usize,
    grid: OnceBox<NeighbourGrid<ELEMENTS, LEVELS>>,
}

/// IQ1_S and IQ1_M.
pub(super) static IQ1: SharedGrid<8, 3> = SharedGrid::new(|| grids::IQ1.entries(), 3);
pub(super) static IQ2_XXS: SharedGrid<8, 3> = SharedGrid::new(|| grids::IQ2_XXS.entries(), 2);
pub(super) static IQ2_XS: SharedGrid<8, 3> = SharedGrid::new(|| grids::IQ2_XS.entries(), 2);
pub(super) static IQ2_S: SharedGrid<8, 3> = SharedGrid::new(|| grids::IQ2_S.entries(), 1);
pub(super) static IQ3_XXS: SharedGrid<4, 8> = SharedGrid::new(|| grids::IQ3_XXS.entries(), 2);
pub(super) static IQ3_S: SharedGrid<4, 8> = SharedGrid::new(|| grids::IQ3_S.entries(), 3);

impl<const ELEMENTS: usize, const LEVELS: usize> SharedGrid<ELEMENTS, LEVELS> {
    const fn new(entries: fn() -> Vec<u32>, distance_count: usize) -> Self {
        Self { entries, distance_count, grid: OnceBox::new() }
    }

    pub fn get(&'static self) -> &'static NeighbourGrid<ELEMENTS, LEVELS> {
        self.grid.get_or_init(|| Box::new(NeighbourGrid::new(&(self.entries)(), self.distance_count)))
    }
}
