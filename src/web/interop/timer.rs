//! Waiting for a time, or for no longer than that.

use alloc::rc::Rc;
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use wasm_bindgen::prelude::*;

use crate::web::interop::js;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Closure<dyn FnMut()>, milliseconds: f64) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// The longest time that can be waited for; longer ones would be over at once.
const LONGEST: f64 = 2_147_483_647.0;

/// A time that passes, until it is dropped.
pub(crate) struct Timer {
    id: JsValue,
    state: Rc<RefCell<State>>,
    _callback: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct State {
    over: bool,
    waker: Option<Waker>,
}

impl Timer {
    pub fn new(milliseconds: f64) -> Self {
        let state = Rc::new(RefCell::new(State::default()));
        let shared = state.clone();
        let callback = Closure::new(move || {
            let mut state = shared.borrow_mut();
            state.over = true;
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        });
        Self { id: set_timeout(&callback, milliseconds.min(LONGEST)), state, _callback: callback }
    }

    /// A timer that does not keep Node.js alive by itself: for long times that end something else that does.
    pub fn in_background(milliseconds: f64) -> Self {
        let timer = Self::new(milliseconds);
        let unref = js::members(&timer.id).map(|id| id.function("unref"));
        if let Some(Ok(Some(unref))) = unref {
            let _ = unref.call0(&timer.id);
        }
        timer
    }

    /// Waits until the time is over.
    pub async fn over(&self) {
        poll_fn(|context| self.poll(context)).await;
    }

    /// Waits for `work`, but no longer than until the time is over: then there is nothing.
    pub async fn unless_over<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => self.poll(context).map(|()| None),
        })
        .await
    }

    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.state.borrow_mut();
        if state.over {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

/// Chunks that are taken in one turn of the event loop.
const CHUNKS_IN_A_TURN: u32 = 4096;

/// Gives others a turn while many chunks are taken. A source whose chunks are there at once, or are empty, would otherwise
/// leave no time for timers, events and an abort.
#[derive(Default)]
pub(crate) struct Turns {
    chunks: u32,
}

impl Turns {
    /// Takes note of a chunk. After many of them, waits until the event loop has gone round.
    pub async fn after_chunk(&mut self) {
        self.chunks += 1;
        if self.chunks == CHUNKS_IN_A_TURN {
            self.chunks = 0;
            Timer::new(0.0).over().await;
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.id);
    }
}
