//! `quantization_config` and `hf_quant_config.json`: weights that are stored with fewer bits.

mod bitnet;
mod compressed_tensors;
mod fp8;
mod gptq;
mod modelopt;
pub(crate) mod nvfp4;
pub(crate) mod weights;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use self::compressed_tensors::CompressedTensors;
use self::fp8::Fp8;
use self::gptq::Gptq;
use self::nvfp4::{Nvfp4, Settings};
use self::weights::{Weight, Weights};
use super::config::{CONFIG, Config, wrong_type};
use super::files::SmallFiles;
use super::tensors::input::Input;
use crate::safetensors::StoredTensor;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// `general.file_type` of a model whose experts are MXFP4.
const MXFP4_FILE_TYPE: u32 = 38;

/// `general.file_type` of a model with NVFP4.
const NVFP4_FILE_TYPE: u32 = 39;

/// How weights are stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantization {
    method: Method,
    /// How NVFP4 is stored, if some weights are.
    pub nvfp4: Option<Nvfp4>,
}

/// The program that stored the weights.
#[derive(Clone, Debug, PartialEq)]
enum Method {
    /// Weights are numbers.
    None,
    Fp8(Fp8),
    /// Some weights are blocks of MXFP4. The rules of the family know them.
    Mxfp4,
    Gptq(Gptq),
    CompressedTensors(CompressedTensors),
    ModelOpt,
    BitNet,
}

impl Quantization {
    /// Weights are numbers.
    pub const NONE: Self = Self { method: Method::None, nvfp4: None };

    /// What the configuration says, and the files beside it.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if the method cannot be converted, `bad-json` if a member has a value that it cannot have.
    pub fn of(config: &Config, files: &SmallFiles) -> Result<Self> {
        let empty = Map::new();
        let members = match config.get("quantization_config").filter(|value| !value.is_null()) {
            None => &empty,
            Some(Value::Object(members)) => members,
            Some(other) => return Err(wrong_type("quantization_config", other, "an object")),
        };
        if let Some(other) = members.get("quant_method").filter(|method| !method.is_string() && !method.is_null()) {
            return Err(wrong_type("quant_method", other, "a text"));
        }
        let Settings { method, nvfp4 } = Settings::of(members, files)?;
        let method = match method.as_deref() {
            None if members.is_empty() => Method::None,
            None => return Err(unsupported("an unknown method", "convert the original model")),
            Some("fp8") => Method::Fp8(Fp8::of(members)?),
            Some("mxfp4") => Method::Mxfp4,
            Some("gptq") => Method::Gptq(Gptq::of(members)?),
            Some("compressed-tensors") => Method::CompressedTensors(CompressedTensors::of(members)?),
            Some("modelopt") => Method::ModelOpt,
            Some("bitnet") => Method::BitNet,
            Some(method) => {
                let advice =
                    REFUSED.iter().find(|(name, _)| method.contains(name)).map_or(OTHER_FILES, |(_, advice)| advice);
                return Err(unsupported(&format!("the method \"{}\"", Shown(method.as_bytes())), advice));
            }
        };
        Ok(Self { method, nvfp4 })
    }

    /// `general.file_type`, if stored blocks give the file its type.
    pub fn file_type(&self) -> Option<u32> {
        match (&self.method, &self.nvfp4) {
            (_, Some(_)) => Some(NVFP4_FILE_TYPE),
            (Method::Mxfp4, None) => Some(MXFP4_FILE_TYPE),
            _ => None,
        }
    }

    /// Finds the weights among the stored tensors. Sets how the elements of inputs are stored.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if a tensor is missing that belongs to a weight. `bad-safetensors` if its type or shape does not fit.
    pub fn weights<'a>(
        &self,
        stored: &'a [(usize, &'a StoredTensor)],
        positions: &BTreeMap<&'a str, usize>,
        inputs: &mut [Input],
    ) -> Result<Vec<Weight<'a>>> {
        let mut weights = Weights::new(stored, positions, inputs);
        if let Some(nvfp4) = &self.nvfp4 {
            nvfp4.find(&mut weights)?;
            // As in the reference, nothing else is done then.
            let mut names = weights.remaining().into_iter().map(|(_, tensor)| tensor.name.as_str());
            if !names.any(|name| name.ends_with(".weight_scale") || name.ends_with(".weight_scale_inv")) {
                return Ok(weights.finish());
            }
        }
        match &self.method {
            Method::None | Method::Mxfp4 => {}
            Method::Fp8(fp8) => fp8.find(&mut weights)?,
            Method::Gptq(gptq) => gptq.find(&mut weights)?,
            Method::CompressedTensors(method) => method.find(&mut weights)?,
            Method::ModelOpt => modelopt::find(&mut weights)?,
            Method::BitNet => bitnet::find(&mut weights)?,
        }
        Ok(weights.finish())
    }
}

/// What to do if a method is not known.
const OTHER_FILES: &str =
    "convert the original model, or files of it that are stored as BF16, F16, FP8, GPTQ or compressed-tensors";

/// Methods that the reference refuses, too, by parts of their names, and what to do.
const REFUSED: &[(&str, &str)] = &[
    (
        "awq",
        "its groups of 4 bits have no converter: download the original model, or the files of it that are stored by GPTQ",
    ),
    (
        "bitsandbytes",
        "its 4-bit and 8-bit blocks have no converter: download the model that \"base_model\" in README.md names, whose weights are BF16 or \
         F16",
    ),
];

#[cold]
fn unsupported(method: &str, advice: &str) -> Error {
    error!(UnsupportedModel:
        "the weights are stored by {method}, as \"quantization_config\" in {CONFIG} says: expected fp8, mxfp4, gptq, compressed-tensors, \
         modelopt or bitnet; {advice}")
}
