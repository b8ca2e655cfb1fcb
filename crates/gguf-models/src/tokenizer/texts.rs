//! A list of texts that are found by their bytes.

use alloc::vec::Vec;

use super::buckets::{Buckets, Entry, LONGEST_HASHED, hash_of_text};
use super::error::{TokenizerError, collected, list};
use gguf_format::order::sort_items;

/// A number that no text and no token has.
pub(super) const NONE: u32 = u32::MAX;

/// Texts, numbered from 0. They have less than 4 GiB together.
#[derive(Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    /// The end of each text in `bytes`.
    ends: Vec<u32>,
    index: Buckets,
}

impl Texts {
    /// Room for a number of texts, which have a number of bytes together.
    pub fn with_room(count: usize, bytes: usize) -> Result<Self, TokenizerError> {
        Ok(Self { bytes: list(bytes)?, ends: list(count)?, index: Buckets::default() })
    }

    /// Adds a text.
    pub fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Makes the texts searchable, once all have been added. Returns two texts that are equal, if there are any.
    pub fn complete(&mut self) -> Result<Option<[u32; 2]>, TokenizerError> {
        let entry =
            |number: u32| Entry { hash: hash_of_text(self.get(number)), values: [number, self.ends[number as usize]] };
        let mut index = Buckets::new(collected(self.ends.len(), (0..self.len()).map(entry))?)?;
        let mut equal = None;
        for group in index.groups_mut() {
            let text = |entry: &Entry| self.get(entry.values[0]);
            sort_items(group, &|a, b| text(&a).cmp(text(&b)).then(a.cmp(&b)));
            let pair = group.windows(2).find(|pair| text(&pair[0]) == text(&pair[1]));
            equal = equal.or(pair.map(|pair| [pair[0].values[0], pair[1].values[0]]));
        }
        self.index = index;
        Ok(equal)
    }

    /// The number of texts.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The text with a number. Empty if there is none.
    pub fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let Some(end) = self.ends.get(number) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..*end as usize]
    }

    /// The number of a text.
    pub fn find(&self, text: &[u8]) -> Option<u32> {
        match self.index.find(hash_of_text(text)) {
            [Entry { values: [number, end], .. }] => {
                // The hash contains the length, so the start of the text needs no look-up.
                let found = (*end as usize).checked_sub(text.len()).map(|start| &self.bytes[start..*end as usize]);
                let is_equal =
                    found == Some(text) && (text.len() < LONGEST_HASHED || self.get(*number).len() == text.len());
                is_equal.then_some(*number)
            }
            entries => {
                let place = entries.binary_search_by(|entry| self.get(entry.values[0]).cmp(text)).ok()?;
                Some(entries[place].values[0])
            }
        }
    }
}
