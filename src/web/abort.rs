//! Waiting that ends at once when an `AbortSignal` says so.

use alloc::boxed::Box;
use alloc::rc::Rc;
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::AbortSignal;

/// A promise of what `work` gives. It is rejected as soon as `signal` is aborted, with its reason; the
/// work is then dropped, which ends what it has under way.
pub(super) fn promise(
    signal: Option<AbortSignal>,
    work: impl Future<Output = Result<JsValue, JsValue>> + 'static,
) -> Promise {
    let work: Pin<Box<dyn Future<Output = _>>> = Box::pin(work);
    future_to_promise(until_aborted(signal, work))
}

async fn until_aborted(
    signal: Option<AbortSignal>,
    mut work: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>,
) -> Result<JsValue, JsValue> {
    let Some(signal) = signal else { return work.await };
    let listener = Listener::new(&signal)?;
    poll_fn(|context| {
        if signal.aborted() {
            return Poll::Ready(Err(signal.reason()));
        }
        listener.waker.replace(Some(context.waker().clone()));
        work.as_mut().poll(context)
    })
    .await
}

/// Wakes who waits when the signal is aborted, until dropped.
struct Listener<'a> {
    signal: &'a AbortSignal,
    waker: Rc<RefCell<Option<Waker>>>,
    callback: Closure<dyn FnMut()>,
}

impl<'a> Listener<'a> {
    fn new(signal: &'a AbortSignal) -> Result<Self, JsValue> {
        let waker = Rc::new(RefCell::new(None::<Waker>));
        let woken = waker.clone();
        let callback = Closure::new(move || {
            if let Some(waker) = woken.borrow_mut().take() {
                waker.wake();
            }
        });
        signal.add_event_listener_with_callback("abort", callback.as_ref().unchecked_ref())?;
        Ok(Self { signal, waker, callback })
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let _ = self.signal.remove_event_listener_with_callback("abort", self.callback.as_ref().unchecked_ref());
    }
}
