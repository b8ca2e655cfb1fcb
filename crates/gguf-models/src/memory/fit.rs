//! The best settings for the memory of a machine.

use alloc::{string::String, vec, vec::Vec};

use super::choice::{CacheLoss, Fit, FitChoice};
use super::compute::ComputeBuffers;
use super::context::{CONTEXT_STEP, LONGEST_CONTEXT};
use super::estimate::MemoryEstimate;
use super::estimator::{Prepared, note_of};
use super::largest_context::{Room, longest};
use super::options::{MemoryOptions, TensorOverride};
use super::placements::{Capacity, Given, Moved, Parts};
use super::refusal::{MemoryRefusal, check_options, check_overrides};
use super::shares::Shares;
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::header::Header;

/// The shortest context of a sequence that llama.cpp chooses by itself (`--fit-ctx`).
const LEAST_CONTEXT: u64 = 4096;

/// What [`fit`] looks for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FitOptions {
    /// The other settings. `context_length` is the wanted context, which is not made shorter unless `least_context` allows it;
    /// `None`: the length that the model was trained for, for each sequence, or less. The types of the cache are ignored; `gpu_layers`
    /// and `cards` are chosen if they are not given. `cpu_experts` is below.
    pub settings: MemoryOptions,
    /// The shortest context that is of use, in tokens. `None`: the wanted one if it is given, else 4096 tokens for each sequence, as
    /// llama.cpp has it. If no context is wanted and the file does not state its trained context, this context is also the wanted one.
    pub least_context: Option<u64>,
    /// The types that the cache may have, the best one first. Keys and values get the same type: the kernels of llama.cpp for flash
    /// attention on a GPU are built for equal types, unless one asks for all of them.
    pub cache_types: Vec<GgmlType>,
    /// The types of keys and of values, if they are not chosen from `cache_types`.
    pub given_types: Option<[GgmlType; 2]>,
    /// The number of layers, from the first one on, whose experts are on the CPU. `None`: it is chosen.
    pub cpu_experts: Option<u32>,
    /// The tensors that are on another device than their layer, in the order of the file, each once.
    pub overrides: Vec<TensorOverride>,
    /// The memory of the GPU.
    pub gpu_bytes: u64,
    /// The memory of further GPUs, in the order in which llama.cpp uses them.
    pub more_gpu_bytes: Vec<u64>,
    /// The memory of the machine for the CPU. `None`: enough, as llama.cpp assumes.
    pub machine_bytes: Option<u64>,
}

impl FitOptions {
    /// Looks for the best settings for a GPU, with a cache of F16 or Q8_0.
    pub fn new(gpu_bytes: u64) -> Self {
        Self {
            settings: MemoryOptions::default(),
            least_context: None,
            cache_types: vec![GgmlType::F16, GgmlType::Q8_0],
            given_types: None,
            cpu_experts: None,
            overrides: Vec::new(),
            gpu_bytes,
            more_gpu_bytes: Vec::new(),
            machine_bytes: None,
        }
    }
}

