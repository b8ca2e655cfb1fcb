//! Finds bytes in bytes, in linear time whatever they are.

use alloc::vec::Vec;

use crate::error::Outcome;
use crate::limits::Meter;

/// Finds one sequence of bytes, from the left or from the right (Knuth, Morris and Pratt).
pub(crate) struct Finder<'a> {
    needle: &'a [u8],
    from_right: bool,
    /// For each byte: how many bytes of the start of the needle end there.
    borders: Vec<u32>,
}

impl<'a> Finder<'a> {
    pub fn new(needle: &'a [u8], from_right: bool, meter: &Meter) -> Outcome<Finder<'a>> {
        meter.look(needle.len().saturating_mul(8))?;
        meter.room(needle.len().saturating_mul(size_of::<u32>()))?;
        let mut finder = Finder { needle, from_right, borders: vec![0; needle.len()] };
        let mut matched = 0;
        for position in 1..needle.len() {
            let byte = finder.at(needle, position);
            matched = finder.after(matched, byte);
            finder.borders[position] = matched as u32;
        }
        Ok(finder)
    }

    fn at(&self, bytes: &[u8], position: usize) -> u8 {
        bytes[if self.from_right { bytes.len() - 1 - position } else { position }]
    }

    /// How many bytes match after one more byte.
    fn after(&self, mut matched: usize, byte: u8) -> usize {
        while matched > 0 && (matched == self.needle.len() || self.at(self.needle, matched) != byte) {
            matched = self.borders[matched - 1] as usize;
        }
        matched + usize::from(self.at(self.needle, matched) == byte)
    }

    /// The start of the first occurrence as seen from the side. An empty needle is found at once.
    pub fn find(&self, bytes: &[u8], meter: &Meter) -> Outcome<Option<usize>> {
        if self.needle.is_empty() {
            return Ok(Some(if self.from_right { bytes.len() } else { 0 }));
        }
        let mut matched = 0;
        for position in 0..bytes.len() {
            matched = self.after(matched, self.at(bytes, position));
            if matched == self.needle.len() {
                meter.look(2 * position)?;
                let end = position + 1;
                return Ok(Some(if self.from_right { bytes.len() - end } else { end - matched }));
            }
        }
        meter.look(2 * bytes.len())?;
        Ok(None)
    }
}

/// The first occurrence of a short and fixed sequence. The time is not bounded for others.
#[inline(never)]
pub(crate) fn position(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window[0] == needle[0] && window == needle)
}
