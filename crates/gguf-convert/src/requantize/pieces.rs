//! The pieces in which the tensors of a file are converted.

use core::ops::Range;

use super::row::RecipeRow;
use super::target_type::{block_size, row_bytes};

/// Some rows of one matrix of a tensor, or some blocks of a tensor that is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The row of the recipe.
    pub row: usize,
    /// The bytes, from the start of the tensor's data.
    pub range: Range<u64>,
    /// The matrix, from 0 on. 0 if the tensor is copied.
    pub matrix: u64,
    /// The number of bytes of the new file.
    pub new_byte_length: u64,
    /// Whether the tensor ends with this piece.
    pub is_last: bool,
}

/// The pieces of a tensor. Each has about `elements` elements, and at least one row or block.
pub(super) fn pieces_of(row_index: usize, row: &RecipeRow, elements: u64) -> impl Iterator<Item = Piece> + use<> {
    let row_length = row.dimensions.first().copied().unwrap_or(1);
    let is_copied = row.is_copied();
    // A unit is what a piece has a whole number of: rows that are converted, or blocks that are copied.
    let unit_elements = if is_copied { block_size(row.old_type) } else { row_length };
    let unit = row_bytes(row.old_type, unit_elements).unwrap_or(1).max(1);
    let new_unit = row_bytes(row.new_type, unit_elements).unwrap_or(1);
    let units = row.old_byte_length / unit;
    let in_matrix = if is_copied { units } else { row.dimensions.get(1).copied().unwrap_or(1) };
    let in_piece = (elements / unit_elements.max(1)).max(1);
    let (mut position, mut is_first) = (0, true);
    core::iter::from_fn(move || {
        if position >= units && !is_first {
            return None;
        }
        is_first = false;
        let matrix = if is_copied { 0 } else { position / in_matrix.max(1) };
        let end = units.min(position + in_piece);
        let end = if is_copied { end } else { end.min((matrix + 1) * in_matrix) };
        let piece = Piece {
            row: row_index,
            range: position * unit..end * unit,
            matrix,
            new_byte_length: (end - position) * new_unit,
            is_last: end >= units,
        };
        position = end;
        Some(piece)
    })
}
