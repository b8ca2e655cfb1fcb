//! Errors as JavaScript sees them: `GgufError`s with a stable code.

use alloc::{string::String, string::ToString, sync::Arc};
use core::fmt;

use wasm_bindgen::prelude::*;

use crate::interop::module_memory::is_nearly_full;
use crate::interop::objects::as_object;
use crate::interop::thrown::Thrown;
use crate::interop::typescript::declare;
use gguf_declare::typescript::ConstText;
use gguf_format::error::{ERROR_CODES, Error, ErrorCode, HeaderError};

declare!(code_type());

/// The type of the codes. Its documentation is the table of all codes.
const fn code_type() -> ConstText {
    let mut text = ConstText::new();
    text.push("/**\n * The stable codes of errors: what each one means, and what to do.\n *\n");
    text.push(" * | code | meaning | what to do |\n * | --- | --- | --- |\n");
    let mut index = 0;
    while index < ERROR_CODES.len() {
        let row = &ERROR_CODES[index];
        text.push(" * | `");
        text.push(row.name);
        text.push("` | ");
        text.push(row.meaning);
        text.push(" | ");
        text.push(row.advice);
        text.push(" |\n");
        index += 1;
    }
    text.push(" */\n");
    text.push_union_type("GgufErrorCode", ErrorCode::NAMES);
    text
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * The error that every function of this package throws or rejects with. There are three exceptions: an abort rejects with the
 * signal's reason, by default a `DOMException` named `AbortError`; an error that a function or getter of your own throws
 * is passed on; and a method that is called on a value that is no object of its class fails with a `TypeError`.
 *
 * All entries of the package share this class. Errors of asynchronous calls have the stack of the caller, if the engine
 * reports stacks.
 *
 * @example
 * import { Gguf, GgufError } from "gguf-wasm";
 *
 * try {
 *   await Gguf.open(url);
 * } catch (error) {
 *   if (error instanceof GgufError && error.code === "http") console.log(error.status);
 *   else throw error;
 * }
 */
export class GgufError extends Error {
  /** For programs that pass errors from one thread to another. */
  constructor(code: GgufErrorCode, message: string, options?: ErrorOptions);
  name: "GgufError";
  /** Stable, for programs; `message` is for people. `GgufErrorCode` has the meaning of each code, and what to do. */
  code: GgufErrorCode;
  /** Where in the file, in bytes from its start. */
  offset?: number;
  /** The HTTP status, with code `http`. */
  status?: number;
  /** The URL that was requested, for errors of HTTP. */
  url?: string;
  /** What a file is that is no GGUF file, or how it was damaged, if its first bytes tell: a name of `gguf-wasm/common/other-formats.js`. */
  format?: string;
  /** The line in the chat template, from 1, with the codes `template-syntax`, `template-render`, `template-raised` and `template-limit`. */
  line?: number;
  /** The column in this line, from 1, in Unicode characters. */
  column?: number;
  /** The names that the user can choose from, with code `unknown-pre-tokenizer`. The most probable one comes first. */
  probablePreTokenizers?: readonly string[];
  /** The error of the source, the network, the stream or the file that failed. */
  cause?: unknown;
}
"#;

#[wasm_bindgen(raw_module = "glue/errors.js")]
extern "C" {
    /// A `GgufError` with those of the members `offset`, `status`, `url` and `cause` that are not `undefined`. `is_full` says that
    /// it may be caused by objects that nobody needs.
    #[wasm_bindgen(js_name = errorOf)]
    fn error_of(
        code: &str,
        message: &str,
        is_full: bool,
        offset: Option<f64>,
        status: Option<u16>,
        url: Option<&str>,
        cause: &JsValue,
    ) -> JsValue;
    /// The message of a caught value.
    #[wasm_bindgen(js_name = reasonOf)]
    pub fn reason(caught: &JsValue) -> String;
    /// Whether a caught value is an error of this package.
    #[wasm_bindgen(js_name = isOwn)]
    pub fn is_own(caught: &JsValue) -> bool;
}

/// An error of the core, caused by `cause` unless that is `undefined`.
#[cold]
#[inline(never)]
fn gguf_error(error: &Error, cause: &JsValue) -> JsValue {
    let is_full = error.code() == ErrorCode::TooLarge && is_nearly_full();
    let offset = error.offset().map(|offset| offset as f64);
    error_of(error.code().name(), &error.to_string(), is_full, offset, error.status(), error.url(), cause)
}

impl From<HeaderError> for Thrown {
    #[cold]
    #[inline(never)]
    fn from(error: HeaderError) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Thrown {
    #[cold]
    #[inline(never)]
    fn from(error: Error) -> Self {
        let cause = error.cause().and_then(|cause| cause.downcast_ref::<JsValue>());
        if let Some(cause) = cause.filter(|_| error.is_of_caller()) {
            return cause.clone().into();
        }
        gguf_error(&error, cause.unwrap_or(&JsValue::UNDEFINED)).into()
    }
}

impl From<Thrown> for Error {
    /// What JavaScript has thrown is passed on as it is.
    #[cold]
    #[inline(never)]
    fn from(thrown: Thrown) -> Self {
        Self::of_caller(Arc::new(JsValue::from(thrown)))
    }
}

/// An error of the JavaScript API: the name of its code, and its message as `format!` takes it.
macro_rules! failure {
    ($code:ident: $($message:tt)+) => {
        $crate::interop::error::failure_with_code(gguf_format::error::ErrorCode::$code, format_args!($($message)+))
    };
}
pub(crate) use failure;

/// An error of the JavaScript API.
#[cold]
#[inline(never)]
pub(crate) fn failure_with_code(code: ErrorCode, message: fmt::Arguments<'_>) -> Thrown {
    Error::formatted(code, message).into()
}

/// Memory could not be allocated.
#[cold]
pub(crate) fn no_memory(bytes: u64) -> Thrown {
    failure!(TooLarge: "{bytes} bytes of memory could not be allocated")
}

/// The source threw or rejected with `cause` while it was read. An error of this package is passed on as it is.
#[cold]
pub(crate) fn read_failed(cause: &JsValue) -> Thrown {
    if is_own(cause) {
        return cause.clone().into();
    }
    failed_with(ErrorCode::ReadFailed, "the source could not be read", cause)
}

/// An error that something else has caused: `what` failed, for the reason that `cause` gives.
#[cold]
pub(crate) fn failed_with(code: ErrorCode, what: &str, cause: &JsValue) -> Thrown {
    gguf_error(&Error::formatted(code, format_args!("{what}: {}", reason(cause))), cause).into()
}

/// Whether a caught value is an error of this package with a code. It may come from another module of the package.
pub(crate) fn has_code(caught: &JsValue, code: ErrorCode) -> bool {
    let found = as_object(caught).and_then(|caught| caught.get("code").ok());
    is_own(caught) && found.and_then(|found| found.as_string()).is_some_and(|found| code == found.as_str())
}
