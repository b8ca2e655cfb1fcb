//! The estimate of a model's memory.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::caches::{Cache, caches};
use super::compute::{ByteRange, compute};
use super::context::ContextSize;
use super::devices::{Device, devices};
use super::formulas::{Formula, formulas};
use super::layers::Layers;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use super::rules::{Indexer, NextTokenLayers};
use super::state::{State, state};
use super::weights::Weights;
use crate::format::ggml_type::GgmlType;
use crate::format::header::Header;
use crate::know::kind::{FileKind, classify};

/// The memory that llama.cpp would allocate for a model. All sizes are in bytes.
///
/// A part that is not known is `None`, and `notes` says why. The devices then lack that part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryEstimate {
    /// The value of `general.architecture`. Empty if the file has none.
    pub architecture: String,
    /// The context of all sequences together, in tokens, as llama.cpp rounds it. `None` if neither the settings nor the
    /// file tell it.
    pub context_length: Option<u64>,
    /// The tensors.
    pub weights: Option<Weights>,
    /// The keys and values. Empty if the model keeps none.
    pub caches: Option<Vec<Cache>>,
    /// The recurrent state. `None` if the model has none, or if `caches` is `None`.
    pub state: Option<State>,
    /// The results for the caller: a number for each token of the vocabulary, and each sequence.
    pub output_bytes: Option<u64>,
    /// Intermediate results, on all devices together.
    pub compute: Option<ByteRange>,
    /// The parts on the GPU and on the CPU, in this order.
    pub devices: [Device; 2],
    /// How each part is computed.
    pub formulas: Vec<Formula>,
    /// What the figures assume, and why parts are missing: sentences.
    pub notes: Vec<String>,
}

/// Why llama.cpp would not load a model with these settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryRefusal {
    /// Values of a quantised type need flash attention.
    QuantizedValues,
    /// A cache cannot have this type.
    CacheType(GgmlType),
    /// The rows of a cache are not made of whole blocks of this type.
    BlockSize(GgmlType),
    /// There are no sequences, more than 256, or no tokens in a batch.
    Counts,
}

impl fmt::Display for MemoryRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QuantizedValues => f.write_str(
                "llama.cpp refuses values of a quantised type without flash attention. Use flash attention, or F16 values.",
            ),
            Self::CacheType(given) => write!(
                f,
                "the type of a cache is {given}, expected one of F32, F16, BF16, Q8_0, Q4_0, Q4_1, IQ4_NL, Q5_0 and Q5_1."
            ),
            Self::BlockSize(given) => write!(
                f,
                "llama.cpp refuses a cache of type {given}, because the length of a head is no multiple of its block size. \
                 Use F16."
            ),
            Self::Counts => f.write_str(
                "the number of sequences must be 1 to 256, and batches and micro-batches must have 1 token at least.",
            ),
        }
    }
}

impl core::error::Error for MemoryRefusal {}

/// The types that the programs of llama.cpp accept for a cache.
const CACHE_TYPES: &[GgmlType] = &[
    GgmlType::F32,
    GgmlType::F16,
    GgmlType::BF16,
    GgmlType::Q8_0,
    GgmlType::Q4_0,
    GgmlType::Q4_1,
    GgmlType::IQ4_NL,
    GgmlType::Q5_0,
    GgmlType::Q5_1,
];

/// The most sequences of a context (`LLAMA_MAX_SEQ`).
const MOST_SEQUENCES: u32 = 256;

