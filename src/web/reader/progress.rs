//! Telling callers how far work is.

use alloc::boxed::Box;

use wasm_bindgen::prelude::*;

use crate::declare::value::{Declared, Value};
use crate::error::Result as CoreResult;
use crate::io::{HeaderProgress, ReadProgress};
use crate::web::interop::{Options, declare_types, to_js};

declare_types!(ReadProgress, HeaderProgress);

/// The function of the option `onProgress`, if the caller gives one. An error that it throws ends the work.
pub(crate) fn on_progress<T: Declared + Value>(
    options: &Options,
) -> Result<Option<Box<dyn Fn(T) -> CoreResult<()>>>, JsValue> {
    let function = options.function("onProgress")?;
    Ok(function.map(|function| -> Box<dyn Fn(T) -> CoreResult<()>> {
        Box::new(move |progress| Ok(function.call1(&JsValue::UNDEFINED, &to_js(&progress)).map(drop)?))
    }))
}
