//! The data of a new tensor.

use alloc::vec::Vec;

use super::input::{Inputs, floats, rows_at_once};
use super::nvfp4;
use super::view::{Order, View};
use gguf_format::error::Result;
use gguf_format::io::Source;

/// What the data of a new tensor is made of.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// The elements of stored tensors.
    Values(Values),
    /// The bytes of a stored tensor.
    Stored(View),
    /// Numbers that are computed from the configuration.
    Constants(Vec<f32>),
    /// Blocks of MXFP4, whose halves are stored in another order. `blocks` has 16 bytes for each block, `scales` has one.
    Mxfp4 { blocks: View, scales: View },
    /// Blocks of NVFP4, whose elements are stored in another order.
    Nvfp4(Values),
    /// Numbers that are stored, one for each.
    Factors(Vec<Factor>),
}

/// A stored number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factor {
    /// The position of the stored tensor, which has one element. `None`: the number is 1.
    pub input: Option<usize>,
    /// Whether the reciprocal is meant.
    pub is_inverse: bool,
}

/// Elements of stored tensors. If the new tensor has more rows than the views, these are 0.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// The views, one after the other.
    pub views: Vec<View>,
    pub operation: Operation,
}

/// What is done with each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// It stays as it is.
    Keep,
    /// 1 is added.
    AddOne,
    /// x becomes -exp(x).
    NegativeExponential,
    /// x becomes ln(1 + exp(x)).
    Softplus,
}

impl Operation {
    /// Applies the operation. Halves are rounded to halves after it, as torch computes.
    fn apply(self, elements: &mut [f32], is_half: bool) {
        let change: fn(f32) -> f32 = match self {
            Self::Keep => return,
            Self::AddOne => |x| x + 1.0,
            // The exact result, rounded once.
            Self::NegativeExponential => |x| -(libm::exp(f64::from(x)) as f32),
            // torch leaves large numbers as they are.
            Self::Softplus => |x| if x > 20.0 { x } else { libm::log1p(libm::exp(f64::from(x))) as f32 },
        };
        for element in elements {
            *element = change(*element);
            if is_half {
                *element = half::f16::from_f32(*element).to_f32();
            }
        }
    }
}

impl Values {
    /// The view that has a row, and the row's number in it.
    fn view_of(&self, row_length: u64, mut row: u64) -> (&View, u64, u64) {
        let mut last = None;
        for view in &self.views {
            let rows = view.element_count() / row_length;
            if row < rows {
                return (view, row, rows - row);
            }
            row -= rows;
            last = Some(view);
        }
        (last.expect("a tensor has a view"), row, 0)
    }

    /// The number of rows that are best computed together with a row: the range of rows, if the stored matrix is transposed.
    pub fn window<S: Source>(
        &self,
        inputs: &Inputs<S>,
        row_length: u64,
        row: u64,
        most_elements: u64,
    ) -> Option<core::ops::Range<u64>> {
        let (view, first, rest) = self.view_of(row_length, row);
        if inputs.list[view.input].encoding.is_transposed() {
            let at_once = (most_elements / row_length).max(1);
            let start = row - first % at_once;
            return Some(start..(start + at_once).min(row + rest));
        }
        let Order::Transposed { rows } = view.order(row_length) else { return None };
        let at_once = (most_elements / row_length).clamp(1, rows);
        let start = first % rows / at_once * at_once;
        let start_row = row - first % rows + start;
        Some(start_row..start_row + at_once.min(rows - start))
    }

