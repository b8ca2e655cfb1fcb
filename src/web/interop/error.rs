//! Errors as JavaScript sees them: `GgufError`s with a stable code.

use alloc::format;
use alloc::string::{String, ToString};

use js_sys::Error as JsError;
use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorKind};
use crate::web::interop::js::{self, Record};
use crate::write::error::{EditError, EditErrorKind};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal;)*) => {
        /// What can go wrong between a file and the decoder, and in what a caller asks for.
        #[derive(Clone, Copy)]
        #[allow(dead_code, reason = "JavaScript throws some of them")]
        pub(crate) enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            const ALL: &'static [&'static str] = &[$($code),*];

            const fn name(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }
        }
    };
}

codes! {
    /// The server answered with a status that is not success.
    Http = "http";
    /// There was no answer: offline, no such host, or forbidden by CORS where that could not be found out.
    Network = "network";
    /// The server can be reached, but CORS does not allow the page to read the file.
    Cors = "cors";
    /// A response has taken longer than `options.responseTimeout`.
    Timeout = "timeout";
    /// The server refused a request that lacked headers of the caller, because it was redirected to another origin.
    HeadersWithheld = "headers-withheld";
    /// The answer is not the range that was asked for.
    BadRange = "bad-range";
    /// The file is another one than when its header was read.
    Changed = "changed";
    /// The source can only be read from its beginning.
    NoRanges = "no-ranges";
    /// The file, stream or custom source failed while being read.
    ReadFailed = "read-failed";
    /// What was given to open is nothing that can be read.
    InvalidSource = "invalid-source";
    /// An option or argument is of no use.
    InvalidArgument = "invalid-argument";
    /// The file cannot be changed in place: its data would move.
    NotInPlace = "not-in-place";
    /// Writing has failed, and the file is as it was.
    WriteFailed = "write-failed";
    /// Writing in place has failed half-way, and what was there could not be put back.
    Interrupted = "interrupted";
    /// The tensor's type is not known, so its elements cannot be told apart.
    UnknownType = "unknown-type";
    /// The object was freed, or its file was.
    Freed = "freed";
    /// The object is in use by a call that has not returned. Only `boundary.js` throws it.
    Busy = "busy";
    /// A bug in this package: the module has stopped. Only `boundary.js` throws it.
    Internal = "internal";
}

const TOO_LARGE: &str = EditErrorKind::TooLarge.code();
const UNEXPECTED_EOF: &str = ErrorKind::UnexpectedEof { item: "", needed: 0, available: 0 }.code();

crate::web::interop::typescript::string_union!(
    "Stable names of what can go wrong.",
    "GgufErrorCode",
    &[ErrorKind::CODES, EditErrorKind::CODES, Code::ALL]
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
fn gguf_error(code: &str, message: &str, offset: Option<u64>, status: Option<u16>, url: Option<&str>) -> JsValue {
    let mut error = Record::of(JsError::new(message).into()).text("name", "GgufError").text("code", code);
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
pub(crate) fn failure(code: Code, message: &str) -> JsValue {
    gguf_error(code.name(), message, None, None, None)
}

/// An error of a kind that changes of a file have too.
#[cold]
pub(crate) fn edit_failure(kind: EditErrorKind, message: &str) -> JsValue {
    gguf_error(kind.code(), message, None, None, None)
}

/// An error of HTTP: what happened, at which address, with which status if there was an answer.
#[cold]
pub(crate) fn http_failure(code: Code, message: &str, url: &str, status: Option<u16>) -> JsValue {
    gguf_error(code.name(), &format!("{message} ({url})"), None, status, Some(url))
}

/// Something is larger than JavaScript or memory can hold.
#[cold]
pub(crate) fn too_large(message: &str) -> JsValue {
    gguf_error(TOO_LARGE, message, None, None, None)
}

/// The file ends before the byte at `offset`, and data was to be there.
#[cold]
pub(crate) fn file_ends(message: &str, offset: u64) -> JsValue {
    gguf_error(UNEXPECTED_EOF, &format!("{message} (at offset {offset:#x})"), Some(offset), None, None)
}

/// Reading has failed with `cause`: an error of this package says so itself.
#[cold]
pub(crate) fn read_failed(cause: &JsValue) -> JsValue {
    if is_own(cause) {
        return cause.clone();
    }
    failed_with(Code::ReadFailed, "the source could not be read", cause)
}

/// Something has failed with `cause`.
#[cold]
pub(crate) fn failed_with(code: Code, what: &str, cause: &JsValue) -> JsValue {
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
