//! A WebAssembly module with the kernels, the quantizers and the statistics, for tests and benchmarks.
//!
//! `blocks` and `out` allocate memory for the input bytes and the output elements. `to_f32` runs the kernel of a type on them. `quantize`
//! converts in the other direction. It uses the numbers in `importance`, if there are any. `store` and `copy` measure how fast this memory
//! can be written and copied.

use gguf_format::GgmlType;
use gguf_format::tensor::block_types::{BLOCK_TYPES, block_type_info};
use gguf_format::tensor::{FORK_KERNELS, Quantizer, RowGroup, Statistics, kernels, quantizer};
use std::sync::{LazyLock, Mutex};

static BLOCKS: Mutex<Buffer<u8>> = Mutex::new(Buffer::new());
static OUT: Mutex<Buffer<f32>> = Mutex::new(Buffer::new());
static IMPORTANCE: Mutex<Buffer<f32>> = Mutex::new(Buffer::new());
static QUANTIZER: Mutex<Option<Quantizer>> = Mutex::new(None);

/// Memory that begins at a page. How a buffer lies in its cache lines changes the speed of a kernel by up to a fifth, so
/// every measurement uses the same place.
struct Buffer<T> {
    memory: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Buffer<T> {
    const PAGE: usize = 4096;

    const fn new() -> Self {
        Self { memory: Vec::new(), start: 0, length: 0 }
    }

    fn allocate(&mut self, length: usize) -> *mut T {
        self.memory = vec![T::default(); length + Self::PAGE / size_of::<T>()];
        (self.start, self.length) = (self.memory.as_ptr().align_offset(Self::PAGE), length);
        self.as_mut_slice().as_mut_ptr()
    }

    fn as_slice(&self) -> &[T] {
        &self.memory[self.start..][..self.length]
    }

    fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.memory[self.start..][..self.length]
    }
}

/// Allocates `length` bytes for blocks and returns their address. It is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn blocks(length: usize) -> *mut u8 {
    BLOCKS.lock().unwrap().allocate(length)
}

/// Allocates `length` elements for the output and returns their address. It is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn out(length: usize) -> *mut f32 {
    OUT.lock().unwrap().allocate(length)
}

/// Converts the blocks to `f32` elements of the output. Returns 0 if the type has no kernels, and 1 otherwise. The type is one
/// of GGUF, or of the formats before it.
#[unsafe(no_mangle)]
pub extern "C" fn to_f32(id: u32) -> u32 {
    let own = block_type_info(GgmlType(id)).and_then(|info| info.own_kernel);
    let Some(to_f32) = own.or_else(|| Some(kernels(GgmlType(id))?.to_f32)) else { return 0 };
    to_f32(BLOCKS.lock().unwrap().as_slice(), OUT.lock().unwrap().as_mut_slice());
    1
}

/// The id of a type of a format before GGUF by its position; 0 if there are no more.
#[unsafe(no_mangle)]
pub extern "C" fn legacy_type(index: usize) -> u32 {
    BLOCK_TYPES.get(index).map_or(0, |info| info.id)
}

/// Elements in a block of a type of a format before GGUF.
#[unsafe(no_mangle)]
pub extern "C" fn legacy_block_size(index: usize) -> u32 {
    BLOCK_TYPES.get(index).map_or(0, |info| info.block_size)
}

/// Bytes in a block of a type of a format before GGUF.
#[unsafe(no_mangle)]
pub extern "C" fn legacy_type_size(index: usize) -> u32 {
    BLOCK_TYPES.get(index).map_or(0, |info| info.type_size)
}

/// The address of the name of a type of another program, by its position.
#[unsafe(no_mangle)]
pub extern "C" fn fork_name(index: usize) -> *const u8 {
    FORK_KERNELS.get(index).map_or("", |(name, _)| name).as_ptr()
}

/// The length of this name; 0 if there are no more types.
#[unsafe(no_mangle)]
pub extern "C" fn fork_name_length(index: usize) -> usize {
    FORK_KERNELS.get(index).map_or(0, |(name, _)| name.len())
}

