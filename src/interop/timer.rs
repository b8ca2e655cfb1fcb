//! Waiting for a time, and limiting work to a time.

use alloc::rc::Rc;
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

use wasm_bindgen::prelude::*;

use crate::interop::objects::as_object;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Closure<dyn FnMut()>, milliseconds: f64) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// The longest delay of `setTimeout`, in milliseconds. Hosts treat longer ones as 0.
const LONGEST_DELAY: f64 = 2_147_483_647.0;

/// A timer of the host. Dropping it cancels it.
pub(crate) struct Timer {
    id: JsValue,
    state: Rc<RefCell<State>>,
    _callback: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct State {
    is_over: bool,
    waker: Option<Waker>,
}

impl Timer {
    pub fn new(milliseconds: f64) -> Self {
        let state = Rc::new(RefCell::new(State::default()));
        let shared = state.clone();
        let callback = Closure::new(move || {
            let mut state = shared.borrow_mut();
            state.is_over = true;
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        });
        Self { id: set_timeout(&callback, milliseconds.min(LONGEST_DELAY)), state, _callback: callback }
    }

    /// A timer that does not keep a Node.js process alive.
    pub fn in_background(milliseconds: f64) -> Self {
        let timer = Self::new(milliseconds);
        let unref = as_object(&timer.id).map(|id| id.function("unref"));
        if let Some(Ok(Some(unref))) = unref {
            let _ = unref.call0(&timer.id);
        }
        timer
    }

    /// Waits until the time is over.
    pub async fn wait(&self) {
        poll_fn(|context| self.poll(context)).await;
    }

    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.state.borrow_mut();
        if state.is_over {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Self::poll(&self, context)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.id);
    }
}

/// Lets the event loop handle its timers and events.
pub(crate) async fn yield_to_event_loop() {
    Timer::new(0.0).wait().await;
}

/// Chunks that are read before the event loop gets a turn.
const CHUNKS_PER_TURN: u32 = 4096;

/// Lets the event loop handle its timers and events now and then while many chunks are read.
///
/// A source can return chunks without any delay, and empty chunks for ever. Without this, timers would not fire, and an
/// abort would not be seen.
#[derive(Default)]
pub(crate) struct ChunkCounter {
    chunks: u32,
}

impl ChunkCounter {
    /// Counts a chunk, and yields to the event loop after every 4096th.
    pub async fn count(&mut self) {
        self.chunks += 1;
        if self.chunks == CHUNKS_PER_TURN {
            self.chunks = 0;
            yield_to_event_loop().await;
        }
    }
}
