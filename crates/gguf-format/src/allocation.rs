//! Allocations whose size depends on a file.

use alloc::vec::Vec;
use core::hint::black_box;

/// Makes the allocator hold `bytes` free bytes in one piece, for smaller allocations that follow.
///
/// A browser may collect the whole heap of JavaScript each time the memory of a module grows. Many small allocations would
/// grow it many times; this grows it once. If the memory is not available, this does nothing, and the later allocations
/// report the error.
pub(crate) fn reserve(bytes: u64) {
    is_available(bytes);
}

/// Whether the allocator has, or can get, `bytes` free bytes in one piece. It holds them for the allocations that follow.
#[doc(hidden)]
pub fn is_available(bytes: u64) -> bool {
    let mut block = Vec::<u8>::new();
    let is_available = usize::try_from(bytes).is_ok_and(|bytes| block.try_reserve_exact(bytes).is_ok());
    // Without this, the compiler may remove an allocation that is never used.
    black_box(block.as_ptr());
    is_available
}

/// An empty list with room for `len` elements, and no more. `None` if the memory is not available.
#[doc(hidden)]
pub fn list<T>(len: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).ok()?;
    Some(list)
}

/// Zeros. `None` if the memory is not available.
#[doc(hidden)]
pub fn zeros(len: usize) -> Option<Vec<u8>> {
    let mut bytes = list(len)?;
    bytes.resize(len, 0);
    Some(bytes)
}
