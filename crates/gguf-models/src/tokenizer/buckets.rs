//! A table from hashes to numbers that is as fast as a hash table, and at worst takes logarithmic time.

use alloc::vec::Vec;

use super::error::{TokenizerError, collected};
use gguf_format::order::sort_items;

/// An odd number with about as many ones as zeros. A product with it has a unique value for each factor.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// The most entries that are searched one after the other.
const FEW: usize = 16;

/// The longest length that the hash of a text contains.
pub(super) const LONGEST_HASHED: usize = 0xFFFF;

/// Entries sorted by their hash. A file can be made whose texts all have the same hash: so the entries with one hash are
/// sorted and searched, too.
#[derive(Default)]
pub(super) struct Buckets {
    entries: Vec<Entry>,
    /// For each value of the highest bits of a hash, the position of the first entry that has at least this value.
    starts: Vec<u32>,
    shift: u32,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub hash: u64,
    pub values: [u32; 2],
}

impl Buckets {
    pub fn new(mut entries: Vec<Entry>) -> Result<Self, TokenizerError> {
        // About four entries in each bucket: they lie in one line of the processor's cache, and `starts` is small.
        let bits = (entries.len() as u64 / 4).next_power_of_two().trailing_zeros().clamp(1, 31);
        let shift = u64::BITS - bits;
        let bucket_of = |entry: &Entry| (entry.hash >> shift) as usize;
        let count = 1 << bits;
        let mut starts = collected(count + 1, core::iter::repeat(0))?;
        for entry in &entries {
            starts[bucket_of(entry) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // Swaps each entry into its bucket, so that the entries need no second list.
        let mut next = collected(count, starts.iter().copied())?;
        for bucket in 0..count {
            while next[bucket] < starts[bucket + 1] {
                let place = next[bucket] as usize;
                let target = bucket_of(&entries[place]);
                entries.swap(place, next[target] as usize);
                next[target] += 1;
            }
        }
        for bucket in starts.windows(2) {
            let bucket = &mut entries[bucket[0] as usize..bucket[1] as usize];
            if bucket.len() > 1 {
                sort_items(bucket, &|a, b| a.cmp(&b));
            }
        }
        Ok(Self { entries, starts, shift })
    }

    /// The entries with a hash, in order of their values.
    pub fn find(&self, hash: u64) -> &[Entry] {
        let bucket = (hash >> self.shift) as usize;
        let (Some(start), Some(end)) = (self.starts.get(bucket), self.starts.get(bucket + 1)) else { return &[] };
        let entries = &self.entries[*start as usize..*end as usize];
        if entries.len() <= FEW {
            let from = entries.iter().take_while(|entry| entry.hash < hash).count();
            let len = entries[from..].iter().take_while(|entry| entry.hash == hash).count();
            return &entries[from..from + len];
        }
        let from = entries.partition_point(|entry| entry.hash < hash);
        let len = entries[from..].partition_point(|entry| entry.hash == hash);
        &entries[from..from + len]
    }

    /// The groups of entries that have the same hash and are more than one.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut [Entry]> {
        self.entries.chunk_by_mut(|a, b| a.hash == b.hash).filter(|group| group.len() > 1)
    }
}

/// The hash of a text. Its lowest 16 bits are the length, at most [`LONGEST_HASHED`].
pub(super) fn hash_of_text(text: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let product = (hash ^ word).wrapping_mul(MULTIPLIER);
        product ^ product >> 32
    };
    let (words, rest) = text.as_chunks::<8>();
    let hash = words.iter().fold(text.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let rest = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let mask = LONGEST_HASHED as u64;
    mix(hash, rest).wrapping_mul(MULTIPLIER) & !mask | text.len().min(LONGEST_HASHED) as u64
}

/// The hash of a pair of numbers. Different pairs have different hashes.
pub(super) fn hash_of_pair(left: u32, right: u32) -> u64 {
    (u64::from(left) << 32 | u64::from(right)).wrapping_mul(MULTIPLIER)
}
