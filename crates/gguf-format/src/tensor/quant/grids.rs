//! The grids of the IQ types: tables whose entries are the levels of eight or four elements. Blocks store indices.
//!
//! ```text
//! types           entries   elements of an entry   levels
//! IQ1_S, IQ1_M    2048      8                      -1, 0, 1
//! IQ2_XXS          256      8                      8, 25, 43
//! IQ2_XS           512      8                      8, 25, 43
//! IQ2_S           1024      8                      8, 25, 43
//! IQ3_XXS          256      4                      4, 12, 20, 28, 36, 44, 52, 62
//! IQ3_S            512      4                      1, 3, 5, 7, 9, 11, 13, 15
//! ```
//!
//! In the source, an entry has one hexadecimal digit for an element, the number of its level, and the first element is the
//! rightmost digit. `ggml-common.h` writes the same entries in the same order with two digits for an element, the level
//! itself. In the grids of IQ2, for example, `0x00000012` here is `0x080808080808192b` there.
//!
//! The entries rise, if the digits of an entry are read as a number to the base of the number of levels. The compiler writes the
//! differences between these numbers, a byte for most of them: a module has 17 kB less than with the entries. They are expanded at first
//! use to the form that the kernels read, which takes some microseconds. The entries are those of ggml, taken from `quants.py` of the
//! Python package gguf 0.19.0: see the file NOTICE.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

mod iq1;
mod iq2;
mod iq3;

/// A grid of which the differences between the entries are known.
pub(super) struct Grid<const ELEMENTS: usize, const ENTRIES: usize> {
    differences: &'static [u8],
    levels: &'static [f32],
    expanded: OnceBox<Levels<ELEMENTS, ENTRIES>>,
}

/// The high halves of the levels as `f32`s. The low halves of these small integers are zero.
pub(super) type Levels<const ELEMENTS: usize, const ENTRIES: usize> = [[u16; ELEMENTS]; ENTRIES];

/// In place of a difference: there are 255 more numbers before the next entry.
const FURTHER: u8 = 255;

macro_rules! grid {
    ($entries:expr, $levels:expr) => {{
        static LEVELS: &[f32] = &$levels;
        static DIFFERENCES: [u8; length(&$entries, $levels.len() as u32)] =
            differences(&$entries, $levels.len() as u32);
        Grid { differences: &DIFFERENCES, levels: LEVELS, expanded: OnceBox::new() }
    }};
}

pub(super) static IQ1: Grid<8, 2048> = grid!(iq1::IQ1, [-1.0, 0.0, 1.0]);
pub(super) static IQ2_XXS: Grid<8, 256> = grid!(iq2::IQ2_XXS, [8.0, 25.0, 43.0]);
pub(super) static IQ2_XS: Grid<8, 512> = grid!(iq2::IQ2_XS, [8.0, 25.0, 43.0]);
pub(super) static IQ2_S: Grid<8, 1024> = grid!(iq2::IQ2_S, [8.0, 25.0, 43.0]);
pub(super) static IQ3_XXS: Grid<4, 256> = grid!(iq3::IQ3_XXS, [4.0, 12.0, 20.0, 28.0, 36.0, 44.0, 52.0, 62.0]);
pub(super) static IQ3_S: Grid<4, 512> = grid!(iq3::IQ3_S, [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0]);

/// The digits of an entry as a number to a base.
const fn number(entry: u32, base: u32) -> u32 {
    let (mut number, mut element) = (0, 8);
    while element > 0 {
        element -= 1;
        number = number * base + (entry >> (4 * element) & 15);
    }
    number
}

/// The entry of a number.
fn entry(mut number: u32, base: u32) -> u32 {
    let mut entry = 0;
    for element in 0..8 {
        entry |= (number % base) << (4 * element);
        number /= base;
    }
    entry
}

/// The number of bytes of `differences`.
const fn length(entries: &[u32], base: u32) -> usize {
    let (mut length, mut last, mut i) = (entries.len(), 0, 0);
    while i < entries.len() {
        length += (number(entries[i], base) - last) as usize / FURTHER as usize;
        last = number(entries[i], base);
        i += 1;
    }
    length
}

