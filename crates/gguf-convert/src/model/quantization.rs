//! `quantization_config`: weights that are stored with fewer bits.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde_json::Value;

use super::config::{CONFIG, Config, wrong_type};
use super::tensors::input::{Input, Scale};
use crate::safetensors::StoredTensor;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

/// How weights are stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Quantization {
    /// As numbers.
    None,
    /// As 8-bit floats, with a scale for each block of this number of rows and columns. `None`: one scale for a matrix.
    Fp8 { block: Option<[u64; 2]> },
    /// Some as blocks of MXFP4.
    Mxfp4,
}

/// Endings of tensors that are used with 8-bit activations only.
const ACTIVATION_SCALES: &[&str] = &[".activation_scale", "_activation_scale"];

impl Quantization {
    /// What the configuration says.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if the method cannot be converted, `bad-json` if a member has a value that it cannot have.
    pub fn of(config: &Config) -> Result<Self> {
        let Some(quantization) = config.get("quantization_config").filter(|value| !value.is_null()) else {
            return Ok(Self::None);
        };
        let Some(members) = quantization.as_object() else {
            return Err(wrong_type("quantization_config", quantization, "an object"));
        };
        match members.get("quant_method") {
            None | Some(Value::Null) if members.is_empty() => Ok(Self::None),
            Some(Value::String(method)) if method == "mxfp4" => Ok(Self::Mxfp4),
            Some(Value::String(method)) if method == "fp8" => {
                Ok(Self::Fp8 { block: block_size(members.get("weight_block_size"))? })
            }
            method => {
                let method = method.and_then(Value::as_str).unwrap_or("?");
                Err(error!(UnsupportedModel:
                    "the weights are stored by the method \"{}\", as \"quantization_config\" in {CONFIG} says: expected fp8 or \
                     mxfp4; convert the original model", Shown(method.as_bytes())))
            }
        }
    }

    /// Finds the scales of weights. Returns which stored tensors are no weights of their own.
    pub fn attach_scales(
        &self,
        stored: &[(usize, &StoredTensor)],
        positions: &BTreeMap<&str, usize>,
        inputs: &mut [Input],
    ) -> Result<Vec<bool>> {
        let mut consumed = vec![false; stored.len()];
        let Self::Fp8 { block } = self else { return Ok(consumed) };
        for (position, (_, tensor)) in stored.iter().enumerate() {
            if ACTIVATION_SCALES.iter().any(|end| tensor.name.ends_with(end)) {
                consumed[position] = true;
            }
            let Some(name) = tensor.name.strip_suffix("_scale_inv") else { continue };
            let Some(weight) = positions.get(name).copied() else {
                return Err(error!(IncompleteModel:
                    "the model has no tensor \"{}\", whose scales are in \"{}\"; download all files of the model",
                    Shown(name.as_bytes()), Shown(tensor.name.as_bytes()))
                .at(tensor.range.start));
            };
            let input = &mut inputs[weight];
            input.scale = Some(Scale { input: position, block: fitting_block(*block, &input.shape, tensor)? });
            consumed[position] = true;
        }
        Ok(consumed)
    }
}

fn block_size(value: Option<&Value>) -> Result<Option<[u64; 2]>> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(None) };
    let list = value.as_array().filter(|list| list.len() == 2);
    let size = |i: usize| list?.get(i)?.as_u64().filter(|size| *size > 0 && *size <= 1 << 32);
    match (size(0), size(1)) {
        (Some(rows), Some(columns)) => Ok(Some([rows, columns])),
        _ => Err(wrong_type("weight_block_size", value, "a list of two whole numbers above 0")),
    }
}

/// The size of a block, if the shape of the scales fits it.
fn fitting_block(block: Option<[u64; 2]>, shape: &[u64], scales: &StoredTensor) -> Result<[u64; 2]> {
    let [before @ .., rows, columns] = shape else {
        return Err(wrong_scales(shape, scales));
    };
    let (block, expected) = match block {
        // One scale for the whole matrix.
        None => ([*rows, *columns], None),
        Some(block) => {
            let mut expected = before.to_vec();
            expected.extend([rows.div_ceil(block[0]), columns.div_ceil(block[1])]);
            (block, Some(expected))
        }
    };
    let fits = match expected {
        Some(expected) => scales.shape == expected,
        None => before.is_empty() && scales.element_count() == 1,
    };
    if fits { Ok(block) } else { Err(wrong_scales(shape, scales)) }
}

#[cold]
fn wrong_scales(shape: &[u64], scales: &StoredTensor) -> gguf_format::error::Error {
    error!(BadSafetensors:
        "the scales \"{}\" have the shape {:?}, which does not fit weights of shape {shape:?}; check \"weight_block_size\" in \
         {CONFIG}", Shown(scales.name.as_bytes()), scales.shape)
    .at(scales.range.start)
}