    /// The elements of some rows.
    pub async fn rows<S: Source>(
        &self,
        inputs: &Inputs<S>,
        row_length: u64,
        first_row: u64,
        row_count: u64,
    ) -> Result<Vec<f32>> {
        let mut elements = Vec::new();
        let (mut row, end) = (first_row, first_row + row_count);
        while row < end {
            let (view, first, rest) = self.view_of(row_length, row);
            if rest == 0 {
                elements.resize(elements.len() + ((end - row) * row_length) as usize, 0.0);
                break;
            }
            let count = rest.min(end - row).min(rows_at_once(view, row_length, first));
            let mut part = inputs.elements(view, row_length, first, count).await?;
            let is_half = inputs.list[view.input].is_half();
            for factor in view.factors {
                multiply(&mut part, factor, is_half);
            }
            self.operation.apply(&mut part, is_half);
            row += count;
            if elements.is_empty() && row == end {
                return Ok(part);
            }
            if elements.is_empty() {
                elements = floats(0)?;
                elements
                    .try_reserve_exact((row_count * row_length) as usize)
                    .map_err(|_| no_memory(row_count, row_length))?;
            }
            elements.extend_from_slice(&part);
        }
        Ok(elements)
    }
}

/// The blocks of NVFP4 of some rows.
pub(crate) async fn nvfp4_rows<S: Source>(
    inputs: &Inputs<S>,
    values: &Values,
    row_length: u64,
    first_row: u64,
    row_count: u64,
) -> Result<Vec<u8>> {
    let mut blocks = Vec::new();
    let (mut row, end) = (first_row, first_row + row_count);
    while row < end {
        let (view, first, rest) = values.view_of(row_length, row);
        let count = rest.min(end - row);
        let part = nvfp4::view_rows(inputs, view, row_length, first, count).await?;
        row += count;
        if blocks.is_empty() && row == end {
            return Ok(part);
        }
        blocks.extend_from_slice(&part);
    }
    Ok(blocks)
}

/// Multiplies elements. Halves are rounded to halves after it.
fn multiply(elements: &mut [f32], factor: f32, is_half: bool) {
    if factor == 1.0 {
        return;
    }
    for element in elements {
        *element *= factor;
        if is_half {
            *element = half::f16::from_f32(*element).to_f32();
        }
    }
}

fn no_memory(rows: u64, row_length: u64) -> gguf_format::error::Error {
    gguf_format::error::no_memory(rows.saturating_mul(row_length).saturating_mul(4))
}

/// The blocks of MXFP4 of some rows as GGUF stores them: the scale, then byte i with the elements i and i + 16. The stored byte i
/// has the elements 2i and 2i + 1, the first in the lower half.
pub(crate) async fn mxfp4_rows<S: Source>(
    inputs: &Inputs<S>,
    blocks: &View,
    scales: &View,
    blocks_per_row: u64,
    first_row: u64,
    row_count: u64,
) -> Result<Vec<u8>> {
    let stored = inputs.bytes(blocks, blocks_per_row * 16, first_row, row_count).await?;
    let scales = inputs.bytes(scales, blocks_per_row, first_row, row_count).await?;
    let mut target = gguf_format::io::memory::zeros(scales.len() as u64 * 17)?;
    for ((block, scale), target) in stored.as_chunks().0.iter().zip(&scales).zip(target.as_chunks_mut().0) {
        *target = mxfp4_block(block, *scale);
    }
    Ok(target)
}

fn mxfp4_block(stored: &[u8; 16], scale: u8) -> [u8; 17] {
    let element = |i: usize| stored[i / 2] >> (i % 2 * 4) & 15;
    let mut block = [scale; 17];
    for (i, byte) in block[1..].iter_mut().enumerate() {
        *byte = element(i) | element(i + 16) << 4;
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_elements() {
        let stored: [u8; 16] = core::array::from_fn(|i| (2 * i) as u8 & 15 | ((2 * i + 1) as u8 & 15) << 4);
        let block = mxfp4_block(&stored, 0x7f);
        assert_eq!(block[0], 0x7f);
        for (i, byte) in block[1..].iter().enumerate() {
            assert_eq!((byte & 15, byte >> 4), (i as u8, i as u8), "elements {i} and {}", i + 16);
        }
    }

    #[test]
    fn halves_are_rounded_after_each_operation() {
        let mut elements = [0.0001_f32];
        Operation::AddOne.apply(&mut elements, true);
        assert_eq!(elements, [1.0]);
        Operation::NegativeExponential.apply(&mut elements, false);
        assert_eq!(elements, [-core::f32::consts::E]);
    }
}