/// Estimates the memory that llama.cpp would allocate for a model.
///
/// # Errors
///
/// llama.cpp would refuse the settings. What is wrong with the file is no error: parts of the estimate are then unknown.
///
/// # Examples
///
/// ```
/// use gguf_wasm::encode::Encoder;
/// use gguf_wasm::{Format, MemoryOptions, memory};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(0, 5)
///     .kv(b"general.architecture", &"llama".into())
///     .kv(b"llama.block_count", &32u32.into())
///     .kv(b"llama.embedding_length", &4096u32.into())
///     .kv(b"llama.attention.head_count", &32u32.into())
///     .kv(b"llama.attention.head_count_kv", &8u32.into());
/// let header = gguf_wasm::parse(file.as_bytes())?;
///
/// let mut options = MemoryOptions::default();
/// options.context_length = Some(8192);
/// let caches = memory(&header, &options)?.caches.unwrap();
/// assert_eq!(caches[0].key_bytes, 512 << 20); // 32 layers × 8192 cells × 1024 elements × 2 bytes
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn memory(header: &Header, options: &MemoryOptions) -> Result<MemoryEstimate, MemoryRefusal> {
    check_options(options)?;
    let mut estimate = MemoryEstimate {
        architecture: String::new(),
        context_length: None,
        weights: None,
        caches: None,
        state: None,
        output_bytes: None,
        compute: None,
        devices: devices(options, &Weights::default(), &[], None, 0, ByteRange::default()),
        formulas: Vec::new(),
        notes: Vec::new(),
    };
    let kind = classify(header).kind;
    if !kind.is_complete_model() {
        estimate.add_other_file(header, options);
        estimate.notes.push(match kind {
            FileKind::Unknown => "Nothing in the file says that it is a model. Only the size of its tensors is known.".to_string(),
            _ => format!(
                "llama.cpp does not load this kind of file as a model of its own: {}. Only the size of its tensors is known.",
                kind.title().to_ascii_lowercase()
            ),
        });
        return Ok(estimate);
    }
    match Model::of(header) {
        Ok(model) => estimate.add_model(&model, options)?,
        Err(unknown) => {
            estimate.architecture = architecture(header);
            estimate.add_other_file(header, options);
            estimate.note_unknown("Only the size of the tensors is known", &unknown);
        }
    }
    Ok(estimate)
}

fn architecture(header: &Header) -> String {
    let name = header.get("general.architecture").and_then(|entry| entry.value().as_str());
    name.map_or_else(String::new, |name| String::from_utf8_lossy(&name.to_bytes()).into_owned())
}

fn check_options(options: &MemoryOptions) -> Result<(), MemoryRefusal> {
    for cache_type in [options.key_type, options.value_type] {
        if !CACHE_TYPES.contains(&cache_type) {
            return Err(MemoryRefusal::CacheType(cache_type));
        }
    }
    if !(1..=MOST_SEQUENCES).contains(&options.sequences) || options.batch == 0 || options.micro_batch == 0 {
        return Err(MemoryRefusal::Counts);
    }
    Ok(())
}

/// Whether elements of a type share a scale.
fn is_quantized(cache_type: GgmlType) -> bool {
    cache_type.info().is_some_and(|info| info.block_size > 1)
}

impl MemoryEstimate {
    /// The parts of a file that is no model, or of which only the tensors are known.
    fn add_other_file(&mut self, header: &Header, options: &MemoryOptions) {
        self.architecture = architecture(header);
        self.weights = Weights::of_other_file(header);
        match &self.weights {
            Some(weights) => self.devices = devices(options, weights, &[], None, 0, ByteRange::default()),
            None => {
                self.notes.push("The size of the tensors is not known, because one has an unknown type.".to_string())
            }
        }
    }

