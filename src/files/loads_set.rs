//! Whether llama.cpp loads a set of shards.

use alloc::sync::Arc;

use super::set_check::{SetCheck, SetFinding};
use super::validate_set::CheckedShard;
use crate::format::header::Header;
use crate::validate::{DescribedFinding, DescribedLoads, LoadAnswer, Loads, Severity, loads};

/// Says in words whether llama.cpp loads a set of shards as a model.
///
/// The arguments are those of [`validate_set`](super::validate_set::validate_set), but `model` is the merged file of what is there.
/// The first reason is an error of the set, then one of a shard, then one of the model. The latter has no positions, which would be
/// those in the merged file. The answer is `unknown` if a shard could not be opened: then it may be damaged, or reading it failed.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gguf_wasm::{io::block_on, shards::{CheckedShard, GivenSet, PathShards, loads_set, open_set}, validate::LoadAnswer};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-loads-set-00001-of-00001.gguf");
#[doc = include_str!("../doc_example.txt")]
/// # std::fs::write(&path, &file).unwrap();
/// let set = block_on(open_set(PathShards, GivenSet::OneOf(PathShards::given(&path)), None))?;
/// let mut shards = Vec::new();
/// for (shard, number) in set.shards.iter().zip(1..) {
///     if let Ok(file) = &shard.file {
///         shards.push(CheckedShard { number, header: file.header().clone(), file_size: file.file_size() });
///     }
/// }
/// let loads = loads_set(&set.findings, &shards, &set.header.into());
/// assert_eq!(loads.answer, LoadAnswer::No);
/// # std::fs::remove_file(&path).unwrap();
/// # }
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn loads_set(of_set: &[SetFinding], shards: &[CheckedShard], model: &Arc<Header>) -> DescribedLoads {
    let what = if shards.len() > 1 { "set of shards" } else { "file" };
    if let Some(found) = of_set.iter().find(|finding| finding.check.info().severity == Severity::Error) {
        let answer = match found.check {
            SetCheck::UnreadableShard => LoadAnswer::Unknown,
            _ => LoadAnswer::No,
        };
        return DescribedLoads::new(answer, Some(found.described()), what);
    }
    // A shard alone is unknown, unless its file is broken.
    let of_shard =
        |shard: &CheckedShard| (Some(shard.number), shard.header.clone(), loads(&shard.header, shard.file_size));
    let broken = shards.iter().map(of_shard).find(|(.., loads)| loads.answer == LoadAnswer::No);
    let (shard, header, Loads { answer, reason, .. }) =
        broken.unwrap_or_else(|| (None, model.clone(), loads(model, None)));
    let reason = reason.map(|reason| DescribedFinding { shard, ..reason.described(&header) });
    let mut loads = DescribedLoads::new(answer, reason, what);
    if let Some(reason) = loads.reason.as_mut().filter(|_| shard.is_none()) {
        (reason.index, reason.offset, reason.fix) = (None, None, None);
    }
    loads
}
