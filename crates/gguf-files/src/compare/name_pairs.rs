//! Pairs of the items of two headers that have the same name: entries by their keys, tensors by their names.

use alloc::vec::Vec;

use gguf_format::error::{Result, no_memory};
use gguf_format::format::header::NameList;
use gguf_format::order::sort_by;

/// In [`NamePairs`]: an item that the other header does not have.
pub(super) const NONE: u32 = u32::MAX;

/// For each item of two lists, the position of the item with the same name in the other list, or [`NONE`].
///
/// If several items have the same name, the first one of a list belongs to the first one of the other list, and so on.
pub(crate) struct NamePairs {
    pub of_a: Vec<u32>,
    pub of_b: Vec<u32>,
}

/// Finds the pairs, some at a time. Both lists are sorted by the hashes of the names, so one pass over both is enough.
pub(super) struct Pairing<'a> {
    a: NameList<'a>,
    b: NameList<'a>,
    /// The positions in the lists that are sorted by hash.
    next_a: usize,
    next_b: usize,
    pairs: NamePairs,
}

impl<'a> Pairing<'a> {
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    pub fn new(a: NameList<'a>, b: NameList<'a>) -> Result<Self> {
        let pairs = NamePairs { of_a: unpaired(a.count())?, of_b: unpaired(b.count())? };
        Ok(Self { a, b, next_a: 0, next_b: 0, pairs })
    }

    /// Looks at about `count` more items. Whether all pairs have been found.
    pub fn advance(&mut self, count: usize) -> bool {
        let end = (self.next_a + self.next_b).saturating_add(count);
        while self.next_a + self.next_b < end {
            let hashes = self.a.hash_at(self.next_a).zip(self.b.hash_at(self.next_b));
            let Some((hash_a, hash_b)) = hashes else { return true };
            if hash_a < hash_b {
                self.next_a += 1;
            } else if hash_b < hash_a {
                self.next_b += 1;
            } else {
                self.pair_items_of_hash(hash_a);
            }
        }
        false
    }

    pub fn finish(self) -> NamePairs {
        self.pairs
    }

    /// Pairs the items whose names have a hash, and moves past them.
    fn pair_items_of_hash(&mut self, hash: u32) {
        let items_a: Vec<usize> = self.a.items_of_hash_from(self.next_a, hash).collect();
        let items_b: Vec<usize> = self.b.items_of_hash_from(self.next_b, hash).collect();
        self.next_a += items_a.len();
        self.next_b += items_b.len();
        if let ([item_a], [item_b]) = (&items_a[..], &items_b[..]) {
            if self.a.get(*item_a) == self.b.get(*item_b) {
                self.pair(*item_a, *item_b);
            }
            return;
        }
        // Several names have this hash, or several items have this name. A file can be made in which all have.
        let sorted = |list: NameList<'a>, mut items: Vec<usize>| {
            let name = move |item| list.get(item).to_bytes();
            sort_by(&mut items, &|a, b| (name(a), a).cmp(&(name(b), b)));
            items.into_iter().map(move |item| (name(item), item)).peekable()
        };
        let (mut items_a, mut items_b) = (sorted(self.a, items_a), sorted(self.b, items_b));
        while let (Some((name_a, _)), Some((name_b, _))) = (items_a.peek(), items_b.peek()) {
            let order = name_a.cmp(name_b);
            let item_a = if order.is_le() { items_a.next() } else { None };
            let item_b = if order.is_ge() { items_b.next() } else { None };
            if let (Some((_, item_a)), Some((_, item_b))) = (item_a, item_b) {
                self.pair(item_a, item_b);
            }
        }
    }

    fn pair(&mut self, item_a: usize, item_b: usize) {
        self.pairs.of_a[item_a] = item_b as u32;
        self.pairs.of_b[item_b] = item_a as u32;
    }
}

fn unpaired(count: usize) -> Result<Vec<u32>> {
    let mut partners = Vec::new();
    partners.try_reserve_exact(count).map_err(|_| no_memory(count as u64 * 4))?;
    partners.resize(count, NONE);
    Ok(partners)
}
