//! Reverting one change: the later changes are made again without it.
//!
//! A later change names entries, tensors and elements by their position at its time. Without the reverted change the same
//! entry may be at another position, so each position is translated. Each translated change goes through the same checks
//! as a new one; if one of them is refused, so is the revert.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Change, Edit, EntrySelector, TensorSelector};
use crate::error::ErrorCode;
use crate::write::error::{EditError, Result};

impl Edit {
    /// Reverts the change at a position among [`changes`](Self::changes): the file becomes what it would be if the change had
    /// never been made, and all others had. It is one step for [`undo`](Self::undo).
    ///
    /// # Errors
    ///
    /// `unknown-change`; `conflict` if a later change builds on it: for example, it changed the entry that this change added.
    /// Otherwise the reason why a later change is not possible without it: `key-taken`, `name-taken`, `does-not-fit`,
    /// `bad-alignment`, `limit-exceeded`, `unsupported-version`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::Edit;
    ///
    #[doc = include_str!("../doc_example.txt")]
    /// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
    /// edit.remove("general.architecture")?;
    /// edit.rename("llama.block_count", b"mamba.block_count")?;
    /// edit.revert(0)?;
    /// assert_eq!(edit.changes().len(), 1);
    /// assert_eq!(edit.entry(0).unwrap().key(), &b"general.architecture"[..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn revert(&mut self, position: usize) -> Result<()> {
        self.take_out(position)?;
        self.forget_undone();
        Ok(())
    }

    /// Reverts a change, and leaves what was undone.
    pub(super) fn take_out(&mut self, position: usize) -> Result<()> {
        if position >= self.changes().len() {
            let message = format!("there is no change {position}: {} are made", self.changes().len());
            return Err(EditError::new(ErrorCode::UnknownChange, message));
        }
        let mut replay = Replay::new(self, position);
        for (change, id) in self.changes().iter().zip(self.change_ids()).skip(position + 1) {
            replay.make(change, *id)?;
        }
        let (changes, ids) = replay.finish()?;
        self.revert_to(position, changes, ids)
    }
}

/// What differs between an entry's value with the reverted change and without it.
#[derive(Clone)]
enum Difference {
    None,
    /// The whole value.
    Value,
    /// The elements at `with` stand where without the change those at `without` stand. All others are the same.
    Elements {
        with: Range<u64>,
        without: Range<u64>,
    },
}

/// The later changes, made again without the reverted one. Entries and tensors have tags, which do not change when others
/// come, go or move.
struct Replay {
    /// All changes but the reverted one, as far as they have been made.
    edit: Edit,
    /// The number of changes before the reverted one.
    kept: usize,
    ids: Vec<usize>,
    /// The tags of the entries with the reverted change, in order.
    with: Vec<usize>,
    /// The tags of the entries without it.
    without: Vec<usize>,
    /// The positions in the file of the tensors with the reverted change.
    tensors: Vec<usize>,
    /// The tag of the entry that the reverted change added.
    added: Option<usize>,
    /// The tag of the entry whose value the reverted change changed, and the difference by now.
    changed: Option<(usize, Difference)>,
    next_tag: usize,
    /// A change of the added entry. It conflicts, unless the entry is removed later.
    conflict: Option<EditError>,
}

impl Replay {
    fn new(edit: &Edit, position: usize) -> Self {
        let mut replay = Edit::new(edit.header().clone());
        let mut tags: Vec<usize> = (0..replay.entry_count()).collect();
        let mut next_tag = tags.len();
        for (change, id) in edit.changes().iter().zip(edit.change_ids()).take(position) {
            follow(&mut tags, change, &mut next_tag);
            replay.repeat(change.clone(), *id);
        }
        let without = tags.clone();
        let mut tensors = replay.tensor_origins();
        let (mut added, mut changed) = (None, None);
        if let Some(reverted) = edit.changes().get(position) {
            changed = match reverted {
                Change::Set { entry, .. } | Change::Retype { entry, .. } => Some((tags[*entry], Difference::Value)),
                Change::Splice { entry, elements, inserted } => {
                    let inserted = inserted.as_ref().and_then(|inserted| inserted.value().as_array());
                    let end = elements.start + inserted.map_or(0, |inserted| inserted.len());
                    let difference = Difference::Elements { with: elements.start..end, without: elements.clone() };
                    Some((tags[*entry], difference))
                }
                _ => None,
            };
            added = matches!(reverted, Change::Add { .. }).then_some(next_tag);
            follow(&mut tags, reverted, &mut next_tag);
            if let Change::RemoveTensor { tensor } = reverted {
                tensors.remove(*tensor);
            }
        }
        Self {
            kept: replay.changes().len(),
            edit: replay,
            ids: Vec::new(),
            with: tags,
            without,
            tensors,
            added,
            changed,
            next_tag,
            conflict: None,
        }
    }

