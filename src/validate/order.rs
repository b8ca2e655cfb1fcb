//! Names that are there twice.

use super::check::Check;
use super::findings::Findings;
use crate::header::Header;

/// How many names before are looked at that have the same hash. More have it only in files that are made to, which hide
/// nothing but that names are there twice.
const LOOKED_AT: usize = 16;

/// Reports the key of an entry, or the name of a tensor, if it is there before, as ggml compares them: keys byte for byte,
/// and names up to a NUL.
#[inline(never)]
pub(super) fn check(
    header: &Header,
    of_tensors: bool,
    index: usize,
    name: &[u8],
    start: u64,
    findings: &mut Findings<'_>,
) {
    let mut same_up_to_nul = None;
    for item in header.same_hash(of_tensors, name).iter().take(LOOKED_AT) {
        let other = *item as u32 as usize;
        if header.name(of_tensors, other) != *name {
            same_up_to_nul = Some(other);
        } else if other < index {
            let check = if of_tensors { Check::DuplicateTensorName } else { Check::DuplicateKey };
            return findings.report(check, start, other as u64, 0);
        }
    }
    if let Some(other) = same_up_to_nul
        && of_tensors
        && name.contains(&0)
    {
        findings.report(Check::TensorNameSameUpToNul, start, other as u64, 0);
    }
}
