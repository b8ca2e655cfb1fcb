//! The plan of a conversion: the new file, before any tensor data is read.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;

use super::check::check_model;
use super::config::{self, CONFIG, Config, ConfigRules, Members, Wanted, text_of};
use super::entries::{Entries, EntryValue};
use super::equal_output::drop_equal_output;
use super::factors::read_factors;
use super::families::row::{Folder, Generated};
use super::families::{Family, family_of, nearest_class};
use super::file::{ConvertedFile, TensorData};
use super::files::SmallFiles;
use super::keys::Keys;
use super::mapping::{MappedTensor, MappingOptions, map};
use super::metadata::{MetadataInput, ParameterCount, add_metadata};
use super::next_token_layers::NextTokenLayers;
use super::next_tokens::stored_layers;
use super::options::ModelOptions;
use super::quantization::Quantization;
use super::tensors::content::Content;
use super::tensors::input::Inputs;
use super::types::OutputType;
use super::vocabulary::{Vocabulary, VocabularyInput};
use crate::budget::Budget;
use crate::safetensors::{SafetensorsModel, StoredTensor};
use gguf_declare::result;
use gguf_format::decode::decoder::parse;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::version::Format;
use gguf_format::io::Source;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::write::plan::{PlanBuilder, Segment};
use gguf_format::write::planned_file::PlannedFile;
use gguf_format::write::writer::Writer;

/// The version of the quantized blocks of GGUF.
pub(crate) const QUANTIZATION_VERSION: u32 = 2;

/// The copies of the entries that are in memory at once.
const COPIES: u64 = 5;

/// A model in the layout of Hugging Face.
pub struct HubModel<S: Source> {
    /// The name of the folder. The name of the model follows from it.
    pub folder: String,
    /// The small files.
    pub files: SmallFiles,
    /// The tensors.
    pub tensors: SafetensorsModel<S>,
}

result! {
    /// A tensor of the new file.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("ModelPlanTensor")]
    pub struct NewModelTensor {
        /// The name.
        pub name: String,
        /// The name of the stored tensor. That of the last one, if there are several. Empty if it is computed.
        #[rust]
        pub stored_name: String,
        /// The name of the stored tensor. That of the last one, if there are several. Not present if the tensor is computed.
        give stored_name: Option<String> =
            |tensor| Some(tensor.stored_name.clone()).filter(|name| !name.is_empty()),
        /// The number of elements in each dimension, fastest first.
        pub dimensions: Vec<u64>,
        /// The type.
        #[rust]
        pub ggml_type: GgmlType,
        /// The type.
        give r#type: GgmlType = |tensor| tensor.ggml_type,
        /// The size of the data in bytes.
        pub byte_length: u64,
    }
}

/// The plan of a conversion.
///
/// It knows the header, the tensors and the size of the new file before tensor data is read. Where the reference compares two
/// tensors, these alone are read. [`file`](Self::file) reads any range of the new file, [`planned_file`](Self::planned_file) writes
/// it.
pub struct ModelPlan<S: Source> {
    file: ConvertedFile<S>,
    tensors: Vec<NewModelTensor>,
    output_type: OutputType,
    defaulted: Vec<String>,
    dropped: Vec<String>,
}

impl<S: Source> ModelPlan<S> {
    /// Plans the file with the text of a model: [`ModelPlan::new`] without the choice of a projector.
    pub(super) async fn of_text(model: &HubModel<S>, options: &ModelOptions) -> Result<Self> {
        // A session ends before data is read: another plan may be made in the meantime.
        let session = model.files.session();
        let Recognized { family, config, quantization } = recognize(model, options.next_token_layers)?;
        let vocabulary = VocabularyInput { files: &model.files, config: config.members(), pre: options.pre.as_deref() };
        let token_count = known_tokens(family.vocabulary, &vocabulary)?;
        drop(session);
        let stored: Vec<(usize, &StoredTensor)> = model.tensors.tensors().collect();
        let mapping = map(
            &stored,
            &MappingOptions { config: &config, family, quantization: &quantization, token_count, is_projector: false },
        )?;
        let inputs = Inputs { model: model.tensors.clone(), list: mapping.inputs };
        let (mut tensors, mut dropped) = (mapping.tensors, mapping.dropped);
        let mut first = mapping.first;
        read_factors(&inputs, &mut first).await?;
        if options.fuse_gate_up_experts && tensors.iter().any(|tensor| tensor.name.contains(".ffn_gate_exps.")) {
            return Err(error!(UnsupportedModel:
                "the experts cannot be fused: {} has no tensor for gate and up together; convert without this option",
                family.architecture));
        }
        if family.drops_equal_output {
            drop_equal_output(&inputs, &mut tensors, &mut dropped).await?;
        }
        let _session = model.files.session();
        let mut generated = (family.generated)(&config)?;
        if options.vocabulary_only {
            tensors.clear();
            first.clear();
            generated = Generated::default();
        }
        let made = generated.tensors.into_iter().map(|(name, numbers)| MappedTensor {
            name: name.into(),
            shape: vec![numbers.len() as u64],
            content: Content::Constants(numbers),
            stored_name: String::new(),
            is_scaled: false,
        });
        tensors.splice(0..0, first.into_iter().chain(made));

        let output_type = options.output_type.resolved(mapping.first_half);
        let of_blocks = quantization.file_type().filter(|_| output_type.is_float() && !options.vocabulary_only);
        let file_type = of_blocks.unwrap_or_else(|| output_type.file_type());
        let mut entries = Entries::default();
        entries.set("general.architecture", EntryValue::String(family.architecture.into()));
        for (key, number) in generated.floats {
            entries.set(format!("{}.{key}", family.architecture), EntryValue::F32(number));
        }
        add_general_metadata("model", model, options, &tensors, &mut entries)?;
        let defaulted = add_model_keys(&mut entries, &config, &model.files, family, file_type)?;
        entries.set("general.quantization_version", EntryValue::U32(QUANTIZATION_VERSION));
        add_activation_entries(&mut entries, &quantization, &tensors);
        family.vocabulary.add_entries(&vocabulary, &mut entries)?;

        let ggml_type = |tensor: &MappedTensor| output_type.of_tensor(tensor, options.fp8_as_q8);
        let plan = Self::of_tensors(inputs, &entries, tensors, output_type, &ggml_type)?;
        // A draft has no other blocks.
        if !options.vocabulary_only && options.next_token_layers != NextTokenLayers::Alone {
            check_model(&parse(plan.file.header_bytes())?)?;
        }
        Ok(Self { defaulted, dropped, ..plan })
    }

