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
//! The compiler expands the entries to the form that the kernels read. The entries are those of ggml, taken from
//! `quants.py` of the Python package gguf 0.19.0: see the file NOTICE.

mod iq1;
mod iq2;
mod iq3;

/// The grids as the source has them, for quantizers.
#[doc(hidden)]
pub mod entries {
    pub(in crate::tensor::quant) use super::iq1::IQ1;
    pub(in crate::tensor::quant) use super::iq2::{IQ2_S, IQ2_XS, IQ2_XXS};
    pub(in crate::tensor::quant) use super::iq3::{IQ3_S, IQ3_XXS};
}

/// A grid: the high halves of the levels as `f32`s. The low halves of these small integers are zero.
pub(super) type Grid<const ELEMENTS: usize, const ENTRIES: usize> = [[u16; ELEMENTS]; ENTRIES];

pub(super) static IQ1: Grid<8, 2048> = expand(&iq1::IQ1, &[-1.0, 0.0, 1.0]);
pub(super) static IQ2_XXS: Grid<8, 256> = expand(&iq2::IQ2_XXS, &[8.0, 25.0, 43.0]);
pub(super) static IQ2_XS: Grid<8, 512> = expand(&iq2::IQ2_XS, &[8.0, 25.0, 43.0]);
pub(super) static IQ2_S: Grid<8, 1024> = expand(&iq2::IQ2_S, &[8.0, 25.0, 43.0]);
pub(super) static IQ3_XXS: Grid<4, 256> = expand(&iq3::IQ3_XXS, &[4.0, 12.0, 20.0, 28.0, 36.0, 44.0, 52.0, 62.0]);
pub(super) static IQ3_S: Grid<4, 512> = expand(&iq3::IQ3_S, &[1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0]);

const fn expand<const ELEMENTS: usize, const ENTRIES: usize>(
    entries: &[u32; ENTRIES],
    levels: &[f32],
) -> Grid<ELEMENTS, ENTRIES> {
    let mut grid = [[0; ELEMENTS]; ENTRIES];
    let mut i = 0;
    while i < ENTRIES {
        let mut element = 0;
        while element < ELEMENTS {
            let level = levels[(entries[i] >> (4 * element) & 15) as usize];
            grid[i][element] = (level.to_bits() >> 16) as u16;
            element += 1;
        }
        i += 1;
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CRC-32 of each grid as `ggml-common.h` has it, a byte for a level. With the Python package gguf:
    /// `IQ2_S.init_grid(); zlib.crc32(IQ2_S.grid.astype("int8").tobytes())`.
    #[test]
    fn grids_are_those_of_ggml() {
        assert_eq!(checksum(&IQ1), 0xb85e_6ccf);
        assert_eq!(checksum(&IQ2_XXS), 0x9924_ff02);
        assert_eq!(checksum(&IQ2_XS), 0xfa1e_1bfd);
        assert_eq!(checksum(&IQ2_S), 0x25ae_5bf1);
        assert_eq!(checksum(&IQ3_XXS), 0x07ba_9ed0);
        assert_eq!(checksum(&IQ3_S), 0xf576_e4f3);
    }

    fn checksum<const ELEMENTS: usize, const ENTRIES: usize>(grid: &Grid<ELEMENTS, ENTRIES>) -> u32 {
        !grid.as_flattened().iter().fold(!0, |crc, half| {
            let level = f32::from_bits(u32::from(*half) << 16) as i8;
            (0..8).fold(crc ^ u32::from(level.cast_unsigned()), |crc, _| (crc >> 1) ^ ((crc & 1) * 0xedb8_8320))
        })
    }
}
