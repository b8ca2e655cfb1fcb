//! All differences of two models.

use alloc::{string::ToString, vec::Vec};

use super::details::{ValueDetails, details};
use super::entries::{EntryChange, EntryComparing, EntryDifference};
use super::name_pairs::Pairing;
pub use super::storage::FormatDifference;
use super::storage::{DIMENSION_COUNTS, TENSOR_OFFSETS, TruthValues};
use super::tensors::{TensorChange, TensorComparing, TensorDifference};
use gguf_declare::{names, result};
use gguf_format::error::Result;
use gguf_format::format::header::Header;

names! {
    /// How much of the data of the tensors was compared: all of it, evenly spread parts, or nothing.
    #[typescript("DataCoverage")]
    pub enum DataCoverage {
        /// All of it.
        Whole = "whole",
        /// Evenly spread parts.
        Sampled = "sampled",
        /// Nothing: only the headers were compared.
        None = "none",
    }
}

result! {
    /// How many entries have which difference. Except for `moved`, each entry is counted once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct EntryCounts {
        /// In both models, with the same value.
        pub equal: usize,
        /// Only in the second model.
        pub added: usize,
        /// Only in the first model.
        pub removed: usize,
        /// Another value of the same type.
        pub changed: usize,
        /// Another type.
        pub retyped: usize,
        /// At another place in the list. They are counted as equal, changed or retyped too.
        pub moved: usize,
    }
}

result! {
    /// How many tensors have which difference. Except for `moved`, each tensor is counted once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct TensorCounts {
        /// In both models, without a difference, as far as their data was compared.
        pub equal: usize,
        /// Only in the second model.
        pub added: usize,
        /// Only in the first model.
        pub removed: usize,
        /// The same tensor with another name.
        pub renamed: usize,
        /// Another type, other dimensions or other data.
        pub changed: usize,
        /// The data cannot be read.
        pub unknown: usize,
        /// At another place in the list. They are counted as equal or changed too.
        pub moved: usize,
        /// In both models, but the data could not be compared: the types or dimensions differ, or the data cannot be read. They are counted
        /// as changed or unknown too. 0 if only the headers were compared.
        pub not_compared: usize,
    }
}

result! {
    /// How many entries and tensors have which difference.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct ComparisonCounts {
        /// The counts of the metadata.
        pub entries: EntryCounts,
        /// The counts of the tensors.
        pub tensors: TensorCounts,
    }
}

/// The differences of two models, `a` and `b`.
///
/// # Examples
///
/// ```
/// use gguf_files::compare::{EntryChange, compare_headers};
/// use gguf_format::parse;
///
/// # let file = gguf_format::example_file();
/// let a = parse(&file)?;
/// let key = b"llama.block_count";
/// let place = file.windows(key.len()).position(|bytes| bytes == key).unwrap();
/// let mut other = file.clone();
/// // The number follows the key and its type.
/// other[place + key.len() + 4] = 16;
/// let b = parse(&other)?;
///
/// let comparison = compare_headers(&a, &b)?;
/// assert_eq!(comparison.entries().len(), 1);
/// assert_eq!(comparison.entries()[0].change, EntryChange::Changed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    format: Vec<FormatDifference>,
    entries: Vec<EntryDifference>,
    tensors: Vec<TensorDifference>,
    coverage: DataCoverage,
    counts: ComparisonCounts,
}

/// Compares the metadata and the tensor infos of two complete headers. The data of the tensors is not compared, so it counts as
/// equal.
///
/// # Errors
///
/// `too-large` if memory cannot be allocated.
pub fn compare_headers(a: &Header, b: &Header) -> Result<Comparison> {
    let mut comparing = HeaderComparing::new(a, b)?;
    while !comparing.advance(usize::MAX)? {}
    Ok(comparing.finish(DataCoverage::None))
}

/// Compares two headers, some items at a time.
pub(crate) struct HeaderComparing<'a> {
    a: &'a Header,
    b: &'a Header,
    phase: Phase<'a>,
    entries: Vec<EntryDifference>,
    truth_values: TruthValues,
}

