//! The differences of the tensors.

use alloc::{string::String, vec::Vec};

use xxhash_rust::xxh64::Xxh64;

use super::entries::{moved_items, with_added};
use super::name_pairs::{NONE, NamePairs};
use super::numbers::NumberDifference;
use super::storage::StoredNumbers;
use gguf_declare::names;
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::order::sorted;

names! {
    /// What happened to a tensor. `renamed`: the other model has the same data, type and dimensions under another name. `moved`: only
    /// its place in the list differs. `unknown`: its data cannot be read.
    #[typescript("TensorChange")]
    pub enum TensorChange {
        /// Only the second file has the tensor.
        Added = "added",
        /// Only the first file has the tensor.
        Removed = "removed",
        /// The second file has the same data, type and dimensions under another name.
        Renamed = "renamed",
        /// The type, the dimensions or the data differ.
        Changed = "changed",
        /// Only the place in the list differs.
        Moved = "moved",
        /// The data cannot be read, so it is not known whether it differs.
        Unknown = "unknown",
    }
}

/// What is known about the stored bytes of two tensors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataComparison {
    /// Nothing was compared, for example because the types differ.
    #[default]
    NotCompared,
    /// All bytes are equal.
    Equal,
    /// All bytes that were read are equal. They were not all read.
    EqualInSample,
    /// Some bytes differ.
    Different,
    /// The data of a tensor cannot be read, with the reason.
    Unreadable(String),
}

names!(@web DataComparison ["DataComparison"] [
    " What is known about the stored bytes of two tensors. `not-compared`: for example because the types differ.",
    " `equal-in-sample`: not all bytes were read, and those that were are equal."
]);

impl DataComparison {
    /// The names of all results, as the JavaScript API has them.
    pub const NAMES: &'static [&'static str] = &["not-compared", "equal", "equal-in-sample", "different", "unreadable"];

    /// Whether no byte that was read differs.
    pub(super) const fn is_equal(&self) -> bool {
        matches!(self, Self::Equal | Self::EqualInSample)
    }

    /// The name of the result.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Self::NotCompared => 0,
            Self::Equal => 1,
            Self::EqualInSample => 2,
            Self::Different => 3,
            Self::Unreadable(_) => 4,
        }]
    }
}

/// A difference of the tensors of two files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TensorDifference {
    /// The position of the tensor in the first file. `None` if it was added.
    pub a: Option<usize>,
    /// The position of the tensor in the second file. `None` if it was removed.
    pub b: Option<usize>,
    /// What happened to the tensor.
    pub change: TensorChange,
    /// Whether its place among the tensors that both files have changed. It can be changed too.
    pub is_moved: bool,
    /// What is known about the stored bytes.
    pub data: DataComparison,
    /// The difference of the numbers, if they were compared. With it, whether only a part of them was read.
    pub values: Option<(NumberDifference, bool)>,
}

impl TensorDifference {
    /// Whether both files have the tensor, but nothing is known about its data.
    pub(super) const fn is_not_compared(&self) -> bool {
        self.a.is_some()
            && self.b.is_some()
            && self.values.is_none()
            && matches!(self.data, DataComparison::NotCompared | DataComparison::Unreadable(_))
    }

    /// The same difference on the way from the second file to the first one.
    #[doc(hidden)]
    pub fn swapped(&self) -> Self {
        let change = match self.change {
            TensorChange::Added => TensorChange::Removed,
            TensorChange::Removed => TensorChange::Added,
            other => other,
        };
        let values = self.values.as_ref().map(|(values, is_sampled)| (values.swapped(), *is_sampled));
        Self { a: self.b, b: self.a, change, is_moved: self.is_moved, data: self.data.clone(), values }
    }
}

/// Two tensors that belong together.
pub(crate) struct TensorPair {
    /// The position in the first file.
    pub a: usize,
    /// The position in the second file.
    pub b: usize,
    /// Whether the names differ, so that only equal data makes them a pair.
    pub is_renamed: bool,
    /// Whether the type or the dimensions differ.
    is_header_changed: bool,
    /// What the caller found about the data.
    pub data: DataComparison,
    /// What the caller found about the numbers, and whether they are only a part of all.
    pub values: Option<(NumberDifference, bool)>,
}

