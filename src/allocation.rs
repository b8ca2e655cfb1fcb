//! Room in memory for allocations to come.

use alloc::vec::Vec;
use core::hint::black_box;

/// Makes the allocator take `bytes` bytes from the host at once, if it does not have as many in one piece already. It gets
/// them back immediately, for smaller allocations that follow.
///
/// A browser may collect the whole heap of JavaScript each time when the memory of a module grows. Many small allocations
/// would grow it many times. If there is not as much memory, nothing happens: the allocations themselves then fail, or fit.
#[inline(never)]
pub(crate) fn make(bytes: u64) {
    let mut room = Vec::<u8>::new();
    let _ = room.try_reserve_exact(usize::try_from(bytes).unwrap_or(0));
    // The compiler may leave out an allocation that nobody looks at.
    black_box(room.as_ptr());
}
