//! 8-bit floats with scales.

use alloc::string::String;

use serde_json::{Map, Value};

use super::weights::{Weights, is_float, wrong};
use crate::model::config::wrong_type;
use gguf_format::error::Result;

/// Endings of tensors that are used with 8-bit activations only.
const ACTIVATION_SCALES: &[&str] = &[".activation_scale", "_activation_scale", ".qscale_act"];

/// The endings of the names of scales, and what stands there in the names of their weights.
const SCALES: &[(&str, &str)] = &[("_scale_inv", ""), (".qscale_weight", ".weight")];

/// 8-bit floats, with a scale for each block of this number of rows and columns. `None`: a scale for a matrix or for each row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fp8 {
    block: Option<[u64; 2]>,
}

impl Fp8 {
    pub fn of(members: &Map<String, Value>) -> Result<Self> {
        Ok(Self { block: block_size(members, "weight_block_size")? })
    }

    pub fn find(&self, weights: &mut Weights<'_, '_>) -> Result<()> {
        for (position, tensor) in weights.remaining() {
            if ACTIVATION_SCALES.iter().any(|end| tensor.name.ends_with(end)) {
                weights.leave_out(position);
            }
            let found = SCALES.iter().find_map(|(end, new)| Some(format!("{}{new}", tensor.name.strip_suffix(end)?)));
            let Some(name) = found else { continue };
            let weight = weights.partner(&name, tensor)?;
            if !is_float(tensor) {
                return Err(wrong(tensor, "scales are floats"));
            }
            weights.scale(weight, position, self.block, true)?;
        }
        Ok(())
    }
}

/// The size of a block: a list of two numbers. `None` if it is missing.
pub(super) fn block_size(members: &Map<String, Value>, name: &str) -> Result<Option<[u64; 2]>> {
    let Some(value) = members.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
    let list = value.as_array().filter(|list| list.len() == 2);
    let size = |i: usize| list?.get(i)?.as_u64().filter(|size| *size > 0 && *size <= 1 << 32);
    match (size(0), size(1)) {
        (Some(rows), Some(columns)) => Ok(Some([rows, columns])),
        _ => Err(wrong_type(name, value, "a list of two whole numbers above 0")),
    }
}