    /// Makes a later change, translated.
    fn make(&mut self, change: &Change, id: usize) -> Result<()> {
        let count = self.edit.changes().len();
        self.translate(change)?;
        // A change that changes nothing without the reverted one is not made, and one change is never made as two.
        if self.edit.changes().len() > count {
            self.ids.push(id);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(Vec<Change>, Vec<usize>)> {
        match self.conflict.take() {
            Some(conflict) => Err(conflict),
            None => Ok((self.edit.changes()[self.kept..].to_vec(), self.ids)),
        }
    }

    fn translate(&mut self, change: &Change) -> Result<()> {
        let tag = change.entry().map(|entry| self.with[entry]);
        // The added entry is the only one that may be missing.
        let place = tag.and_then(|tag| self.without.iter().position(|other| *other == tag));
        let Some(entry) = place.map(EntrySelector::Index) else {
            return if tag.is_some() { self.make_of_missing(change) } else { self.make_of_others(change) };
        };
        match change {
            Change::Set { value, .. } => {
                self.edit.set_new(entry, value.clone())?;
                if self.difference(tag).is_some() {
                    self.changed = None;
                }
            }
            Change::Retype { types, value, .. } => match self.difference(tag) {
                None => self.edit.set_retyped(entry, types, value)?,
                Some(_) => self.edit.retype(entry, types)?,
            },
            Change::Splice { elements, inserted, .. } => {
                let length = inserted.as_ref().and_then(|new| new.value().as_array()).map_or(0, |new| new.len());
                let elements = match self.difference(tag) {
                    None => elements.clone(),
                    Some(difference) => difference.shift(elements, length).ok_or_else(|| self.conflict_at(entry))?,
                };
                self.edit.splice(entry, elements, inserted.clone())?;
            }
            Change::Rename { key, .. } => self.edit.rename(entry, key)?,
            Change::Remove { .. } => self.edit.remove(entry)?,
            Change::Move { entry: from, position } => {
                follow(&mut self.with, &Change::Move { entry: *from, position: *position }, &mut self.next_tag);
                let Some(place) = place else { return Ok(()) };
                let tag = self.without.remove(place);
                let target = self.place_before(position + 1);
                self.without.insert(target, tag);
                return self.edit.move_to(entry, target);
            }
            _ => {}
        }
        if let (Change::Remove { entry }, Some(place)) = (change, place) {
            self.with.remove(*entry);
            self.without.remove(place);
        }
        Ok(())
    }

    /// A change of the entry that is missing without the reverted change.
    fn make_of_missing(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::Move { .. } => {}
            Change::Remove { .. } => self.conflict = None,
            _ => {
                let message = "the change cannot be reverted: a later change changes the entry that it added";
                self.conflict = Some(EditError::new(ErrorCode::Conflict, message.into()));
            }
        }
        follow(&mut self.with, change, &mut self.next_tag);
        Ok(())
    }

    /// A change of no entry that is there already.
    fn make_of_others(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::Add { position, key, value } => {
                let target = self.place_before(*position);
                self.edit.add_new(Some(target), key, value.clone())?;
                self.without.insert(target, self.next_tag);
                follow(&mut self.with, change, &mut self.next_tag);
                Ok(())
            }
            Change::RenameTensor { tensor, name } => {
                let tensor = self.place_of_tensor(*tensor);
                self.edit.rename_tensor(tensor, name)
            }
            Change::RemoveTensor { tensor } => {
                let place = self.place_of_tensor(*tensor);
                self.tensors.remove(*tensor);
                self.edit.remove_tensor(place)
            }
            Change::Repack => {
                self.edit.repack();
                Ok(())
            }
            Change::Version(version) => self.edit.set_version(*version),
            Change::ByteOrder(endian) => {
                self.edit.set_byte_order(*endian);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The difference of the entry with a tag, if the reverted change made one.
    fn difference(&mut self, tag: Option<usize>) -> Option<&mut Difference> {
        self.changed.as_mut().filter(|(changed, _)| Some(*changed) == tag).map(|(_, difference)| difference)
    }

    /// Where an entry stands without the reverted change that with it stands before the entry at `position`.
    fn place_before(&self, position: usize) -> usize {
        let mut next = self.with[position..].iter().filter(|tag| Some(**tag) != self.added);
        let place = next.next().and_then(|tag| self.without.iter().position(|other| other == tag));
        place.unwrap_or(self.without.len())
    }

    fn place_of_tensor(&self, tensor: usize) -> TensorSelector<'static> {
        let origin = self.tensors[tensor];
        let place = self.edit.tensor_origins().iter().position(|other| *other == origin);
        TensorSelector::Index(place.unwrap_or(usize::MAX))
    }

    #[cold]
    fn conflict_at(&self, entry: EntrySelector<'_>) -> EditError {
        let place = self.edit.find(entry).ok().and_then(|place| self.edit.entry(place));
        let why = format_args!("the change cannot be reverted: a later change changes the same elements");
        EditError::of(&place.map(|entry| entry.key()).unwrap_or_default(), ErrorCode::Conflict, why)
    }
}

impl Difference {
    /// The elements that a later change replaces without the reverted change, and that with it are `elements`; `inserted` is
    /// how many elements it puts in. `None` if it replaces some of the elements that differ and not all.
    fn shift(&mut self, elements: &Range<u64>, inserted: u64) -> Option<Range<u64>> {
        let (with, without) = match self {
            Self::None => return Some(elements.clone()),
            Self::Value => return None,
            Self::Elements { with, without } => (with, without),
        };
        let replaces_all = elements.start <= with.start && elements.end >= with.end && !with.is_empty();
        if replaces_all {
            let end = without.end + (elements.end - with.end);
            let start = without.start - (with.start - elements.start);
            *self = Self::None;
            return Some(start..end);
        }
        if elements.end <= with.start {
            let moved = |at: u64| at - (elements.end - elements.start) + inserted;
            *with = moved(with.start)..moved(with.end);
            *without = moved(without.start)..moved(without.end);
            return Some(elements.clone());
        }
        if elements.start >= with.end {
            let moved = |at: u64| at - with.end + without.end;
            return Some(moved(elements.start)..moved(elements.end));
        }
        None
    }
}

impl Change {
    /// The position of the entry that is changed, if it was there before.
    fn entry(&self) -> Option<usize> {
        match self {
            Self::Set { entry, .. }
            | Self::Retype { entry, .. }
            | Self::Remove { entry }
            | Self::Rename { entry, .. }
            | Self::Move { entry, .. }
            | Self::Splice { entry, .. } => Some(*entry),
            _ => None,
        }
    }
}

/// Adds, removes or moves the tag of an entry as a change does the entry.
fn follow(tags: &mut Vec<usize>, change: &Change, next_tag: &mut usize) {
    match change {
        Change::Add { position, .. } => {
            tags.insert(*position, *next_tag);
            *next_tag += 1;
        }
        Change::Remove { entry } => {
            tags.remove(*entry);
        }
        Change::Move { entry, position } => {
            let tag = tags.remove(*entry);
            tags.insert(*position, tag);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces elements; the new ones are numbered from `first` on.
    fn splice(list: &mut Vec<u64>, range: &Range<u64>, inserted: u64, first: u64) {
        list.splice(range.start as usize..range.end as usize, first..first + inserted);
    }

    fn ranges(length: u64) -> impl Iterator<Item = Range<u64>> {
        (0..=length).flat_map(move |start| (start..=length).map(move |end| start..end))
    }

    /// Every two splices of five elements, of which the first is reverted.
    #[test]
    fn elements_are_those_without_the_reverted_splice() {
        let old: Vec<u64> = (0..5).collect();
        let (mut translated, mut refused) = (0, 0);
        for (first, first_inserted) in ranges(5).flat_map(|range| (0..3).map(move |inserted| (range.clone(), inserted)))
        {
            let mut with = old.clone();
            splice(&mut with, &first, first_inserted, 100);
            for (second, inserted) in
                ranges(with.len() as u64).flat_map(|range| (0..3).map(move |inserted| (range.clone(), inserted)))
            {
                let mut both = with.clone();
                splice(&mut both, &second, inserted, 200);
                let end = first.start + first_inserted;
                let mut difference = Difference::Elements { with: first.start..end, without: first.clone() };
                let replaced = &with[second.start as usize..second.end as usize];
                let new = replaced.iter().filter(|element| **element >= 100).count() as u64;
                let meets = second.start < end && first.start < second.end;
                let covers = second.start <= first.start && end <= second.end && first_inserted > 0;
                let Some(range) = difference.shift(&second, inserted) else {
                    assert!(meets && !covers, "{first:?} {first_inserted}, {second:?} {inserted}");
                    refused += 1;
                    continue;
                };
                translated += 1;
                let mut without = old.clone();
                splice(&mut without, &range, inserted, 200);
                // What the second replaced is gone, what it inserted is there, and the first left nothing.
                let expected: Vec<u64> = match new {
                    0 => old
                        .iter()
                        .copied()
                        .filter(|element| !replaced.contains(element))
                        .chain(200..200 + inserted)
                        .collect(),
                    _ => both.clone(),
                };
                let sorted = |list: &[u64]| {
                    let mut list = list.to_vec();
                    list.sort_unstable();
                    list
                };
                assert_eq!(sorted(&without), sorted(&expected), "{first:?} {first_inserted}, {second:?} {inserted}");
                // The elements that are in both have the same order.
                let common: Vec<u64> = without.iter().copied().filter(|element| both.contains(element)).collect();
                let kept: Vec<u64> = both.iter().copied().filter(|element| without.contains(element)).collect();
                assert_eq!(common, kept, "{first:?} {first_inserted}, {second:?} {inserted}");
                // The difference leads from one list to the other.
                if let Difference::Elements { with, without: other } = difference {
                    let put = both[with.start as usize..with.end as usize].to_vec();
                    without.splice(other.start as usize..other.end as usize, put);
                }
                assert_eq!(without, both, "{first:?} {first_inserted}, {second:?} {inserted}");
            }
        }
        assert!(translated > 1000 && refused > 50, "{translated} {refused}");
    }

    #[test]
    fn elements_of_a_value_that_differs_are_refused() {
        assert_eq!(Difference::Value.shift(&(0..1), 1), None);
        assert_eq!(Difference::None.shift(&(2..3), 1), Some(2..3));
    }
}