    /// The plan of a file with these entries and tensors. `output_type` is the type that it was asked for, `ggml_type` says the type of
    /// each tensor.
    pub(crate) fn of_tensors(
        inputs: Inputs<S>,
        entries: &Entries,
        tensors: Vec<MappedTensor>,
        output_type: OutputType,
        ggml_type: &dyn Fn(&MappedTensor) -> GgmlType,
    ) -> Result<Self> {
        // The values are encoded, kept by the writer, written to the header, and kept by the parsed header.
        let bytes: u64 = entries.iter().map(|(key, value)| key.len() as u64 + value.byte_length()).sum();
        Budget::default().expect(COPIES * bytes)?;
        let mut writer = Writer::new(Format::default())?;
        for (key, value) in entries.iter() {
            // Numbers of JSON can be larger than 32-bit floats.
            if let EntryValue::F32(number) = value
                && !number.is_finite()
            {
                return Err(error!(BadJson:
                    "the value of {key} would be infinite: {CONFIG} has a number that is too large for 32 bits; expected at most \
                     3.4028235e38. Download the file again"));
            }
            writer.put(key.as_bytes(), value.to_new_value()?)?;
        }
        let mut listed = Vec::new();
        for tensor in &tensors {
            let (dimensions, ggml_type) = (dimensions(tensor), ggml_type(tensor));
            let position = writer.add_tensor(tensor.name.as_bytes(), &dimensions, ggml_type)?;
            listed.push(NewModelTensor {
                name: tensor.name.clone(),
                stored_name: tensor.stored_name.clone(),
                dimensions,
                ggml_type,
                byte_length: writer.tensor(position).map_or(0, |tensor| tensor.byte_length()),
            });
        }
        let header = writer.header()?;
        let data = writer.tensors().zip(tensors).map(|(place, tensor)| {
            let range = place.position()..place.position() + place.byte_length();
            TensorData::new(range, place.ggml_type(), &tensor.shape, tensor.content)
        });
        let file = ConvertedFile::new(inputs, header, data.collect(), writer.size())?;
        Ok(Self { file, tensors: listed, output_type, defaulted: Vec::new(), dropped: Vec::new() })
    }

    /// The plan with the names of the stored tensors that are left out.
    pub(crate) fn with_dropped(self, dropped: Vec<String>) -> Self {
        Self { dropped, ..self }
    }

