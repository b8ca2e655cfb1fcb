//! The plan of a conversion: the new file, before any tensor data is read.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;

use super::check::check_model;
use super::config::{self, CONFIG, Config, ConfigRules, Members};
use super::entries::{Entries, EntryValue};
use super::equal_output::drop_equal_output;
use super::families::row::{Folder, Generated};
use super::families::{Family, classes, family_of};
use super::file::{ConvertedFile, TensorData};
use super::files::SmallFiles;
use super::keys::Keys;
use super::mapping::{MappedTensor, MappingOptions, map};
use super::metadata::{MetadataInput, ParameterCount, add_metadata};
use super::options::ModelOptions;
use super::quantization::Quantization;
use super::tensors::content::Content;
use super::tensors::input::Inputs;
use super::types::MXFP4_FILE_TYPE;
use super::vocabulary::{Vocabulary, VocabularyInput};
use crate::convert::safetensors::SafetensorsModel;
use crate::decode::decoder::parse;
use crate::error::shown::Shown;
use crate::error::{Result, error};
use crate::format::ggml_type::GgmlType;
use crate::format::version::Format;
use crate::io::Source;
use crate::tensor::opened_file::OpenedFile;
use crate::write::plan::{PlanBuilder, Segment};
use crate::write::planned_file::PlannedFile;
use crate::write::writer::Writer;

/// The version of the quantised blocks of GGUF.
const QUANTIZATION_VERSION: u32 = 2;

/// A model in the layout of Hugging Face.
pub struct HubModel<S: Source> {
    /// The name of the folder. The name of the model follows from it.
    pub folder: String,
    /// The small files.
    pub files: SmallFiles,
    /// The tensors.
    pub tensors: SafetensorsModel<S>,
}

/// A tensor of the new file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NewModelTensor {
    /// The name.
    pub name: String,
    /// The name of the stored tensor. That of the last one, if there are several. Empty if it is computed.
    pub stored_name: String,
    /// The number of elements in each dimension, fastest first.
    pub dimensions: Vec<u64>,
    /// The type.
    pub ggml_type: GgmlType,
}

/// The plan of a conversion.
///
/// It knows the header, the tensors and the size of the new file before tensor data is read. Where the reference compares two
/// tensors, these alone are read. [`file`](Self::file) reads any range of the new file, [`planned_file`](Self::planned_file) writes
/// it.
pub struct ModelPlan<S: Source> {
    file: ConvertedFile<S>,
    tensors: Vec<NewModelTensor>,
    defaulted: Vec<String>,
    dropped: Vec<String>,
}