/// Tensors with the same type and dimensions whose names only one file has. Some of them may be the same tensors with other names.
pub(crate) struct RenameCandidates {
    /// Positions in the first file.
    pub a: Vec<usize>,
    /// Positions in the second file.
    pub b: Vec<usize>,
}

/// The tensors of two files, before their data has been compared.
pub(crate) struct TensorComparing {
    /// Tensors with the same name, in the order of the first file.
    pub pairs: Vec<TensorPair>,
    names: NamePairs,
    next: usize,
    is_moved: Vec<bool>,
    pub(super) offsets: StoredNumbers,
    pub(super) dimension_counts: StoredNumbers,
}

impl TensorComparing {
    pub fn new(names: NamePairs) -> Self {
        let is_moved = moved_items(&names);
        let [offsets, dimension_counts] = Default::default();
        Self { pairs: Vec::new(), names, next: 0, is_moved, offsets, dimension_counts }
    }

    /// Compares about `count` more tensor infos. Whether all have been compared.
    pub fn advance(&mut self, a: &Header, b: &Header, count: usize) -> bool {
        let end = self.names.of_a.len().min(self.next.saturating_add(count));
        for index in self.next..end {
            let partner = self.names.of_a[index];
            let tensors = a.tensor_at(index).zip(b.tensor_at(partner as usize)).filter(|_| partner != NONE);
            if let Some((tensor_a, tensor_b)) = tensors {
                self.offsets.compare([tensor_a.offset(), tensor_b.offset()]);
                let is_header_changed = !have_same_shape(&tensor_a, &tensor_b);
                if !is_header_changed {
                    let counts = [&tensor_a, &tensor_b].map(|tensor| tensor.dimension_iter().count() as u64);
                    self.dimension_counts.compare(counts);
                }
                self.pairs.push(TensorPair {
                    a: index,
                    b: partner as usize,
                    is_renamed: false,
                    is_header_changed,
                    data: DataComparison::NotCompared,
                    values: None,
                });
            }
        }
        self.next = end;
        end == self.names.of_a.len()
    }

    /// Whether both files have the same tensors, in the same order and with the same types and dimensions. Their data can differ.
    pub(super) fn have_same_list(&self) -> bool {
        let has_partners = |partners: &[u32]| partners.iter().all(|partner| *partner != NONE);
        let is_changed = self.is_moved.contains(&true) || self.pairs.iter().any(|pair| pair.is_header_changed);
        !is_changed && has_partners(&self.names.of_a) && has_partners(&self.names.of_b)
    }

    /// The tensors that may have been renamed.
    pub fn rename_candidates(&self, a: &Header, b: &Header) -> Vec<RenameCandidates> {
        // The hash of the shape, and the position; those of the second file come after those of the first one.
        let mut by_shape: Vec<(u64, usize)> = Vec::new();
        let count_a = self.names.of_a.len();
        let only = |partners: &[u32], header: &Header, first: usize, by_shape: &mut Vec<(u64, usize)>| {
            let alone = partners.iter().enumerate().filter(|(_, partner)| **partner == NONE);
            let tensors = alone.filter_map(|(index, _)| header.tensor_at(index));
            by_shape.extend(tensors.map(|tensor| (shape_hash(&tensor), first + tensor.index())));
        };
        only(&self.names.of_a, a, 0, &mut by_shape);
        only(&self.names.of_b, b, count_a, &mut by_shape);
        let by_shape = sorted(&by_shape);
        let group = |same_hash: &[(u64, usize)]| {
            let split = same_hash.partition_point(|(_, place)| *place < count_a);
            let (in_a, in_b) = same_hash.split_at(split);
            let first = a.tensor_at(in_a.first()?.1)?;
            // Equal hashes of different shapes do not happen by chance, but a hostile file can contain them.
            let same = |header: &Header, index: usize| {
                header.tensor_at(index).is_some_and(|one| have_same_shape(&one, &first))
            };
            let positions_a: Vec<usize> =
                in_a.iter().map(|(_, place)| *place).filter(|index| same(a, *index)).collect();
            let positions_b = in_b.iter().map(|(_, place)| place - count_a).filter(|index| same(b, *index));
            let group = RenameCandidates { a: positions_a, b: positions_b.collect() };
            Some(group).filter(|group| !group.b.is_empty())
        };
        by_shape.chunk_by(|(hash, _), (next, _)| hash == next).filter_map(group).collect()
    }

