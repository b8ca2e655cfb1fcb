//! Comparing two models: their metadata, their tensors, and the data of the tensors.
//!
//! Examples: [`compare`], [`compare_headers`].

// name_pairs   which entry of one file belongs to which of the other, by key; the same for tensors
// order        which of them have moved
// entries      the differences of the metadata
// details      what differs within an array or a long text (sequence_difference, equal_items)
// tensors      the differences of the tensors
// storage      what is equal, and stored in another way
// numbers      the difference of two lists of numbers
// renamed      the same tensors with another name, found by their data
// jobs         what is compared of the data; sample: which parts, if there is a limit
// data         reading and comparing the data
// comparison   the differences of the headers; models: of opened files; described, summary and markdown show them

#[doc(hidden)]
pub mod comparison;
mod data;
#[doc(hidden)]
pub mod described;
#[doc(hidden)]
pub mod details;
#[doc(hidden)]
pub mod entries;
mod equal_items;
mod jobs;
mod markdown;
#[doc(hidden)]
pub mod models;
mod name_pairs;
pub(crate) mod numbers;
mod order;
mod renamed;
mod sample;
mod sequence_difference;
mod storage;
mod summary;
#[doc(hidden)]
pub mod tensors;
pub(crate) mod value_text;

pub use comparison::{
    Comparison, ComparisonCounts, DataCoverage, EntryCounts, FormatDifference, TensorCounts, compare_headers,
};
pub use data::CompareReports;
pub use described::{ComparedEntry, ComparedPair, ComparedTensor, DescribedEntry, DescribedTensor, ValueDifference};
pub use details::{Hunk, TokenDifference, TokenDifferences, ValueDetails, ValueUnit, text_hunks};
pub use entries::{EntryChange, EntryDifference};
pub use models::{CompareOptions, compare};
pub use numbers::NumberDifference;
pub use tensors::{DataComparison, TensorChange, TensorDifference};