impl<S: Source> ModelPlan<S> {
    /// Plans the conversion of a model.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if the class, a tensor or a setting is unknown. `incomplete-model` if a file or a tensor is missing.
    /// `bad-json` if a member of the configuration has a value that it cannot have. `bad-safetensors` if a tensor has another shape
    /// than the configuration says. What reading the source fails with.
    pub async fn new(model: &HubModel<S>, options: &ModelOptions) -> Result<Self> {
        let given = config::parse(model.files.get(CONFIG))?;
        let class = config::class_of(&given)?;
        let Some(family) = family_of(class) else {
            return Err(error!(UnsupportedModel:
                "models of the class {} cannot be converted. These can: {}", Shown(class.as_bytes()), classes().join(", ")));
        };
        let config = Config::new(&given, text_rules(&given, family.config)?, family.adjust)?;
        (family.check)(&config, &Folder { name: &model.folder, files: &model.files })?;
        let quantization = Quantization::of(&config)?;
        let vocabulary = VocabularyInput { files: &model.files, config: config.members(), pre: options.pre.as_deref() };
        let token_count = known_tokens(family.vocabulary, &vocabulary)?;
        let mapping =
            map(&model.tensors, &MappingOptions { config: &config, family, quantization: &quantization, token_count })?;
        let inputs = Inputs { model: model.tensors.clone(), list: mapping.inputs };
        let (mut tensors, mut dropped) = (mapping.tensors, mapping.dropped);
        if options.fuse_gate_up_experts && tensors.iter().any(|tensor| tensor.name.contains(".ffn_gate_exps.")) {
            return Err(error!(UnsupportedModel:
                "the experts cannot be fused: {} has no tensor for gate and up together; convert without this option",
                family.architecture));
        }
        if family.drops_equal_output {
            drop_equal_output(&inputs, &mut tensors, &mut dropped).await?;
        }
        let mut generated = (family.generated)(&config)?;
        if options.vocabulary_only {
            tensors.clear();
            generated = Generated::default();
        }
        let made = generated.tensors.into_iter().map(|(name, numbers)| MappedTensor {
            name: name.into(),
            shape: vec![numbers.len() as u64],
            content: Content::Constants(numbers),
            stored_name: String::new(),
            is_scaled: false,
        });
        tensors.splice(0..0, made);

        let output_type = options.output_type.resolved(mapping.first_half);
        let is_mxfp4 = quantization == Quantization::Mxfp4 && output_type.is_float() && !options.vocabulary_only;
        let file_type = if is_mxfp4 { MXFP4_FILE_TYPE } else { output_type.file_type() };
        let mut entries = Entries::default();
        entries.set("general.architecture", EntryValue::String(family.architecture.into()));
        for (key, number) in generated.floats {
            entries.set(format!("{}.{key}", family.architecture), EntryValue::F32(number));
        }
        entries.set("general.type", EntryValue::String("model".into()));
        let named = tensors.iter().map(|tensor| (tensor.name.as_str(), dimensions(tensor)));
        let named: Vec<(&str, Vec<u64>)> = named.collect();
        let metadata = MetadataInput {
            files: &model.files,
            folder: &model.folder,
            model_name: options.model_name.as_deref(),
            overrides: options.overrides.as_ref(),
            parameters: ParameterCount::of(named.iter().map(|(name, dimensions)| (*name, dimensions.as_slice()))),
        };
        add_metadata(&metadata, &mut entries)?;
        let defaulted = add_model_keys(&mut entries, &config, &model.files, family, file_type)?;
        entries.set("general.quantization_version", EntryValue::U32(QUANTIZATION_VERSION));
        family.vocabulary.add_entries(&vocabulary, &mut entries)?;

        let mut writer = Writer::new(Format::default())?;
        for (key, value) in entries.iter() {
            writer.put(key.as_bytes(), value.to_new_value()?)?;
        }
        let mut listed = Vec::new();
        for tensor in &tensors {
            let new = NewModelTensor {
                name: tensor.name.clone(),
                stored_name: tensor.stored_name.clone(),
                dimensions: dimensions(tensor),
                ggml_type: output_type.of_tensor(tensor, options.fp8_as_q8),
            };
            writer.add_tensor(new.name.as_bytes(), &new.dimensions, new.ggml_type)?;
            listed.push(new);
        }
        let header = writer.header()?;
        if !options.vocabulary_only {
            check_model(&parse(&header)?)?;
        }
        let data = writer.tensors().zip(tensors).map(|(place, tensor)| {
            let rows = if tensor.shape.len() > 1 { tensor.shape[..tensor.shape.len() - 1].iter().product() } else { 1 };
            let elements: u64 = tensor.shape.iter().product();
            let (row_length, rows) = if tensor.shape.len() > 1 { (elements / rows, rows) } else { (1, elements) };
            TensorData {
                range: place.position()..place.position() + place.byte_length(),
                ggml_type: place.ggml_type(),
                row_length,
                row_bytes: place.byte_length() / rows,
                content: tensor.content,
            }
        });
        let file = ConvertedFile::new(inputs, header, data.collect(), writer.size())?;
        Ok(Self { file, tensors: listed, defaulted, dropped })
    }

    /// The new file, every range of which can be read.
    pub fn file(&self) -> &ConvertedFile<S> {
        &self.file
    }

