//! Estimates the memory of a model: puts the parts together.

use alloc::{string::String, string::ToString, vec::Vec};

use super::caches::caches;
use super::compressed::{compressed_caches, compressed_state};
use super::compute::{ComputeBuffers, compute, kinds};
use super::context::{ContextSize, padded};
use super::devices::{Placed, devices};
use super::estimate::MemoryEstimate;
use super::formulas::formulas;
use super::layers::Layers;
use super::model::{Model, Unknown};
use super::options::{MemoryOptions, TensorOverride};
use super::per_token::{UsedExperts, bytes_per_token};
use super::refusal::{MemoryRefusal, check_batch, check_cache_types, check_options, check_overrides, check_values};
use super::state::state;
use super::weights::Weights;
use crate::architectures::{Exception, Memory};
use crate::file_kinds::FileKind;
use crate::kind::kind_and_shard;
use gguf_format::error::shown::bounded;
use gguf_format::format::header::Header;

/// The key of the context that a model was trained for.
const CONTEXT_LENGTH: &str = "{arch}.context_length";

/// Estimates the memory that llama.cpp would allocate for a model.
///
/// # Errors
///
/// llama.cpp would refuse the settings. What is wrong with the file is no error: parts of the estimate are then unknown.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, write::encode::Encoder};
/// use gguf_models::memory::{self, MemoryOptions};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 5)
///     .kv(b"general.architecture", &"llama".into())
///     .kv(b"llama.block_count", &32u32.into())
///     .kv(b"llama.embedding_length", &4096u32.into())
///     .kv(b"llama.attention.head_count", &32u32.into())
///     .kv(b"llama.attention.head_count_kv", &8u32.into())
///     .tensor_info(b"blk.31.attn_norm.weight", &[4096], 0, 0);
/// let header = gguf_format::parse(file.as_bytes())?;
///
/// let mut options = MemoryOptions::default();
/// options.context_length = Some(8192);
/// let caches = memory::estimate(&header, &options)?.caches.unwrap();
/// assert_eq!(caches[0].key_bytes, 512 << 20); // 32 layers × 8192 cells × 1024 elements × 2 bytes
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimate(header: &Header, options: &MemoryOptions) -> Result<MemoryEstimate, MemoryRefusal> {
    estimate_with_overrides(header, options, &[])
}

/// Estimates the memory, as [`estimate`], with tensors that are on another device than their layer, in the order of the file, each once.
///
/// # Errors
///
/// llama.cpp would refuse the settings, or a tensor is on a card that is not there.
pub fn estimate_with_overrides(
    header: &Header,
    options: &MemoryOptions,
    overrides: &[TensorOverride],
) -> Result<MemoryEstimate, MemoryRefusal> {
    check_options(options)?;
    check_overrides(options, overrides)?;
    let notes = match Prepared::of(header, overrides) {
        Ok(prepared) => return prepared.estimate(options),
        Err(note) => Vec::from([note]),
    };
    check_values(options)?;
    let mut estimate = MemoryEstimate { notes, ..MemoryEstimate::empty(options) };
    estimate.add_other_file(header, options);
    Ok(estimate)
}

/// What does not depend on the options.
pub(super) struct Prepared<'a> {
    model: Model<'a>,
    weights: Result<Weights, Unknown>,
    layers: Result<Layers, Unknown>,
    /// The kinds of the blocks.
    kinds: Vec<u64>,
}

impl<'a> Prepared<'a> {
    /// A note if the file is no model, or if its blocks are not known.
    pub fn of(header: &'a Header, overrides: &[TensorOverride]) -> Result<Self, String> {
        let kind = kind_and_shard(header).0;
        if !kind.is_complete_model() {
            return Err(match kind {
                FileKind::Unknown => {
                    "Nothing in the file says that it is a model. Only the size of its tensors is known.".to_string()
                }
                _ => format!(
                    "llama.cpp does not load this kind of file as a model of its own: {}. Only the size of its tensors is known.",
                    kind.title().to_ascii_lowercase()
                ),
            });
        }
        let model = Model::of(header).map_err(|unknown| note_of("Only the size of the tensors is known", &unknown))?;
        let (weights, layers) = (Weights::of_model(&model, overrides), Layers::of(&model));
        let kinds = layers.as_ref().map_or_else(|_| Vec::new(), |layers| kinds(&model, layers));
        Ok(Self { model, weights, layers, kinds })
    }

