//! The way of a piece: it is read, and a job of the host converts it.

use alloc::{rc::Rc, sync::Arc};
use core::cell::RefCell;

use super::job::{ConversionJob, ConvertedRows, InvalidRow, JobOutcome};
use super::job_host::JobHost;
use super::pieces::Piece;
use super::plan::Planned;
use super::row::RecipeRow;
use super::target_type::{block_size, row_bytes};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::version::Endian;
use gguf_format::io::{Buffer, Merge, Source};

/// Pieces with at most this many bytes are read together with their neighbours.
const SMALL_PIECE: u64 = 64 << 10;

/// The importance of a matrix of a row.
pub(super) type KnownImportance = Rc<RefCell<Option<(usize, u64, Arc<[f32]>)>>>;

/// Reads a piece, and has it converted.
pub(super) async fn convert_piece<S: Source, H: JobHost<S::Buffer>>(
    planned: Rc<Planned<S>>,
    host: Rc<H>,
    known: KnownImportance,
    piece: Piece,
) -> Result<(Piece, ConvertedRows<S::Buffer>)> {
    let row = &planned.recipe.rows()[piece.row];
    let file = &planned.files[row.shard];
    let start = planned.data[piece.row].start;
    if piece.range.is_empty() {
        return Ok((piece, ConvertedRows::new(None, None)));
    }
    let range = start + piece.range.start..start + piece.range.end;
    let merge = if range.end - range.start <= SMALL_PIECE { Merge::Close } else { Merge::Never };
    let requested = file.reader().request(range, merge);
    let importance = importance_of(&planned, &known, &piece).await?;
    let rows = requested.bytes().await?;
    drop(requested);
    let row_length = row.dimensions.first().map_or(1, |length| *length as usize);
    let job = ConversionJob {
        importance,
        owns_rows: file.reader().source().reads_into_new_memory(),
        is_big_endian: file.header().format().endian == Endian::Big,
        measures_error: planned.measures_error,
        tensor: row.name.clone(),
        ..ConversionJob::new(rows.clone(), row_length, row.old_type, row.new_type)
    };
    match host.run(job).await? {
        JobOutcome::Invalid(invalid) => Err(invalid_data(row, &piece, start, invalid)),
        JobOutcome::Converted(converted) => {
            let bytes = converted.bytes.unwrap_or(rows);
            if bytes.len() != piece.new_byte_length {
                return Err(error!(Internal:
                    "{} bytes of tensor \"{}\" were converted, expected {}", bytes.len(), Shown(row.name.as_bytes()), piece.new_byte_length));
            }
            Ok((piece, ConvertedRows::new(Some(bytes), converted.error)))
        }
    }
}

/// The importance of the columns of a piece.
async fn importance_of<S: Source>(
    planned: &Planned<S>,
    known: &KnownImportance,
    piece: &Piece,
) -> Result<Option<Arc<[f32]>>> {
    let row = &planned.recipe.rows()[piece.row];
    let Some(imatrix) = planned.recipe.options().imatrix.as_ref().filter(|_| row.has_importance) else {
        return Ok(None);
    };
    // A fourth dimension repeats the experts.
    let expert = piece.matrix % row.dimensions.get(2).copied().unwrap_or(1).max(1);
    if let Some((known_row, known_expert, values)) = &*known.borrow()
        && (*known_row, *known_expert) == (piece.row, expert)
    {
        return Ok(Some(values.clone()));
    }
    let columns = row.dimensions.first().copied().unwrap_or(1);
    let name = &planned.recipe.model().tensors[piece.row].original_name;
    let values: Arc<[f32]> = imatrix.values(name, expert * columns..(expert + 1) * columns).await?.into();
    *known.borrow_mut() = Some((piece.row, expert, values.clone()));
    Ok(Some(values))
}

/// The error of a row that contains a number that is not finite. `start` is the offset of the tensor's data.
#[cold]
fn invalid_data(row: &RecipeRow, piece: &Piece, start: u64, invalid: InvalidRow) -> Error {
    let row_length = row.dimensions.first().copied().unwrap_or(1).max(1);
    let elements_before = |ggml_type, bytes: u64| {
        let block = row_bytes(ggml_type, block_size(ggml_type)).unwrap_or(1).max(1);
        bytes / block * block_size(ggml_type)
    };
    let first_row = elements_before(row.old_type, piece.range.start) / row_length;
    let (name, old_type, new_type) = (Shown(row.name.as_bytes()), row.old_type, row.new_type);
    if !invalid.is_source {
        let number = first_row + invalid.block * block_size(new_type) / row_length;
        return error!(InvalidData:
            "tensor \"{name}\" cannot be converted to {new_type}: row {number} has numbers that are too large for the type; \
             choose another type for it");
    }
    let first = elements_before(old_type, piece.range.start);
    let number = (first + invalid.block * block_size(old_type)) / row_length;
    let offset = start + piece.range.start + invalid.block * row_bytes(old_type, block_size(old_type)).unwrap_or(0);
    error!(InvalidData:
        "the data of tensor \"{name}\" are invalid: row {number} contains a NaN or an infinity (at offset {offset:#x}). \
         Download the file again, or convert the original model again")
    .at(offset)
}
