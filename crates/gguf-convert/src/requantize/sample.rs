//! Rows of a tensor with which types are tried before the model is converted.

use alloc::rc::Rc;
use core::future::Future;

use super::job::ConversionJob;
use super::plan::data_of;
use super::recipe::Recipe;
use super::target_type::row_bytes;
use gguf_format::error::{Result, error};
use gguf_format::format::version::Endian;
use gguf_format::io::{Merge, Source};
use gguf_format::tensor::opened_file::OpenedFile;

/// Reads `count` rows of a tensor from row `first` on, which are in one matrix. They become a job that measures the error of the
/// tensor's type in the recipe; the caller may choose another type. The recipe may have problems.
///
/// # Errors
///
/// `out-of-range` if the tensor does not have the rows in one matrix. `truncated`, `size-unknown`. `bad-imatrix` if the values are not
/// finite. Errors of the source are passed on.
pub fn sample_rows<S: Source>(
    files: &[Rc<OpenedFile<S>>],
    recipe: &Recipe,
    tensor: usize,
    first: u64,
    count: u64,
) -> Result<impl Future<Output = Result<ConversionJob<S::Buffer>>> + use<S>> {
    let place = || {
        let (row, input) = recipe.rows().get(tensor).zip(recipe.model().tensors.get(tensor))?;
        let (row_length, in_matrix) = (input.row_length(), input.rows_of_matrix());
        let matrix = first.checked_div(in_matrix)?;
        let is_there = matrix < input.matrix_count() && count <= in_matrix - first % in_matrix;
        // A tensor whose rows have no whole blocks has no rows that can be read.
        let bytes = row_bytes(row.old_type, row_length).filter(|_| is_there)?;
        Some((row, input, row_length, matrix, bytes))
    };
    let (row, input, row_length, matrix, bytes) = place()
        .ok_or_else(|| error!(OutOfRange: "there are no {count} rows from row {first} on in tensor {tensor}"))?;
    let file = files[row.shard].clone();
    let start = data_of(files, row)?.start;
    let requested = file.reader().request(start + first * bytes..start + (first + count) * bytes, Merge::Close);
    // A fourth dimension repeats the experts.
    let expert = matrix % input.matrix_count_of_dimension_2().max(1);
    let columns = expert * row_length..(expert + 1) * row_length;
    let imatrix = recipe.importance_of(tensor).map(|imatrix| (imatrix, input.original_name.clone()));
    let (name, old_type, new_type) = (row.name.clone(), row.old_type, row.new_type);
    Ok(async move {
        let importance = match imatrix {
            Some((imatrix, name)) => Some(imatrix.values(&name, columns).await?.into()),
            None => None,
        };
        let rows = requested.bytes().await?;
        Ok(ConversionJob {
            importance,
            owns_rows: file.reader().source().reads_into_new_memory(),
            is_big_endian: file.header().format().endian == Endian::Big,
            measures_error: true,
            tensor: name,
            ..ConversionJob::new(rows, row_length as usize, old_type, new_type)
        })
    })
}
