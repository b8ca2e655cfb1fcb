//! Promises that an `AbortSignal` can end.

use alloc::{boxed::Box, rc::Rc};
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::{AbortController, EventTarget};

use crate::interop::objects::as_object;
use crate::interop::options::{Options, refused_option};
use crate::interop::room::make_room;
use crate::interop::shared_options::AbortOptions;
use crate::interop::thrown::Thrown;

/// The work behind a promise.
type Work = Pin<Box<dyn Future<Output = Result<JsValue, Thrown>>>>;

/// Starts work that the option `signal` can abort, and returns a promise of its result.
///
/// When the signal is aborted, the promise is rejected with the signal's reason, and the work is dropped, which cancels its requests.
pub(crate) fn abortable(options: Options, work: impl Future<Output = Result<JsValue, Thrown>> + 'static) -> Promise {
    promise(options, Box::pin(work))
}

// Not generic: each module has it once.
fn promise(options: Options, work: Work) -> Promise {
    future_to_promise(async { Ok(run(options, work).await?) })
}

async fn run(options: Options, mut work: Work) -> Result<JsValue, Thrown> {
    make_room().await?;
    let Some(signal) = AbortOptions::read(&options)?.signal else { return work.await };
    let refused = || refused_option("signal", &signal, "an AbortSignal");
    let members = as_object(&signal).ok_or_else(refused)?;
    members.function("addEventListener")?.ok_or_else(refused)?;
    let listener = Listener::new(signal.unchecked_ref())?;
    poll_fn(|context| {
        if members.get("aborted")?.is_truthy() {
            return Poll::Ready(Err(members.get("reason")?.into()));
        }
        listener.waker.replace(Some(context.waker().clone()));
        work.as_mut().poll(context)
    })
    .await
}

/// Fails with the reason of the option `signal`, if that has been aborted.
pub(crate) fn check_signal(options: &Options) -> Result<(), Thrown> {
    match AbortOptions::read(options)?.signal.as_ref().and_then(as_object) {
        Some(signal) if signal.get("aborted")?.is_truthy() => Err(signal.get("reason")?.into()),
        _ => Ok(()),
    }
}

/// Wakes a task when a signal is aborted. Dropping it removes the listener from the signal.
struct Listener<'a> {
    signal: &'a EventTarget,
    waker: Rc<RefCell<Option<Waker>>>,
    callback: Closure<dyn FnMut()>,
}

impl<'a> Listener<'a> {
    fn new(signal: &'a EventTarget) -> Result<Self, Thrown> {
        let waker = Rc::new(RefCell::new(None::<Waker>));
        let shared = waker.clone();
        let callback = Closure::new(move || {
            if let Some(waker) = shared.borrow_mut().take() {
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

/// Aborts its signal when it is dropped before the work that has the signal is done.
pub(crate) struct AbortOnDrop(Option<AbortController>);

impl AbortOnDrop {
    pub fn new() -> Result<Self, Thrown> {
        Ok(Self(Some(AbortController::new()?)))
    }

    pub fn signal(&self) -> JsValue {
        self.0.as_ref().map_or(JsValue::UNDEFINED, |controller| controller.signal().into())
    }

    /// The work is done.
    pub fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}
