//! The weights of a model, among its stored tensors.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::model::tensors::content::Factor;
use crate::model::tensors::encoding::{Encoding, Scale};
use crate::model::tensors::input::Input;
use crate::safetensors::{DataType, StoredTensor};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The most elements of a matrix, so that sizes in bytes do not overflow.
const MOST_ELEMENTS: u64 = 1 << 56;

/// A weight: a stored tensor, or what several stored tensors mean together.
#[derive(Clone, Debug)]
pub(crate) struct Weight<'a> {
    /// The position of the input that has the elements.
    pub position: usize,
    /// The name, the shape and the type of the elements.
    pub tensor: Cow<'a, StoredTensor>,
    /// The positions of the stored tensors that belong to it.
    pub parts: Vec<usize>,
    /// The factors of a matrix of NVFP4, which the new file stores beside it: of the elements, and of the input.
    pub factors: Option<[Factor; 2]>,
}

/// The stored tensors of a model while a method finds the weights among them.
pub(super) struct Weights<'a, 'i> {
    stored: &'a [(usize, &'a StoredTensor)],
    positions: &'i BTreeMap<&'a str, usize>,
    pub inputs: &'i mut [Input],
    /// What each stored tensor is. `None`: a part of a weight, or of no use.
    of_stored: Vec<Option<Weight<'a>>>,
    /// Weights under new names, which come after all others.
    new: Vec<Weight<'a>>,
}

impl<'a, 'i> Weights<'a, 'i> {
    pub fn new(
        stored: &'a [(usize, &'a StoredTensor)],
        positions: &'i BTreeMap<&'a str, usize>,
        inputs: &'i mut [Input],
    ) -> Self {
        let of_stored = stored.iter().enumerate().map(|(position, (_, tensor))| {
            Some(Weight { position, tensor: Cow::Borrowed(*tensor), parts: Vec::new(), factors: None })
        });
        Self { stored, positions, inputs, of_stored: of_stored.collect(), new: Vec::new() }
    }

    /// The weights, in order.
    pub fn finish(self) -> Vec<Weight<'a>> {
        self.of_stored.into_iter().flatten().chain(self.new).collect()
    }

    /// The stored tensors that are not parts of weights, with their positions.
    pub fn remaining(&self) -> Vec<(usize, &'a StoredTensor)> {
        let stored = self.stored.iter().enumerate().zip(&self.of_stored);
        stored.filter(|(_, weight)| weight.is_some()).map(|((position, (_, tensor)), _)| (position, *tensor)).collect()
    }

    pub fn stored(&self, position: usize) -> &'a StoredTensor {
        self.stored[position].1
    }

    /// The position of a stored tensor.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// The position of a stored tensor that belongs to another one.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if the model does not have it.
    pub fn partner(&self, name: &str, of: &StoredTensor) -> Result<usize> {
        self.find(name).ok_or_else(|| {
            error!(IncompleteModel:
                "the model has no tensor \"{}\", which belongs to \"{}\"; download all files of the model",
                Shown(name.as_bytes()), Shown(of.name.as_bytes()))
            .at(of.range.start)
        })
    }

    /// Leaves out a stored tensor.
    pub fn leave_out(&mut self, position: usize) {
        self.of_stored[position] = None;
    }

    /// A stored tensor becomes a matrix of another shape and encoding, with `parts` as its parts.
    pub fn replace(&mut self, position: usize, shape: [u64; 2], encoding: Encoding, parts: Vec<usize>) -> Result<()> {
        let name = self.stored(position).name.clone();
        let weight = self.made(position, name, shape, encoding, parts)?;
        self.of_stored[position] = Some(weight);
        Ok(())
    }

    /// A stored tensor becomes a matrix under another name, with `parts` as its parts.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if the model has the name already.
    pub fn rename(
        &mut self,
        position: usize,
        name: String,
        shape: [u64; 2],
        encoding: Encoding,
        parts: Vec<usize>,
    ) -> Result<()> {
        if self.find(&name).is_some() {
            return Err(wrong(self.stored(position), "the model has the same weight a second time, as plain numbers"));
        }
        let weight = self.made(position, name, shape, encoding, parts)?;
        self.of_stored[position] = None;
        self.new.push(weight);
        Ok(())
    }

    fn made(
        &mut self,
        position: usize,
        name: String,
        shape: [u64; 2],
        encoding: Encoding,
        parts: Vec<usize>,
    ) -> Result<Weight<'a>> {
        let stored = self.stored(position);
        let count = shape[0].checked_mul(shape[1]).filter(|count| (1..=MOST_ELEMENTS).contains(count));
        if count.is_none() {
            return Err(wrong(stored, "it has no elements, or too many"));
        }
        parts.iter().for_each(|part| self.leave_out(*part));
        let input = &mut self.inputs[position];
        input.shape = shape.to_vec();
        input.encoding = encoding;
        let tensor = StoredTensor { name, data_type: DataType::F32, shape: shape.to_vec(), ..stored.clone() };
        Ok(Weight { position, tensor: Cow::Owned(tensor), parts, factors: None })
    }

    /// The weight of a stored tensor that was last replaced or renamed.
    pub fn set_factors(&mut self, position: usize, factors: [Factor; 2]) {
        let weight = self.of_stored[position].as_mut().or(self.new.last_mut());
        if let Some(weight) = weight {
            weight.factors = Some(factors);
        }
    }

    /// The elements of a stored tensor are multiplied with scales. `block` is the number of rows and columns of a block, if it is known.
    ///
    /// # Errors
    ///
    /// `bad-safetensors` if the shape of the scales does not fit.
    pub fn scale(&mut self, position: usize, scales: usize, block: Option<[u64; 2]>, is_fp8: bool) -> Result<()> {
        let (shape, stored) = (&self.inputs[position].shape, self.stored(scales));
        if !matches!(self.inputs[position].encoding, Encoding::Plain) {
            return Err(wrong(stored, "its weight has other scales already"));
        }
        let Some(block) = fitting_block(block, shape, &stored.shape) else {
            return Err(error!(BadSafetensors:
                "the scales \"{}\" have the shape {:?}, which does not fit weights of shape {shape:?}; check \"quantization_config\" in \
                 config.json, and that all files belong to the model", Shown(stored.name.as_bytes()), stored.shape)
            .at(stored.range.start));
        };
        self.inputs[position].encoding = Encoding::Scaled(Scale { input: scales, block, is_fp8 });
        self.leave_out(scales);
        if let Some(weight) = &mut self.of_stored[position] {
            weight.parts.push(scales);
        }
        Ok(())
    }
}

