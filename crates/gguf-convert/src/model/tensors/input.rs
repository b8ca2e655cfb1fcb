//! The stored tensors that are read.

use alloc::vec::Vec;
use core::ops::Range;

use super::encoding::{Encoding, Scale};
use super::view::{Order, Run, View};
use crate::safetensors::{DataType, SafetensorsModel};
use gguf_format::error::{Result, error};
use gguf_format::io::memory::zeros;
use gguf_format::io::{Buffer, Source};
use gguf_format::order::sort_by;
use gguf_format::tensor::kernels;

/// The largest gap between two runs that are read together, in bytes: fewer than arrive in a round trip.
const MAX_GAP: u64 = 64 << 10;

/// The most bytes that are read at once, unless one run has more.
const MAX_READ: u64 = 4 << 20;

/// A stored tensor.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The position of the file among the parts of the model.
    pub part: usize,
    /// The place of the data in the file.
    pub range: Range<u64>,
    pub data_type: DataType,
    /// The number of elements in each dimension, slowest first.
    pub shape: Vec<u64>,
    /// How the elements follow from the stored numbers.
    pub encoding: Encoding,
}

impl Input {
    /// Whether the elements are halves. Integers, bytes and computed elements are `f32`s, as in the reference.
    pub fn is_half(&self) -> bool {
        self.data_type == DataType::F16 && matches!(self.encoding, Encoding::Plain)
    }

    /// The size of an element in bytes.
    fn element_size(&self) -> u64 {
        self.data_type.bits() / 8
    }
}

/// Whether the elements of a type can be converted to numbers.
pub(crate) fn is_readable(data_type: DataType) -> bool {
    use DataType::{Bool, F8_E4M3, F8_E5M2, U8};
    matches!(data_type, Bool | U8 | F8_E4M3 | F8_E5M2) || data_type.ggml_type().is_some()
}

/// Converts elements to `f32`.
pub(crate) fn to_f32(data_type: DataType, bytes: &[u8], elements: &mut [f32]) -> Result<()> {
    let each = |elements: &mut [f32], convert: fn(u8) -> f32| {
        for (element, byte) in elements.iter_mut().zip(bytes) {
            *element = convert(*byte);
        }
    };
    match data_type {
        DataType::Bool => each(elements, |byte| f32::from(u8::from(byte != 0))),
        DataType::U8 => each(elements, f32::from),
        DataType::F8_E4M3 => each(elements, e4m3),
        DataType::F8_E5M2 => each(elements, |byte| half::f16::from_bits(u16::from(byte) << 8).to_f32()),
        _ => match data_type.ggml_type().and_then(kernels) {
            Some(kernels) => (kernels.to_f32)(bytes, elements),
            None => return Err(error!(UnsupportedModel: "elements of the type {data_type} cannot be converted")),
        },
    }
    Ok(())
}

/// A float with 4 bits of exponent and 3 of mantissa. It has no infinities; 0x7f and 0xff are NaN.
fn e4m3(byte: u8) -> f32 {
    let (exponent, mantissa) = (byte >> 3 & 15, byte & 7);
    let size = match (exponent, mantissa) {
        (15, 7) => f32::NAN,
        (0, _) => f32::from(mantissa) / 512.0,
        _ => f32::from_bits((u32::from(exponent) + 127 - 7) << 23 | u32::from(mantissa) << 20),
    };
    if byte >> 7 == 0 { size } else { -size }
}

/// The stored tensors of a model.
pub(crate) struct Inputs<S: Source> {
    pub model: SafetensorsModel<S>,
    pub list: Vec<Input>,
}

