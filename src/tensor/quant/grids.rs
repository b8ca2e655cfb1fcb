//! The codebooks of the IQ types, which are called grids, in 1.2 kB.
//!
//! ```text
//! IQ1_S, IQ1_M   2048 entries of eight elements, each -1, 0 or 1
//! IQ2_XXS         256                            8, 25 or 43
//! IQ2_XS          512
//! IQ2_S          1024
//! IQ3_XXS         256 entries of four elements   one of eight levels from 4 to 62
//! IQ3_S           512                            one of the odd numbers from 1 to 15
//! ```
//!
//! # How they are packed
//!
//! An entry is a number with the element's levels as digits, the first element's lowest, and a grid has its entries in
//! ascending order. So a bit for each number that there could be, whether the grid has it, is all of a grid.
//!
//! That bit is nearly known from the sum of the digits and from how many are odd: grids have all the numbers of some
//! such kinds and none of others. What came so far of a number's kind gives the odds for it, and by
//! the odds an arithmetic coder spends a quarter of the bits. (By gzip they would be 2.0 kB as bits, 7.1 kB as digits.)
//!
//! The entries are those of ggml, from `quants.py` of the Python package gguf 0.19.0: see the file NOTICE.

use core::sync::atomic::{AtomicBool, Ordering};

use word::AtomicWord;

/// A grid as `N` words, expanded when they are first asked for. Threads that do so at once write the same.
pub(super) struct Grid<const N: usize> {
    form: Form,
    coded: &'static [u8],
    words: [AtomicWord; N],
    is_expanded: AtomicBool,
}

/// What words hold of an entry.
struct Form {
    elements: u32,
    /// What each level is in a word, and of how many bits.
    levels: &'static [u16],
    width: u32,
}

/// Entries of eight bytes: how much an element is above -1.
const BYTES: Form = Form { elements: 8, levels: &[0, 1, 2], width: 8 };

/// Entries of two words with the upper halves of four floats each.
const PAIRS: Form = Form { elements: 8, levels: &upper_halves([8.0, 25.0, 43.0]), width: 16 };

/// Entries of one word with the upper halves of four floats.
const fn fours(levels: &'static [u16; 8]) -> Form {
    Form { elements: 4, levels, width: 16 }
}

const fn upper_halves<const N: usize>(floats: [f32; N]) -> [u16; N] {
    let mut halves = [0; N];
    let mut i = 0;
    while i < N {
        halves[i] = (floats[i].to_bits() >> 16) as u16;
        i += 1;
    }
    halves
}

impl<const N: usize> Grid<N> {
    const fn new(form: Form, coded: &'static [u8]) -> Self {
        Self { form, coded, words: [const { AtomicWord::new() }; N], is_expanded: AtomicBool::new(false) }
    }

    #[inline(always)]
    pub(super) fn words(&'static self) -> Words<N> {
        if !self.is_expanded.load(Ordering::Acquire) {
            self.form.expand(self.coded, &self.words);
            self.is_expanded.store(true, Ordering::Release);
        }
        Words(&self.words)
    }
}

