//! Errors as JavaScript sees them: `GgufError`s with a stable code.

use alloc::format;
use alloc::string::{String, ToString};

use js_sys::Error as JsError;
use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorCode};
use crate::web::interop::js::{self, Record};
use crate::write::error::EditError;

pub(crate) use crate::error::ErrorCode as Code;

crate::web::interop::typescript::string_union!(
    "Stable names of what can go wrong.",
    "GgufErrorCode",
    &[ErrorCode::NAMES]
);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * What every function of this package throws or rejects with, but for two things: an abort, which rejects
 * with the signal's reason, by default a `DOMException` named `AbortError`; and what a function or getter
 * of your own throws among the options.
 *
 * @example
 * try {
 *   await Gguf.open(url);
 * } catch (error) {
 *   if (error.name === "GgufError" && error.code === "http") console.log(error.status);
 * }
 */
export interface GgufError extends Error {
  name: "GgufError";
  /** Stable, for programs; `message` is for people. */
  code: GgufErrorCode;
  /** Where in the file, in bytes from its start. */
  offset?: number;
  /** The HTTP status, with code `http`. */
  status?: number;
  /** The address that was asked, for errors of HTTP. */
  url?: string;
  /** What a source of your own, a stream or a file failed with. */
  cause?: unknown;
}
"#;

/// An error with a code and, where there are, an offset, a status and an address.
#[cold]
fn gguf_error(code: ErrorCode, message: &str, offset: Option<u64>, status: Option<u16>, url: Option<&str>) -> JsValue {
    let mut error = Record::of(JsError::new(message).into()).text("name", "GgufError").text("code", code.name());
    if let Some(offset) = offset {
        error = error.number("offset", offset as f64);
    }
    if let Some(status) = status {
        error = error.number("status", status.into());
    }
    if let Some(url) = url {
        error = error.text("url", url);
    }
    error.done()
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        gguf_error(error.code(), &error.to_string(), Some(error.offset()), None, None)
    }
}

impl From<EditError> for JsValue {
    fn from(error: EditError) -> Self {
        gguf_error(error.code(), &error.to_string(), error.offset(), None, None)
    }
}

#[cold]
pub(crate) fn failure(code: ErrorCode, message: &str) -> JsValue {
    gguf_error(code, message, None, None, None)
}

/// An error of HTTP: what happened, at which address, with which status if there was an answer.
#[cold]
pub(crate) fn http_failure(code: ErrorCode, message: &str, url: &str, status: Option<u16>) -> JsValue {
    gguf_error(code, &format!("{message} ({url})"), None, status, Some(url))
}

/// Something is larger than JavaScript or memory can hold.
#[cold]
pub(crate) fn too_large(message: &str) -> JsValue {
    gguf_error(ErrorCode::TooLarge, message, None, None, None)
}

/// The file ends before the byte at `offset`, and data was to be there.
#[cold]
pub(crate) fn file_ends(message: &str, offset: u64) -> JsValue {
    gguf_error(ErrorCode::UnexpectedEof, &format!("{message} (at offset {offset:#x})"), Some(offset), None, None)
}

/// Reading has failed with `cause`: an error of this package says so itself.
#[cold]
pub(crate) fn read_failed(cause: &JsValue) -> JsValue {
    if is_own(cause) {
        return cause.clone();
    }
    failed_with(ErrorCode::ReadFailed, "the source could not be read", cause)
}

/// Something has failed with `cause`.
#[cold]
pub(crate) fn failed_with(code: ErrorCode, what: &str, cause: &JsValue) -> JsValue {
    let error = failure(code, &format!("{what}: {}", reason(cause)));
    Record::of(error.unchecked_into()).value("cause", cause).done()
}

/// What a caught value says of itself.
pub(crate) fn reason(caught: &JsValue) -> String {
    let member = |caught: &JsValue, name| js::members(caught)?.get(name).ok();
    let message = |caught: &JsValue| member(caught, "message")?.as_string();
    // Node.js says in the cause what its "fetch failed" means.
    match member(caught, "cause").as_ref().and_then(message).or_else(|| message(caught)) {
        Some(message) => message,
        None => caught.as_string().unwrap_or_else(|| "no reason given".into()),
    }
}

/// Whether a caught value is an error of this package.
pub(crate) fn is_own(caught: &JsValue) -> bool {
    let name = js::members(caught).and_then(|caught| caught.get("name").ok());
    name.and_then(|name| name.as_string()).is_some_and(|name| name == "GgufError")
}

/// Whether a caught value is an error of this package with a code. It may come from another module of the package.
#[cfg(feature = "edit")]
pub(crate) fn has_code(caught: &JsValue, code: Code) -> bool {
    let found = js::members(caught).and_then(|caught| caught.get("code").ok());
    is_own(caught) && found.and_then(|found| found.as_string()).is_some_and(|found| found == code.name())
}
