//! The kernels alone, memory to memory: for tests, and for benchmarks, which hold them against what memory allows.
//!
//! `blocks` and `out` give out memory for the bytes that go in and the floats that come out; `to_float` runs a type's
//! kernel over them.

use gguf_wasm::{GgmlType, Statistics};
use std::sync::{LazyLock, Mutex};

static BLOCKS: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUT: Mutex<Vec<f32>> = Mutex::new(Vec::new());

/// The address of memory for `length` bytes of blocks, until it is asked for again.
#[unsafe(no_mangle)]
pub extern "C" fn blocks(length: usize) -> *mut u8 {
    let mut blocks = BLOCKS.lock().unwrap();
    *blocks = vec![0; length];
    blocks.as_mut_ptr()
}

/// The address of memory for `length` elements, until it is asked for again.
#[unsafe(no_mangle)]
pub extern "C" fn out(length: usize) -> *mut f32 {
    let mut out = OUT.lock().unwrap();
    *out = vec![0.0; length];
    out.as_mut_ptr()
}

/// Makes floats of the blocks: 0 if there is no such kernel.
#[unsafe(no_mangle)]
pub extern "C" fn to_float(id: u32) -> u32 {
    let Some(to_float) = GgmlType(id).info().and_then(|info| info.to_float()) else { return 0 };
    to_float(&BLOCKS.lock().unwrap(), &mut OUT.lock().unwrap());
    1
}

static STATISTICS: LazyLock<Mutex<Statistics>> = LazyLock::new(Mutex::default);
static FIGURES: Mutex<Vec<f64>> = Mutex::new(Vec::new());

/// Begins statistics anew.
#[unsafe(no_mangle)]
pub extern "C" fn statistics_clear() {
    *STATISTICS.lock().unwrap() = Statistics::new();
}

/// Takes all of `out` into the statistics.
#[unsafe(no_mangle)]
pub extern "C" fn statistics_push() {
    STATISTICS.lock().unwrap().push(&OUT.lock().unwrap());
}

/// The address of the figures: counts, those that may be missing as NaN, the histogram's edge, width, and its bins'
/// count and counts.
#[unsafe(no_mangle)]
pub extern "C" fn statistics_summary() -> *const f64 {
    let summary = STATISTICS.lock().unwrap().summary();
    let mut figures = FIGURES.lock().unwrap();
    let counts = [summary.count, summary.zeros, summary.nan, summary.positive_infinity, summary.negative_infinity];
    *figures = counts.map(|count| count as f64).to_vec();
    let measures = [summary.min, summary.max, summary.absolute_max, summary.mean, summary.deviation];
    figures.extend(measures.map(|measure| measure.unwrap_or(f64::NAN)));
    if let Some(histogram) = summary.histogram {
        figures.extend([histogram.low, histogram.width, histogram.counts.len() as f64]);
        figures.extend(histogram.counts.iter().map(|count| *count as f64));
    }
    figures.as_ptr()
}

/// Stores a vector over all of `out`, and does nothing else: the store limit.
#[cfg(target_feature = "simd128")]
#[unsafe(no_mangle)]
pub extern "C" fn store() {
    use std::arch::wasm32::{f32x4_splat, v128_store};
    let (mut out, ones) = (OUT.lock().unwrap(), f32x4_splat(1.0));
    for chunk in out.as_chunks_mut::<4>().0 {
        // SAFETY: the chunk is the 16 bytes that are written.
        unsafe { v128_store(chunk.as_mut_ptr().cast(), ones) }
    }
}

/// Copies as many bytes of the blocks as `out` has, by `memory.copy`.
#[unsafe(no_mangle)]
pub extern "C" fn copy() {
    let (blocks, mut out) = (BLOCKS.lock().unwrap(), OUT.lock().unwrap());
    let length = blocks.len().min(4 * out.len());
    // SAFETY: both are that long, and they do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(blocks.as_ptr(), out.as_mut_ptr().cast(), length) }
}
