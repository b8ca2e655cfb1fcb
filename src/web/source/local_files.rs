//! Local files. This module knows no file system: `gguf-wasm/node` plugs in an object that opens and writes files.

use alloc::string::String;
use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::web::interop::{AnyObject, called, describe, failed_with, failure, read_failed};

#[wasm_bindgen]
extern "C" {
    /// The object `localFiles` of `local-files.js`, which describes the methods.
    #[derive(Clone)]
    pub type LocalFiles;
    #[wasm_bindgen(method, catch, js_name = pathOf)]
    fn path_of(this: &LocalFiles, source: &JsValue) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn open(this: &LocalFiles, source: &JsValue) -> Result<JsValue, JsValue>;
    #[cfg(feature = "write")]
    #[wasm_bindgen(method, catch)]
    fn write(this: &LocalFiles, path: &JsValue, stream: &JsValue, options: &JsValue) -> Result<JsValue, JsValue>;
}

std::thread_local! {
    static FILES: RefCell<Option<LocalFiles>> = const { RefCell::new(None) };
}

/// The entry of this module for programs with a file system.
const ENTRY: &str = if cfg!(feature = "values") {
    "gguf-wasm/node"
} else if cfg!(feature = "edit") {
    "gguf-wasm/editor/node"
} else if cfg!(feature = "convert") {
    "gguf-wasm/convert/node"
} else {
    "gguf-wasm/reader/node"
};

/// Plugs in the access to local files. It is not part of the API.
#[wasm_bindgen(js_name = useLocalFiles, skip_typescript)]
pub fn use_local_files(files: LocalFiles) {
    FILES.set(Some(files));
}

fn files() -> Option<LocalFiles> {
    FILES.with_borrow(Clone::clone)
}

/// The absolute path of a source that is a path or a `file:` URL. `None` if local files are not plugged in.
#[cfg(feature = "files")]
pub(crate) fn path_of(source: &JsValue) -> Result<Option<String>, JsValue> {
    files().map_or(Ok(None), |files| files.path_of(source))
}

/// A local file as a source of another kind: a custom source or a stream. Other sources are returned as they are.
pub(crate) async fn opened(source: JsValue) -> Result<JsValue, JsValue> {
    let Some(files) = files() else { return Ok(source) };
    let found = files.open(&source).map_err(|error| read_failed(&error))?;
    if found.is_undefined() {
        return Ok(source);
    }
    called(Ok(found)).await.map_err(|error| read_failed(&error))
}

/// Checks that a text can be a URL of this host.
pub(crate) fn check_is_url(text: &str) -> Result<(), JsValue> {
    let is_drive = text.as_bytes().get(1) == Some(&b':');
    let is_file = text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    if text.is_empty() || is_drive || is_file { Err(not_a_url(text, None)) } else { Ok(()) }
}

/// The error of a text that cannot be requested, probably because it is a path.
#[cold]
pub(crate) fn not_a_url(text: &str, cause: Option<&JsValue>) -> JsValue {
    let advice = match files() {
        Some(_) => "expected a path or a URL".into(),
        None => format!(
            "expected a URL. For a file of this computer, import Gguf from \"{ENTRY}\" in Node.js, Deno and Bun; in a browser, \
             pass a File"
        ),
    };
    let what = format!("the source is {}, {advice}", describe(&text.into()));
    match cause {
        Some(cause) => failed_with(ErrorCode::InvalidSource, &what, cause),
        None => failure!(InvalidSource: "{what}"),
    }
}

/// Checks that an object with a method `read` is a custom source. Some objects of Node.js have such a method, too.
pub(crate) fn check_is_custom(object: &AnyObject) -> Result<(), JsValue> {
    let (what, advice) = match object {
        _ if object.function("pipe")?.is_some() => ("a stream of Node.js", ", or pass Readable.toWeb(stream)"),
        _ if object.get("fd")?.as_f64().is_some() => ("a FileHandle of Node.js", ""),
        _ => return Ok(()),
    };
    Err(failure!(InvalidSource: "the source is {what}, which only \"{ENTRY}\" opens. Import Gguf from there{advice}"))
}

/// Writes a stream to a new file, which appears at `path` when it is complete.
#[cfg(feature = "write")]
pub(crate) async fn write(path: &JsValue, stream: &JsValue, options: &JsValue) -> Result<(), JsValue> {
    use crate::web::interop::error::is_own;

    let Some(files) = files() else {
        return Err(failure!(InvalidArgument:
            "the file cannot be written: only \"{ENTRY}\" writes to a path. Import from there in Node.js, Deno and \
             Bun; elsewhere, use stream()"));
    };
    match called(files.write(path, stream, options)).await {
        Ok(_) => Ok(()),
        Err(error) if is_own(&error) => Err(error),
        Err(error) => Err(failed_with(ErrorCode::WriteFailed, "the file could not be written", &error)),
    }
}
