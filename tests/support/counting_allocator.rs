//! An allocator that counts the memory of the thread of each test, and can refuse allocations.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]
#![allow(dead_code, reason = "no test uses all of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static ASKED_FOR: Cell<u64> = const { Cell::new(0) };
    /// The most bytes that may be held, and the size from which an allocation beyond them is refused.
    static ALLOWED: Cell<(isize, usize)> = const { Cell::new(EVERYTHING) };
}

const EVERYTHING: (isize, usize) = (isize::MAX, 0);

// SAFETY: every call is passed on to the system allocator, or returns null, which is always allowed.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.get() + layout.size() as isize;
        let (allowed, least) = ALLOWED.get();
        if held > allowed && layout.size() >= least {
            return std::ptr::null_mut();
        }
        HELD.set(held);
        ASKED_FOR.set(ASKED_FOR.get() + layout.size() as u64);
        PEAK.set(PEAK.get().max(held));
        // SAFETY: the contract of the caller is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as isize);
        // SAFETY: the contract of the caller is passed on. `pointer` is from `System.alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a call has allocated, in bytes.
pub struct Use {
    /// The most that was allocated during the call.
    pub peak: u64,
    /// What is allocated after the call.
    pub held: u64,
    /// The sum of all allocations.
    pub asked_for: u64,
}

/// The result of `run`, and what it has allocated.
pub fn measured<T>(run: impl FnOnce() -> T) -> (T, Use) {
    let (before, asked_before) = (HELD.get(), ASKED_FOR.get());
    PEAK.set(before);
    let result = run();
    let allocated = Use {
        peak: (PEAK.get() - before) as u64,
        held: (HELD.get() - before) as u64,
        asked_for: ASKED_FOR.get() - asked_before,
    };
    (result, allocated)
}

/// The result of `run`, which may allocate `allowed` bytes. Allocations of `least` bytes or more beyond them are refused.
pub fn with_room<T>(allowed: u64, least: usize, run: impl FnOnce() -> T) -> T {
    ALLOWED.set((HELD.get() + allowed as isize, least));
    let result = run();
    ALLOWED.set(EVERYTHING);
    result
}
