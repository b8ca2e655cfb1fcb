//! The kernels alone, memory to memory: for tests, and for benchmarks, which hold them against what memory allows.
//!
//! `blocks` and `out` give out memory for the bytes that go in and the floats that come out; `to_float` runs a type's
//! kernel over them.

use gguf_wasm::GgmlType;
use std::sync::Mutex;

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

/// Stores vectors over all of `out`, and does nothing else: the store limit.
#[cfg(target_feature = "simd128")]
#[unsafe(no_mangle)]
pub extern "C" fn store() {
    use std::arch::wasm32::{f32x4_splat, v128_store};
    let mut out = OUT.lock().unwrap();
    for (i, chunk) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        // SAFETY: the chunk is the 16 bytes that are written.
        unsafe { v128_store(chunk.as_mut_ptr().cast(), f32x4_splat(i as f32)) }
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
