//! The formats of compressed-tensors, besides NVFP4.

use alloc::string::String;

use serde_json::{Map, Value};

use super::fp8::block_size;
use super::weights::{Weights, is_float, wrong};
use crate::model::config::CONFIG;
use crate::model::tensors::encoding::{Encoding, Packed};
use crate::safetensors::DataType;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// How weights are stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CompressedTensors {
    /// A number for each element, with a scale for each row, or for each block of this number of rows and columns.
    Scaled { block: Option<[u64; 2]>, is_fp8: bool },
    /// Integers of a few bits in words, with a scale for each row and each group of columns.
    Packed { bits: u32, group: u64 },
    /// NVFP4, and 8-bit floats beside it.
    Nvfp4,
}

impl CompressedTensors {
    pub fn of(members: &Map<String, Value>) -> Result<Self> {
        let format = members.get("format").and_then(Value::as_str).unwrap_or("?");
        let Some(groups) = members.get("config_groups").and_then(Value::as_object) else {
            return Err(unsupported("without \"config_groups\""));
        };
        if super::nvfp4::is_compressed_tensors(Some("compressed-tensors"), Some(format), Some(groups)) {
            return Ok(Self::Nvfp4);
        }
        if groups.len() > 1 {
            return Err(unsupported("with several groups of layers in \"config_groups\""));
        }
        let Some(weights) = groups.values().next().and_then(|group| group.get("weights")?.as_object()) else {
            return Err(unsupported("without \"weights\" in \"config_groups\""));
        };
        let text = |name: &str| weights.get(name).and_then(Value::as_str);
        let number = |name: &str| weights.get(name).and_then(Value::as_u64);
        let strategy = text("strategy").unwrap_or("?");
        match format {
            "float-quantized" | "int-quantized" | "naive-quantized" => {
                if !matches!(strategy, "channel" | "block") {
                    return Err(unsupported(&format!(
                        "in the format \"{format}\" with the strategy \"{}\": expected channel or block",
                        Shown(strategy.as_bytes())
                    )));
                }
                if weights.get("group_size").is_some_and(|size| !size.is_null()) {
                    return Err(unsupported(&format!("in the format \"{format}\" with a \"group_size\"")));
                }
                let is_fp8 =
                    format == "float-quantized" && text("type") == Some("float") && number("num_bits") == Some(8);
                Ok(Self::Scaled { block: block_size(weights, "block_structure")?, is_fp8 })
            }
            "pack-quantized" => {
                let is_integer = weights.get("type").is_none_or(|found| found == "int");
                let bits = number("num_bits").filter(|bits| (1..=8).contains(bits));
                let group = number("group_size").filter(|group| (1..=1 << 32).contains(group));
                match (strategy, is_integer, bits, group) {
                    ("group", true, Some(bits), Some(group)) => Ok(Self::Packed { bits: bits as u32, group }),
                    _ => Err(unsupported(
                        "in the format \"pack-quantized\" with other settings than the strategy group, the type int, 1 to 8 for \
                         \"num_bits\" and a number above 0 for \"group_size\"",
                    )),
                }
            }
            other => Err(unsupported(&format!(
                "in the format \"{}\": expected float-quantized, int-quantized, naive-quantized, pack-quantized or \
                 nvfp4-pack-quantized",
                Shown(other.as_bytes())
            ))),
        }
    }

    pub fn find(&self, weights: &mut Weights<'_, '_>) -> Result<()> {
        match self {
            Self::Scaled { block, is_fp8 } => find_scaled(weights, *block, *is_fp8),
            Self::Packed { bits, group } => find_packed(weights, *bits, *group),
            Self::Nvfp4 => super::modelopt::find(weights),
        }
    }
}

fn find_scaled(weights: &mut Weights<'_, '_>, block: Option<[u64; 2]>, is_fp8: bool) -> Result<()> {
    for (position, tensor) in weights.remaining() {
        let Some(name) = tensor.name.strip_suffix("_scale").filter(|name| name.ends_with(".weight")) else { continue };
        if !is_float(tensor) {
            return Err(wrong(tensor, "scales are floats"));
        }
        let weight = weights.partner(name, tensor)?;
        weights.scale(weight, position, block, is_fp8)?;
    }
    Ok(())
}

/// Finds matrices whose elements are packed. Their shapes follow from the words and the scales. The stored shapes are
/// compared when the data is read.
fn find_packed(weights: &mut Weights<'_, '_>, bits: u32, group: u64) -> Result<()> {
    let in_word = u64::from(32 / bits);
    for (position, tensor) in weights.remaining() {
        let Some(name) = tensor.name.strip_suffix("_packed").filter(|name| name.ends_with(".weight")) else { continue };
        let partner = |end: &str| weights.partner(&format!("{name}{end}"), tensor);
        let (scales, shape) = (partner("_scale")?, partner("_shape")?);
        let zeros = weights.find(&format!("{name}_zero_point"));
        let stored = |position: usize| weights.stored(position);
        let ([rows, words], DataType::I32) = (&tensor.shape[..], tensor.data_type) else {
            return Err(wrong(tensor, "expected a matrix of I32"));
        };
        let [scale_rows, groups] = stored(scales).shape[..] else {
            return Err(wrong(stored(scales), "expected a matrix"));
        };
        if stored(shape).shape != [2] || !matches!(stored(shape).data_type, DataType::I32 | DataType::I64) {
            return Err(wrong(stored(shape), "expected two numbers of I64, those of rows and columns"));
        }
        let columns = groups.checked_mul(group).filter(|columns| columns.div_ceil(in_word) == *words);
        let Some(columns) = columns.filter(|_| scale_rows == *rows && is_float(stored(scales))) else {
            return Err(wrong(
                stored(scales),
                &format!(
                    "words of shape {:?} with elements of {bits} bits need another shape for groups of {group}",
                    tensor.shape
                ),
            ));
        };
        if let Some(zeros) = zeros.map(stored)
            && (zeros.data_type != DataType::I32 || zeros.shape != [rows.div_ceil(in_word), groups])
        {
            return Err(wrong(zeros, "expected words of I32 with the zero points of all rows and groups"));
        }
        let parts = [scales, shape].into_iter().chain(zeros).chain([position]).collect();
        let encoding = Encoding::Packed(Packed { bits, group, scales, shape, zeros });
        weights.rename(position, name.into(), [*rows, columns], encoding, parts)?;
    }
    Ok(())
}

#[cold]
fn unsupported(what: &str) -> Error {
    error!(UnsupportedModel:
        "the weights are stored by compressed-tensors {what}, as \"quantization_config\" in {CONFIG} says; convert the original model")
}
