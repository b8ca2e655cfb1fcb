//! Splitting a file into shards.
//!
//! The shards are those of llama.cpp's tool `llama-gguf-split`, with two differences: an alignment other than 32 is kept in
//! all shards, and a first tensor that is larger than the limit gets a shard of its own instead of an error.

use alloc::{borrow::Cow, vec::Vec};
use core::ops::Range;

use super::assembled_file::{AssembledFile, SourceTensor, has_exact_shapes};
use super::duplicate_names::check_names;
use gguf_format::error::{Error, Result, error, no_memory};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::version::{ALIGNMENT, DEFAULT_ALIGNMENT};
use gguf_format::tensor::extents::{Extents, NoExtent};
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::plan::WritePlan;
use gguf_models::kind::{SHARD_KEYS, SPLIT_COUNT, SPLIT_NO, SPLIT_TENSORS_COUNT, Shard};

/// The number of tensors in a shard if no limit is given, as in llama.cpp.
pub const DEFAULT_MAX_TENSORS: u64 = 128;

/// How much a shard may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "llama.cpp has these two limits")]
pub enum SplitLimit {
    /// The most tensors of a shard.
    Tensors(u64),
    /// The most bytes of tensor data in a shard, each tensor with its padding. The header does not count, so a file is a
    /// little larger. A tensor that is larger than the limit gets a shard of its own.
    Bytes(u64),
}

/// A shard that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedShard {
    /// The positions of its tensors in the original file.
    pub tensors: Range<usize>,
    /// The file. Source 0 is the original file.
    pub plan: WritePlan,
}

/// Plans the shards of a file. `file_size` is the size of the file in bytes. With `tensors_in_first` false, the first shard
/// contains the metadata only.
///
/// The first shard has all entries. The others have the three entries `split.no`, `split.tensors.count` and `split.count`,
/// and `general.alignment` if that is not 32. Tensors keep their order, and their data is copied byte for byte. As in llama.cpp,
/// dimensions of 1 at the end of a tensor's dimensions are left out; image models keep them. Bytes that belong to no tensor are
/// not copied.
///
/// # Errors
///
/// `invalid-argument` for a limit of 0, and if the file is itself one of several shards. `name-taken` if two tensors have the
/// same name: readers refuse such shards. `truncated`, `size-unknown`,
/// `limit-exceeded` (more than 65,535 shards), `too-large`.
///
/// # Examples
///
/// ```
/// use gguf_files::shards::{SplitLimit, split};
///
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let shards = split(&header, Some(file.len() as u64), SplitLimit::Tensors(1), true)?;
/// assert_eq!(shards.len(), header.tensors().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split(
    header: &Header,
    file_size: Option<u64>,
    limit: SplitLimit,
    tensors_in_first: bool,
) -> Result<Vec<PlannedShard>> {
    if let Some(shard) = Shard::of(header) {
        return Err(error!(InvalidArgument:
            "cannot split the file: it is itself one of {} shards; open the whole set and split the merged model",
            shard.count));
    }
    if matches!(limit, SplitLimit::Tensors(0) | SplitLimit::Bytes(0)) {
        return Err(error!(InvalidArgument: "cannot split the file: the limit of a shard is 0, expected at least 1"));
    }
    let name = |index| header.tensor_at(index).map_or(Cow::default(), |tensor| tensor.name().to_bytes());
    check_names("split the file", header.tensors().len(), &name)?;
    let data = data_ranges("split the file", header, file_size)?;
    let ranges = shard_ranges(&data, header.alignment(), limit, tensors_in_first);
    let Ok(count) = u16::try_from(ranges.len()) else {
        return Err(error!(LimitExceeded:
            "cannot split the file: it would have {} shards; a set has at most 65535, because split.count is a UINT16. \
             Raise the limit of a shard", ranges.len()));
    };
    let keeps_dimensions = has_exact_shapes(header);
    let shards = (0..).zip(ranges).map(|(number, tensors)| {
        let file = AssembledFile {
            format: header.format(),
            alignment: header.alignment(),
            copied_entries: copied_entries(header, number == 0),
            new_entries: Vec::from([
                (SPLIT_NO, OwnedValue::Uint16(number)),
                (SPLIT_TENSORS_COUNT, OwnedValue::Int32(header.tensors().len() as i32)),
                (SPLIT_COUNT, OwnedValue::Uint16(count)),
            ]),
            tensors: tensors
                .clone()
                .filter_map(|index| header.tensor_at(index))
                .map(|info| SourceTensor { data: data[info.index()].clone(), info, source: 0, joined: None })
                .collect(),
            keeps_dimensions,
        };
        Ok(PlannedShard { tensors, plan: file.plan()? })
    });
    shards.collect()
}

/// The ranges of the entries that a shard copies.
fn copied_entries(header: &Header, is_first: bool) -> Vec<Range<u64>> {
    if is_first {
        let entries = header.metadata().filter(|entry| !SHARD_KEYS.iter().any(|key| entry.key() == *key));
        return entries.map(|entry| entry.range()).collect();
    }
    // Readers of a later shard need its alignment.
    let alignment = header.get(ALIGNMENT).filter(|_| header.alignment() != DEFAULT_ALIGNMENT);
    alignment.into_iter().map(|entry| entry.range()).collect()
}

/// The range of each tensor's data in the file. `action` is what fails without it: `split the file`.
pub(super) fn data_ranges(action: &str, header: &Header, file_size: Option<u64>) -> Result<Vec<Range<u64>>> {
    let extents = Extents::new(header).map_err(no_memory)?;
    let mut ranges = Vec::new();
    let count = header.tensors().len();
    ranges.try_reserve_exact(count).map_err(|_| no_memory((count * size_of::<Range<u64>>()) as u64))?;
    for tensor in header.tensors() {
        ranges.push(extents.of(&tensor, file_size).map_err(|reason| no_data(action, &tensor, reason))?);
    }
    Ok(ranges)
}

/// The error for a tensor whose data cannot be copied. `action` is what fails: `split the file`.
#[cold]
pub(super) fn no_data(action: &str, tensor: &TensorInfo<'_>, reason: NoExtent) -> Error {
    let name = tensor.name();
    match reason {
        NoExtent::Incomplete => error!(Truncated:
            "cannot {action}: the file ends before the data of tensor \"{name}\" does; download or copy it again")
        .at(tensor.file_offset().unwrap_or(u64::MAX)),
        NoExtent::FileSizeUnknown => {
            error!(SizeUnknown:
                "cannot {action}: the data of tensor \"{name}\" reaches to the end of the file, and the size of the \
                 file is not known")
        }
    }
}

/// The positions of the tensors of each shard. `data` has the range of each tensor's data.
fn shard_ranges(data: &[Range<u64>], alignment: u64, limit: SplitLimit, tensors_in_first: bool) -> Vec<Range<usize>> {
    let mut shards = Vec::new();
    if !tensors_in_first && !data.is_empty() {
        shards.push(0..0);
    }
    let (mut start, mut size) = (0, 0_u64);
    for (index, range) in data.iter().enumerate() {
        let length = (range.end - range.start).checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
        let is_full = match limit {
            SplitLimit::Tensors(most) => (index - start) as u64 >= most,
            SplitLimit::Bytes(most) => index > start && size.saturating_add(length) > most,
        };
        if is_full {
            shards.push(start..index);
            (start, size) = (index, 0);
        }
        size = size.saturating_add(length);
    }
    shards.push(start..data.len());
    shards
}