/// Finds the best settings with which a model fits into the memory of a machine.
///
/// The first of these points in which two settings differ decides:
///
/// 1. More layers on the GPU, with the output. A layer on the CPU is computed there with its attention and its cache, which costs the
///    most speed.
/// 2. Fewer layers whose experts are on the CPU. A token uses few of the experts, so they cost less speed than layers.
/// 3. An earlier type of the cache. A caller allows only types whose precision is enough, so speed comes first.
/// 4. A longer context. A context longer than `least_context` is not asked for, so it costs neither speed nor precision.
///
/// The contexts are the wanted one, those of the form m × 2ⁿ with m from 8 to 15 that are multiples of 256, and the least one. A
/// result fits if [`memory::estimate`](super::estimate) says that it does, with the most that is expected for the compute buffers.
///
/// `llama-server --fit` makes the context shorter first, too, down to `--fit-ctx`, then moves experts and then layers. It differs:
/// it never changes the type of the cache; it assumes that the context costs the same for each token; it has no limit for the memory
/// of the CPU; it keeps 1 GiB of each GPU free (`--fit-target`), which a caller takes from `gpu_bytes` here; and it moves parts of
/// layers by the names of tensors.
///
/// With several GPUs, what is on them is what could be if each got as many layers as fit. The layers are then placed so that the GPUs
/// are filled evenly.
///
/// # Errors
///
/// llama.cpp would refuse the settings for each type of the cache, or the shares are not one for each GPU.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, write::encode::Encoder};
/// use gguf_models::memory::{FitOptions, fit};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(2, 8)
///     .kv(b"general.architecture", &"llama".into())
///     .kv(b"llama.block_count", &32u32.into())
///     .kv(b"llama.context_length", &131_072u32.into())
///     .kv(b"llama.embedding_length", &4096u32.into())
///     .kv(b"llama.feed_forward_length", &14336u32.into())
///     .kv(b"llama.vocab_size", &32000u32.into())
///     .kv(b"llama.attention.head_count", &32u32.into())
///     .kv(b"llama.attention.head_count_kv", &8u32.into())
///     .tensor_info(b"token_embd.weight", &[4096, 32000], 8, 0)
///     .tensor_info(b"blk.31.attn_norm.weight", &[4096], 0, 139_264_000);
/// let header = gguf_format::parse(file.as_bytes())?;
///
/// // A token takes 128 KiB of an F16 cache. 4 GiB have room for 30,720 tokens, with everything on the GPU.
/// let fit = fit(&header, &FitOptions::new(4 << 30))?;
/// assert_eq!((fit.choices[0].gpu_layers, fit.choices[0].context_length), (33, 28_672));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(header: &Header, options: &FitOptions) -> Result<Fit, MemoryRefusal> {
    let unknown = |note| Ok(Fit { fits: None, choices: Vec::new(), missing_bytes: None, notes: Vec::from([note]) });
    let mut cards = options.more_gpu_bytes.clone();
    cards.insert(0, options.gpu_bytes);
    let mut settings = options.settings;
    let has_shares = cards.len() == 1 || settings.cards != Shares::default();
    if !has_shares {
        // They are replaced in each try. Until then, the last card has all layers.
        settings.cards = Shares::of_last(cards.len()).ok_or(MemoryRefusal::TensorSplit)?;
    }
    if settings.cards.numbers().len() != cards.len() {
        return Err(MemoryRefusal::TensorSplit);
    }
    check_options(&settings)?;
    check_overrides(&settings, &options.overrides)?;
    let prepared = match Prepared::of(header, &options.overrides) {
        Ok(prepared) => prepared,
        Err(note) => return unknown(note),
    };
    let contexts = match contexts(&prepared, options) {
        Ok(contexts) => contexts,
        Err(note) => return unknown(note),
    };
    let capacity = Capacity { cards, cpu: options.machine_bytes.unwrap_or(u64::MAX), has_shares };
    let given = Given { gpu_layers: settings.gpu_layers, cpu_experts: options.cpu_experts };
    let (mut order, mut choices) = (Vec::new(), Vec::new());
    let (mut missing, mut refused, mut notes) = (None::<u64>, None, Vec::new());
    // If the types are given, there is nothing to choose.
    let count = if options.given_types.is_some() { 1 } else { options.cache_types.len() };
    for index in 0..count {
        let types = options.given_types.unwrap_or_else(|| [options.cache_types[index]; 2]);
        [settings.key_type, settings.value_type] = types;
        let (prepared, settings) = (&prepared, &settings);
        let search = Search { prepared, settings, given, capacity: &capacity, contexts: &contexts };
        match search.best() {
            Ok(Answer::Choice(moved, choice)) => {
                // The order of the types is kept among equals.
                let at = order.iter().position(|other| *other > moved).unwrap_or(order.len());
                order.insert(at, moved);
                choices.insert(at, choice);
            }
            Ok(Answer::Missing(bytes)) => missing = Some(missing.map_or(bytes, |least| least.min(bytes))),
            Ok(Answer::Unknown(why)) => notes = why,
            // No context is short enough for the counters of llama.cpp, with any type.
            Err(refusal @ (MemoryRefusal::ContextLength | MemoryRefusal::CacheType(_))) => return Err(refusal),
            Err(refusal) => refused = Some(refusal),
        }
    }
    if let (true, None, true, Some(refusal)) = (choices.is_empty(), missing, notes.is_empty(), refused) {
        return Err(refusal);
    }
    let fits = if choices.is_empty() { missing.map(|_| false) } else { Some(true) };
    Ok(Fit { missing_bytes: missing.filter(|_| fits == Some(false)), fits, choices, notes })
}

/// The contexts to try, in tokens, the shortest one first.
fn contexts(prepared: &Prepared<'_>, options: &FitOptions) -> Result<Vec<u64>, String> {
    let settings = &options.settings;
    let streams = if settings.unified { 1 } else { u64::from(settings.sequences) };
    let of_streams = |tokens: u64| tokens.saturating_mul(streams).min(LONGEST_CONTEXT / CONTEXT_STEP * CONTEXT_STEP);
    let (wanted, least) = match settings.context_length {
        Some(wanted) => (wanted, wanted),
        None => {
            let wanted = match (prepared.trained_context(), options.least_context) {
                (Ok(trained), _) => of_streams(trained),
                (_, Some(least)) => least,
                (Err(why), _) => return Err(note_of("What the context takes is not known", &why)),
            };
            (wanted, of_streams(LEAST_CONTEXT))
        }
    };
    let least = options.least_context.unwrap_or(least).min(wanted);
    let mut contexts = vec![least];
    // Steps of an eighth: m × 2ⁿ.
    let (mut tokens, mut step) = (8, 1);
    while tokens < wanted {
        if tokens > least && tokens % CONTEXT_STEP == 0 {
            contexts.push(tokens);
        }
        tokens += step;
        if tokens == 16 * step {
            step *= 2;
        }
    }
    if wanted > least {
        contexts.push(wanted);
    }
    Ok(contexts)
}

