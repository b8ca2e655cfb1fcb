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
