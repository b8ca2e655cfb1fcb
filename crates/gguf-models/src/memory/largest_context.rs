//! The longest context that fits into the memory of a GPU.

use alloc::vec;

use super::compute::{ByteRange, MARGIN};
use super::context::{CONTEXT_STEP, LONGEST_CONTEXT};
use super::devices::{Device, add_beside};
use super::estimator::Prepared;
use super::options::{MemoryOptions, TensorOverride};
use super::refusal::{MemoryRefusal, check_options, check_overrides, check_values};
use gguf_format::format::header::Header;

/// The number of contexts below the longest possible one that are tried.
const MOST_TRIES: u64 = 128;

/// The largest multiple of 256 tokens for which everything on the GPU takes at most `bytes`, with the most that is expected
/// for the compute buffer.
///
/// The next multiple does not fit, or its buffer would be larger than any device. A longer context may fit again, because the compute
/// buffer does not always grow with the context. It is found only if it is among the 128 multiples below the longest context that could
/// fit.
///
/// `None` if not even 256 tokens fit, or if the size of a context is unknown. If the model has no cache, or all caches are on
/// the CPU, the memory of the GPU does not limit the context: the result is then the longest context that llama.cpp accepts,
/// about 4,294,967,040. `options.context_length` is ignored. With several cards, each has `bytes`.
///
/// # Errors
///
/// llama.cpp would refuse the settings.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, write::encode::Encoder};
/// use gguf_models::memory::{MemoryOptions, largest_context};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(2, 7)
///     .kv(b"general.architecture", &"llama".into())
///     .kv(b"llama.block_count", &32u32.into())
///     .kv(b"llama.embedding_length", &4096u32.into())
///     .kv(b"llama.feed_forward_length", &14336u32.into())
///     .kv(b"llama.vocab_size", &32000u32.into())
///     .kv(b"llama.attention.head_count", &32u32.into())
///     .kv(b"llama.attention.head_count_kv", &8u32.into())
///     .tensor_info(b"token_embd.weight", &[4096, 32000], 8, 0)
///     .tensor_info(b"blk.31.attn_norm.weight", &[4096], 0, 139_264_000);
/// let header = gguf_format::parse(file.as_bytes())?;
///
/// // A token takes 128 KiB of the cache: 32 layers × 2 × 1024 elements × 2 bytes. 4 GiB have room for less than 32,768 tokens.
/// let tokens = largest_context(&header, &MemoryOptions::default(), 4 << 30)?.unwrap();
/// assert!(tokens.is_multiple_of(256) && (24_576..32_768).contains(&tokens), "{tokens}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn largest_context(header: &Header, options: &MemoryOptions, bytes: u64) -> Result<Option<u64>, MemoryRefusal> {
    largest_context_with_overrides(header, options, &[], &ContextRoom::new(bytes))
}

/// The memory that a context must fit into.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ContextRoom<'a> {
    /// The memory of each card.
    pub bytes: u64,
    /// Whether GPU and CPU share the memory: everything must fit into it.
    pub is_shared: bool,
    /// A smaller model that drafts tokens, with the settings [`of_draft`](MemoryOptions::of_draft). Its memory grows with the context, too.
    pub draft: Option<&'a Header>,
}

impl ContextRoom<'_> {
    /// The memory of each card, for one model.
    pub fn new(bytes: u64) -> Self {
        Self { bytes, is_shared: false, draft: None }
    }
}

/// The longest context, as [`largest_context`]. `overrides` are the tensors that are on another device than their layer: in the order of
/// the file, each once.
///
/// # Errors
///
/// llama.cpp would refuse the settings, or a tensor is on a card that is not there.
pub fn largest_context_with_overrides(
    header: &Header,
    options: &MemoryOptions,
    overrides: &[TensorOverride],
    room: &ContextRoom<'_>,
) -> Result<Option<u64>, MemoryRefusal> {
    let with_steps = |steps: u64| options.with_context(steps * CONTEXT_STEP);
    check_options(&with_steps(1))?;
    check_overrides(options, overrides)?;
    let draft = room.draft.map(|draft| Prepared::of(draft, &[])).transpose();
    let (Ok(prepared), Ok(draft)) = (Prepared::of(header, overrides), draft) else {
        check_values(options)?;
        return Ok(None);
    };
    longest(&|steps| {
        let options = with_steps(steps);
        if let Err(MemoryRefusal::ContextLength) = check_options(&options) {
            return Ok(Room::None);
        }
        let mut devices = prepared.estimate(&options)?.devices;
        if let Some(draft) = &draft {
            add_beside(&mut devices, &draft.estimate(&options.of_draft())?.devices);
        }
        if room.is_shared {
            devices = vec![Device::together(&devices)];
        } else {
            devices.pop();
        }
        let mut least = Room::Enough;
        for device in &devices {
            let Some((total, compute)) = device.total().zip(device.compute) else { return Ok(Room::None) };
            least = least.min(Room::of(total, compute, room.bytes));
        }
        Ok(least)
    })
}

/// Whether the memory that a context needs fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    /// Not even the lower bound of the need fits. Also used if the need is unknown.
    None,
    /// The lower bound of the need fits, the upper bound does not.
    ForLeast,
    /// The upper bound of the need fits.
    Enough,
}

impl Room {
    /// Compares the parts of a device with its memory.
    pub fn of(total: ByteRange, compute: ByteRange, bytes: u64) -> Self {
        if total.high <= bytes {
            Self::Enough
        } else if total.low.saturating_add(compute.low / MARGIN) <= bytes {
            // The margin of the compute buffer is also added to the lower bound.
            Self::ForLeast
        } else {
            Self::None
        }
    }
}

/// The longest context with enough room, in tokens, as [`largest_context`] documents it. `room` takes the number of steps of 256
/// tokens.
pub(super) fn longest(room: &dyn Fn(u64) -> Result<Room, MemoryRefusal>) -> Result<Option<u64>, MemoryRefusal> {
    let fits = |steps| Ok::<_, MemoryRefusal>(room(steps)? == Room::Enough);
    if room(1)? == Room::None {
        return Ok(None);
    }
    let longest = LONGEST_CONTEXT / CONTEXT_STEP;
    // The lower bound of the need never falls when the context grows. So no context above this limit can fit.
    let limit = last(1, longest, &|steps| Ok(room(steps)? != Room::None))?;
    if fits(limit)? {
        return Ok(Some(limit * CONTEXT_STEP));
    }
    // The upper bound can fall a little, because ggml then finds better places. So the contexts below the limit are tried. If none of them
    // fits, shorter ones follow, each half as long.
    for steps in (limit.saturating_sub(MOST_TRIES).max(1)..limit).rev() {
        if fits(steps)? {
            return Ok(Some(steps * CONTEXT_STEP));
        }
    }
    for steps in (1..u64::BITS).map(|half| limit >> half).take_while(|steps| *steps > 0) {
        if fits(steps)? {
            return Ok(Some(last(steps, limit, &fits)? * CONTEXT_STEP));
        }
    }
    Ok(None)
}

/// A number from `start` to `end` for which a condition holds, and does not hold for the next number. The condition holds for `start`.
fn last(start: u64, end: u64, holds: &dyn Fn(u64) -> Result<bool, MemoryRefusal>) -> Result<u64, MemoryRefusal> {
    let (mut fitting, mut too_many) = (start, end + 1);
    while too_many - fitting > 1 {
        let middle = fitting + (too_many - fitting) / 2;
        if holds(middle)? { fitting = middle } else { too_many = middle }
    }
    Ok(fitting)
}
