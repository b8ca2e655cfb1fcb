//! Turns of the event loop during long work.

use core::marker::PhantomData;

use super::host::Host;

/// The work after which the event loop gets a turn: a few tens of milliseconds. The unit is a byte that is compared or hashed
/// by a fast function.
const WORK_PER_TURN: u64 = 64 << 20;

/// The work of reading a chunk, however short it is. A source can return empty chunks for ever.
#[doc(hidden)]
pub const WORK_PER_CHUNK: u64 = 16 << 10;

/// Gives the event loop a turn now and then.
///
/// A source may return bytes without any delay. Without this, timers would not fire, and an abort would not be seen.
#[doc(hidden)]
pub struct Turns<H> {
    work: u64,
    host: PhantomData<H>,
}

impl<H: Host> Turns<H> {
    #[allow(clippy::new_without_default, reason = "`H` needs no default")]
    pub fn new() -> Self {
        Self { work: 0, host: PhantomData }
    }

    /// Counts work that was done, and lets the event loop run if it has waited long enough.
    pub async fn count(&mut self, work: u64) {
        self.work += work;
        if self.work >= WORK_PER_TURN {
            self.work = 0;
            H::next_turn().await;
        }
    }
}
