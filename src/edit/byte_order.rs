//! The byte order of a new or edited file, as a caller gives it.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{FromOption, Options, describe, failure};
use gguf_format::format::version::Endian;

/// The byte order with a name.
///
/// # Errors
///
/// `invalid-argument`.
pub(super) fn byte_order(given: &JsValue) -> Result<Endian, Thrown> {
    let has_name = |endian: &Endian| given.as_string().is_some_and(|name| name == endian.name());
    [Endian::Little, Endian::Big].into_iter().find(has_name).ok_or_else(|| {
        failure!(InvalidArgument: "the byte order is {}, expected \"little-endian\" or \"big-endian\"", describe(given))
    })
}

impl FromOption for Endian {
    fn from_option(options: &Options, name: &str) -> Result<Option<Self>, Thrown> {
        options.get(name)?.as_ref().map(byte_order).transpose()
    }
}
