//! Comparing two models: their metadata, their tensors, and the data of the tensors.
//!
//! ```text
//! name_pairs   which entry of one file belongs to which of the other, by key; the same for tensors
//! order        which of them have moved
//! entries      the differences of the metadata
//! details      what differs within an array or a long text (sequence_difference, equal_items)
//! tensors      the differences of the tensors
//! storage      what is equal, and stored in another way
//! numbers      the difference of two lists of numbers
//! sample       which parts of the tensors are read if there is a limit
//! comparison   all of them together; summary and markdown show it
//! ```
//!
//! Nothing here reads data of tensors. The caller reads it, and reports what it found.

pub(crate) mod comparison;
pub(crate) mod details;
pub(crate) mod entries;
mod equal_items;
mod markdown;
mod name_pairs;
pub(crate) mod numbers;
mod order;
#[cfg(any(feature = "files", test))]
pub(crate) mod sample;
mod sequence_difference;
mod storage;
mod summary;
pub(crate) mod tensors;
pub(crate) mod value_text;
