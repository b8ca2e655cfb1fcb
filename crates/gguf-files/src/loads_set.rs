//! Whether llama.cpp loads a set of shards.

use alloc::sync::Arc;

use super::set_check::{SetCheck, SetFinding};
use super::validate_set::CheckedShard;
use gguf_format::format::header::Header;
use gguf_models::validate::{DescribedLoads, LoadAnswer, Severity, loads};

/// Says in words whether llama.cpp loads a set of shards as a model.
///
/// The arguments are the same as for [`validate_set`](super::validate_set::validate_set), but `model` is the merged file of the shards that
/// are present. The first reason is an error of the set, then one of a shard, then one of the model. A reason of the model has no
/// positions, because these would be positions in the merged file. The answer is `unknown` if a shard could not be opened: then it may be
/// damaged, or reading it failed.
///
/// # Examples
///
/// ```
/// use gguf_files::shards::{CheckedShard, GivenSet, PathShards, loads_set, open_set};
/// use gguf_format::io::block_on;
/// use gguf_models::validate::LoadAnswer;
///
/// # let path = std::env::temp_dir().join("gguf-wasm-loads-set-00001-of-00001.gguf");
/// # let file = gguf_format::example_file();
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
/// # Ok::<(), gguf_format::Error>(())
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
    for shard in shards {
        // A shard alone is unknown, unless its file is broken.
        let loads = loads(&shard.header, shard.file_size);
        if loads.answer == LoadAnswer::No {
            return loads.described(&shard.header, Some(shard.number), what);
        }
    }
    let mut loads = loads(model, None).described(model, None, what);
    if let Some(reason) = &mut loads.reason {
        (reason.index, reason.offset, reason.fix) = (None, None, None);
    }
    loads
}
