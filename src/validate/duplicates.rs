//! Names that are there twice.

use alloc::vec::Vec;

use super::check::Check;
use super::findings::{Findings, TENSORS};
use crate::format::header::{Header, heap_sort, heap_sort_by};

/// Reports duplicate keys or duplicate names of tensors, as ggml compares them: keys byte for byte, and names up to a NUL.
///
/// Equal names have equal hashes, so only names that share their hash with another are compared. A hostile file can give all
/// names the same hash. So these names are sorted instead of compared pairwise.
#[inline(never)]
pub(super) fn check(header: &Header, of_tensors: bool, findings: &mut Findings<'_>) {
    let by_hash = header.by_hash(of_tensors);
    let same_hash = || by_hash.chunk_by(|a, b| a >> 32 == b >> 32).filter(|names| names.len() > 1).flatten();
    let mut items = Vec::new();
    // Without memory for the list, duplicates are not reported.
    if items.try_reserve_exact(same_hash().count()).is_err() {
        return;
    }
    items.extend(same_hash());
    let name = |item: u64| header.name(of_tensors, item as u32 as usize).to_bytes();
    heap_sort_by(&mut items, &|a, b| if a >> 32 == b >> 32 { (name(a), a) < (name(b), b) } else { a < b });
    // The first item with an equal name, and the first whose name is equal up to a NUL.
    let Some((mut same, mut same_up_to_nul)) = items.first().map(|first| (*first, *first)) else { return };
    let mut count = 0;
    for at in 1..items.len() {
        let item = items[at];
        let (name_of_item, mut other) = (name(item), same);
        let is_same = name_of_item == name(same);
        if !is_same {
            (other, same) = (same_up_to_nul, item);
            if !of_tensors || up_to_nul(&name_of_item) != up_to_nul(&name(other)) {
                same_up_to_nul = item;
                continue;
            }
        }
        // The position comes first, to be sorted by.
        items[count] = item << 33 | u64::from(is_same) << 32 | u64::from(other as u32);
        count += 1;
    }
    items.truncate(count);
    heap_sort(&mut items);
    for twin in items {
        let (index, is_same) = (twin >> 33, twin >> 32 & 1 != 0);
        findings.subject = if of_tensors { TENSORS | index } else { index };
        let check = match (of_tensors, is_same) {
            (false, _) => Check::DuplicateKey,
            (true, true) => Check::DuplicateTensorName,
            (true, false) => Check::TensorNameSameUpToNul,
        };
        let start = header.name(of_tensors, index as usize).range().start - header.format().length_size();
        findings.report(check, start, u64::from(twin as u32), 0);
    }
}

fn up_to_nul(name: &[u8]) -> &[u8] {
    name.iter().position(|byte| *byte == 0).map_or(name, |end| &name[..end])
}
