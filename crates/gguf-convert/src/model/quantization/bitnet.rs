//! BitNet: weights that are -1, 0 or 1, with one scale.

use super::weights::{Weights, is_float, wrong};
use crate::model::tensors::encoding::Encoding;
use crate::safetensors::DataType;
use gguf_format::error::Result;

pub(super) fn find(weights: &mut Weights<'_, '_>) -> Result<()> {
    for (scale, tensor) in weights.remaining() {
        let Some(name) = tensor.name.strip_suffix("_scale").filter(|name| name.ends_with(".weight")) else { continue };
        let position = weights.partner(name, tensor)?;
        let stored = weights.stored(position);
        let (&[packed, columns], DataType::U8 | DataType::I8) = (&stored.shape[..], stored.data_type) else {
            return Err(wrong(stored, "expected a matrix of bytes with four elements each"));
        };
        if tensor.element_count() != 1 || tensor.shape.len() > 2 || !is_float(tensor) {
            return Err(wrong(tensor, "expected one float for the matrix"));
        }
        let Some(rows) = packed.checked_mul(4) else { return Err(wrong(stored, "it is too large")) };
        weights.replace(position, [rows, columns], Encoding::Ternary { scale }, [scale].to_vec())?;
    }
    Ok(())
}
