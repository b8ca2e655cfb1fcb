//! GPTQ: integers of a few bits, with a scale and a zero point for each row and each group of columns.

use alloc::string::String;

use serde_json::{Map, Value};

use super::weights::{Weights, is_float, wrong};
use crate::model::config::CONFIG;
use crate::model::tensors::encoding::{self, Encoding};
use crate::safetensors::DataType;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

/// The bits of an element that can be read.
const BITS: [u64; 3] = [2, 4, 8];

/// The settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gptq {
    bits: u32,
    /// What is added to each stored zero point: the first version stores them minus one.
    zero_offset: u32,
}

impl Gptq {
    pub fn of(members: &Map<String, Value>) -> Result<Self> {
        let bits = members.get("bits").and_then(Value::as_u64).unwrap_or(0);
        if !BITS.contains(&bits) {
            return Err(error!(UnsupportedModel:
                "the weights are stored by GPTQ with {} bits, as \"quantization_config\" in {CONFIG} says: expected 2, 4 or 8; \
                 convert the original model, or one with 4 or 8 bits",
                members.get("bits").map_or("an unknown number of".into(), |bits| format!("{bits}"))));
        }
        let zero_offset = match members.get("checkpoint_format") {
            None => 1,
            Some(Value::String(format)) if format == "gptq" => 1,
            Some(Value::String(format)) if format == "gptq_v2" => 0,
            Some(other) => {
                return Err(error!(UnsupportedModel:
                    "the weights are stored in the format {} of GPTQ, as \"checkpoint_format\" in {CONFIG} says: expected gptq or \
                     gptq_v2; convert the original model", Shown(format!("{other}").as_bytes())));
            }
        };
        Ok(Self { bits: bits as u32, zero_offset })
    }

    pub fn find(&self, weights: &mut Weights<'_, '_>) -> Result<()> {
        let in_word = u64::from(32 / self.bits);
        for (position, tensor) in weights.remaining() {
            let Some(base) = tensor.name.strip_suffix(".qweight") else { continue };
            let partner = |end: &str| weights.partner(&format!("{base}{end}"), tensor);
            let (groups, scales, zeros) = (partner(".g_idx")?, partner(".scales")?, partner(".qzeros")?);
            let stored = |position: usize| weights.stored(position);
            let [words, rows] = tensor.shape[..] else { return Err(wrong(tensor, "expected a matrix")) };
            let Some(columns) = words.checked_mul(in_word) else { return Err(wrong(tensor, "it is too large")) };
            let is_word = |position: usize| stored(position).data_type == DataType::I32;
            let [group_count, _] = stored(scales).shape[..] else {
                return Err(wrong(stored(scales), "expected a matrix"));
            };
            for (position, fits) in [
                (position, is_word(position) && rows.is_multiple_of(in_word)),
                (groups, is_word(groups) && stored(groups).shape == [columns]),
                (scales, is_float(stored(scales)) && group_count > 0 && stored(scales).shape == [group_count, rows]),
                (zeros, is_word(zeros) && stored(zeros).shape == [group_count, rows / in_word]),
            ] {
                if !fits {
                    let bits = self.bits;
                    return Err(wrong(
                        stored(position),
                        &format!(
                            "{rows} rows of {columns} elements with {bits} bits and {group_count} groups need others"
                        ),
                    ));
                }
            }
            let encoding = encoding::Gptq { bits: self.bits, groups, scales, zeros, zero_offset: self.zero_offset };
            let parts = [groups, scales, zeros, position].to_vec();
            weights.rename(position, format!("{base}.weight"), [rows, columns], Encoding::Gptq(encoding), parts)?;
        }
        Ok(())
    }
}
