//! Keys and tensor names that occur more than once.

use alloc::vec::Vec;

use super::check::Check;
use super::findings::{Findings, Subject};
use super::fix::Fix;
use gguf_format::edit::Change;
use gguf_format::format::header::{Header, MetadataKv, NameList};
use gguf_format::order::sort_by;

/// Reports duplicate keys. ggml compares keys byte for byte.
pub(super) fn check_keys(header: &Header, findings: &mut Findings) {
    for Duplicate { index, other, .. } in find(header.keys()).filter(|duplicate| duplicate.is_identical) {
        let (entry, first) = (header.metadata_at(index), header.metadata_at(other));
        findings.report_with_fix(
            Check::DuplicateKey,
            Some(Subject::Entry(index)),
            entry.map(|entry| entry.range().start),
            format_args!(
                "entry {other} has the same key, and llama.cpp refuses the file. Rename or remove one of them."
            ),
            &|| {
                let remove = Change::Remove { entry: index };
                let has_same_value = stored_value(header, entry?).eq(stored_value(header, first?));
                Some(match has_same_value {
                    true => Fix::safe("Remove the repeated entry", remove),
                    false => Fix::to_confirm("Remove the later entry", remove),
                })
            },
        );
    }
}

/// The type of a value, and its bytes.
fn stored_value<'a>(header: &'a Header, entry: MetadataKv<'a>) -> impl Iterator<Item = &'a u8> {
    let start = entry.value_range().start - 4;
    header.bytes().pieces(start..entry.value_range().end).flatten()
}

/// Reports duplicate tensor names. Names that differ only after a NUL are equal for ggml.
pub(super) fn check_tensor_names(header: &Header, findings: &mut Findings) {
    for Duplicate { index, other, is_identical } in find(header.tensor_names()) {
        let subject = Some(Subject::Tensor(index));
        let offset = header.tensor_at(index).map(|tensor| tensor.range().start);
        if is_identical {
            findings.report_with_fix(
                Check::DuplicateTensorName,
                subject,
                offset,
                format_args!(
                    "tensor {other} has the same name, and llama.cpp refuses the file. Rename or remove one of them."
                ),
                &|| Some(Fix::to_confirm("Remove the later tensor", Change::RemoveTensor { tensor: index })),
            );
        } else {
            findings.report(
                Check::TensorNameSameUpToNul,
                subject,
                offset,
                format_args!(
                    "tensor {other} has the same name up to a NUL, and llama.cpp refuses the file. Rename the tensor."
                ),
            );
        }
    }
}

/// An item whose name another item has, too.
#[derive(Clone, Copy)]
struct Duplicate {
    /// The position of the item.
    index: usize,
    /// The position of the other item. It is the first one with this name if the names are identical.
    other: usize,
    /// Whether the names are equal byte for byte, and not only up to a NUL.
    is_identical: bool,
}

/// The items whose name is equal to that of another item, at least up to a NUL: all but one of each group. Sorted by position.
///
/// Equal names have equal hashes, so only names that share their hash with another name are compared. A hostile file can
/// give all names the same hash. So these names are sorted instead of compared pairwise. If memory for the lists cannot be
/// allocated, no duplicates are reported.
fn find(names: NameList<'_>) -> impl Iterator<Item = Duplicate> {
    let mut duplicates: Vec<Duplicate> = Vec::new();
    let count = names.positions_of_same_hash().map(|group| group.len()).sum();
    let mut candidates = Vec::new();
    let has_memory = candidates.try_reserve_exact(count).is_ok() && duplicates.try_reserve_exact(count).is_ok();
    let name = |position: usize| names.get(position).to_bytes();
    for group in names.positions_of_same_hash().filter(|_| has_memory) {
        candidates.clear();
        candidates.extend(group);
        sort_by(&mut candidates, &|a, b| (name(a), a).cmp(&(name(b), b)));
        // In this order, names that are equal up to a NUL follow one another, and among them names that are identical. The
        // loop keeps the first name of both groups.
        let (mut identical, mut equal_up_to_nul) = (candidates[0], candidates[0]);
        for &index in &candidates[1..] {
            let index_name = name(index);
            let is_identical = index_name == name(identical);
            let other = if is_identical { identical } else { equal_up_to_nul };
            if !is_identical {
                identical = index;
            }
            if up_to_nul(&index_name) == up_to_nul(&name(other)) {
                duplicates.push(Duplicate { index, other, is_identical });
            } else {
                equal_up_to_nul = index;
            }
        }
    }
    candidates.clear();
    candidates.extend(0..duplicates.len());
    sort_by(&mut candidates, &|a, b| duplicates[a].index.cmp(&duplicates[b].index));
    candidates.into_iter().map(move |position| duplicates[position])
}

fn up_to_nul(name: &[u8]) -> &[u8] {
    name.split(|byte| *byte == 0).next().unwrap_or(name)
}
