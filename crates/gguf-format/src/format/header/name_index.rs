//! Look-up by name: of metadata entries by key, and of tensor infos by name.

use alloc::vec::Vec;
use core::mem::take;

use crate::error::{ErrorKind, HeaderError, HeaderResult};
use crate::format::storage::Storage;
use crate::format::value::Str;
use crate::order::sort;

/// The hash of a name: FNV-1a over its bytes up to a NUL, where names end for ggml.
///
/// A file can be made whose names all have the same hash. That makes look-ups slower and has no other effect.
#[doc(hidden)]
pub const fn hash(name: &[u8]) -> u32 {
    let (mut hash, mut at) = (0x811c_9dc5, 0);
    while at < name.len() && name[at] != 0 {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// The items of one of the header's two lists, metadata entries or tensor infos. Each item begins with its name.
#[derive(Default)]
#[doc(hidden)]
pub struct NameIndex {
    /// The number of items that the file announces.
    pub announced: u64,
    /// The file offset of each item that has been read.
    pub starts: Vec<u64>,
    /// All items, sorted by the hash of their names, then by position: the hash is in the high half of a number, and the
    /// position in its low half. Empty until the header is complete.
    by_hash: Vec<u64>,
}

fn hashed_item(hash: u32, position: usize) -> u64 {
    u64::from(hash) << 32 | position as u64
}

fn hash_of(item: u64) -> u32 {
    (item >> 32) as u32
}

fn position_of(item: u64) -> usize {
    item as u32 as usize
}

impl NameIndex {
    /// The index of a list with a single item, at the start of the bytes.
    pub fn of_one() -> Self {
        Self { announced: 1, starts: Vec::from([0]), by_hash: Vec::new() }
    }

    /// Adds the item at a file offset.
    pub fn push(&mut self, start: u64) -> HeaderResult<()> {
        self.starts.try_reserve(1).map_err(|_| too_large(self.starts.len() * 16, start))?;
        self.starts.push(start);
        Ok(())
    }

    /// Sorts the names by hash, once all items have been read.
    pub fn sort(&mut self, storage: &Storage) -> HeaderResult<()> {
        let bytes = self.starts.len() * size_of::<u64>();
        self.by_hash.try_reserve_exact(self.starts.len()).map_err(|_| too_large(bytes, storage.bytes.len()))?;
        let names = self.starts.iter().map(|start| Str::at(storage, *start));
        self.by_hash.extend(names.enumerate().map(|(position, name)| hashed_item(hash(&name.to_bytes()), position)));
        self.by_hash = sort(take(&mut self.by_hash));
        Ok(())
    }
}

fn too_large(bytes: usize, offset: u64) -> HeaderError {
    HeaderError::new(ErrorKind::TooLarge { bytes: bytes as u64 }, offset)
}

/// The keys of a header's entries, or the names of its tensors, in file order.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct NameList<'a> {
    pub(super) storage: &'a Storage,
    pub(super) index: &'a NameIndex,
}

impl<'a> NameList<'a> {
    /// The name at a position.
    pub fn get(self, index: usize) -> Str<'a> {
        Str::at(self.storage, self.index.starts[index])
    }

    /// The number of names.
    #[doc(hidden)]
    pub fn count(self) -> usize {
        self.index.starts.len()
    }

    /// The hash at a place of the list that is sorted by hash. `None` after its end, and while the header is incomplete.
    pub fn hash_at(self, place: usize) -> Option<u32> {
        self.index.by_hash.get(place).map(|item| hash_of(*item))
    }

    /// The positions of the items whose names have a hash, in ascending order. `place` is that of the first one in the list that
    /// is sorted by hash.
    pub fn items_of_hash_from(self, place: usize, hash: u32) -> impl Iterator<Item = usize> + 'a {
        let items = self.index.by_hash[place..].iter().take_while(move |item| hash_of(**item) == hash);
        items.map(|item| position_of(*item))
    }

    /// The positions of the items that share the hash of their name with another item: one list for each hash, in ascending
    /// order. None while the header is incomplete.
    pub fn positions_of_same_hash(self) -> impl Iterator<Item = impl ExactSizeIterator<Item = usize> + 'a> {
        let groups = self.index.by_hash.chunk_by(|a, b| hash_of(*a) == hash_of(*b));
        groups.filter(|group| group.len() > 1).map(|group| group.iter().map(|item| position_of(*item)))
    }

    /// The positions of all items with a name, in ascending order.
    pub fn positions(self, name: &[u8]) -> impl Iterator<Item = usize> {
        let hash = hash(name);
        let by_hash = &self.index.by_hash;
        let first = by_hash.partition_point(|item| hash_of(*item) < hash);
        let same_hash = by_hash[first..].iter().take_while(move |item| hash_of(**item) == hash);
        // An incomplete header has no index, so all its names are compared.
        let unsorted = if by_hash.is_empty() { 0..self.index.starts.len() } else { 0..0 };
        let candidates = same_hash.map(|item| position_of(*item)).chain(unsorted);
        candidates.filter(move |index| self.get(*index) == *name)
    }
}
