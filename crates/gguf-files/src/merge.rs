//! Merging shards into one file.

use alloc::vec::Vec;

use super::assembled_file::{AssembledFile, SourceTensor, has_exact_shapes};
use super::duplicate_names::check_names;
use super::split::no_data;
use gguf_format::error::{Result, error, no_memory};
use gguf_format::format::header::Header;
use gguf_format::format::version::DEFAULT_ALIGNMENT;
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::extents::Extents;
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::plan::WritePlan;
use gguf_models::kind::{SHARD_KEYS, SPLIT_COUNT};

/// A shard that is merged with others.
#[derive(Clone, Copy)]
#[allow(clippy::exhaustive_structs, reason = "a shard is a header and a size")]
pub struct MergedShard<'a> {
    /// The header of the shard.
    pub header: &'a Header,
    /// The size of the shard in bytes, if it is known. It is needed only if the size of a tensor cannot be computed.
    pub file_size: Option<u64>,
}

/// Which entries a merged file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "a shard has entries or not; llama.cpp's way is the only other one")]
pub enum MergedEntries {
    /// The entries of the first shard without `split.no`, `split.count` and `split.tensors.count`.
    WithoutSplitKeys,
    /// The entries that llama.cpp writes: those of the first shard, with `split.count` moved to the end and set to 0.
    AsLlamaCpp,
    /// None, because the first shard is missing.
    None,
}

/// Plans a file with the tensors of all shards. Shard `i` is source `i` of the plan. The first shard has the metadata and
/// decides version, byte order and alignment. The data of tensors is copied byte for byte. As in llama.cpp, dimensions of 1 at the
/// end of a tensor's dimensions are left out; image models keep them.
///
/// # Errors
///
/// `invalid-argument` if there are no shards. `foreign-shard` if the byte orders differ. `name-taken` if two tensors have the
/// same name: readers refuse such a file. `truncated`, `size-unknown`,
/// `limit-exceeded`, `too-large`.
///
/// # Examples
///
/// ```
/// use gguf_files::shards::{MergedEntries, MergedShard, merge};
///
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let shards = [MergedShard { header: &header, file_size: Some(file.len() as u64) }];
/// let plan = merge(&shards, MergedEntries::WithoutSplitKeys)?;
/// assert_eq!(plan.header_size(), header.header_size());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(shards: &[MergedShard<'_>], entries: MergedEntries) -> Result<WritePlan> {
    plan(shards, entries, false)
}

/// Plans a file with all tensors whose data has a place in a file. In contrast to [`merge`], a tensor whose offset or size is
/// broken is left out, names can occur twice, and all dimensions are kept.
pub(crate) fn merge_readable(shards: &[MergedShard<'_>], entries: MergedEntries) -> Result<WritePlan> {
    plan(shards, entries, true)
}

fn plan(shards: &[MergedShard<'_>], entries: MergedEntries, leaves_out_broken: bool) -> Result<WritePlan> {
    let Some(first) = shards.first().map(|shard| shard.header) else {
        return Err(error!(InvalidArgument: "cannot merge the shards: there are none"));
    };
    let (mut tensors, count) = (Vec::new(), shards.iter().map(|shard| shard.header.tensors().len()).sum::<usize>());
    tensors.try_reserve_exact(count).map_err(|_| no_memory((count * size_of::<SourceTensor<'_>>()) as u64))?;
    // Half of what a file can have, so that there is room for padding.
    let mut free = MAX_FILE_SIZE / 2;
    for (source, shard) in shards.iter().enumerate() {
        if shard.header.format().endian != first.format().endian {
            return Err(error!(ForeignShard:
                "cannot merge the shards: file {} of {} is {}, the first file is {}; convert one of them", source + 1,
                shards.len(), shard.header.format().endian.name(), first.format().endian.name()));
        }
        let extents = Extents::new(shard.header).map_err(no_memory)?;
        for info in shard.header.tensors() {
            match extents.of(&info, shard.file_size) {
                Ok(data) if leaves_out_broken && (data.end > MAX_FILE_SIZE || data.end - data.start > free) => {}
                Ok(data) => {
                    free = free.saturating_sub(data.end - data.start);
                    tensors.push(SourceTensor { info, source, data, joined: None });
                }
                Err(_) if leaves_out_broken => {}
                Err(reason) => return Err(no_data("merge the shards", &info, reason)),
            }
        }
    }
    if !leaves_out_broken {
        check_names("merge the shards", tensors.len(), &|index| tensors[index].info.name().to_bytes())?;
    }
    let is_copied = |key: &[u8]| match entries {
        MergedEntries::WithoutSplitKeys => !SHARD_KEYS.iter().any(|other| other.as_bytes() == key),
        MergedEntries::AsLlamaCpp => key != SPLIT_COUNT.as_bytes(),
        MergedEntries::None => false,
    };
    let copied = first.metadata().filter(|entry| is_copied(&entry.key().to_bytes()));
    let file = AssembledFile {
        format: first.format(),
        // Without entries, readers assume the default.
        alignment: if entries == MergedEntries::None { DEFAULT_ALIGNMENT } else { first.alignment() },
        copied_entries: copied.map(|entry| entry.range()).collect(),
        new_entries: match entries {
            MergedEntries::AsLlamaCpp => Vec::from([(SPLIT_COUNT, OwnedValue::Uint16(0))]),
            MergedEntries::WithoutSplitKeys | MergedEntries::None => Vec::new(),
        },
        tensors,
        keeps_dimensions: leaves_out_broken || shards.iter().any(|shard| has_exact_shapes(shard.header)),
    };
    file.plan()
}