const fn differences<const BYTES: usize>(entries: &[u32], base: u32) -> [u8; BYTES] {
    let mut differences = [FURTHER; BYTES];
    let (mut at, mut last, mut i) = (0, 0, 0);
    while i < entries.len() {
        let difference = number(entries[i], base) - last;
        last += difference;
        at += difference as usize / FURTHER as usize;
        differences[at] = (difference % FURTHER as u32) as u8;
        at += 1;
        i += 1;
    }
    differences
}

/// The entries as the source has them.
fn entries(differences: &[u8], base: u32) -> Vec<u32> {
    let mut number = 0;
    let entries = differences.iter().filter_map(|difference| {
        number += u32::from(*difference);
        (*difference != FURTHER).then(|| entry(number, base))
    });
    entries.collect()
}

/// Expands the differences to the levels of all elements.
#[cold]
#[inline(never)]
fn expand(differences: &[u8], levels: &[f32], grid: &mut [u16], elements: usize) {
    let entries = entries(differences, levels.len() as u32);
    for (entry, expanded) in entries.into_iter().zip(grid.chunks_exact_mut(elements)) {
        for (element, expanded) in expanded.iter_mut().enumerate() {
            let level = levels.get((entry >> (4 * element) & 15) as usize).copied().unwrap_or_default();
            *expanded = (level.to_bits() >> 16) as u16;
        }
    }
}

impl<const ELEMENTS: usize, const ENTRIES: usize> Grid<ELEMENTS, ENTRIES> {
    /// The form that the kernels read.
    pub fn get(&self) -> &Levels<ELEMENTS, ENTRIES> {
        self.expanded.get_or_init(|| {
            let mut grid = Box::new([[0; ELEMENTS]; ENTRIES]);
            expand(self.differences, self.levels, grid.as_flattened_mut(), ELEMENTS);
            grid
        })
    }

    /// The entries as the source has them, for quantizers.
    pub fn entries(&self) -> Vec<u32> {
        entries(self.differences, self.levels.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CRC-32 of each grid as `ggml-common.h` has it, a byte for a level. With the Python package gguf:
    /// `IQ2_S.init_grid(); zlib.crc32(IQ2_S.grid.astype("int8").tobytes())`.
    #[test]
    fn grids_are_those_of_ggml() {
        assert_eq!(checksum(IQ1.get()), 0xb85e_6ccf);
        assert_eq!(checksum(IQ2_XXS.get()), 0x9924_ff02);
        assert_eq!(checksum(IQ2_XS.get()), 0xfa1e_1bfd);
        assert_eq!(checksum(IQ2_S.get()), 0x25ae_5bf1);
        assert_eq!(checksum(IQ3_XXS.get()), 0x07ba_9ed0);
        assert_eq!(checksum(IQ3_S.get()), 0xf576_e4f3);
    }

    #[test]
    fn entries_are_those_of_the_source() {
        assert_eq!(IQ1.entries(), iq1::IQ1);
        assert_eq!(IQ2_XXS.entries(), iq2::IQ2_XXS);
        assert_eq!(IQ2_XS.entries(), iq2::IQ2_XS);
        assert_eq!(IQ2_S.entries(), iq2::IQ2_S);
        assert_eq!(IQ3_XXS.entries(), iq3::IQ3_XXS);
        assert_eq!(IQ3_S.entries(), iq3::IQ3_S);
    }

    fn checksum<const ELEMENTS: usize, const ENTRIES: usize>(grid: &Levels<ELEMENTS, ENTRIES>) -> u32 {
        !grid.as_flattened().iter().fold(!0, |crc, half| {
            let level = f32::from_bits(u32::from(*half) << 16) as i8;
            (0..8).fold(crc ^ u32::from(level.cast_unsigned()), |crc, _| (crc >> 1) ^ ((crc & 1) * 0xedb8_8320))
        })
    }
}
