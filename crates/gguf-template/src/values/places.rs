//! A hash table of places in a list. It serves dicts, names and keys of JSON, so there is no map for each kind of key.

use alloc::vec::Vec;
use core::cell::Cell;

use crate::error::{Outcome, beyond};

/// Where entries of a list are, found by a hash. Open addressing: a taken slot is followed by the next one.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Places + 1, or 0. The length is a power of two.
    table: Vec<u32>,
    count: usize,
    /// How often a slot was taken by another entry.
    collisions: Cell<usize>,
}

/// The most collisions of a table, besides a few for each entry. The hash has no secret, so keys can be chosen that collide.
const COLLISIONS: usize = 1 << 22;

impl Places {
    /// The place of an entry. `is_equal` compares the wanted entry with that at a place.
    pub fn find(&self, hash: u32, is_equal: &mut dyn FnMut(usize) -> Outcome<bool>) -> Outcome<Option<usize>> {
        let mut slot = spread(hash);
        while let Some(place @ 1..) = self.table.get(slot & self.mask()).copied() {
            if is_equal(place as usize - 1)? {
                return Ok(Some(place as usize - 1));
            }
            slot = self.next(slot)?;
        }
        Ok(None)
    }

    /// Adds the next entry of the list. `hash_of` gives the hash of the entry at a place, for a larger table.
    pub fn add(&mut self, hash_of: &mut dyn FnMut(usize) -> Outcome<u32>) -> Outcome<()> {
        self.count += 1;
        let mut first = self.count - 1;
        if self.table.len() < 2 * self.count {
            self.table = vec![0; (4 * self.count).next_power_of_two()];
            first = 0;
        }
        for place in first..self.count {
            let mut slot = spread(hash_of(place)?);
            while self.table[slot & self.mask()] != 0 {
                slot = self.next(slot)?;
            }
            let mask = self.mask();
            self.table[slot & mask] = place as u32 + 1;
        }
        Ok(())
    }

    /// The slot after one that another entry has.
    fn next(&self, slot: usize) -> Outcome<usize> {
        self.collisions.set(self.collisions.get() + 1);
        match self.collisions.get() > COLLISIONS + 8 * self.count {
            true => beyond("too many names or keys have nearly the same hash"),
            false => Ok(slot.wrapping_add(1)),
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.count
    }

    fn mask(&self) -> usize {
        self.table.len().wrapping_sub(1)
    }
}

/// The low bits of a product are weak, so the high ones help.
fn spread(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize
}

/// The hash of bytes, which follow other ones.
pub(crate) fn hash_bytes(bytes: &[u8], start: u32) -> u32 {
    bytes.iter().fold(start, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The hash of nothing.
pub(crate) const HASH: u32 = 0x811C_9DC5;
