//! Repeated blocks, counted by the names of tensors.

use alloc::vec::Vec;

use crate::architectures::MOST_BLOCKS;
use crate::decimal::split_decimal;
use gguf_format::format::header::Header;

/// Lists of blocks: the name of each, and which of its numbers there are.
#[derive(Default)]
pub(crate) struct Lists(Vec<(Vec<u8>, Vec<bool>)>);

/// The most lists that are counted. A file with more is not a model.
const MOST_LISTS: usize = 64;

/// The last parts of the names of lists, in all files but those of image models.
const LISTS: &[&[u8]] = &[b"blk", b"layers", b"layer", b"h", b"block", b"blocks"];

impl Lists {
    /// Adds the block that the name of a tensor says: `list.3.…`.
    pub fn add(&mut self, list: &[u8], number: u32) {
        let place = match self.0.iter().position(|(name, _)| name == list) {
            Some(place) => place,
            None if self.0.len() < MOST_LISTS => {
                self.0.push((list.into(), Vec::new()));
                self.0.len() - 1
            }
            None => return,
        };
        let Some((_, numbers)) = self.0.get_mut(place) else { return };
        let number = number as usize;
        if number as u64 > MOST_BLOCKS {
            return;
        }
        if numbers.len() <= number {
            numbers.resize(number + 1, false);
        }
        if let Some(is_there) = numbers.get_mut(number) {
            *is_there = true;
        }
    }

    /// The numbers of blocks of the lists that have no gap.
    pub fn counts(&self) -> impl Iterator<Item = u64> {
        self.0
            .iter()
            .filter(|(_, numbers)| numbers.iter().all(|is_there| *is_there))
            .map(|(_, numbers)| numbers.len() as u64)
    }

    /// The number of blocks of all lists. `None` if there is no list, or a list with a gap.
    pub fn sum(&self) -> Option<u64> {
        (!self.0.is_empty() && self.counts().count() == self.0.len()).then(|| self.counts().sum())
    }
}

/// The number of blocks of the longest list that has no gap: `blk`, `model.layers` and so on. `None` if there is none.
pub(crate) fn count_of_longest_list(header: &Header) -> Option<u64> {
    let mut lists = Lists::default();
    for tensor in header.tensors() {
        let name = tensor.name().to_bytes();
        let mut start = 0;
        let mut before: &[u8] = b"";
        for part in name.split(|byte| *byte == b'.') {
            if let Some((number, [])) = split_decimal(part) {
                if LISTS.contains(&before) {
                    lists.add(name.get(..start).unwrap_or_default(), number);
                }
                break;
            }
            start += part.len() + 1;
            before = part;
        }
    }
    lists.counts().max()
}