    /// The size of the new file in bytes.
    pub fn size(&self) -> u64 {
        self.file.size().unwrap_or(0)
    }

    /// The tensors of the new file, in order.
    pub fn tensors(&self) -> &[NewModelTensor] {
        &self.tensors
    }

    /// The keys whose values are not in `config.json`: they are defaults of the class.
    pub fn defaulted_keys(&self) -> &[String] {
        &self.defaulted
    }

    /// The stored tensors that are left out.
    pub fn dropped_tensors(&self) -> &[String] {
        &self.dropped
    }

    /// The new file, opened: its header can be checked, its values can be seen, and it can be converted to other types without
    /// writing it.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn opened(&self) -> Result<OpenedFile<ConvertedFile<S>>> {
        Ok(OpenedFile::new(Arc::new(parse(self.file.header_bytes())?), self.file.clone()))
    }

    /// The new file as a plan, which is written like that of an edited file: piece by piece, several reads in flight.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn planned_file(&self) -> Result<PlannedFile<ConvertedFile<S>>> {
        let opened = self.opened()?;
        let (header_size, data_offset) = (opened.header().header_size(), opened.header().data_offset());
        let mut plan = PlanBuilder::default();
        plan.push(Segment::Copy { source: 0, range: 0..self.size() });
        Ok(PlannedFile::new(vec![Rc::new(opened)], plan.finish(header_size, data_offset, None)))
    }
}

/// How the configuration of a model of several models is read, if the model of its text is a family of its own.
fn text_rules(given: &Value, rules: ConfigRules) -> Result<ConfigRules> {
    /// The values of `model_type` for which the reference completes the members of the text.
    const KNOWN: &[&str] = &["llava", "llava_next"];
    let is_known = given.get("model_type").and_then(Value::as_str).is_some_and(|name| KNOWN.contains(&name));
    match rules {
        _ if given.get("text_config").is_none() => Ok(rules),
        ConfigRules::Text(_) | ConfigRules::TextOrFlat(_) => Ok(rules),
        ConfigRules::Types(types) if is_known => Ok(ConfigRules::Text(types)),
        ConfigRules::Types(_) | ConfigRules::AsItIs => Err(error!(UnsupportedModel:
            "the model consists of several models, as \"text_config\" in {CONFIG} says, which cannot be converted")),
    }
}

/// The number of elements in each dimension, fastest first.
fn dimensions(tensor: &MappedTensor) -> Vec<u64> {
    tensor.shape.iter().rev().copied().collect()
}

/// The number of tokens to which Gemma 3 cuts its embedding. `None` for other vocabularies.
fn known_tokens(vocabulary: Vocabulary, input: &VocabularyInput<'_>) -> Result<Option<u64>> {
    if vocabulary != Vocabulary::Gemma3 {
        return Ok(None);
    }
    if let Some(count) = vocabulary.token_count(input)? {
        return Ok(Some(count));
    }
    // Without tokenizer.model, the reference adds the numbers of both lists of tokenizer.json.
    let Some(tokenizer) = input.files.json("tokenizer.json")? else { return Ok(None) };
    let vocabulary = tokenizer.get("model").and_then(|model| model.get("vocab")?.as_object()).map_or(0, Members::len);
    let added = tokenizer.get("added_tokens").and_then(Value::as_array).map_or(0, Vec::len);
    Ok(Some((vocabulary + added) as u64))
}

/// Adds the entries of the architecture. Returns the keys whose values are defaults.
fn add_model_keys(
    entries: &mut Entries,
    config: &Config,
    files: &SmallFiles,
    family: &'static Family,
    file_type: u32,
) -> Result<Vec<String>> {
    let architecture = family.architecture;
    let mut keys = Keys { config, files, architecture, file_type, entries, defaulted: Vec::new() };
    keys.write(family.keys)?;
    Ok(keys.defaulted)
}
