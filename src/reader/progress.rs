//! Telling callers how far work is.

use alloc::boxed::Box;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Function, ProgressOptions, Values, declare_types, to_js};
use gguf_declare::value::{Declared, Value};
use gguf_format::error::Result as CoreResult;
use gguf_format::io::{HeaderProgress, ReadProgress};

declare_types!(ReadProgress, HeaderProgress);

/// Is told how far work is. An error ends the work.
type OnProgress<T> = Box<dyn Fn(T) -> CoreResult<()>>;

/// The function of the option `onProgress`, if the caller gives one.
pub(crate) fn on_progress<T: Declared + Value>(options: Values<ProgressOptions>) -> Option<OnProgress<T>> {
    options.on_progress.map(teller)
}

/// Calls a function of the caller with each object.
pub(crate) fn teller<T: Declared + Value>(function: Function) -> OnProgress<T> {
    Box::new(move |told| Ok(function.call1(&JsValue::UNDEFINED, &to_js(&told)).map(drop).map_err(Thrown::from)?))
}