impl<S: Source> Inputs<S> {
    /// The elements of some rows of a view. If the view is [transposed](Order::Transposed), the rows are within one matrix.
    pub async fn elements(&self, view: &View, row_length: u64, first_row: u64, row_count: u64) -> Result<Vec<f32>> {
        let input = &self.list[view.input];
        let runs = view.runs(row_length, first_row, row_count);
        let mut elements = floats(row_count * row_length)?;
        match &input.encoding {
            Encoding::Plain => self.stored_numbers(input, &runs, &mut elements).await?,
            Encoding::Scaled(scale) => {
                self.stored_numbers(input, &runs, &mut elements).await?;
                self.multiply(input, scale, &runs, &mut elements).await?;
            }
            _ => self.unpacked(input, &runs, &mut elements).await?,
        }
        Ok(elements)
    }

    /// The bytes of some rows of a view.
    pub async fn bytes(&self, view: &View, row_length: u64, first_row: u64, row_count: u64) -> Result<Vec<u8>> {
        let runs = view.runs(row_length, first_row, row_count);
        self.gather(&self.list[view.input], &runs, row_count * row_length).await
    }

    async fn stored_numbers(&self, input: &Input, runs: &[Run], elements: &mut [f32]) -> Result<()> {
        let bytes = self.gather(input, runs, elements.len() as u64).await?;
        to_f32(input.data_type, &bytes, elements)
    }

    /// Reads runs, and puts their elements into their places. The runs are in the order of their starts.
    pub(super) async fn gather(&self, input: &Input, mut runs: &[Run], element_count: u64) -> Result<Vec<u8>> {
        let size = input.element_size();
        let mut target = zeros(element_count * size)?;
        let file = &self.model.parts()[input.part];
        while let Some(first) = runs.first() {
            let mut end = first.end();
            let mut count = 1;
            for run in &runs[1..] {
                let new_end = end.max(run.end());
                let gap = run.start.saturating_sub(end) * size;
                if gap > MAX_GAP || (new_end - first.start) * size > MAX_READ {
                    break;
                }
                end = new_end;
                count += 1;
            }
            let start = input.range.start + first.start * size;
            let bytes = file.read(start..input.range.start + end * size).await?;
            let mut span = zeros(bytes.len())?;
            bytes.copy_to(&mut span)?;
            for run in &runs[..count] {
                scatter(&span[((run.start - first.start) * size) as usize..], run, size as usize, &mut target);
            }
            runs = &runs[count..];
        }
        Ok(target)
    }

    /// The numbers of stored tensors of one element each. Tensors that lie side by side are read together.
    pub async fn single_numbers(&self, positions: &[usize]) -> Result<Vec<f32>> {
        let mut order: Vec<usize> = (0..positions.len()).collect();
        let place = |index: usize| {
            let input = &self.list[positions[index]];
            (input.part, input.range.start)
        };
        sort_by(&mut order, &|a, b| place(a).cmp(&place(b)));
        let mut numbers = floats(positions.len() as u64)?;
        let mut rest = &order[..];
        while let Some(first) = rest.first() {
            let (part, start) = place(*first);
            let end_of = |index: usize| self.list[positions[index]].range.end;
            let mut end = end_of(*first);
            let mut count = 1;
            for index in &rest[1..] {
                let (other, next) = place(*index);
                if other != part || next.saturating_sub(end) > MAX_GAP || end_of(*index) - start > MAX_READ {
                    break;
                }
                end = end_of(*index);
                count += 1;
            }
            let read = self.model.parts()[part].read(start..end).await?;
            let mut bytes = zeros(read.len())?;
            read.copy_to(&mut bytes)?;
            for index in &rest[..count] {
                let input = &self.list[positions[*index]];
                let own = (input.range.start - start) as usize..(input.range.end - start) as usize;
                to_f32(input.data_type, &bytes[own], &mut numbers[*index..=*index])?;
            }
            rest = &rest[count..];
        }
        Ok(numbers)
    }

