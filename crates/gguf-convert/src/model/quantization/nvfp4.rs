//! NVFP4 of ModelOpt and of compressed-tensors.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::weights::{Weights, wrong};
use crate::model::config::{CONFIG, wrong_type};
use crate::model::files::SmallFiles;
use crate::model::tensors::content::Factor;
use crate::model::tensors::encoding::Encoding;
use crate::model::tensors::nvfp4::{BLOCK, GROUP};
use crate::safetensors::{DataType, StoredTensor};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::order::set_of;

/// A file of ModelOpt, which says how weights are stored.
pub(super) const FILE: &str = "hf_quant_config.json";

/// What names of the model of the text have before them, if the model has others.
const LANGUAGE: &str = "language_model.";

/// The algorithm whose activations have 16 bits.
const WITHOUT_ACTIVATIONS: &str = "W4A16_NVFP4";

/// What the configuration and the file of ModelOpt say together.
pub(super) struct Settings {
    /// The method, if both say nothing else about it than the file does.
    pub method: Option<String>,
    /// How NVFP4 is stored. `None` if no weight is.
    pub nvfp4: Option<Nvfp4>,
}

/// How NVFP4 is stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Nvfp4 {
    /// Whether the names are those of compressed-tensors.
    is_compressed_tensors: bool,
    /// The algorithm of the layers that have none of their own.
    algorithm: Option<String>,
    /// The algorithms of layers, by their names.
    layers: BTreeMap<String, Option<String>>,
}

impl Settings {
    /// What `quantization_config` says, and the file of ModelOpt.
    ///
    /// # Errors
    ///
    /// `bad-json` if a member has a value that it cannot have.
    pub fn of(config: &Map<String, Value>, files: &SmallFiles) -> Result<Self> {
        let text = |name: &str| config.get(name).and_then(Value::as_str).map(String::from);
        let object = |name: &str| config.get(name).and_then(Value::as_object).filter(|members| !members.is_empty());
        let mut method = text("quant_method");
        // As the reference has it, the file may change which method NVFP4 is looked for in, but not the method.
        let (mut own_method, mut format, mut algorithm) = (method.clone(), text("format"), text("quant_algo"));
        let (mut groups, mut layers) = (object("config_groups"), object("quantized_layers"));
        let file = match algorithm.as_deref().is_none_or(str::is_empty) || layers.is_none() {
            true => files.json(FILE)?,
            false => None,
        };
        let of_file = file.as_deref().and_then(|file| file.get("quantization")).and_then(Value::as_object);
        if let Some(file) = file.as_deref() {
            if method.is_none() {
                let producer = file.get("producer").and_then(|producer| producer.get("name")?.as_str());
                method = Some(producer.unwrap_or_default().to_ascii_lowercase());
                own_method = method.clone();
            }
            let text = |name: &str, old: Option<String>| match of_file.and_then(|members| members.get(name)) {
                None => Ok(old),
                Some(Value::Null) => Ok(None),
                Some(Value::String(text)) => Ok(Some(text.clone())),
                Some(other) => Err(wrong_type(name, other, "a text")),
            };
            algorithm = text("quant_algo", algorithm)?;
            own_method = text("quant_method", own_method)?;
            format = text("format", format)?;
            let object = |name: &str, old| match of_file.and_then(|members| members.get(name)) {
                None => Ok(old),
                Some(Value::Null) => Ok(None),
                Some(Value::Object(members)) => Ok(Some(members).filter(|members| !members.is_empty())),
                Some(other) => Err(wrong_type(name, other, "an object")),
            };
            groups = object("config_groups", groups)?;
            layers = object("quantized_layers", layers)?;
        }
        let is_compressed_tensors = is_compressed_tensors(own_method.as_deref(), format.as_deref(), groups);
        let layer_algorithms = layers.into_iter().flatten().filter_map(|(name, layer)| {
            let algorithm = layer.as_object()?.get("quant_algo").and_then(Value::as_str);
            Some((name.replace(LANGUAGE, ""), algorithm.map(String::from)))
        });
        let layers: BTreeMap<String, Option<String>> = gguf_format::order::map_of(layer_algorithms);
        let is_nvfp4 = matches!(algorithm.as_deref(), Some("NVFP4" | WITHOUT_ACTIVATIONS))
            || is_compressed_tensors
            || layers.values().flatten().any(|algorithm| algorithm.ends_with("NVFP4"));
        Ok(Self { method, nvfp4: is_nvfp4.then_some(Nvfp4 { is_compressed_tensors, algorithm, layers }) })
    }
}

