//! ModelOpt of NVIDIA, besides NVFP4: a scale for a matrix or for each row.

use super::weights::Weights;
use crate::model::tensors::input::is_readable;
use crate::safetensors::DataType;
use gguf_format::error::Result;

/// Endings of tensors that are used with 8-bit activations and caches only.
const ACTIVATION_SCALES: &[&str] = &[".input_scale", ".k_scale", ".v_scale"];

pub(super) fn find(weights: &mut Weights<'_, '_>) -> Result<()> {
    for (position, tensor) in weights.remaining() {
        if ACTIVATION_SCALES.iter().any(|end| tensor.name.ends_with(end)) {
            weights.leave_out(position);
        }
        let Some(name) = tensor.name.strip_suffix("_scale").filter(|name| name.ends_with(".weight")) else { continue };
        match weights.find(name) {
            Some(weight) => {
                let data_type = weights.stored(weight).data_type;
                let is_fp8 = matches!(data_type, DataType::F8_E4M3 | DataType::F8_E5M2);
                if !is_readable(tensor.data_type) {
                    return Err(super::weights::wrong(tensor, "scales are numbers"));
                }
                weights.scale(weight, position, None, is_fp8)?;
            }
            None => weights.leave_out(position),
        }
    }
    Ok(())
}
