//! Where everything lies in the new files.

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use super::entries::{Entries, format_of};
use super::model::Model;
use super::options::Options;
use super::row::RecipeRow;
use gguf_declare::result;
use gguf_format::error::{Error, Result, error, no_memory};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::write::checks::{check_header_size, check_tensor_name};
use gguf_format::write::encode::Encoder;
use gguf_format::write::plan::MAX_PADDING;

/// Magic, version and two counts, in bytes.
const PREAMBLE_SIZE: u64 = 24;

result! {
    /// A file that a conversion makes.
    #[derive(Clone, Debug)]
    #[typescript("ConversionFile")]
    pub struct OutputFile {
        /// The size of the file, in bytes.
        pub size: u64,
        /// The size of the header: from the start of the file to the end of the tensor infos, in bytes.
        pub header_size: u64,
        /// The offset of the data section, in bytes from the start of the file.
        pub data_offset: u64,
        /// The alignment of the data of each tensor, in bytes.
        pub alignment: u64,
        /// The rows of the recipe whose tensors are in the file.
        #[rust]
        pub rows: Range<usize>,
        #[rust]
        pub(super) entries: Entries,
    }
}

result! {
    /// A tensor of a new file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PlannedTensor {
        /// The row of the recipe: the position in the list of all tensors.
        pub row: usize,
        /// The offset of the data, in bytes from the start of the new file. A conversion can begin here.
        pub position: u64,
        /// The size of the data, in bytes.
        pub byte_length: u64,
    }
}

/// The tensors of a file, in the order of their data.
pub(super) fn tensors_of(file: &OutputFile, rows: &[RecipeRow]) -> Vec<PlannedTensor> {
    let mut position = file.data_offset;
    let tensor = |row: usize| {
        let tensor = PlannedTensor { row, position, byte_length: rows[row].new_byte_length };
        position = (position + tensor.byte_length).next_multiple_of(file.alignment);
        tensor
    };
    file.rows.clone().map(tensor).collect()
}

/// The files of a recipe. `first` are the entries of the first file.
pub(super) fn output_files(
    model: &Model,
    options: &Options,
    rows: &[RecipeRow],
    first: &Entries,
) -> Result<Vec<OutputFile>> {
    let (header, tensor_count) = (&model.headers[0], model.tensors.len());
    let alignment = first.alignment(header);
    if alignment > MAX_PADDING {
        return Err(no_memory(alignment));
    }
    let ranges = match options.keep_split {
        true => model.tensors_of_shards(),
        false => iter::once(0..tensor_count).collect(),
    };
    let shard_count = ranges.len();
    let mut files = Vec::new();
    for (shard, range) in ranges.into_iter().enumerate() {
        let entries = match shard {
            0 => first.clone(),
            _ => Entries::of_later(shard, shard_count, tensor_count, alignment)?,
        };
        files.push(output_file(model, rows, entries, alignment, range)?);
    }
    Ok(files)
}

fn output_file(
    model: &Model,
    rows: &[RecipeRow],
    entries: Entries,
    alignment: u64,
    range: Range<usize>,
) -> Result<OutputFile> {
    let mut header_size = PREAMBLE_SIZE + entries.byte_length(&model.headers[0], &model.pruning);
    for tensor in &model.tensors[range.clone()] {
        // Programs for image models take longer names than ggml.
        if model.image.is_none() {
            check_tensor_name(&tensor.name)?;
        }
        header_size += 8 + tensor.name.len() as u64 + 4 + 8 * tensor.dimensions.len() as u64 + 12;
    }
    check_header_size(header_size)?;
    let data_offset = header_size.next_multiple_of(alignment);
    let mut size = data_offset;
    for row in &rows[range.clone()] {
        let end = size.checked_add(row.new_byte_length).and_then(|end| end.checked_next_multiple_of(alignment));
        size = end.filter(|end| *end <= MAX_FILE_SIZE).ok_or_else(too_long)?;
    }
    Ok(OutputFile { size, header_size, data_offset, alignment, rows: range, entries })
}

#[cold]
fn too_long() -> Error {
    error!(LimitExceeded: "the model cannot be converted: the new file would have more than {MAX_FILE_SIZE} bytes")
}

/// The header of a file, with the padding up to the data section.
pub(super) fn encode_header(model: &Model, rows: &[RecipeRow], file: &OutputFile) -> Result<Vec<u8>> {
    let first = &model.headers[0];
    let mut encoder = Encoder::new(format_of(first));
    encoder.reserve(file.data_offset).map_err(|_| no_memory(file.data_offset))?;
    encoder.header(file.rows.len() as u64, file.entries.len() as u64);
    file.entries.encode(&mut encoder, first, &model.pruning);
    let mut offset = 0_u64;
    for (tensor, row) in model.tensors[file.rows.clone()].iter().zip(&rows[file.rows.clone()]) {
        encoder.tensor_info(&tensor.name, &tensor.dimensions, row.new_type.0, offset);
        offset = (offset + row.new_byte_length).next_multiple_of(file.alignment);
    }
    debug_assert_eq!(encoder.len(), file.header_size, "the size of a header is computed from its parts");
    encoder.pad_to(file.alignment);
    Ok(encoder.into_bytes())
}
