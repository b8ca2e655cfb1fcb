//! The differences of the metadata.

use alloc::vec::Vec;

use super::name_pairs::{NONE, NamePairs};
use super::order::moved;
use super::storage::TruthValues;
use gguf_declare::names;
use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, Value};
use gguf_format::order::sort;

names! {
    /// What happened to an entry of the metadata. `moved`: only its place in the list differs.
    #[typescript("EntryChange")]
    pub enum EntryChange {
        /// Only the second file has the key.
        Added = "added",
        /// Only the first file has the key.
        Removed = "removed",
        /// The values have the same type, and differ.
        Changed = "changed",
        /// The values have different types. The values themselves can differ too.
        Retyped = "retyped",
        /// Only the place in the list differs.
        Moved = "moved",
    }
}

/// A difference of the metadata of two files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryDifference {
    /// The position of the entry in the first file. `None` if it was added.
    pub a: Option<usize>,
    /// The position of the entry in the second file. `None` if it was removed.
    pub b: Option<usize>,
    /// What happened to the entry.
    pub change: EntryChange,
    /// Whether its place in the list changed: among the entries that both files have, it comes before or after others than
    /// before. It can be changed too.
    pub is_moved: bool,
}

impl EntryDifference {
    /// The same difference on the way from the second file to the first one.
    #[doc(hidden)]
    pub fn swapped(&self) -> Self {
        let change = match self.change {
            EntryChange::Added => EntryChange::Removed,
            EntryChange::Removed => EntryChange::Added,
            other => other,
        };
        Self { a: self.b, b: self.a, change, is_moved: self.is_moved }
    }
}

/// Compares the values of all pairs, some at a time.
pub(super) struct EntryComparing {
    pairs: NamePairs,
    is_moved: Vec<bool>,
    next: usize,
    /// The differences of entries of the first file, in their order.
    found: Vec<EntryDifference>,
    pub truth_values: TruthValues,
}

impl EntryComparing {
    pub fn new(pairs: NamePairs) -> Self {
        let is_moved = moved_items(&pairs);
        Self { pairs, is_moved, next: 0, found: Vec::new(), truth_values: TruthValues::default() }
    }

    /// Compares about `count` more entries. Whether all have been compared.
    pub fn advance(&mut self, a: &Header, b: &Header, count: usize) -> bool {
        let end = self.pairs.of_a.len().min(self.next.saturating_add(count));
        for index in self.next..end {
            let partner = self.pairs.of_a[index];
            let is_moved = self.is_moved[index];
            let change = match partner {
                NONE => Some(EntryChange::Removed),
                partner => {
                    let entries = a.metadata_at(index).zip(b.metadata_at(partner as usize));
                    let change = entries.and_then(|(a, b)| {
                        let change = change_of(&a.value(), &b.value());
                        if change.is_none() {
                            self.truth_values.compare(&a, &b);
                        }
                        change
                    });
                    change.or(is_moved.then_some(EntryChange::Moved))
                }
            };
            if let Some(change) = change {
                let partner = (partner != NONE).then_some(partner as usize);
                self.found.push(EntryDifference { a: Some(index), b: partner, change, is_moved });
            }
        }
        self.next = end;
        end == self.pairs.of_a.len()
    }

    /// All differences: in the order of the first file, with added entries after the entry that they follow in the second file.
    pub fn finish(self) -> Vec<EntryDifference> {
        let added = EntryDifference { a: None, b: None, change: EntryChange::Added, is_moved: false };
        with_added(
            self.found,
            &self.pairs,
            |entry| entry.a,
            |index| EntryDifference { b: Some(index), ..added.clone() },
        )
    }
}

/// Whether each item of the first list has moved.
pub(super) fn moved_items(pairs: &NamePairs) -> Vec<bool> {
    let positions: Vec<u32> = pairs.of_a.iter().copied().filter(|partner| *partner != NONE).collect();
    let mut moved = moved(&positions).into_iter();
    pairs.of_a.iter().map(|partner| *partner != NONE && moved.next().unwrap_or(false)).collect()
}

/// Inserts the items that only the second list has, each after the item that it follows there.
pub(super) fn with_added<T>(
    of_a: Vec<T>,
    pairs: &NamePairs,
    position_in_a: impl Fn(&T) -> Option<usize>,
    added: impl Fn(usize) -> T,
) -> Vec<T> {
    // For each added item: how many items of the first list come before it, and its own position in the low half.
    let mut places: Vec<u64> = Vec::new();
    let mut place = 0;
    for (index, partner) in pairs.of_b.iter().enumerate() {
        match *partner {
            NONE => places.push(place << 32 | index as u64),
            partner => place = u64::from(partner) + 1,
        }
    }
    let mut places = sort(places).into_iter().map(|item| (item >> 32, item as u32 as usize)).peekable();
    let mut all = Vec::new();
    for item in of_a {
        let position = position_in_a(&item).map_or(u64::MAX, |position| position as u64);
        while let Some((_, index)) = places.next_if(|(place, _)| *place <= position) {
            all.push(added(index));
        }
        all.push(item);
    }
    all.extend(places.map(|(_, index)| added(index)));
    all
}

/// What happened to a value. `None` if both are equal.
fn change_of(a: &Value<'_>, b: &Value<'_>) -> Option<EntryChange> {
    match (have_same_type(a, b), are_equal(a, b)) {
        (_, true) => None,
        (true, false) => Some(EntryChange::Changed),
        (false, false) => Some(EntryChange::Retyped),
    }
}

/// Whether two values have the same type. For nested arrays, the types of their first elements are compared.
fn have_same_type(a: &Value<'_>, b: &Value<'_>) -> bool {
    let (mut a, mut b) = (*a, *b);
    loop {
        let (Value::Array(array_a), Value::Array(array_b)) = (a, b) else { return a.value_type() == b.value_type() };
        let first = array_a.get(0).zip(array_b.get(0));
        match first {
            Some(first) => (a, b) = first,
            None => return array_a.element_type() == array_b.element_type(),
        }
    }
}

/// Whether two values are equal: numbers by their bits, so that a NaN equals itself; truth values by what they mean.
pub(super) fn are_equal(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::Float32(a), Value::Float32(b)) => a.to_bits() == b.to_bits(),
        (Value::Float64(a), Value::Float64(b)) => a.to_bits() == b.to_bits(),
        (Value::Array(a), Value::Array(b)) => arrays_are_equal(a, b),
        _ => a == b,
    }
}

fn arrays_are_equal(a: &Array<'_>, b: &Array<'_>) -> bool {
    if a.element_type() != b.element_type() || a.len() != b.len() {
        return false;
    }
    // Equal bytes are equal elements if the files have the same format. This is much faster.
    if a.has_format_of(b) && a.has_bytes_of(b) {
        return true;
    }
    a.iter().zip(b.iter()).all(|(a, b)| are_equal(&a, &b))
}