/// Whether a format of compressed-tensors has NVFP4.
pub(super) fn is_compressed_tensors(
    method: Option<&str>,
    format: Option<&str>,
    groups: Option<&Map<String, Value>>,
) -> bool {
    const NVFP4: &str = "nvfp4-pack-quantized";
    let mut of_groups = groups.into_iter().flat_map(Map::values).map(|group| group.get("format"));
    method == Some("compressed-tensors")
        && (format == Some(NVFP4)
            || format == Some("mixed-precision")
                && of_groups.any(|format| format.is_some_and(|format| format == NVFP4)))
}

impl Nvfp4 {
    /// Finds the matrices of NVFP4.
    pub(super) fn find(&self, weights: &mut Weights<'_, '_>) -> Result<()> {
        self.check_layers(weights)?;
        if self.is_compressed_tensors {
            for (position, tensor) in weights.remaining() {
                let name = tensor.name.strip_suffix("_packed").filter(|name| name.ends_with(".weight"));
                let Some(name) = name.filter(|name| weights.find(name).is_none()) else { continue };
                self.add(weights, position, tensor, name)?;
            }
        }
        for (position, tensor) in weights.remaining() {
            if tensor.name.ends_with(".weight") {
                self.add(weights, position, tensor, &tensor.name)?;
            }
        }
        for (position, tensor) in weights.remaining() {
            if [".k_scale", ".v_scale"].iter().any(|end| tensor.name.ends_with(end)) {
                weights.leave_out(position);
            }
        }
        Ok(())
    }

    /// Makes a stored tensor a matrix of NVFP4, if it is one. `name` is the one of the weight.
    fn add(&self, weights: &mut Weights<'_, '_>, position: usize, tensor: &StoredTensor, name: &str) -> Result<()> {
        let Some(scales) = weights.find(&format!("{name}_scale")) else { return Ok(()) };
        let scale = weights.stored(scales);
        if scale.shape.len() < 2 || matches!(tensor.data_type, DataType::F8_E4M3 | DataType::F8_E5M2) {
            return Ok(());
        }
        let (&[rows, bytes], &[scale_rows, groups]) = (&tensor.shape[..], &scale.shape[..]) else {
            return Err(wrong(tensor, "expected a matrix of NVFP4"));
        };
        let columns = groups.checked_mul(GROUP).filter(|columns| columns / 2 == bytes && columns.is_multiple_of(BLOCK));
        let is_bytes = tensor.data_type == DataType::U8 && matches!(scale.data_type, DataType::F8_E4M3 | DataType::U8);
        let Some(columns) = columns.filter(|_| rows == scale_rows && is_bytes) else {
            return Err(wrong(
                tensor,
                &format!(
                    "scales of type {} and shape {:?} do not fit NVFP4, whose rows have a multiple of 64 elements",
                    scale.data_type, scale.shape
                ),
            ));
        };
        let base = name.strip_suffix(".weight").unwrap_or(name);
        let elements = self.factor(weights, [format!("{name}_scale_2"), format!("{name}_global_scale")])?;
        let input = self.factor(weights, [format!("{base}.input_scale"), format!("{base}.input_global_scale")])?;
        let factors = [elements, input];
        let parts = factors.iter().filter_map(|factor| factor.input).chain([scales, position]).collect();
        let encoding = Encoding::Nvfp4 { scales };
        match name == tensor.name {
            true => weights.replace(position, [rows, columns], encoding, parts)?,
            false => weights.rename(position, name.into(), [rows, columns], encoding, parts)?,
        }
        weights.set_factors(position, factors);
        Ok(())
    }

