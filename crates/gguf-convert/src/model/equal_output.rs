//! An output matrix that is the token embedding once more.

use alloc::string::String;
use alloc::vec::Vec;

use super::mapping::MappedTensor;
use super::tensors::content::{Content, Values};
use super::tensors::input::Inputs;
use gguf_format::error::Result;
use gguf_format::io::Source;

/// Elements that are compared at once.
const COMPARED_ELEMENTS: u64 = 256 << 10;

/// Leaves out the output matrix if it equals the token embedding. Reads both, if their shapes are equal.
pub(super) async fn drop_equal_output<S: Source>(
    inputs: &Inputs<S>,
    tensors: &mut Vec<MappedTensor>,
    dropped: &mut Vec<String>,
) -> Result<()> {
    let position = |name: &str| tensors.iter().position(|tensor| tensor.name == name);
    let (Some(output), Some(embedding)) = (position("output.weight"), position("token_embd.weight")) else {
        return Ok(());
    };
    // The reference compares only if it meets the embedding first.
    if embedding > output || tensors[output].shape != tensors[embedding].shape {
        return Ok(());
    }
    let (Content::Values(a), Content::Values(b)) = (&tensors[output].content, &tensors[embedding].content) else {
        return Ok(());
    };
    if is_equal(inputs, a, b, &tensors[output].shape).await? {
        dropped.push(tensors.remove(output).stored_name);
    }
    Ok(())
}

/// Whether two matrices have the same numbers. NaN equals nothing.
async fn is_equal<S: Source>(inputs: &Inputs<S>, a: &Values, b: &Values, shape: &[u64]) -> Result<bool> {
    let [rows, columns] = shape else { return Ok(false) };
    let at_once = (COMPARED_ELEMENTS / columns).max(1);
    let mut row = 0;
    while row < *rows {
        let count = at_once.min(rows - row);
        if a.rows(inputs, *columns, row, count).await? != b.rows(inputs, *columns, row, count).await? {
            return Ok(false);
        }
        row += count;
    }
    Ok(true)
}
