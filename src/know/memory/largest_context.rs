//! The longest context that fits into the memory of a GPU.

use super::context::{CONTEXT_STEP, LONGEST_CONTEXT};
use super::estimator::estimate;
use super::options::MemoryOptions;
use super::refusal::MemoryRefusal;
use crate::format::header::Header;

/// The largest multiple of 256 tokens for which everything on the GPU takes at most `bytes`, with the most that is expected
/// for the compute buffer.
///
/// `None` if not even 256 tokens fit, or if it is not known what a context takes. The context of a model without a cache is
/// limited by nothing but the number, and so is that of a model whose caches are all on the CPU: the result is then the longest
/// that llama.cpp can be asked for, about 4,294,967,040.
/// `options.context_length` is ignored.
///
/// # Errors
///
/// llama.cpp would refuse the settings.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Format, memory::{MemoryOptions, largest_context}, write::encode::Encoder};
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
/// let header = gguf_wasm::parse(file.as_bytes())?;
///
/// // A token takes 128 KiB of the cache: 32 layers × 2 × 1024 elements × 2 bytes. 4 GiB have room for less than 32,768 tokens.
/// let tokens = largest_context(&header, &MemoryOptions::default(), 4 << 30)?.unwrap();
/// assert!(tokens.is_multiple_of(256) && (24_576..32_768).contains(&tokens), "{tokens}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn largest_context(header: &Header, options: &MemoryOptions, bytes: u64) -> Result<Option<u64>, MemoryRefusal> {
    let fits = |steps: u64| {
        let options = MemoryOptions { context_length: Some(steps * CONTEXT_STEP), ..options.clone() };
        let estimate = match estimate(header, &options) {
            Err(MemoryRefusal::ContextLength) => return Ok(false),
            estimate => estimate?,
        };
        let is_known = estimate.caches.is_some() && estimate.compute.is_some() && estimate.weights.is_some();
        Ok(is_known && estimate.devices[0].total().high <= bytes)
    };
    if !fits(1)? {
        return Ok(None);
    }
    // The largest number of steps is at least `fitting` and less than `too_many`.
    let (mut fitting, mut too_many) = (1, LONGEST_CONTEXT / CONTEXT_STEP + 1);
    while too_many - fitting > 1 {
        let middle = fitting + (too_many - fitting) / 2;
        if fits(middle)? { fitting = middle } else { too_many = middle }
    }
    Ok(Some(fitting * CONTEXT_STEP))
}
