//! Finds tensors that have another name in the second file.
//!
//! Tensors with the same type and dimensions may be the same. If each file has one of them, they are a pair. If there are more,
//! hashes pair them: first those of the beginnings, which distinguish nearly all tensors, and then, only of those that begin
//! alike, the hashes of the whole data. XXH64 is enough for this, because whether the data of a pair is equal is never taken from
//! hashes: it is compared like that of all other pairs.

use alloc::vec::Vec;

use super::tensors::{RenameCandidates, TensorComparing};
use crate::hash::{HashAlgorithm, Hasher, Hashes};
use gguf_format::error::Result;
use gguf_format::io::{Buffer, Merge, Source, Turns, Window, WindowLimits};
use gguf_format::order::sorted;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::tensor::read::split;

/// The bytes at the beginning of a tensor that are hashed first.
const BEGINNING: u64 = 4 << 10;

/// How much is in flight at once. Many short ranges that lie close together become one read.
const IN_FLIGHT: WindowLimits = WindowLimits { reads: 64, bytes: 8 << 20, least_bytes: u64::MAX };

/// The work that a range takes, however short it is.
const WORK_PER_RANGE: u64 = 8 << 10;

/// XXH64 of data.
type Hash = [u8; 8];

/// What remains after the search.
pub(super) struct RenameSearch {
    /// How many bytes may still be read. `None` if there is no limit.
    pub left: Option<u64>,
    /// Whether all candidates were looked at. The limit can prevent it.
    pub is_complete: bool,
}

/// Adds the pairs whose data must be compared. With `max_bytes`, only beginnings are hashed, with at most half of the bytes that
/// are left.
pub(super) async fn add_renamed<S: Source>(
    files: [&OpenedFile<S>; 2],
    tensors: &mut TensorComparing,
    max_bytes: Option<u64>,
) -> Result<RenameSearch> {
    let (mut left, mut is_complete) = (max_bytes, true);
    for group in tensors.rename_candidates(files[0].header(), files[1].header()) {
        if is_one_pair(&group) {
            add_pairs(tensors, group);
            continue;
        }
        let length = files[0].header().tensor_at(group.a[0]).and_then(|tensor| tensor.byte_length());
        let hashed = length.map_or(BEGINNING, |length| length.min(BEGINNING));
        if let Some(left) = &mut left {
            let cost = hashed * (group.a.len() + group.b.len()) as u64;
            if cost > *left / 2 {
                is_complete = false;
                continue;
            }
            *left -= cost;
        }
        let is_short = length.is_some_and(|length| length <= BEGINNING);
        for group in by_hash(files, group, BEGINNING).await? {
            if is_short || is_one_pair(&group) || max_bytes.is_some() {
                add_pairs(tensors, group);
            } else {
                for group in by_hash(files, group, u64::MAX).await? {
                    add_pairs(tensors, group);
                }
            }
        }
    }
    Ok(RenameSearch { left, is_complete })
}

fn is_one_pair(group: &RenameCandidates) -> bool {
    group.a.len() == 1 && group.b.len() == 1
}

/// Adds pairs of candidates in their order.
fn add_pairs(tensors: &mut TensorComparing, group: RenameCandidates) {
    for (a, b) in group.a.into_iter().zip(group.b) {
        tensors.add_renamed(a, b);
    }
}

/// Divides candidates by the hash of the first `most` bytes of their data.
async fn by_hash<S: Source>(
    files: [&OpenedFile<S>; 2],
    group: RenameCandidates,
    most: u64,
) -> Result<Vec<RenameCandidates>> {
    let of_a = sorted(&hashes(files[0], &group.a, most).await?);
    let of_b = sorted(&hashes(files[1], &group.b, most).await?);
    let mut of_b = of_b.chunk_by(|(hash, _), (next, _)| hash == next).peekable();
    let mut groups = Vec::new();
    for in_a in of_a.chunk_by(|(hash, _), (next, _)| hash == next) {
        let hash = in_a[0].0;
        while of_b.next_if(|in_b| in_b[0].0 < hash).is_some() {}
        if let Some(in_b) = of_b.next_if(|in_b| in_b[0].0 == hash) {
            let tensors = |hashed: &[(Hash, usize)]| hashed.iter().map(|(_, tensor)| *tensor).collect();
            groups.push(RenameCandidates { a: tensors(in_a), b: tensors(in_b) });
        }
    }
    Ok(groups)
}

/// XXH64 of the first `most` bytes of each tensor whose data can be read.
async fn hashes<S: Source>(file: &OpenedFile<S>, tensors: &[usize], most: u64) -> Result<Vec<(Hash, usize)>> {
    let extents = file.extents()?;
    let ranges = tensors.iter().filter_map(|index| {
        let extent = extents.of(&file.header().tensor_at(*index)?, file.file_size()).ok()?;
        Some((*index, extent.start..extent.end.min(extent.start.saturating_add(most))))
    });
    let part_bytes = file.reader().source().bytes_at_once();
    let mut parts = ranges.flat_map(|(tensor, range)| split(range, part_bytes).map(move |part| (tensor, part)));
    let mut window = Window::new(IN_FLIGHT);
    let mut turns = Turns::<S::Host>::new();
    let mut hashes = Vec::new();
    // The tensor whose parts are being hashed.
    let mut current: Option<(usize, Hasher)> = None;
    let mut copied = Vec::new();
    loop {
        window.fill(|| {
            let (tensor, part) = parts.next()?;
            let length = part.end - part.start;
            Some(((tensor, file.reader().request(part, Merge::Adjacent)), length))
        });
        let Some((tensor, requested)) = window.pop() else { break };
        let bytes = requested.bytes().await?;
        copied.resize(bytes.len() as usize, 0);
        bytes.copy_to(&mut copied)?;
        if current.as_ref().is_none_or(|(of, _)| *of != tensor) {
            push_hash(&mut hashes, current.take());
            current = Hasher::try_new(HashAlgorithm::Xxh64).map(|hasher| (tensor, hasher));
        }
        if let Some((_, hasher)) = &mut current {
            hasher.update(&copied);
        }
        turns.count(bytes.len() + WORK_PER_RANGE).await;
    }
    push_hash(&mut hashes, current);
    Ok(hashes)
}

/// Adds the hash of a tensor whose parts have all been hashed.
fn push_hash(hashes: &mut Vec<(Hash, usize)>, hashed: Option<(usize, Hasher)>) {
    let Some((tensor, hasher)) = hashed else { return };
    let mut result = Hashes::default();
    hasher.finish(&mut result);
    if let Some(hash) = result.xxh64 {
        hashes.push((hash, tensor));
    }
}
