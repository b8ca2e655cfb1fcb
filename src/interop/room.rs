//! Room in the memory of the module: asynchronous calls give the garbage collector of JavaScript turns when much is taken.
//!
//! JavaScript objects hold memory of the module until the garbage collector finds that they are unreachable. The collector
//! reports this between two tasks of the event loop. A program that never leaves the microtasks gives it no turn.

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::interop::bytes::Bytes;
use crate::interop::error::failure;
use crate::interop::module_memory::{has_room, taken};
use crate::interop::thrown::Thrown;
use crate::interop::timer::yield_to_event_loop;

/// Newly taken bytes after which an asynchronous call gives the collector a turn.
const BYTES_PER_TURN: usize = 32 << 20;

/// The most turns that the collector gets in one call when there is no room.
const MOST_TURNS: u32 = 16;

/// The bytes that were taken after the last turn, or fewer if some have been released.
static TAKEN_AT_TURN: AtomicUsize = AtomicUsize::new(0);

/// Gives the garbage collector a turn if much memory has been taken since the last turn, and more turns if there is no room.
///
/// # Errors
///
/// `too-large` if there is still no room.
pub(crate) async fn make_room() -> Result<(), Thrown> {
    let last = TAKEN_AT_TURN.fetch_min(taken(), Ordering::Relaxed);
    if taken() >= last.saturating_add(BYTES_PER_TURN) {
        yield_to_event_loop().await;
        TAKEN_AT_TURN.store(taken(), Ordering::Relaxed);
    }
    for _ in 0..MOST_TURNS {
        if has_room() {
            return Ok(());
        }
        // The collector runs when JavaScript takes memory, even if the memory is dropped at once.
        drop(Bytes::zeroed(BYTES_PER_TURN as u64));
        yield_to_event_loop().await;
    }
    if has_room() { Ok(()) } else { Err(failure!(TooLarge: "there is no memory for this call")) }
}