/// The words of a grid.
#[derive(Clone, Copy)]
pub(super) struct Words<const N: usize>(&'static [AtomicWord; N]);

impl<const N: usize> Words<N> {
    /// A word by its index, of which bits do not count that are more than it takes.
    #[inline(always)]
    pub(super) fn at(self, index: u32) -> u64 {
        self.0[index as usize % N].load()
    }

    /// The two words of an entry.
    #[inline(always)]
    pub(super) fn pair_at(self, index: u32) -> [u64; 2] {
        [self.at(2 * index), self.at(2 * index + 1)]
    }
}

#[cfg(target_has_atomic = "64")]
mod word {
    use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

    pub(super) struct AtomicWord(AtomicU64);

    impl AtomicWord {
        pub(super) const fn new() -> Self {
            Self(AtomicU64::new(0))
        }

        #[inline(always)]
        pub(super) fn load(&self) -> u64 {
            self.0.load(Relaxed)
        }

        pub(super) fn store(&self, word: u64) {
            self.0.store(word, Relaxed);
        }
    }
}

#[cfg(not(target_has_atomic = "64"))]
mod word {
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

    pub(super) struct AtomicWord([AtomicU32; 2]);

    impl AtomicWord {
        pub(super) const fn new() -> Self {
            Self([const { AtomicU32::new(0) }; 2])
        }

        pub(super) fn load(&self) -> u64 {
            u64::from(self.0[0].load(Relaxed)) | u64::from(self.0[1].load(Relaxed)) << 32
        }

        pub(super) fn store(&self, word: u64) {
            self.0[0].store(word as u32, Relaxed);
            self.0[1].store((word >> 32) as u32, Relaxed);
        }
    }
}

impl Form {
    #[cold]
    fn expand(&self, coded: &[u8], words: &[AtomicWord]) {
        let mut words = words.iter();
        for mut entry in self.entries(coded) {
            for word in words.by_ref().take((self.elements * self.width / 64) as usize) {
                let mut bits = 0;
                for i in 0..64 / self.width {
                    bits |= u64::from(self.levels[(entry & 7) as usize]) << (self.width * i);
                    entry >>= 4;
                }
                word.store(bits);
            }
        }
    }

    /// The entries of a grid, a digit being four bits.
    fn entries(&self, coded: &[u8]) -> impl Iterator<Item = u32> {
        let mut decoder = Decoder::new(coded);
        let mut odds = [Odds::EVEN; KINDS];
        self.numbers().filter(move |number| decoder.decide(&mut odds[kind(*number)]))
    }

    /// Every number that could be an entry, ascending.
    fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let (elements, levels) = (self.elements, self.levels.len() as u32);
        let next = move |number: &u32| {
            let mut next = number + 1;
            // A digit that is past the last level carries into the one above it.
            loop {
                let carry = ((next + (8 - levels) * 0x1111_1111) & 0x8888_8888) >> 3;
                if carry == 0 {
                    return Some(next);
                }
                next = next.checked_add(carry * (16 - levels))?;
            }
        };
        core::iter::successors(Some(0), next).take_while(move |number| u64::from(*number) >> (4 * elements) == 0)
    }
}

/// Sums of digits are up to 4 × 7, and counts of odd ones up to 8.
const KINDS: usize = 29 * 16;

fn kind(number: u32) -> usize {
    let sums = (number & 0x0f0f_0f0f) + (number >> 4 & 0x0f0f_0f0f);
    let sum = sums.wrapping_mul(0x0101_0101) >> 24;
    let odd = (number & 0x1111_1111).count_ones();
    (sum * 16 + odd) as usize
}

/// How often the answer was no and how often it was yes, in quarters; a quarter of each to begin with.
#[derive(Clone, Copy)]
struct Odds {
    no: u32,
    yes: u32,
}

impl Odds {
    const EVEN: Self = Self { no: 1, yes: 1 };

    /// Divides `low..=high` by the odds: the last number for yes.
    fn split(&self, low: u32, high: u32) -> u32 {
        low + (u64::from(high - low) * u64::from(self.yes) / u64::from(self.no + self.yes)) as u32
    }

    fn count(&mut self, is_yes: bool) {
        *(if is_yes { &mut self.yes } else { &mut self.no }) += 4;
    }
}

/// A binary arithmetic decoder: the coded bytes are a number, and each decision narrows the interval that it is in.
struct Decoder<'a> {
    coded: &'a [u8],
    number: u32,
    low: u32,
    high: u32,
}

impl<'a> Decoder<'a> {
    fn new(coded: &'a [u8]) -> Self {
        let (first, rest) = coded.split_first_chunk().expect("a grid takes more than four bytes");
        Self { coded: rest, number: u32::from_be_bytes(*first), low: 0, high: u32::MAX }
    }