/// The size of a block, if the shape of the scales fits it. Without a size, there is one scale for each row or each matrix.
fn fitting_block(block: Option<[u64; 2]>, shape: &[u64], scales: &[u64]) -> Option<[u64; 2]> {
    let [before @ .., rows, columns] = shape else { return None };
    let with = |last: [u64; 2]| [before, &last].concat();
    if let Some([block_rows, block_columns]) = block {
        let fits = scales == with([rows.div_ceil(block_rows), columns.div_ceil(block_columns)]);
        return fits.then_some([block_rows, block_columns]);
    }
    // Missing dimensions at the end have the length 1.
    let mut scales = scales.to_vec();
    scales.resize(scales.len().max(shape.len()), 1);
    if scales == with([1, 1]) {
        return Some([*rows, *columns]);
    }
    (scales == with([*rows, 1])).then_some([1, *columns])
}

/// The error of a stored tensor that is not as its method says.
#[cold]
pub(super) fn wrong(stored: &StoredTensor, problem: &str) -> Error {
    error!(BadSafetensors:
        "the tensor \"{}\" of type {} and shape {:?} cannot be read: {problem}; check \"quantization_config\" in config.json, and that all \
         files belong to the model", Shown(stored.name.as_bytes()), stored.data_type, stored.shape)
    .at(stored.range.start)
}

/// Whether elements are floats of at least 16 bits.
pub(super) fn is_float(tensor: &StoredTensor) -> bool {
    matches!(tensor.data_type, DataType::F16 | DataType::BF16 | DataType::F32)
}

#[cfg(test)]
mod tests {
    use super::fitting_block;

    #[test]
    fn scales_fit_blocks_rows_or_matrices() {
        for (block, shape, scales, expected) in [
            (Some([2, 3]), &[4, 7][..], &[2, 3][..], Some([2, 3])),
            (Some([2, 3]), &[4, 7], &[2, 2], None),
            (Some([2, 3]), &[5, 4, 7], &[5, 2, 3], Some([2, 3])),
            (None, &[4, 7], &[], Some([4, 7])),
            (None, &[4, 7], &[1], Some([4, 7])),
            (None, &[4, 7], &[1, 1], Some([4, 7])),
            (None, &[4, 7], &[4], Some([1, 7])),
            (None, &[4, 7], &[4, 1], Some([1, 7])),
            (None, &[4, 7], &[7], None),
            (None, &[4, 7], &[1, 7], None),
            (None, &[4, 7], &[4, 1, 1], None),
            (None, &[5, 4, 7], &[5], Some([4, 7])),
            (None, &[5, 4, 7], &[5, 4], Some([1, 7])),
            (None, &[5, 4, 7], &[1], None),
            (None, &[7], &[1], None),
        ] {
            assert_eq!(fitting_block(block, shape, scales), expected, "{block:?} {shape:?} {scales:?}");
        }
    }
}