    /// Multiplies elements with their scales.
    async fn multiply(&self, input: &Input, scale: &Scale, runs: &[Run], elements: &mut [f32]) -> Result<()> {
        let [.., rows, columns] = input.shape[..] else { return Ok(()) };
        let (block_rows, block_columns) = (rows.div_ceil(scale.block[0]), columns.div_ceil(scale.block[1]));
        // The row of scales for a row of all matrices together.
        let row_of = |position: u64| {
            let row = position / columns;
            row / rows * block_rows + row % rows / scale.block[0]
        };
        let Some(start) = runs.first().map(|run| row_of(run.start)) else { return Ok(()) };
        let end = runs.iter().map(|run| row_of(run.end() - 1)).max().map_or(start, |last| last + 1);
        let scales = &self.list[scale.input];
        let run = Run {
            start: start * block_columns,
            step: 1,
            length: (end - start) * block_columns,
            target: 0,
            target_step: 1,
        };
        let bytes = self.gather(scales, &[run], run.length).await?;
        let mut values = floats(run.length)?;
        to_f32(scales.data_type, &bytes, &mut values)?;
        for run in runs {
            for i in 0..run.length {
                let position = run.start + i * run.step;
                let value = (row_of(position) - start) * block_columns + position % columns / scale.block[1];
                elements[(run.target + i * run.target_step) as usize] *= values[value as usize];
            }
        }
        Ok(())
    }
}

/// Puts the elements of a run into their places. `bytes` begin with the first one.
fn scatter(bytes: &[u8], run: &Run, size: usize, target: &mut [u8]) {
    if run.step == 1 && run.target_step == 1 {
        let length = run.length as usize * size;
        target[run.target as usize * size..][..length].copy_from_slice(&bytes[..length]);
        return;
    }
    match size {
        1 => scatter_elements::<1>(bytes, run, target),
        2 => scatter_elements::<2>(bytes, run, target),
        4 => scatter_elements::<4>(bytes, run, target),
        _ => scatter_elements::<8>(bytes, run, target),
    }
}

fn scatter_elements<const SIZE: usize>(bytes: &[u8], run: &Run, target: &mut [u8]) {
    let from = bytes.as_chunks::<SIZE>().0.iter().step_by(run.step as usize);
    let to = target.as_chunks_mut::<SIZE>().0[run.target as usize..].iter_mut().step_by(run.target_step as usize);
    for (to, from) in to.zip(from).take(run.length as usize) {
        *to = *from;
    }
}

/// Zeros, if their memory can be allocated.
pub(crate) fn floats(count: u64) -> Result<Vec<f32>> {
    let list = usize::try_from(count).ok().and_then(gguf_format::allocation::list);
    let mut list: Vec<f32> = list.ok_or_else(|| gguf_format::error::no_memory(count.saturating_mul(4)))?;
    list.resize(count as usize, 0.0);
    Ok(list)
}

/// The rows of a view that can be read at once from a row on, and how many rows there are in the unit that they are part of.
pub(crate) fn rows_at_once(view: &View, row_length: u64, first_row: u64) -> u64 {
    match view.order(row_length) {
        Order::Stretches(_) => u64::MAX,
        Order::Transposed { rows } => rows - first_row % rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_floats_are_exact() {
        // The values of the format's definition (OCP 8-bit floating point, revision 1.0).
        for (byte, value) in [
            (0x00, 0.0),
            (0x01, 1.0 / 512.0),
            (0x07, 7.0 / 512.0),
            (0x08, 1.0 / 64.0),
            (0x38, 1.0),
            (0x3c, 1.5),
            (0x7e, 448.0),
            (0xb8, -1.0),
            (0xfe, -448.0),
        ] {
            assert_eq!(e4m3(byte), value, "{byte:#x}");
        }
        assert!(e4m3(0x7f).is_nan() && e4m3(0xff).is_nan());
        assert!(e4m3(0x80).is_sign_negative());
        let mut elements = [0.0; 4];
        to_f32(DataType::F8_E5M2, &[0x3c, 0x7b, 0x01, 0xfc], &mut elements).unwrap();
        assert_eq!(elements, [1.0, 57344.0, 1.0 / 65536.0, f32::NEG_INFINITY]);
    }
}