/// What a search for one type of the cache finds.
enum Answer {
    Choice(Moved, FitChoice),
    /// The bytes that are missing.
    Missing(u64),
    Unknown(Vec<String>),
}

/// A search for the best settings with one type of the cache.
struct Search<'a> {
    prepared: &'a Prepared<'a>,
    settings: &'a MemoryOptions,
    given: Given,
    capacity: &'a Capacity,
    /// The shortest one first.
    contexts: &'a [u64],
}

impl Search<'_> {
    #[inline(never)]
    fn with_context(&self, tokens: u64) -> Result<(MemoryEstimate, Option<ComputeBuffers>), MemoryRefusal> {
        let options = self.settings.with_context(tokens);
        check_options(&options)?;
        self.prepared.parts(&options)
    }

    #[inline(never)]
    fn parts(&self, tokens: u64) -> Result<Option<Parts>, MemoryRefusal> {
        match self.with_context(tokens) {
            Ok((estimate, buffers)) => Ok(Parts::of(estimate, buffers)),
            Err(MemoryRefusal::ContextLength) => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }

    /// What must be moved to the CPU so that a context fits into this memory. `None` if nothing helps.
    fn moved(&self, index: usize, room: Room) -> Result<Option<Moved>, MemoryRefusal> {
        let parts = self.parts(self.contexts[index])?;
        Ok(parts.and_then(|parts| self.least_moved(&parts, room)))
    }

    fn least_moved(&self, parts: &Parts, room: Room) -> Option<Moved> {
        parts.least_moved(self.settings, &self.given, self.capacity, room)
    }

    fn best(&self) -> Result<Answer, MemoryRefusal> {
        let (estimate, buffers) = self.with_context(self.contexts[0])?;
        let notes = estimate.notes.clone();
        let Some(shortest) = Parts::of(estimate, buffers) else { return Ok(Answer::Unknown(notes)) };
        // The lower bound of the need never falls with a longer context, so no choice is better than this bound.
        let Some(bound) = self.least_moved(&shortest, Room::ForLeast) else {
            return Ok(Answer::Missing(shortest.missing(self.settings, &self.given, self.capacity)));
        };
        let mut best = self.least_moved(&shortest, Room::Enough).map(|moved| (moved, 0));
        // The contexts for which as little could be moved as for the shortest one.
        let mut limit = 0;
        let mut end = self.contexts.len();
        while end - limit > 1 {
            let middle = limit + (end - limit) / 2;
            let least = self.moved(middle, Room::ForLeast)?;
            let can_be_better = least.is_some_and(|least| best.is_none_or(|(moved, _)| least <= moved));
            if can_be_better { limit = middle } else { end = middle }
        }
        // The most that a context needs can fall when it grows, so all of them are tried, until nothing can be better.
        for index in (1..=limit).rev() {
            if best.is_some_and(|(moved, at)| moved == bound && at > index) {
                break;
            }
            let Some(moved) = self.moved(index, Room::Enough)? else { continue };
            if best.is_none_or(|(least, at)| moved < least || moved == least && at < index) {
                best = Some((moved, index));
            }
        }
        match best {
            Some((moved, index)) => self.choice(moved, self.contexts[index]),
            None => Ok(Answer::Missing(shortest.missing(self.settings, &self.given, self.capacity))),
        }
    }

    fn choice(&self, moved: Moved, tokens: u64) -> Result<Answer, MemoryRefusal> {
        let options = self.settings.with_context(tokens);
        let Some(parts) = self.parts(tokens)? else { return Ok(Answer::Unknown(Vec::new())) };
        let options = parts.placed_evenly(&options, moved, self.capacity);
        let estimate = self.prepared.estimate(&options)?;
        let longest = longest(&|steps| {
            let parts = self.parts(steps.saturating_mul(CONTEXT_STEP))?;
            Ok(parts.map_or(Room::None, |parts| self.capacity.room(&parts.taken(&options))))
        })?;
        let choice = FitChoice {
            gpu_layers: options.gpu_layers.unwrap_or_default(),
            all_layers: moved.layers == 0,
            cpu_experts: moved.experts,
            key_type: options.key_type,
            value_type: options.value_type,
            cache_loss: CacheLoss::of(options.key_type),
            context_length: tokens,
            // The search can miss a longer context that fits although shorter ones do not.
            longest_context: longest.map_or(tokens, |longest| longest.max(tokens)),
            cpu_share: parts.cpu_share(&options),
            tensor_split: (options.cards.numbers().len() > 1 && options.gpu_layers != Some(0))
                .then(|| options.cards.numbers().to_vec()),
            bytes_per_token: estimate.bytes_per_token,
            tokens_per_second: None,
            devices: estimate.devices,
        };
        Ok(Answer::Choice(moved, choice))
    }
}