    fn decide(&mut self, odds: &mut Odds) -> bool {
        let middle = odds.split(self.low, self.high);
        let is_yes = self.number <= middle;
        (self.low, self.high) = if is_yes { (self.low, middle) } else { (middle + 1, self.high) };
        odds.count(is_yes);
        // Digits that low and high agree on are settled. After the last byte come zeros.
        while (self.low ^ self.high) >> 24 == 0 {
            let (next, rest) = self.coded.split_first().unwrap_or((&0, &[]));
            self.coded = rest;
            self.number = self.number << 8 | u32::from(*next);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        is_yes
    }
}

pub(super) static IQ1: Grid<2048> = Grid::new(
    BYTES,
    b"\
    \x4e\xce\xc6\x93\x7f\xb9\x8d\xea\x41\x54\x5d\x77\x03\x86\x93\x55\x26\x4f\x6c\x8d\x81\xe6\xfe\x2e\x61\xe2\x8e\
    \x89\xf0\x5b\x53\x6c\x21\x42\x76\x1e\x93\x95\x32\x91\x64\x4e\x92\x41\x06\x9d\x33\x0b\xa8\xd9\xa2\x55\x5e\x97\
    \x6d\xab\x45\xd3\xaa\x04\x5f\x9f\x7a\xe0\x52\xf0\x77\xd4\x99\xc2\xfe\x21\x20\xc3\x9e\x5b\xe5\x8a\x22\x12\xb9\
    \x7a\x18\xaa\x19\x07\x3a\x91\x4b\x78\xb5\x72\x28\x42\xda\x43\xab\xf2\xdc\x9e\x24\x6a\xed\x6d\xd9\x32\xb2\xec\
    \x4c\xa8\x22\x3a\xbb\xe9\x48\xb6\x8e\x94\xf0\xc0\x05\xeb\x3f\x50\x2b\x43\x7b\x79\x21\x64\x8c\x89\x20\xdb\xb5\
    \xf1\xbc\xd5\x2c\x90\xbf\x59\x6d\xf7\xe9\x4a\x95\x92\x55\xef\xec\x09\x26\xf5\xfe\x2f\x93\x99\xeb\x70\xb6\x27\
    \xcf\xd6\x60\x9a\x67\x6a\xe7\xda\x88\xaa\xfc\x90\x38\xfa\x5a\x37\xb3\xf4\x08\x4d\x4d\xdf\xbb\xbc\xbe\x27\xc9\
    \xe0\x39\x0f\x83\x7c\x0d\x0a\x48\x25\xbb\xb1\x99\xc5\x38\x37\xda\xc8\xaf\x6d\x36\xbc\x4b\x81\xf1\x81\xae\x29\
    \x83\x1e\xe5\x1e\x7a\x13\xe6\xaf\xe9\x62\x72\xeb\xfc\x34\x26\x16\xc7\x9d\x97\x12\xe0\xbe\x8b\xc3\x2f\x54\x61\
    \xc2\xd7\x84\x9b\xb3\x25\x0b\xcc\x69\xff\x28\x8b\x99\x13\xa9\xc9\x3d\xbc\x43\xe5\x54\xda\xe4\x2b\x75\xf3\x28\
    \x69\xdd\x49\xfd\x16\x97\xbb\xea\x07\xf6\x7c\xbb\x36\x86\xb0\xec\x18\xec\x68\x4f\x1a\xc3\x4a\x18\x83\xd8\x24\
    \x08\xee\xb7\x71\xfc\xa5\x75\xf9\x63\x41\x85\x77\x35\x48\xbb\x45\x3b\x5c\x38\x8d\x30\x7b\xe9\xd8\x46\x1f\xf6\
    \x0b\x8b\xcf\xff\xbd\x27\xd4\x8e\x80\xde\xc2\xfc\x38\x97\x4f\x86\x6c\xc7\xaf\xf5\x5a\xa4\xfd\x1b\x0f\x04\x57\
    \x00\x61\x99\x93\x63\x32\x8b\x42\x91\x65\x7e\xe5\xce\x27\x1f\x33\x95\xfc\xa1\xdd\x18\x05\x8a\x0e\x26\x17\xbb\
    \xa6\x90\xfb\x73\x85\x81\x6d\x75\xe8\xe3\xb6\xd8\x06\x4a\x23\x8f\x5d\xe2\x56\xaf\xce\x39\xfe\xa9\xa2\x81\x81\
    \x72\x7f\x26\xf1\x93\x82\x8f\xa2\x2a\x54\x96\xa3\x1b\x1f\x68\xeb\xe1\x01\x2e\x40",
);

pub(super) static IQ2_XXS: Grid<512> = Grid::new(
    PAIRS,
    b"\
    \x4e\xa9\xc1\x3c\xa9\x0c\xf0\x0a\xe9\xe7\x64\x19\x85\x4e\x70\xd3\xae\x24\x2d\x01\x0d\xd3\xfe\x26\xc2\xde\x5a\
    \x8f\xcd\x80\xda\xa2\xd1\xd9\xdd\xc2\xc8\xff\x22\x83\x73\x14\xa5\xf4\x79\x42\x24\x96\xae\xd8\xfd\xb9\xf5\x51\
    \x7b\x4f\xcc\x45\x5a\x5b\xc7\x36\x7e\x38\x2b\x73\x94\xb2\x8d\x79\x00\x06\xca\xe5\x3e\x37\x8f\xcf\x10\x83\x42\
    \xc9\xef\x9e\x5f\x2e\xd8\x31\x4b\x9b\xce\xec\x39\x6e\x1d\x7f\x0a\x44\xbf\xb7\xe7\x4c\xdb\x25\xe1\xe4\x14\x18\
    \xd6\xfc\x17\x0d\x2a\x8c\x5a\xed\x80",
);

pub(super) static IQ2_XS: Grid<1024> = Grid::new(
    PAIRS,
    b"\
    \x4e\x45\x1a\xb7\x16\xed\x94\x9b\xfe\x43\x0a\x0d\xdf\x57\x21\xd2\x06\xc7\xfc\x72\xa8\x3b\xd4\x13\x9a\xd7\xed\
    \xa1\x12\xc5\xb4\xbf\xf8\x9f\x01\x44\x97\x69\x3c\xf6\xf8\x11\x6c\x61\xf7\x0a\x63\x85\x52\xee\x32\x07\x0f\xcf\
    \x15\x38\x39\xf7\x23\x10\x3f\x7a\x1e\xa1\xc1\x87\xbd\x9f\xe9\x4b\x23\x8e\x0d\xd1\x9a\x1b\x37\x5c\x13\x7b\x25\
    \x79\xca\x4d\x44\x7b\xed\x3b\x86\xf2\xc0\x41\x37\x55\x7f\xcb\x1b\xe5\x95\xbe\x55\xeb\x70\xc6\xf9\x07\xb9\xdd\
    \x3a\x44\x02\xad\x80\xf7\x0d\xf6\xf5\x71\xcb\xae\x67\x70\x26\xb7\x45\xdd\x31\x2f\xa5\xa9\x43\xf3\x48\x6c\x98\
    \xcb\xd8\x14",
);

pub(super) static IQ2_S: Grid<2048> = Grid::new(
    PAIRS,
    b"\
    \x4e\x44\xf4\x55\xb6\x64\xb1\xd6\x3b\x23\x4b\xc8\x4f\x47\xb6\x60\x1a\x15\x68\xe9\x80\x46\x29\xa1\x43\xf4\xb1\
    \x0a\x24\xb7\x2e\x43\x00\xb9\xa4\x07\xa7\x0c\x4b\x96\x2e\x00\x48\xfe\xae\x71\x90\xcb\x25\x8a\xf7\x2f\xe3\x56\
    \x6b\x04\xcb\x67\xeb\x66\x12\x63\x59\x70\xb9\x49\xcf\xc1\x49\xe1\xda\xfe\x8a\x4c\x26\x0f\xa1\x14\x40\xaf\x4f\
    \xca\xc0\x4b\xd9\xb3\x54\xf9\x1e\x51\x70\x3a\x2a\xff\xd6\xac\x9e\x2a\x5c\x74\x0c\x3e\xd7\xa8\x55\x5a\x77\x0d\
    \xf0\x29\xa4\x6c\xa0",
);

pub(super) static IQ3_XXS: Grid<256> = Grid::new(
    fours(&upper_halves([4.0, 12.0, 20.0, 28.0, 36.0, 44.0, 52.0, 62.0])),
    b"\
    \x57\x5e\xcb\x30\x77\x22\x2f\x38\xae\xe6\x3f\xc2\xee\x08\x4f\x8f\x79\x45\x44\x0f\xcf\x08\xf6\x07\x0c\xe2\xdf\
    \x7a\x5a\x3e\x37\xbe\x8e\xa4\xe3\xcb\x5f\x09\x6a\x14\x74\xe6\x8f\x4a\xf2\xc6\xc1\x57\xb7\x9f\x36\xfa\x4b\xd0\
    \x78\x99\x61\x3a\x5d\x9c\x30\x80\x9b\x2d\x43\x1f\x3b\x5c\x8b\xd6\x7c\x71\xf9\xad\xc5\x90\xe2\x9b\x0c\x56\xab\
    \x0d\x6e\x93\xe7\xfb\x6d\x5f\x16\xfd\xbe\xcb\x8f\xad\xbf\x80\x15\xe8\x00\xf8\xcd\xb3\x88\x64\x71\x06\x7d\xdb\
    \x50\x37\xb1\x8d\xd8\x22\xfa\xd2\x35\x22\x93\x85\x41\x92\xaa\xc5\x52\xf5\x9f\x33\x1f",
);

pub(super) static IQ3_S: Grid<512> = Grid::new(
    fours(&upper_halves([1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0])),
    b"\
    \x1a\x0e\xc6\x00\xa2\xfe\xde\xe5\x45\x41\x70\xd8\x9d\x55\x84\x4f\x52\x9f\x45\x4e\x3f\x22\x62\x2b\x9c\x69\xcd\
    \x5a\x13\xa7\x10\x1d\x6c\x09\x62\xeb\xfb\x37\xe5\xbf\xc9\x8e\xa1\x97\xeb\x35\x73\xc7\x77\xf2\xee\x3a\x38\xa5\
    \xa3\xc0\x80\x66\x0c\x14\x28\x50\x62\xe1\x62\x12\xbc\x71\x1a\xb9\x28\xff\xe5\x6f\xc8\xce\xf2\x9f\xe8\xd2\x65\
    \xb6\x76\xaf\xf4\xd9\x13\x71\xbc\x32\xac\x92\xe9\x22\x5a\x28\xcb\x10\xb8\x0d\x85\x54\x12\xad\x65\xea\xd6\x80\
    \x80\x5c\x6f\x1f\xec\xb1\x7c\xeb\xa7\x77\x84\x1b\x93\x23\xde\x91\x54\x46\xb3\x78\xf9\x4d\xa4\x77\x97\x5b\xf5\
    \xba\xa1\x93\x21\x10\xb8\x99\x97\x89\x26\x53\x7b\x81\xb6\x27\x37\x56\x23\x75\x8e\x18\x5f\xd7\x3e\x29\x9b\x0c\
    \xae\x72\x10\xb5\x47\x11\x04\xb3\x4e\x02\xc6\xe7\x3e\xea\xb8\x16\x4e\x3c\xa5\x3c\xa5\x3a\x16\x69\x8e\x4a\x6a\
    \x71\x8a\xb4\x32\x7d\xee\x7b\xd5\x7c\x25\x0e\xa3\x9a\x0a\xd5\xed\x03\xee\x7f\x89\x0d\x5a\x52\x58\xd2\xfe\xd0\
    \x8f\xf8\x1e\x96\xfb\xe9\x3a\xd4\x0f\x8d\xc9\x2a\xef\x3d\x96\x71\x97\x0c\xe1\x7c\xb3\x04\xec\xcb\x71\xec\x12\
    \x28\xc0\x30\x4f\x33\x59\x22\x11",
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn grids_are_those_of_ggml() {
        check(&IQ1, 2048, 0x8aa6_ce01);
        check(&IQ2_XXS, 256, 0xfbd8_f332);
        check(&IQ2_XS, 512, 0x584b_ec2a);
        check(&IQ2_S, 1024, 0xc94d_b5de);
        check(&IQ3_XXS, 256, 0x4d8b_47e9);
        check(&IQ3_S, 512, 0x0712_c18c);
    }

    /// Entries by their count and their hash, FNV-1a of numbers with four bits for a digit.
    fn check<const N: usize>(grid: &Grid<N>, count: usize, hash: u32) {
        let entries: Vec<_> = grid.form.entries(grid.coded).collect();
        assert_eq!(entries.len(), count);
        let found = entries.iter().fold(0x811c_9dc5, |hash, entry| (hash ^ entry).wrapping_mul(0x0100_0193));
        assert_eq!(found, hash, "the grid of {count}");
        assert_eq!(encode(&grid.form, &entries), grid.coded, "the grid of {count}");
    }

    /// The other way round: how the bytes were made.
    fn encode(form: &Form, entries: &[u32]) -> Vec<u8> {
        let mut odds = [Odds::EVEN; KINDS];
        let (mut low, mut high) = (0, u32::MAX);
        let mut coded = Vec::new();
        for number in form.numbers() {
            let odds = &mut odds[kind(number)];
            let middle = odds.split(low, high);
            let is_yes = entries.binary_search(&number).is_ok();
            (low, high) = if is_yes { (low, middle) } else { (middle + 1, high) };
            odds.count(is_yes);
            while (low ^ high) >> 24 == 0 {
                coded.push((high >> 24) as u8);
                (low, high) = (low << 8, high << 8 | 0xff);
            }
        }
        // Of the numbers that are left, the one with the most zeros at its end.
        let last = (0..32).rev().map(|zeros| high >> zeros << zeros).find(|last| *last >= low).unwrap();
        coded.extend(last.to_be_bytes());
        while coded.pop_if(|byte| *byte == 0).is_some() {}
        coded
    }
}
