//! The plan of the file with a projector.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::blocks::check_blocks;
use super::encoders::Encoders;
use super::reading::Kind;
use super::row::{AUDIO_KEYS, Projector, VISION_KEYS};
use super::table::{class_of, projector_classes, projector_of_class};
use crate::model::config::{self, CONFIG};
use crate::model::entries::{Entries, EntryValue};
use crate::model::files::SmallFiles;
use crate::model::keys::{Key, Keys};
use crate::model::mapping::{MappedTensor, MappingOptions, map};
use crate::model::options::ModelOptions;
use crate::model::plan::{HubModel, ModelPlan, QUANTIZATION_VERSION, add_general_metadata};
use crate::model::quantization::Quantization;
use crate::model::tensors::input::Inputs;
use crate::model::types::{OutputType, unless_rows_are_divided};
use crate::safetensors::StoredTensor;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::io::Source;

/// The architecture of all projectors.
const ARCHITECTURE: &str = "clip";

/// `general.file_type` of a model with weights in NVFP4.
const NVFP4_FILE_TYPE: u32 = 39;

/// Plans the file with the projector of a model.
///
/// # Errors
///
/// As [`ModelPlan::new`]. `incomplete-model` if the model has no tensors of the encoders.
pub(in crate::model) fn plan_projector<S: Source>(model: &HubModel<S>, options: &ModelOptions) -> Result<ModelPlan<S>> {
    if options.vocabulary_only {
        return Err(error!(InvalidArgument:
            "a projector has no vocabulary: convert the model of the text, or convert the projector with its tensors"));
    }
    let _session = model.files.session();
    let (projector, encoders) = recognize(&model.files)?;
    let stored: Vec<(usize, &StoredTensor)> = model.tensors.tensors().collect();
    let mut config = encoders.part(if projector.has_vision { Kind::Vision } else { Kind::Audio })?.clone();
    config.set("n_layers", encoders.block_count()?.into());
    let mapping = map(
        &stored,
        &MappingOptions {
            config: &config,
            family: &projector.family,
            quantization: &Quantization::NONE,
            token_count: None,
            is_projector: true,
        },
    )?;
    let tensors = mapping.tensors;
    check_blocks(&tensors, &encoders)?;

    let output_type = options.output_type.resolved(mapping.first_half);
    let mut entries = Entries::default();
    entries.set("general.architecture", EntryValue::String(ARCHITECTURE.into()));
    add_general_metadata("mmproj", model, options, &tensors, &mut entries)?;
    let file_type = file_type(&model.files, output_type)?;
    let defaulted = add_keys(projector, &encoders, &model.files, file_type, &mut entries)?;
    entries.set("general.quantization_version", EntryValue::U32(QUANTIZATION_VERSION));

    let inputs = Inputs { model: model.tensors.clone(), list: mapping.inputs };
    let ggml_type = |tensor: &MappedTensor| type_of(projector, output_type, tensor);
    let plan = ModelPlan::of_tensors(inputs, &entries, tensors, output_type, &ggml_type)?;
    Ok(plan.with_dropped(mapping.dropped).with_defaulted(defaulted))
}

/// The row of the projector of a model, and the configurations of its encoders.
fn recognize(files: &SmallFiles) -> Result<(&'static Projector, Encoders)> {
    let given = config::parse(files)?;
    let class = class_of(&given)?;
    let Some(projector) = projector_of_class(class) else {
        return Err(error!(UnsupportedModel:
            "no projector can be made from models of the class {}. It can from these: {}", Shown(class.as_bytes()),
            projector_classes().join(", ")));
    };
    let members = given.as_object().cloned().unwrap_or_default();
    let mut encoders = Encoders::new(&members, class, &projector.forms(), files)?;
    (projector.adjust)(&mut encoders, files)?;
    Ok((projector, encoders))
}

