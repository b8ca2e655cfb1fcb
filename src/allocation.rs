//! Memory for allocations that follow.

use alloc::vec::Vec;
use core::hint::black_box;

/// Makes the allocator hold `bytes` free bytes in one piece, for smaller allocations that follow.
///
/// A browser may collect the whole heap of JavaScript each time the memory of a module grows. Many small allocations would
/// grow it many times; this grows it once. If the memory is not available, this does nothing, and the later allocations
/// report the error.
pub(crate) fn reserve(bytes: u64) {
    let mut block = Vec::<u8>::new();
    let _ = block.try_reserve_exact(usize::try_from(bytes).unwrap_or(0));
    // Without this, the compiler may remove an allocation that is never used.
    black_box(block.as_ptr());
}
