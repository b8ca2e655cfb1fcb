//! A filter that tells most unknown keys without a search in every section.

use super::{KEY_SECTIONS, KeySection};
use crate::know::text_table::Name;

/// The number of bits. The table fills at most one in eight of them.
const BITS: usize = 4096;

/// The bit at the hash of each pattern is set.
static FILTER: [u8; BITS / 8] = filter(KEY_SECTIONS);

// So a search follows for at most one in eight unknown patterns, if their hashes are evenly spread.
const _: () = assert!(set_bits(&filter(KEY_SECTIONS)) * 8 <= BITS, "the filter needs twice as many bits");

/// Whether the table may have a pattern. Takes time in proportion to the length of the pattern.
pub(super) fn may_contain(pattern: Name<'_>) -> bool {
    let hash = pattern.parts().into_iter().flatten().fold(EMPTY, |hash, byte| with_byte(hash, *byte));
    let bit = bit(hash);
    FILTER[bit / 8] & 1 << (bit % 8) != 0
}

/// The FNV-1a hash of an empty text.
const EMPTY: u32 = 0x811c_9dc5;

const fn with_byte(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

const fn bit(hash: u32) -> usize {
    (hash ^ hash >> 16) as usize % BITS
}

const fn filter(sections: &[KeySection]) -> [u8; BITS / 8] {
    let mut filter = [0; BITS / 8];
    let mut section = 0;
    while section < sections.len() {
        let text = sections[section].table.text().as_bytes();
        let mut at = 0;
        while at < text.len() {
            let mut hash = EMPTY;
            while text[at] != b'\t' {
                hash = with_byte(hash, text[at]);
                at += 1;
            }
            let bit = bit(hash);
            filter[bit / 8] |= 1 << (bit % 8);
            while text[at] != b'\n' {
                at += 1;
            }
            at += 1;
        }
        section += 1;
    }
    filter
}

const fn set_bits(filter: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < filter.len() {
        count += filter[at].count_ones() as usize;
        at += 1;
    }
    count
}