    /// The estimate for options that were checked.
    pub fn estimate(&self, options: &MemoryOptions) -> Result<MemoryEstimate, MemoryRefusal> {
        Ok(self.parts(options)?.0)
    }

    /// The estimate for options that were checked, and the compute buffers that are placed on the devices. The buffers are `None` if they
    /// are unknown.
    pub fn parts(&self, options: &MemoryOptions) -> Result<(MemoryEstimate, Option<ComputeBuffers>), MemoryRefusal> {
        let mut estimate = MemoryEstimate::empty(options);
        let buffers = estimate.add_model(self, options)?;
        Ok((estimate, buffers))
    }

    /// The context that the model was trained for, in tokens.
    pub fn trained_context(&self) -> Result<u64, Unknown> {
        self.model.required(CONTEXT_LENGTH)
    }
}

/// The sizes of the context of a model.
fn context_size(model: &Model<'_>, options: &MemoryOptions) -> Result<ContextSize, Unknown> {
    let trained = match options.context_length {
        Some(_) => 0,
        None => model.required(CONTEXT_LENGTH)?,
    };
    let is_causal = !model.info.has(Exception::NotCausal)
        && model.optional("{arch}.attention.causal")?.is_none_or(|causal| causal != 0);
    let context = ContextSize::new(options, trained, is_causal);
    if context.total == 0 || !context.is_countable() {
        return Err(model.unusable(CONTEXT_LENGTH));
    }
    Ok(context)
}

/// A sentence: which part is unknown, and why.
pub(super) fn note_of(what: &str, unknown: &Unknown) -> String {
    bounded(format!("{what}: {unknown}."))
}

fn architecture(header: &Header) -> String {
    header.architecture().map_or_else(String::new, |name| String::from_utf8_lossy(&name.to_bytes()).into_owned())
}

