//! The memory of the module: its allocator, and how much of the memory is taken.

use alloc::vec::Vec;
use core::hint::black_box;

use cap::Cap;
use rlsf::SmallGlobalTlsf;
use wasm_bindgen::prelude::*;

/// Counts the bytes that are taken. The allocator within has half the size of the standard library's.
#[cfg_attr(target_family = "wasm", global_allocator)]
static ALLOCATOR: Cap<SmallGlobalTlsf> = Cap::new(SmallGlobalTlsf::new(), usize::MAX);

/// The size in bytes from which the memory counts as nearly full. It cannot grow beyond 4 GiB.
const NEARLY_FULL: usize = 3 << 30;

/// Bytes that must be free when a call begins. A small allocation that fails ends the module.
const LEAST_FREE: usize = 64 << 20;

/// The bytes that are taken.
pub(crate) fn taken() -> usize {
    ALLOCATOR.allocated()
}

/// Whether the memory has grown close to its limit. Parts of it may be free.
pub(crate) fn is_nearly_full() -> bool {
    #[cfg(target_family = "wasm")]
    return core::arch::wasm32::memory_size::<0>() >= NEARLY_FULL >> 16;
    #[cfg(not(target_family = "wasm"))]
    return taken() >= NEARLY_FULL;
}

/// Whether a call that allocates can begin. `boundary.js` asks before each call that returns no promise.
#[wasm_bindgen(js_name = hasRoom, skip_typescript)]
pub fn has_room() -> bool {
    let mut room = Vec::<u8>::new();
    !is_nearly_full() || room.try_reserve_exact(black_box(LEAST_FREE)).is_ok()
}

/// The bytes that are taken, for `boundary.js`.
#[wasm_bindgen(js_name = takenBytes, skip_typescript)]
pub fn taken_bytes() -> u32 {
    taken() as u32
}