    /// The plan with the keys whose values are defaults.
    pub(super) fn with_defaulted(self, defaulted: Vec<String>) -> Self {
        Self { defaulted, ..self }
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

    /// The type that was asked for. `Auto` is resolved.
    pub fn output_type(&self) -> OutputType {
        self.output_type
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

/// Adds `general.type`, and the metadata of the folder, the model card and the options.
pub(super) fn add_general_metadata<S: Source>(
    kind: &str,
    model: &HubModel<S>,
    options: &ModelOptions,
    tensors: &[MappedTensor],
    entries: &mut Entries,
) -> Result<()> {
    entries.set("general.type", EntryValue::String(kind.into()));
    let named: Vec<_> = tensors.iter().map(|tensor| (tensor.name.as_str(), dimensions(tensor))).collect();
    let metadata = MetadataInput {
        files: &model.files,
        folder: &model.folder,
        model_name: options.model_name.as_deref(),
        overrides: options.overrides.as_ref(),
        parameters: ParameterCount::of(named.iter().map(|(name, dimensions)| (*name, dimensions.as_slice()))),
    };
    add_metadata(&metadata, entries)
}

/// Adds which tensors may not be multiplied with activations of 4 bits.
fn add_activation_entries(entries: &mut Entries, quantization: &Quantization, tensors: &[MappedTensor]) {
    let Some(nvfp4) = &quantization.nvfp4 else { return };
    let blocks = tensors.iter().filter(|tensor| matches!(tensor.content, Content::Nvfp4(_)));
    let names = nvfp4.names_that_keep_activations(blocks.map(|tensor| (&*tensor.name, &*tensor.stored_name)));
    let values = names.iter().map(|_| false).collect();
    entries.set("general.tensor_extra.name", EntryValue::Strings(names));
    entries.set("general.tensor_extra.prec_a4", EntryValue::Bools(values));
}

/// The family of a model, and its configuration.
pub(super) struct Recognized {
    pub family: &'static Family,
    pub config: Config,
    pub quantization: Quantization,
}

/// Finds the family of a model, and completes its configuration.
///
/// # Errors
///
/// As [`ModelPlan::new`], except those of tensors and of the vocabulary.
pub(super) fn recognize<S: Source>(model: &HubModel<S>, next_token_layers: NextTokenLayers) -> Result<Recognized> {
    let stored_next_tokens = stored_layers(model.tensors.tensors().map(|(_, tensor)| tensor.name.as_str()));
    let wanted = Wanted { next_token_layers, stored_next_tokens };
    let (family, config) = family_and_config(&model.folder, &model.files, wanted)?;
    let quantization = Quantization::of(&config, &model.files)?;
    Ok(Recognized { family, config, quantization })
}

/// The family of the model in a folder, and its configuration, however its weights are stored.
///
/// # Errors
///
/// `unsupported-model` if the class or a setting is unknown. `incomplete-model` if there is no configuration. `bad-json` if a member
/// of it has a value that it cannot have.
pub(crate) fn family_and_config(folder: &str, files: &SmallFiles, wanted: Wanted) -> Result<(&'static Family, Config)> {
    let given = config::parse(files)?;
    let class = config::class_of(&given)?;
    let Some(family) = family_of(class) else {
        return Err(error!(UnsupportedModel:
            "models of the class {} cannot be converted. The rules for their keys, tensors and vocabulary are missing. The nearest \
             class that is known is {}", Shown(class.as_bytes()), nearest_class(class)));
    };
    if wanted.next_token_layers != NextTokenLayers::Included && !family.splits_next_tokens {
        return Err(error!(UnsupportedModel:
            "models of the class {} have no layers that predict later tokens, or these cannot be separated: convert without this \
             option", Shown(class.as_bytes())));
    }
    let config = Config::new(&given, text_rules(&given, family.config)?, wanted, family.adjust)?;
    let family = (family.variant)(&config)?.unwrap_or(family);
    (family.check)(&config, &Folder { name: folder, files })?;
    Ok((family, config))
}

/// How the configuration of a model of several models is read, if the model of its text is a family of its own.
fn text_rules(given: &Value, rules: ConfigRules) -> Result<ConfigRules> {
    /// The values of `model_type` for which the reference completes the members of the text.
    const COMPLETED: &[&str] =
        &["idefics3", "internvl", "llava", "llava_next", "mistral3", "qwen2_audio", "smolvlm", "voxtral"];
    /// The values of `model_type` that the release of transformers does not know: the members of the text are read as they are.
    const AS_THEY_ARE: &[&str] = &["audioflamingo3", "internvl_chat", "kimi_k25", "kimi_vl"];
    let is_one_of =
        |types: &[&str]| given.get("model_type").and_then(Value::as_str).is_some_and(|name| types.contains(&name));
    match rules {
        _ if text_of(given).is_none() => Ok(rules),
        ConfigRules::Types(types) if is_one_of(COMPLETED) => Ok(ConfigRules::Text(types)),
        ConfigRules::Types(types) if is_one_of(AS_THEY_ARE) => Ok(ConfigRules::TextAsItIs(types)),
        // A release of transformers that does not know the model of the text does not know the whole model.
        ConfigRules::AsItIs(types) if !is_one_of(COMPLETED) => Ok(ConfigRules::TextAsItIs(types)),
        ConfigRules::Types(_) | ConfigRules::AsItIs(_) => Err(error!(UnsupportedModel:
            "the model consists of several models, as \"text_config\" in {CONFIG} says, which cannot be converted")),
        _ => Ok(rules),
    }
}

/// The number of elements in each dimension, fastest first.
pub(crate) fn dimensions(tensor: &MappedTensor) -> Vec<u64> {
    tensor.shape.iter().rev().copied().collect()
}

/// The number of tokens to which Gemma 3 and 4 cut their embedding. `None` for other vocabularies.
fn known_tokens(vocabulary: Vocabulary, input: &VocabularyInput<'_>) -> Result<Option<u64>> {
    if !matches!(vocabulary, Vocabulary::Gemma3 | Vocabulary::Gemma4) {
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