    fn add_model(&mut self, model: &Model<'_>, options: &MemoryOptions) -> Result<(), MemoryRefusal> {
        self.architecture.clone_from(&model.architecture);
        match Weights::of_model(model) {
            Ok(weights) => self.weights = Some(weights),
            Err(_) => {
                self.notes.push("The size of the tensors is not known, because one has an unknown type.".to_string())
            }
        }
        let layers = Layers::of(model);
        if let Ok(layers) = &layers {
            check_cache_types(model, layers, options)?;
        }
        match layers.and_then(|layers| self.add_context(model, &layers, options)) {
            Ok(()) => {}
            Err(unknown) => self.note_unknown("What the context takes is not known", &unknown),
        }
        self.devices = devices(
            options,
            self.weights.as_ref().unwrap_or(&Weights::default()),
            self.caches.as_deref().unwrap_or_default(),
            self.state.as_ref(),
            self.output_bytes.unwrap_or(0),
            self.compute.unwrap_or_default(),
        );
        if let Some(compute) = &mut self.compute {
            let on_devices = self.devices.iter().filter(|device| device.compute.high > 0).count() as u64;
            *compute = ByteRange {
                low: compute.low.saturating_mul(on_devices),
                high: compute.high.saturating_mul(on_devices),
            };
        }
        self.formulas = formulas(model, self, options);
        self.note_rules(model);
        Ok(())
    }

    fn add_context(&mut self, model: &Model<'_>, layers: &Layers, options: &MemoryOptions) -> Result<(), Unknown> {
        let trained = match options.context_length {
            Some(_) => model.or_zero("{arch}.context_length").unwrap_or(0),
            None => model.required("{arch}.context_length")?,
        };
        let is_causal = model.optional("{arch}.attention.causal")?.is_none_or(|causal| causal != 0);
        let context = ContextSize::new(options, trained, is_causal);
        self.context_length = Some(context.total);
        let (caches, state) = (caches(model, layers, options, &context)?, state(model, layers, &context)?);
        match compute(model, &caches, options, &context) {
            Ok(range) => self.compute = Some(range),
            Err(unknown) => self.note_unknown("What intermediate results take is not known", &unknown),
        }
        self.caches = Some(caches);
        self.state = state;
        let numbers = model.token_count().and_then(|count| count.checked_mul(4)?.checked_mul(context.sequences));
        self.output_bytes = numbers;
        if numbers.is_none() {
            self.notes
                .push("What the results take is not known: the file does not tell the number of tokens.".to_string());
        }
        Ok(())
    }

    fn note_unknown(&mut self, what: &str, unknown: &Unknown) {
        self.notes.push(format!("{what}: {unknown}."));
    }

    /// Notes where versions of llama.cpp differ.
    fn note_rules(&mut self, model: &Model<'_>) {
        if model.next_token_count > 0 && model.rule.next_token_layers == NextTokenLayers::NotLoadedOrCached {
            let count = model.next_token_count;
            self.notes.push(format!(
                "The last {count} of the layers predict further tokens. llama.cpp of June 2026 neither loads them nor keeps \
                 their keys and values, as it is computed here. llama.cpp of August 2026 keeps their keys and values."
            ));
        }
        if model.rule.indexer != Indexer::None {
            self.notes.push("The cache of the indexer is that of llama.cpp of August 2026.".to_string());
        }
    }

    /// Adds the memory of another file that is loaded beside the model: a projector, or a smaller model that drafts tokens.
    /// `devices` are those of its estimate. Only the devices change.
    pub fn add_beside(&mut self, devices: &[Device; 2]) {
        for (device, other) in self.devices.iter_mut().zip(devices) {
            device.add(other);
        }
    }
}

/// Checks what llama.cpp checks when it creates a context (`llama_init_from_model`).
fn check_cache_types(model: &Model<'_>, layers: &Layers, options: &MemoryOptions) -> Result<(), MemoryRefusal> {
    if !options.flash_attention && is_quantized(options.value_type) {
        return Err(MemoryRefusal::QuantizedValues);
    }
    let has_window = layers.kept.iter().any(|kept| kept.has_window);
    let heads = [Some(model.head), has_window.then_some(model.window_head)];
    for head in heads.into_iter().flatten() {
        for (cache_type, length) in [(options.key_type, head.key), (options.value_type, head.value)] {
            if is_quantized(cache_type)
                && cache_type.info().is_some_and(|info| length % u64::from(info.block_size) != 0)
            {
                return Err(MemoryRefusal::BlockSize(cache_type));
            }
        }
    }
    Ok(())
}
