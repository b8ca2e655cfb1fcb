//! A list of names with a hash table.

use alloc::{boxed::Box, vec::Vec};

use crate::format::header::hash;

/// A list of distinct names. Finding a name takes constant time.
#[derive(Default)]
pub(super) struct NameIndex {
    names: Vec<Box<[u8]>>,
    /// A hash table with linear probing. A slot is empty (0) or holds the position of a name plus 1. At least half of the
    /// slots are empty.
    slots: Vec<u32>,
}

impl NameIndex {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| &**name)
    }

    pub fn get(&self, position: usize) -> &[u8] {
        &self.names[position]
    }

    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let slot = self.slot_of(name)?;
        (self.slots[slot] as usize).checked_sub(1)
    }

    /// Adds a name that the list does not have.
    pub fn push(&mut self, name: &[u8]) {
        self.names.push(name.into());
        if self.names.len() * 2 > self.slots.len() {
            self.slots = Vec::new();
            self.slots.resize((self.names.len() * 4).next_power_of_two(), 0);
            (0..self.names.len()).for_each(|position| self.insert(position));
        } else {
            self.insert(self.names.len() - 1);
        }
    }

    fn insert(&mut self, position: usize) {
        if let Some(slot) = self.slot_of(&self.names[position]) {
            self.slots[slot] = position as u32 + 1;
        }
    }

    /// The slot that holds a name, or else the empty slot for it. `None` if the table has no slots yet.
    fn slot_of(&self, name: &[u8]) -> Option<usize> {
        let last = self.slots.len().checked_sub(1)?;
        let mut slot = hash(name) as usize & last;
        while let Some(position) = (self.slots[slot] as usize).checked_sub(1) {
            if *self.names[position] == *name {
                break;
            }
            slot = (slot + 1) & last;
        }
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_at_their_positions() {
        let mut names = NameIndex::default();
        assert_eq!(names.find(b""), None);
        for i in 0..1000 {
            let name = format!("blk.{i}.weight");
            assert_eq!(names.find(name.as_bytes()), None);
            names.push(name.as_bytes());
            assert_eq!(names.find(name.as_bytes()), Some(i));
        }
        assert_eq!(names.len(), 1000);
        assert_eq!(names.find(b"blk.0.weight"), Some(0));
        assert_eq!(names.find(b"blk.999.weight"), Some(999));
        assert_eq!(names.get(12), b"blk.12.weight");
        assert_eq!(names.find(b"blk.1000.weight"), None);
    }
}