/// Converts groups of rows, which are in the blocks, to `f32` elements of the output. Returns the size of a group: its bytes, and from
/// bit 32 on its rows. Returns 0 if the type has no rows of so many columns.
#[unsafe(no_mangle)]
pub extern "C" fn fork_to_f32(index: usize, columns: usize) -> u64 {
    let Some((_, to_f32)) = FORK_KERNELS.get(index) else { return 0 };
    let (blocks, mut out) = (BLOCKS.lock().unwrap(), OUT.lock().unwrap());
    let group = to_f32(columns, blocks.as_slice(), out.as_mut_slice());
    group.map_or(0, |RowGroup { rows, bytes }| bytes as u64 | (rows as u64) << 32)
}

/// Allocates `length` numbers for the importance and returns their address. It is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn importance(length: usize) -> *mut f32 {
    IMPORTANCE.lock().unwrap().allocate(length)
}

/// Makes the quantizer of a type. Returns 0 if there is none, and 1 otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn quantizer_of(id: u32) -> u32 {
    let mut quantizer_in_use = QUANTIZER.lock().unwrap();
    *quantizer_in_use = quantizer(GgmlType(id));
    u32::from(quantizer_in_use.is_some())
}

/// Quantizes rows of `row_length` elements of the output to blocks. Uses the numbers in `importance`, if there are any. Returns
/// 1, or 0 if the quantizer refuses.
#[unsafe(no_mangle)]
pub extern "C" fn quantize(row_length: usize) -> u32 {
    let (rows, importance, mut blocks) = (OUT.lock().unwrap(), IMPORTANCE.lock().unwrap(), BLOCKS.lock().unwrap());
    let importance = Some(importance.as_slice()).filter(|importance| !importance.is_empty());
    let quantizer = QUANTIZER.lock().unwrap();
    let Some(quantizer) = &*quantizer else { return 0 };
    u32::from(quantizer.quantize(rows.as_slice(), row_length, importance, blocks.as_mut_slice()).is_ok())
}

static STATISTICS: LazyLock<Mutex<Statistics>> = LazyLock::new(Mutex::default);
static FIGURES: Mutex<Vec<f64>> = Mutex::new(Vec::new());

/// Clears the statistics.
#[unsafe(no_mangle)]
pub extern "C" fn statistics_clear() {
    *STATISTICS.lock().unwrap() = Statistics::new();
}

/// Adds all elements of the output to the statistics.
#[unsafe(no_mangle)]
pub extern "C" fn statistics_push() {
    STATISTICS.lock().unwrap().push(OUT.lock().unwrap().as_slice());
}

/// The address of the summary as `f64`s: five counts (elements, zeros, NaN, +∞, −∞); minimum, maximum, absolute maximum,
/// mean and deviation, NaN where there is none; then, if there is a histogram, its lower edge, the width of a bin, the
/// number of bins, and the count of each bin.
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

/// Stores the same vector to the whole output: the store limit of the benchmarks.
#[cfg(target_feature = "simd128")]
#[unsafe(no_mangle)]
pub extern "C" fn store() {
    use std::arch::wasm32::{f32x4_splat, v128_store};
    let (mut out, ones) = (OUT.lock().unwrap(), f32x4_splat(1.0));
    for chunk in out.as_mut_slice().as_chunks_mut::<4>().0 {
        // SAFETY: the chunk is the 16 bytes that are written.
        unsafe { v128_store(chunk.as_mut_ptr().cast(), ones) }
    }
}

/// Copies the bytes of the blocks to the output by `memory.copy`, as many as both hold.
#[unsafe(no_mangle)]
pub extern "C" fn copy() {
    let (blocks, mut out) = (BLOCKS.lock().unwrap(), OUT.lock().unwrap());
    let (blocks, out) = (blocks.as_slice(), out.as_mut_slice());
    let length = blocks.len().min(4 * out.len());
    // SAFETY: both are that long, and they do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(blocks.as_ptr(), out.as_mut_ptr().cast(), length) }
}
