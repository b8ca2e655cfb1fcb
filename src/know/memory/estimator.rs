//! Estimates the memory of a model: puts the parts together.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::caches::caches;
use super::compute::{ByteRange, compute};
use super::context::ContextSize;
use super::devices::devices;
use super::estimate::MemoryEstimate;
use super::formulas::formulas;
use super::layers::Layers;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use super::refusal::{MemoryRefusal, check_cache_types, check_options};
use super::rules::{Indexer, NextTokenLayers};
use super::state::state;
use super::weights::Weights;
use crate::format::header::Header;
use crate::know::kind::{FileKind, classify};

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
}