/// Adds the entries of the projector. Returns the keys whose values are defaults.
fn add_keys(
    projector: &Projector,
    encoders: &Encoders,
    files: &SmallFiles,
    file_type: u32,
    entries: &mut Entries,
) -> Result<Vec<String>> {
    let mut defaulted = Vec::new();
    let mut write = |kind: Kind, keys: &[Key], entries: &mut Entries| -> Result<()> {
        let config = encoders.part(kind)?;
        let mut keys_of = Keys { config, files, architecture: ARCHITECTURE, file_type, entries, defaulted: Vec::new() };
        keys_of.write(keys)?;
        defaulted.append(&mut keys_of.defaulted);
        Ok(())
    };
    entries.set("general.file_type", EntryValue::U32(file_type));
    let width = EntryValue::U32(encoders.text_width);
    if encoders.vision.is_some() {
        entries.set("clip.has_vision_encoder", EntryValue::Bool(true));
        entries.set("clip.vision.projection_dim", width.clone());
        write(Kind::Vision, VISION_KEYS, entries)?;
        entries.set("clip.vision.image_mean", encoders.colours("image_mean")?);
        entries.set("clip.vision.image_std", encoders.colours("image_std")?);
    }
    if encoders.audio.is_some() {
        entries.set("clip.has_audio_encoder", EntryValue::Bool(true));
        entries.set("clip.audio.projection_dim", width);
        write(Kind::Audio, AUDIO_KEYS, entries)?;
    }
    for (kind, keys) in projector.keys {
        if *kind == Kind::Vision || encoders.audio.is_some() {
            write(*kind, keys, entries)?;
        }
    }
    Ok(defaulted)
}

/// The type of a tensor.
fn type_of(projector: &Projector, output_type: OutputType, tensor: &MappedTensor) -> GgmlType {
    /// Matrices of positions, which are always F32 if the family does not say otherwise.
    const POSITIONS: &[&str] = &["v.position_embd.weight", "a.position_embd.weight"];
    let name = tensor.name.as_str();
    if tensor.shape.len() < 2 || name.ends_with("_norm.weight") {
        return GgmlType::F32;
    }
    if let Some(fixed) = (projector.fixed_type)(&tensor.stored_name, name) {
        return fixed;
    }
    if [".patch_embd.weight", ".patch_merger.weight"].iter().any(|part| name.contains(part)) {
        return if output_type == OutputType::F16 { GgmlType::F16 } else { GgmlType::F32 };
    }
    if POSITIONS.contains(&name) || !name.ends_with(".weight") {
        return GgmlType::F32;
    }
    unless_rows_are_divided(output_type.of_matrices(), tensor)
}

/// `general.file_type`. The file that describes quantized weights of the text counts, whatever the encoders have.
fn file_type(files: &SmallFiles, output_type: OutputType) -> Result<u32> {
    const FILE: &str = "hf_quant_config.json";
    let Some(file) = files.json(FILE)? else { return Ok(output_type.file_type()) };
    let quantization = file.get("quantization");
    let member = |name| quantization.and_then(|quantization| quantization.get(name)).filter(|value| !value.is_null());
    let producer = file.get("producer").and_then(|producer| producer.get("name")).and_then(Value::as_str);
    let method = member("quant_method").and_then(Value::as_str).or(producer).unwrap_or_default();
    let is_known = method.eq_ignore_ascii_case("modelopt") && member("quantized_layers").is_none();
    match member("quant_algo").and_then(Value::as_str) {
        Some("NVFP4" | "W4A16_NVFP4") if is_known && output_type.is_float() => Ok(NVFP4_FILE_TYPE),
        None | Some("NVFP4" | "W4A16_NVFP4" | "FP8") if is_known => Ok(output_type.file_type()),
        _ => Err(error!(UnsupportedModel:
            "{FILE} describes quantized weights in a way that is unknown: expected the algorithm NVFP4 or FP8 of modelopt for the whole model. \
             Convert the projector of the original model, which {CONFIG} often names")),
    }
}