impl MemoryEstimate {
    fn empty(options: &MemoryOptions) -> Self {
        Self {
            architecture: String::new(),
            context_length: None,
            weights: None,
            caches: None,
            state: None,
            output_bytes: None,
            compute: None,
            bytes_per_token: None,
            tokens_per_second: None,
            trained_context_length: None,
            devices: devices(
                options,
                &Placed { weights: None, caches: None, state: None, output: None, buffers: None },
                0,
            ),
            formulas: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The parts of a file that is no model, or of which only the tensors are known.
    fn add_other_file(&mut self, header: &Header, options: &MemoryOptions) {
        self.architecture = architecture(header);
        self.keep_weights(&Weights::of_other_file(header));
        // Adapters, projectors and control vectors have no context of their own.
        if matches!(kind_and_shard(header).0, FileKind::Adapter | FileKind::Projector | FileKind::ControlVector) {
            (self.caches, self.output_bytes) = (Some(Vec::new()), Some(0));
        }
        self.place(options, None, 0);
    }

    /// Places the parts on the devices.
    fn place(&mut self, options: &MemoryOptions, buffers: Option<ComputeBuffers>, layer_count: usize) {
        let Self { weights, caches, state, output_bytes: output, .. } = self;
        let (weights, caches, state) = (weights.as_ref(), caches.as_deref(), state.as_ref());
        self.devices = devices(options, &Placed { weights, caches, state, output: *output, buffers }, layer_count);
    }

    /// Adds the parts of a model. The compute buffers are `None` if they are not known.
    fn add_model(
        &mut self,
        prepared: &Prepared<'_>,
        options: &MemoryOptions,
    ) -> Result<Option<ComputeBuffers>, MemoryRefusal> {
        let Prepared { model, weights, layers, .. } = prepared;
        let mut options = *options;
        options.flash_attention &= !model.info.has(Exception::NoFlashAttention);
        let options = &options;
        self.architecture.clone_from(&model.architecture);
        check_cache_types(model, layers.as_ref().ok(), options)?;
        let context = context_size(model, options);
        context.as_ref().map_or(Ok(()), check_batch)?;
        self.keep_weights(weights);
        let add_context = |layers| self.add_context(prepared, &layers, &context?, options);
        let buffers = match layers.clone().and_then(add_context) {
            Ok(buffers) => buffers,
            Err(unknown) => {
                self.note_unknown("What the context takes is not known", &unknown);
                None
            }
        };
        self.place(options, buffers, model.layer_count as usize);
        let compute = self.devices.iter().map(|device| device.compute);
        self.compute = compute.reduce(|sum, compute| Some(sum?.plus(compute?))).flatten();
        self.add_bytes_per_token(model, options);
        self.formulas = formulas(model, self, options);
        self.note_blocks(model);
        Ok(buffers)
    }

    /// Adds what the context takes. The compute buffers are `None` if they are not known.
    fn add_context(
        &mut self,
        Prepared { model, kinds, .. }: &Prepared<'_>,
        layers: &Layers,
        context: &ContextSize,
        options: &MemoryOptions,
    ) -> Result<Option<ComputeBuffers>, Unknown> {
        self.context_length = Some(context.total);
        self.trained_context_length = model.optional(CONTEXT_LENGTH).ok().flatten().filter(|trained| *trained > 0);
        // llama.cpp rounds each length up, which nobody has asked for.
        if let Some(trained) = self.trained_context_length.filter(|trained| padded(*trained) < context.of_sequence) {
            self.note_context(model, context.of_sequence, trained);
        }
        let (caches, state) = match model.rule().memory {
            Memory::Compressed => {
                let caches = compressed_caches(model, layers.window, options, context)?;
                (caches, compressed_state(model, context)?)
            }
            _ => (caches(model, layers, options, context)?, state(model, layers, context)?),
        };
        let buffers = compute(model, layers, kinds, &caches, options, context);
        let buffers = buffers.map_err(|unknown| self.note_unknown("The compute buffer is not known", &unknown)).ok();
        self.caches = Some(caches);
        self.state = state;
        match output_bytes(model, context) {
            Ok(bytes) => self.output_bytes = Some(bytes),
            Err(unknown) => self.note_unknown("The output buffer is not known", &unknown),
        }
        Ok(buffers)
    }

    /// Adds what is read for a token, if all of it is known.
    fn add_bytes_per_token(&mut self, model: &Model<'_>, options: &MemoryOptions) {
        if let (Some(weights), Some(caches), Ok(used)) = (&self.weights, &self.caches, UsedExperts::of(model)) {
            self.bytes_per_token = Some(bytes_per_token(options, weights, caches, self.state.as_ref(), used));
        }
    }

    /// Keeps the weights, or notes why they are not known.
    fn keep_weights(&mut self, weights: &Result<Weights, Unknown>) {
        match weights {
            Ok(weights) => self.weights = Some(weights.clone()),
            Err(unknown) => self.note_unknown("The size of the tensors is not known", unknown),
        }
    }

    /// Notes that a sequence has a longer context than the model was trained for.
    fn note_context(&mut self, model: &Model<'_>, length: u64, trained: u64) {
        let key = model.key(CONTEXT_LENGTH);
        self.notes.push(format!(
            "The model was trained with {trained} tokens, fewer than the {length} of a sequence. llama.cpp allocates a longer context \
             and warns, but llama-server ends a sequence at {trained} tokens, unless it is given --override-kv {key}=int:{length}. \
             Beyond, answers get worse, unless the positions are rotary and scaled: --rope-scaling yarn --rope-scale FACTOR \
             --yarn-orig-ctx {trained}."
        ));
    }

    fn note_unknown(&mut self, what: &str, unknown: &Unknown) {
        self.notes.push(note_of(what, unknown));
    }

    /// Notes that the file has tensors of fewer blocks than it states.
    fn note_blocks(&mut self, model: &Model<'_>) {
        let stated = model.layer_count;
        if let Some(found) = model.blocks_with_tensors.filter(|found| *found < stated) {
            self.notes
                .push(format!("block_count is {stated}, but the last block with tensors is block {}.", found - 1));
        }
    }
}

/// The output buffer: a number for each token of the vocabulary, for each sequence.
fn output_bytes(model: &Model<'_>, context: &ContextSize) -> Result<u64, Unknown> {
    let embedding = if model.info.has(Exception::OutputsEmbeddings) { model.embedding_length } else { 0 };
    let numbers = model.token_count()?.checked_add(embedding).and_then(|each| each.checked_mul(context.sequences));
    numbers.and_then(|numbers| numbers.checked_mul(4)).ok_or(Unknown::TooLarge)
}