enum Phase<'a> {
    PairEntries(Pairing<'a>),
    Entries(EntryComparing),
    PairTensors(Pairing<'a>),
    Tensors(TensorComparing),
}

impl<'a> HeaderComparing<'a> {
    pub fn new(a: &'a Header, b: &'a Header) -> Result<Self> {
        let phase = Phase::PairEntries(Pairing::new(a.keys(), b.keys())?);
        Ok(Self { a, b, phase, entries: Vec::new(), truth_values: TruthValues::default() })
    }

    /// Looks at about `count` more entries or tensors. Whether the headers have been compared.
    pub fn advance(&mut self, count: usize) -> Result<bool> {
        let (a, b) = (self.a, self.b);
        let is_phase_over = match &mut self.phase {
            Phase::PairEntries(pairing) | Phase::PairTensors(pairing) => pairing.advance(count),
            Phase::Entries(comparing) => comparing.advance(a, b, count),
            Phase::Tensors(comparing) => comparing.advance(a, b, count),
        };
        if !is_phase_over {
            return Ok(false);
        }
        let next = Phase::PairTensors(Pairing::new(a.tensor_names(), b.tensor_names())?);
        self.phase = match core::mem::replace(&mut self.phase, next) {
            Phase::PairEntries(pairing) => Phase::Entries(EntryComparing::new(pairing.finish())),
            Phase::Entries(mut comparing) => {
                self.truth_values = core::mem::take(&mut comparing.truth_values);
                self.entries = comparing.finish();
                return Ok(false);
            }
            Phase::PairTensors(pairing) => Phase::Tensors(TensorComparing::new(pairing.finish())),
            Phase::Tensors(comparing) => {
                self.phase = Phase::Tensors(comparing);
                return Ok(true);
            }
        };
        Ok(false)
    }

    /// The tensors whose data is to be compared. `None` while the headers have not been compared.
    pub fn tensors(&mut self) -> Option<&mut TensorComparing> {
        match &mut self.phase {
            Phase::Tensors(comparing) => Some(comparing),
            _ => None,
        }
    }

    /// All differences, once the headers, and if wanted the data, have been compared.
    pub fn finish(self, coverage: DataCoverage) -> Comparison {
        let Self { a, b, phase, entries, truth_values } = self;
        let mut format = format_differences(a, b);
        format.extend(truth_values.difference());
        let tensors = match phase {
            Phase::Tensors(comparing) => {
                // Otherwise the offsets follow from these differences.
                if a.alignment() == b.alignment() && comparing.have_same_list() {
                    format.extend(comparing.offsets.difference(TENSOR_OFFSETS));
                }
                format.extend(comparing.dimension_counts.difference(DIMENSION_COUNTS));
                comparing.finish()
            }
            _ => Vec::new(),
        };
        Comparison {
            format,
            counts: ComparisonCounts {
                entries: count_entries(&entries, a.metadata().len()),
                tensors: count_tensors(&tensors, a.tensors().len(), coverage),
            },
            entries,
            tensors,
            coverage,
        }
    }
}

impl Comparison {
    /// The differences of the format: version, byte order and alignment; and what is equal, but stored in another way: bytes of
    /// truth values, and offsets of tensors. Bytes that belong to no entry and no tensor are not compared.
    pub fn format(&self) -> &[FormatDifference] {
        &self.format
    }

    /// The differences of the metadata: in the order of the first file, with added entries after the entry that they follow in
    /// the second file.
    pub fn entries(&self) -> &[EntryDifference] {
        &self.entries
    }

    /// The differences of the tensors, in the same order.
    pub fn tensors(&self) -> &[TensorDifference] {
        &self.tensors
    }

    /// How much of the data of the tensors was compared.
    pub fn coverage(&self) -> DataCoverage {
        self.coverage
    }

    /// How many entries and tensors have which difference.
    pub fn counts(&self) -> &ComparisonCounts {
        &self.counts
    }

    /// Whether no difference was found.
    pub fn is_equal(&self) -> bool {
        self.format.is_empty() && self.entries.is_empty() && self.tensors.is_empty()
    }

    /// The same differences on the way from `b` to `a`. They keep their order.
    pub fn swapped(&self) -> Self {
        let format = self.format.iter().map(|difference| FormatDifference {
            property: difference.property,
            a: difference.b.clone(),
            b: difference.a.clone(),
        });
        let ComparisonCounts { entries, tensors } = self.counts;
        Self {
            format: format.collect(),
            entries: self.entries.iter().map(EntryDifference::swapped).collect(),
            tensors: self.tensors.iter().map(TensorDifference::swapped).collect(),
            coverage: self.coverage,
            counts: ComparisonCounts {
                entries: EntryCounts { added: entries.removed, removed: entries.added, ..entries },
                tensors: TensorCounts { added: tensors.removed, removed: tensors.added, ..tensors },
            },
        }
    }

    /// What differs within the values of an entry: elements of an array, or lines of a text. `entry` is its position in
    /// [`entries`](Self::entries), and `a` and `b` are the headers that were compared. `None` if the values have different types,
    /// or cannot be divided.
    pub fn entry_details(&self, entry: usize, a: &Header, b: &Header) -> Option<ValueDetails> {
        let entry = self.entries.get(entry)?;
        details(&a.metadata_at(entry.a?)?, &b.metadata_at(entry.b?)?)
    }
}

fn format_differences(a: &Header, b: &Header) -> Vec<FormatDifference> {
    let (format_a, format_b) = (a.format(), b.format());
    let properties = [
        ("version", format_a.version.to_string(), format_b.version.to_string()),
        ("byteOrder", format_a.endian.name().to_string(), format_b.endian.name().to_string()),
        ("alignment", a.alignment().to_string(), b.alignment().to_string()),
    ];
    let different = properties.into_iter().filter(|(_, a, b)| a != b);
    different.map(|(property, a, b)| FormatDifference { property, a, b }).collect()
}

fn count_entries(differences: &[EntryDifference], count_a: usize) -> EntryCounts {
    let mut counts = EntryCounts::default();
    for difference in differences {
        counts.moved += usize::from(difference.is_moved);
        match difference.change {
            EntryChange::Added => counts.added += 1,
            EntryChange::Removed => counts.removed += 1,
            EntryChange::Changed => counts.changed += 1,
            EntryChange::Retyped => counts.retyped += 1,
            EntryChange::Moved => {}
        }
    }
    counts.equal = count_a - counts.removed - counts.changed - counts.retyped;
    counts
}

fn count_tensors(differences: &[TensorDifference], count_a: usize, coverage: DataCoverage) -> TensorCounts {
    let mut counts = TensorCounts::default();
    for difference in differences {
        counts.moved += usize::from(difference.is_moved);
        counts.not_compared += usize::from(coverage != DataCoverage::None && difference.is_not_compared());
        match difference.change {
            TensorChange::Added => counts.added += 1,
            TensorChange::Removed => counts.removed += 1,
            TensorChange::Renamed => counts.renamed += 1,
            TensorChange::Changed => counts.changed += 1,
            TensorChange::Unknown => counts.unknown += 1,
            TensorChange::Moved => {}
        }
    }
    counts.equal = count_a - counts.removed - counts.renamed - counts.changed - counts.unknown;
    counts
}
