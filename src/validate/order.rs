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
    for (index, first, _) in repeated(header.metadata().len(), &name, false) {
        if let Some(kv) = header.metadata_at(index as usize) {
            findings.report(Check::DuplicateKey, Place::entry(&kv, kv.range().start), &[&first]);
        }
    }
}

/// Reports tensors' names that are there twice, as ggml compares them: up to a NUL.
pub(super) fn check_tensor_names(header: &Header, findings: &mut Findings) {
    let name = |index: u32| header.tensor_at(index as usize).map(|tensor| tensor.name());
    for (index, first, is_whole) in repeated(header.tensors().len(), &name, true) {
        if let Some(tensor) = header.tensor_at(index as usize) {
            let check = if is_whole { Check::DuplicateTensorName } else { Check::TensorNameSameUpToNul };
            findings.report(check, Place::tensor(&tensor, tensor.range().start), &[&first]);
        }
    }
}

/// What names are not repeated: behind all that are.
const SINGLE: u64 = u64::MAX;

/// The names that are the same as one before them, in file order: each with the first of that name, and whether they are
/// the same also behind a NUL.
fn repeated<'a>(
    len: usize,
    name: &dyn Fn(u32) -> Option<Str<'a>>,
    up_to_nul: bool,
) -> impl Iterator<Item = (u32, u32, bool)> {
    let mut names = list(len).unwrap_or_default();
    if names.capacity() >= len {
        for index in 0..len as u32 {
            if let Some(name) = name(index) {
                let end = if up_to_nul { name_end(&name) } else { usize::MAX };
                names.push((u64::from(hash(name.pieces().flatten().take(end))), index));
            }
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
        }
        mark_repeated(same_hash, name, up_to_nul);
    }
    if names.iter().any(|item| item.0 != SINGLE) {
        sort(&mut names, &|a, b| a < b);
    }
    let repeated = names.into_iter().take_while(|item| item.0 != SINGLE);
    repeated.map(|(key, first)| ((key >> 1) as u32, first, key & 1 == 0))
}

/// Of names in order, makes of those that are there before their index and a bit that is 0 if all of it is the same, with
/// the first of the name; and of the others [`SINGLE`]. A NUL sorts before every other byte, so that names that are the
/// same up to one are neighbours.
fn mark_repeated<'a>(names: &mut [Keyed], name: &dyn Fn(u32) -> Option<Str<'a>>, up_to_nul: bool) {
    let mut before: Option<Str<'a>> = None;
    let (mut first, mut first_up_to_nul) = (0, 0);
    for item in names {
        let index = item.1;
        let Some(this) = name(index) else { continue };
        let is_whole = before.as_ref() == Some(&this);
        let is_part = up_to_nul
            && before.is_some_and(|before| {
                let (left, right) = (name_end(&before), name_end(&this));
                left == right && before.pieces().flatten().take(left).eq(this.pieces().flatten().take(right))
            });
        if !is_whole {
            first = index;
        }
        if !is_part {
            first_up_to_nul = index;
        }
        *item = match (is_whole, is_part) {
            (true, _) => (u64::from(index) << 1, first),
            (false, true) => (u64::from(index) << 1 | 1, first_up_to_nul),
            (false, false) => (SINGLE, 0),
        };
        before = Some(this);
    }
}

/// How many bytes of a name come before a NUL.
fn name_end(name: &Str<'_>) -> usize {
    name.pieces().flatten().take_while(|byte| **byte != 0).count()
}
