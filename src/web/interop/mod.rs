//! What every other part of the JavaScript API uses: objects, errors, promises, abort, timers.

pub(crate) mod abort;
pub(crate) mod arguments;
pub(crate) mod error;
pub(crate) mod js;
#[cfg(all(target_family = "wasm", not(test)))]
pub(crate) mod panic_message;
pub(crate) mod timer;
pub(crate) mod typescript;
