//! Names that are there twice.

use alloc::vec::Vec;

use super::check::Check;
use super::findings::{Findings, Place};
use crate::header::{Header, hash, heap_sort_by};
use crate::value::Str;

/// A number to sort by, and which entry or tensor it is of.
pub(super) type Keyed = (u64, u32);

/// Sorts in place, in n log n steps.
pub(super) fn sort(items: &mut [Keyed], is_before: &dyn Fn(&Keyed, &Keyed) -> bool) {
    heap_sort_by(items, is_before);
}

/// An empty list with room for `len` items, if there is memory for it.
pub(super) fn list(len: usize) -> Option<Vec<Keyed>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).ok()?;
    Some(list)
}

/// Reports keys that are there twice, as ggml compares them: byte for byte.
pub(super) fn check_keys(header: &Header, findings: &mut Findings) {
    let name = |index: u32| header.metadata_at(index as usize).map(|kv| kv.key());
    for_each_pair(header.metadata().len(), &name, false, &mut |first, index, _| {
        if let Some(kv) = header.metadata_at(index as usize) {
            findings.report(Check::DuplicateKey, Place::entry(&kv, kv.range().start), &[&first]);
        }
    });
}

/// Reports tensors' names that are there twice, as ggml compares them: up to a NUL.
pub(super) fn check_tensor_names(header: &Header, findings: &mut Findings) {
    let name = |index: u32| header.tensor_at(index as usize).map(|tensor| tensor.name());
    for_each_pair(header.tensors().len(), &name, true, &mut |first, index, whole| {
        if let Some(tensor) = header.tensor_at(index as usize) {
            let check = if whole { Check::DuplicateTensorName } else { Check::TensorNameSameUpToNul };
            findings.report(check, Place::tensor(&tensor, tensor.range().start), &[&first]);
        }
    });
}

/// Calls `found` for every name that is the same as one before it: with the first of that name, its own index, and whether
/// they are the same also behind a NUL.
fn for_each_pair<'a>(
    len: usize,
    name: &dyn Fn(u32) -> Option<Str<'a>>,
    up_to_nul: bool,
    found: &mut dyn FnMut(u32, u32, bool),
) {
    let Some(mut names) = list(len) else { return };
    for index in 0..len as u32 {
        if let Some(name) = name(index) {
            let end = if up_to_nul { name_end(&name) } else { usize::MAX };
            names.push((u64::from(hash(name.pieces().flatten().take(end))), index));
        }
    }
    sort(&mut names, &|a, b| a < b);
    let is_before = |a: &Keyed, b: &Keyed| match (name(a.1), name(b.1)) {
        (Some(left), Some(right)) => left.pieces().flatten().cmp(right.pieces().flatten()).then(a.1.cmp(&b.1)).is_lt(),
        _ => false,
    };
    for same_hash in names.chunk_by_mut(|a, b| a.0 == b.0) {
        // Names that are made to have the same hash cost no more than sorting them.
        if same_hash.len() > 1 {
            sort(same_hash, &is_before);
            report_runs(same_hash, name, up_to_nul, found);
        }
    }
}

/// Of names in order: a NUL sorts before every other byte, so that names that are the same up to one are neighbours.
fn report_runs<'a>(
    names: &[Keyed],
    name: &dyn Fn(u32) -> Option<Str<'a>>,
    up_to_nul: bool,
    found: &mut dyn FnMut(u32, u32, bool),
) {
    let (mut first, mut first_up_to_nul) = (names[0].1, names[0].1);
    for pair in names.windows(2) {
        let index = pair[1].1;
        let (Some(before), Some(after)) = (name(pair[0].1), name(index)) else { continue };
        if before == after {
            found(first, index, true);
            continue;
        }
        first = index;
        let (left, right) = (name_end(&before), name_end(&after));
        if up_to_nul && left == right && before.pieces().flatten().take(left).eq(after.pieces().flatten().take(right)) {
            found(first_up_to_nul, index, false);
        } else {
            first_up_to_nul = index;
        }
    }
}

/// How many bytes of a name come before a NUL.
fn name_end(name: &Str<'_>) -> usize {
    name.pieces().flatten().take_while(|byte| **byte != 0).count()
}
