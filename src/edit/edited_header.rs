//! A header as it is to be, in terms of the one that it was.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::replace;
use core::ops::Range;

use super::Change;
use super::edited_array::Span;
use super::edited_entry::{Content, Entry};
use crate::format::header::Header;
use crate::format::value::Str;
use crate::format::version::{DEFAULT_ALIGNMENT, Format};
use crate::write::checks::ALIGNMENT;

pub(super) struct Draft {
    pub format: Format,
    pub entries: Vec<Entry>,
    /// In the order of the old header: tensors are removed, but never moved.
    pub tensors: Vec<Tensor>,
    /// The tensors with new names, by name, with their positions in the old header.
    renamed: BTreeSet<(Arc<[u8]>, usize)>,
    /// Whether the data is placed anew though nothing else demands it.
    pub is_repacked: bool,
}

pub(super) struct Tensor {
    /// The position in the old header.
    pub origin: usize,
    /// Another name than there.
    pub name: Option<Arc<[u8]>>,
}

/// What takes a change of an entry's value back.
pub(super) enum Back {
    /// The entry gets what was in it.
    Content(usize, Content),
    /// The elements that were put into an array make way for those that had been there.
    Elements(usize, Range<u64>, Vec<Span>),
    /// It was another change: all before it are to be made again, each of which is quickly done.
    Again,
}

impl Tensor {
    fn has_name(&self, header: &Header, name: &[u8]) -> bool {
        has_name(self.name.as_deref(), header.tensor_at(self.origin).map(|old| old.name()), name)
    }

    pub fn name<'a>(&'a self, header: &'a Header) -> Option<Cow<'a, [u8]>> {
        Some(match &self.name {
            Some(name) => Cow::Borrowed(name),
            None => header.tensor_at(self.origin)?.name().to_bytes(),
        })
    }
}

/// Whether something has a name: its own, or the one in the old header.
#[inline(never)]
pub(super) fn has_name(own: Option<&[u8]>, old: Option<Str<'_>>, name: &[u8]) -> bool {
    own.map_or_else(|| old.is_some_and(|old| old == *name), |own| own == name)
}

impl Draft {
    /// A header as it was.
    pub fn new(header: &Header) -> Self {
        let entry = |origin| Entry { origin: Some(origin), key: None, content: Content::Origin };
        Self {
            format: header.format(),
            entries: (0..header.metadata().len()).map(entry).collect(),
            tensors: (0..header.tensors().len()).map(|origin| Tensor { origin, name: None }).collect(),
            renamed: BTreeSet::new(),
            is_repacked: false,
        }
    }

    /// Makes a change that has been found possible, and says what takes it back: nothing if all is so already. A value is not
    /// compared with the one that was there.
    pub fn make(&mut self, header: &Header, change: &Change) -> Option<Back> {
        let is_other = match change {
            Change::Set { entry, value } | Change::Retype { entry, value, .. } => {
                return Some(self.replace(*entry, Content::New(value.clone())));
            }
            Change::Splice { entry, elements, inserted } => {
                let inserted = inserted.as_ref().map(Span::all).unwrap_or_default();
                if elements.is_empty() && inserted.is_empty() {
                    return None;
                }
                let changed = &mut self.entries[*entry];
                if let Content::Spliced(spliced) = &mut changed.content {
                    let put = elements.start..elements.start + inserted.first().map_or(0, Span::len);
                    return Some(Back::Elements(*entry, put, spliced.replace(elements, inserted)));
                }
                let mut spliced = changed.whole(header);
                spliced.replace(elements, inserted);
                return Some(self.replace(*entry, Content::Spliced(spliced)));
            }
            Change::Add { position, key, value } => {
                let entry = Entry { origin: None, key: Some(key.clone()), content: Content::New(value.clone()) };
                self.entries.insert(*position, entry);
                true
            }
            Change::Remove { entry } => {
                self.entries.remove(*entry);
                true
            }
            Change::Rename { entry, key } => {
                let renamed = &mut self.entries[*entry];
                if renamed.has_key(header, key) {
                    return None;
                }
                renamed.key = Some(key.clone());
                true
            }
            Change::Move { entry, position } => {
                let moved = self.entries.remove(*entry);
                self.entries.insert(*position, moved);
                entry != position
            }
            Change::RenameTensor { tensor, name } => {
                let renamed = &mut self.tensors[*tensor];
                if renamed.has_name(header, name) {
                    return None;
                }
                let (origin, before) = (renamed.origin, renamed.name.replace(name.clone()));
                if let Some(before) = before {
                    self.renamed.remove(&(before, origin));
                }
                self.renamed.insert((name.clone(), origin));
                true
            }
            Change::RemoveTensor { tensor } => {
                let Tensor { origin, name } = self.tensors.remove(*tensor);
                if let Some(name) = name {
                    self.renamed.remove(&(name, origin));
                }
                true
            }
            Change::Repack => !replace(&mut self.is_repacked, true),
            Change::Version(version) => replace(&mut self.format.version, *version) != *version,
            Change::ByteOrder(endian) => replace(&mut self.format.endian, *endian) != *endian,
        };
        is_other.then_some(Back::Again)
    }

    /// Takes the last change back; says whether that can be done so.
    pub fn take_back(&mut self, back: Back) -> bool {
        match back {
            Back::Content(at, content) => self.entries[at].content = content,
            Back::Elements(at, put, removed) => {
                if let Content::Spliced(spliced) = &mut self.entries[at].content {
                    spliced.replace(&put, removed);
                }
            }
            Back::Again => return false,
        }
        true
    }

    fn replace(&mut self, at: usize, content: Content) -> Back {
        Back::Content(at, replace(&mut self.entries[at].content, content))
    }

    /// How many tensors have new names.
    pub fn renamed_count(&self) -> usize {
        self.renamed.len()
    }

    /// The position of the first entry with a key.
    pub fn find(&self, header: &Header, key: &[u8]) -> Option<usize> {
        // Keys of the old header are found by its index. Only new keys are compared one by one.
        let origins: Vec<usize> = header.keys().positions(key).collect();
        self.entries.iter().position(|entry| match (&entry.key, entry.origin) {
            (Some(own), _) => **own == *key,
            (None, origin) => origin.is_some_and(|origin| origins.binary_search(&origin).is_ok()),
        })
    }

    /// The position of the first tensor with a name.
    pub fn find_tensor(&self, header: &Header, name: &[u8]) -> Option<usize> {
        let mut kept = header.tensor_names().positions(name).filter_map(|origin| self.tensor_from(origin));
        let kept = kept.find(|position| self.tensors[*position].name.is_none());
        let mut renamed = self.renamed.range((Arc::from(name), 0)..).take_while(|(own, _)| **own == *name);
        let renamed = renamed.next().and_then(|(_, origin)| self.tensor_from(*origin));
        kept.into_iter().chain(renamed).min()
    }

    /// The position of the tensor that has the position `origin` in the old header, unless it is removed.
    fn tensor_from(&self, origin: usize) -> Option<usize> {
        self.tensors.binary_search_by_key(&origin, |tensor| tensor.origin).ok()
    }

    /// What the data will be aligned to: as [`Header::alignment`] reads it.
    pub fn alignment(&self, header: &Header) -> u64 {
        let value = match self.find(header, ALIGNMENT).map(|index| &self.entries[index]) {
            None => None,
            Some(entry) => entry.value(header).and_then(|value| value.as_u64()),
        };
        value.filter(|alignment| (1..1 << 32).contains(alignment)).unwrap_or(DEFAULT_ALIGNMENT)
    }
}
