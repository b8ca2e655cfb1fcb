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
use web_sys::EventTarget;

use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{self, Members};

/// Work that has been given away, whatever it is.
pub(crate) type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;

/// A promise of what the work gives that `begin` makes, given the signal among `options`. It is rejected as
/// soon as that is aborted, with its reason; the work is then dropped, which ends what it has under way.
pub(crate) fn promise(options: Option<Members>, begin: impl FnOnce(Option<JsValue>) -> Work + 'static) -> Promise {
    let begin: Box<dyn FnOnce(Option<JsValue>) -> Work> = Box::new(begin);
    future_to_promise(run(options, begin))
}

async fn run(options: Option<Members>, begin: Box<dyn FnOnce(Option<JsValue>) -> Work>) -> Result<JsValue, JsValue> {
    let Some(signal) = options.map(|options| options.some("signal")).transpose()?.flatten() else {
        return begin(None).await;
    };
    let no_signal = || failure(Code::InvalidArgument, "the option signal is not an AbortSignal");
    let members = js::members(&signal).ok_or_else(no_signal)?;
    members.function("addEventListener")?.ok_or_else(no_signal)?;
    let listener = Listener::new(signal.unchecked_ref())?;
    let mut work = begin(Some(signal.clone()));
    poll_fn(|context| {
        if members.get("aborted")?.is_truthy() {
            return Poll::Ready(Err(members.get("reason")?));
        }
        listener.waker.replace(Some(context.waker().clone()));
        work.as_mut().poll(context)
    })
    .await
}

/// Wakes who waits when the signal is aborted, until dropped.
struct Listener<'a> {
    signal: &'a EventTarget,
    waker: Rc<RefCell<Option<Waker>>>,
    callback: Closure<dyn FnMut()>,
}

impl<'a> Listener<'a> {
    fn new(signal: &'a EventTarget) -> Result<Self, JsValue> {
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
