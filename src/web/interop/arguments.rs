//! Numbers that callers pass as arguments.
//!
//! Generated code would convert a `BigInt` or a `Symbol` to a number itself, and throw a `TypeError` without a code.

use alloc::format;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::web::interop::describe::describe;
use crate::web::interop::error::failure;

#[wasm_bindgen]
extern "C" {
    /// A number, as the types say; at run time a caller can pass any value.
    #[wasm_bindgen(typescript_type = "number")]
    pub type NumberArgument;
}

/// The number that is passed as the argument `name`.
///
/// # Errors
///
/// `invalid-argument` if the value is not a number.
pub(crate) fn number(name: &str, value: &NumberArgument) -> Result<f64, JsValue> {
    value.as_f64().ok_or_else(|| {
        let message = format!("the argument {name} is {}, expected a number", describe(value));
        failure(ErrorCode::InvalidArgument, &message)
    })
}

/// The number that is passed as the argument `name`, if one is passed.
///
/// # Errors
///
/// `invalid-argument` if the value is neither a number nor absent.
pub(crate) fn optional_number(name: &str, value: Option<&NumberArgument>) -> Result<Option<f64>, JsValue> {
    value.map(|value| number(name, value)).transpose()
}
