//! Finds tensors that have another name in the second file.
//!
//! Tensors with the same type and dimensions may be the same. If each file has one of them, their data is compared like that of
//! all other pairs. If there are more, hashes decide: first those of the beginnings, which distinguish nearly all tensors, and
//! then, only of those that begin alike, the hashes of the whole data.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::files::compare::tensors::{DataComparison, RenameCandidates, TensorComparing};
use crate::files::hash::{HashAlgorithm, Hasher, Hashes};
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::tensor_task::split;
use crate::web::source::range_reader::Merge;

/// The bytes at the beginning of a tensor that are hashed first.
const BEGINNING: u64 = 4 << 10;

/// The most ranges that are in flight at once.
const MOST_IN_FLIGHT: usize = 64;

/// The most bytes that are in flight at once.
const MOST_BYTES_IN_FLIGHT: u64 = 8 << 20;

/// Adds the pairs whose data must be compared, and those whose data is known to be equal. With `may_read_all` false, only the
/// beginnings are hashed.
pub(super) async fn add_renamed(
    files: [&OpenedFile; 2],
    tensors: &mut TensorComparing,
    may_read_all: bool,
) -> Result<(), JsValue> {
    for group in tensors.rename_candidates(&files[0].header, &files[1].header) {
        if is_one_pair(&group) {
            add_pairs(tensors, group, DataComparison::NotCompared);
            continue;
        }
        let length = files[0].header.tensor_at(group.a[0]).and_then(|tensor| tensor.byte_length());
        let is_short = length.is_some_and(|length| length <= BEGINNING);
        for group in by_hash(files, group, BEGINNING).await? {
            if is_short {
                add_pairs(tensors, group, DataComparison::Equal);
            } else if is_one_pair(&group) || !may_read_all {
                add_pairs(tensors, group, DataComparison::NotCompared);
            } else {
                for group in by_hash(files, group, u64::MAX).await? {
                    add_pairs(tensors, group, DataComparison::Equal);
                }
            }
        }
    }
    Ok(())
}

fn is_one_pair(group: &RenameCandidates) -> bool {
    group.a.len() == 1 && group.b.len() == 1
}

/// Adds pairs of candidates in their order, with what is known about their data.
fn add_pairs(tensors: &mut TensorComparing, group: RenameCandidates, data: DataComparison) {
    for (a, b) in group.a.into_iter().zip(group.b) {
        tensors.add_renamed(a, b, data.clone());
    }
}

/// Divides candidates by the hash of the first `most` bytes of their data.
async fn by_hash(
    files: [&OpenedFile; 2],
    group: RenameCandidates,
    most: u64,
) -> Result<Vec<RenameCandidates>, JsValue> {
    let mut groups: BTreeMap<Option<[u8; 32]>, RenameCandidates> = BTreeMap::new();
    let hashes = [hashes(files[0], &group.a, most).await?, hashes(files[1], &group.b, most).await?];
    let empty = || RenameCandidates { a: Vec::new(), b: Vec::new() };
    for (tensor, hash) in group.a.into_iter().zip(&hashes[0]) {
        groups.entry(*hash).or_insert_with(empty).a.push(tensor);
    }
    for (tensor, hash) in group.b.into_iter().zip(&hashes[1]) {
        groups.entry(*hash).or_insert_with(empty).b.push(tensor);
    }
    // The data of tensors without a hash cannot be read.
    let has_pairs =
        |(hash, group): &(Option<_>, RenameCandidates)| hash.is_some() && !group.a.is_empty() && !group.b.is_empty();
    Ok(groups.into_iter().filter(has_pairs).map(|(_, group)| group).collect())
}

/// SHA-256 of the first `most` bytes of each tensor. `None` for a tensor whose data cannot be read.
async fn hashes(file: &OpenedFile, tensors: &[usize], most: u64) -> Result<Vec<Option<[u8; 32]>>, JsValue> {
    let mut ranges: Vec<Option<Range<u64>>> = Vec::new();
    for index in tensors {
        let Some(tensor) = file.header.tensor_at(*index) else { continue };
        let extent = file.extents()?.of(&tensor, file.file_size.get()).ok();
        ranges.push(extent.map(|range| range.start..range.end.min(range.start.saturating_add(most))));
    }
    let part_bytes = file.ranges.bytes_at_once();
    let mut parts = ranges
        .iter()
        .enumerate()
        .flat_map(|(tensor, range)| split(range.clone().unwrap_or(0..0), part_bytes).map(move |part| (tensor, part)));
    let mut hashers: Vec<Option<Hasher>> =
        ranges.iter().map(|range| range.as_ref().map(|_| Hasher::new(HashAlgorithm::Sha256))).collect();
    let (mut in_flight, mut bytes_in_flight) = (VecDeque::new(), 0);
    let mut copied = Vec::new();
    loop {
        while in_flight.len() < MOST_IN_FLIGHT && bytes_in_flight < MOST_BYTES_IN_FLIGHT {
            let Some((tensor, part)) = parts.next() else { break };
            bytes_in_flight += part.end - part.start;
            in_flight.push_back((tensor, file.ranges.request(part, Merge::Close)));
        }
        let Some((tensor, requested)) = in_flight.pop_front() else { break };
        let bytes = requested.bytes().await?;
        let length = bytes.byte_length() as usize;
        bytes_in_flight -= length as u64;
        copied.resize(length, 0);
        bytes.copy_to(&mut copied)?;
        if let Some(hasher) = &mut hashers[tensor] {
            hasher.update(&copied);
        }
    }
    let finish = |hasher: Hasher| {
        let mut hashes = Hashes::default();
        hasher.finish(&mut hashes);
        hashes.sha256
    };
    Ok(hashers.into_iter().map(|hasher| hasher.and_then(finish)).collect())
}