    /// Adds a pair with different names, and what is known about its data. The pair counts only if the data is equal.
    pub fn add_renamed(&mut self, a: usize, b: usize, data: DataComparison) {
        self.pairs.push(TensorPair { a, b, is_renamed: true, is_header_changed: false, data, values: None });
    }

    /// All differences, once the data of the pairs has been compared: in the order of the first file, with added tensors after
    /// the tensor that they follow in the second file.
    pub fn finish(self) -> Vec<TensorDifference> {
        let Self { pairs, mut names, is_moved, .. } = self;
        let mut of_a: Vec<Option<TensorDifference>> = Vec::new();
        of_a.resize_with(names.of_a.len(), || None);
        for pair in pairs {
            let TensorPair { a, b, is_renamed, is_header_changed, data, values, .. } = pair;
            if is_renamed {
                // A tensor can be a candidate of several pairs.
                if !data.is_equal() || names.of_a[a] != NONE || names.of_b[b] != NONE {
                    continue;
                }
                (names.of_a[a], names.of_b[b]) = (b as u32, a as u32);
            }
            let change = match data {
                _ if is_renamed => TensorChange::Renamed,
                _ if is_header_changed => TensorChange::Changed,
                DataComparison::Different => TensorChange::Changed,
                DataComparison::Unreadable(_) => TensorChange::Unknown,
                _ if is_moved[a] => TensorChange::Moved,
                _ => continue,
            };
            of_a[a] = Some(TensorDifference { a: Some(a), b: Some(b), change, is_moved: is_moved[a], data, values });
        }
        let only = |a, b, change| TensorDifference {
            a,
            b,
            change,
            is_moved: false,
            data: DataComparison::NotCompared,
            values: None,
        };
        let of_a = of_a.into_iter().enumerate().filter_map(|(index, difference)| {
            difference.or_else(|| (names.of_a[index] == NONE).then(|| only(Some(index), None, TensorChange::Removed)))
        });
        with_added(of_a.collect(), &names, |tensor| tensor.a, |index| only(None, Some(index), TensorChange::Added))
    }
}

fn have_same_shape(a: &TensorInfo<'_>, b: &TensorInfo<'_>) -> bool {
    have_same_type(a, b) && have_same_dimensions(a, b)
}

/// Whether the dimensions are the same.
pub(super) fn have_same_dimensions(a: &TensorInfo<'_>, b: &TensorInfo<'_>) -> bool {
    counted_dimensions(a).eq(counted_dimensions(b))
}

/// The dimensions without those of 1 at the end, which split and merge leave out, as llama.cpp does.
fn counted_dimensions<'a>(tensor: &TensorInfo<'a>) -> impl Iterator<Item = u64> + use<'a> {
    let lengths = (1..).zip(tensor.dimension_iter());
    let count = lengths.filter(|(_, length)| *length != 1).last().map_or(0, |(count, _)| count);
    tensor.dimension_iter().take(count)
}

/// Whether the types mean the same.
pub(super) fn have_same_type(a: &TensorInfo<'_>, b: &TensorInfo<'_>) -> bool {
    let owner = |tensor: &TensorInfo<'_>| tensor.type_info().and_then(|info| info.owner);
    a.ggml_type() == b.ggml_type() && owner(a) == owner(b)
}

/// A hash of the type and the dimensions.
fn shape_hash(tensor: &TensorInfo<'_>) -> u64 {
    let mut hash = Xxh64::new(0);
    hash.update(&tensor.ggml_type().0.to_le_bytes());
    counted_dimensions(tensor).for_each(|dimension| hash.update(&dimension.to_le_bytes()));
    hash.digest()
}