    /// The number of a stored tensor: of ModelOpt, or the reciprocal of that of compressed-tensors.
    fn factor(&self, weights: &Weights<'_, '_>, [own, of_compressed_tensors]: [String; 2]) -> Result<Factor> {
        let found = weights.find(&own).map(|input| (input, false));
        let inverse = || weights.find(&of_compressed_tensors).map(|input| (input, true));
        let Some((input, is_inverse)) = found.or_else(|| inverse().filter(|_| self.is_compressed_tensors)) else {
            return Ok(Factor { input: None, is_inverse: false });
        };
        let stored = weights.stored(input);
        match stored.element_count() == 1 && super::weights::is_float(stored) {
            true => Ok(Factor { input: Some(input), is_inverse }),
            false => Err(wrong(stored, "expected one float for the matrix")),
        }
    }

    /// Checks that the model has the layers that have an algorithm of their own.
    fn check_layers(&self, weights: &Weights<'_, '_>) -> Result<()> {
        if self.layers.is_empty() {
            return Ok(());
        }
        let names = set_of(weights.remaining().iter().map(|(_, tensor)| tensor.name.replace(LANGUAGE, "")));
        // Of the names from "LAYER." on, the first one begins with it, if any does.
        let has = |layer: &str| {
            let start = format!("{layer}.");
            names.range(start.clone()..).next().is_some_and(|name| name.starts_with(&start))
        };
        match self.layers.keys().find(|layer| !has(layer)) {
            None => Ok(()),
            Some(layer) => Err(error!(IncompleteModel:
                "the model has no layer \"{}\", which \"quantized_layers\" in {CONFIG} or {FILE} names; download all files of the model",
                Shown(layer.as_bytes()))),
        }
    }

    /// Whether the activations of a matrix may not have 4 bits. `name` is the stored name without `.weight`.
    pub fn keeps_activations(&self, name: &str) -> bool {
        let mut module = name;
        let algorithm = loop {
            if let Some(algorithm) = self.layers.get(module) {
                break algorithm;
            }
            match module.rsplit_once('.') {
                Some((parent, _)) => module = parent,
                None => break &self.algorithm,
            }
        };
        algorithm.as_deref() == Some(WITHOUT_ACTIVATIONS)
    }

    /// The names of the tensors whose activations may not have 4 bits, sorted. `names` has the new and the stored names of matrices of
    /// NVFP4.
    pub fn names_that_keep_activations<'a>(&self, names: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Vec<u8>> {
        let kept = names.filter(|(_, stored)| self.keeps_activations(&module_of(stored)));
        set_of(kept.map(|(new, _)| new)).into_iter().map(|name| name.as_bytes().to_vec()).collect()
    }
}

/// The name by which the algorithm of a matrix is looked for. Experts share that of their layer.
fn module_of(stored: &str) -> String {
    let name = stored.replace(LANGUAGE, "");
    let name = ["_packed", ".weight", ".bias"]
        .into_iter()
        .fold(name.as_str(), |name, end| name.strip_suffix(end).unwrap_or(name));
    let expert = name.split_once(".experts.").and_then(|(before, after)| {
        let (number, projection) = after.split_once('.')?;
        let block = before.split_once(".layers.")?.1.split('.').next()?;
        let is_expert = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_expert.then(|| format!("model.layers.{block}.mlp.experts.{projection}"))
    });
    expert.unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_algorithm_of_the_nearest_module_counts() {
        let layers = [("model.layers.0.mlp", Some("W4A16_NVFP4")), ("model.layers.0.mlp.up_proj", Some("NVFP4"))];
        let layers = layers.into_iter().map(|(name, algorithm)| (name.into(), algorithm.map(String::from)));
        let nvfp4 = Nvfp4 { is_compressed_tensors: false, algorithm: Some("NVFP4".into()), layers: layers.collect() };
        for (stored, expected) in [
            ("model.layers.0.mlp.up_proj.weight", false),
            ("model.layers.0.mlp.down_proj.weight", true),
            ("model.language_model.layers.0.mlp.experts.3.up_proj.weight", true),
            ("model.layers.1.mlp.down_proj.weight", false),
        ] {
            assert_eq!(nvfp4.keeps_activations(&module_of(stored)), expected, "{stored}");
        }
    }
}
