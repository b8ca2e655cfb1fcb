//! The byte order of a new or edited file, as a caller gives it.

use wasm_bindgen::prelude::*;

use crate::format::version::Endian;
use crate::web::interop::error::{Code, failure};

/// The byte order that a caller names.
pub(crate) fn byte_order(given: &JsValue) -> Result<Endian, JsValue> {
    let named = |endian: &Endian| given.as_string().is_some_and(|name| name == endian.name());
    [Endian::Little, Endian::Big]
        .into_iter()
        .find(named)
        .ok_or_else(|| failure(Code::InvalidArgument, "a byte order is \"little-endian\" or \"big-endian\""))
}
