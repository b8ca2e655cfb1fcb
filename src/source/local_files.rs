//! Local files. This module knows no file system: `gguf-wasm/node` plugs in an object that opens and writes files.

use alloc::string::String;
use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{called, read_failed, resolved};
use crate::interop::{failed_with, failure};
use gguf_format::error::ErrorCode;

#[wasm_bindgen]
extern "C" {
    /// The object `localFiles` of `local-files.js`, which describes the methods.
    #[derive(Clone)]
    pub type LocalFiles;
    #[wasm_bindgen(method, catch, js_name = pathOf)]
    fn path_of(this: &LocalFiles, source: &JsValue) -> Result<Option<String>, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn open(this: &LocalFiles, source: &JsValue) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch, js_name = filesOf)]
    fn files_of(this: &LocalFiles, folder: &str) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &LocalFiles, path: &JsValue, stream: &JsValue, options: &JsValue) -> Result<JsValue, Thrown>;
}

std::thread_local! {
    static FILES: RefCell<Option<LocalFiles>> = const { RefCell::new(None) };
}

/// The entry of this module for programs with a file system.
pub(crate) const ENTRY: &str = match option_env!("GGUF_WASM_NODE_ENTRY") {
    // `cargo xtask build` says the name: `xtask/modules.json` lists the entries.
    Some(entry) => entry,
    None => "gguf-wasm/node",
};

/// Plugs in the access to local files. It is not part of the API.
#[wasm_bindgen(js_name = useLocalFiles, skip_typescript)]
pub fn use_local_files(files: LocalFiles) {
    FILES.set(Some(files));
}

/// Whether paths can be opened.
pub(crate) fn are_plugged_in() -> bool {
    files().is_some()
}

fn files() -> Option<LocalFiles> {
    FILES.with_borrow(Clone::clone)
}

/// The absolute path of a source that is a path or a `file:` URL. `None` if local files are not plugged in.
pub(crate) fn path_of(source: &JsValue) -> Result<Option<String>, Thrown> {
    files().map_or(Ok(None), |files| files.path_of(source))
}

/// A local file as a source of another kind: a custom source or a stream. Other sources are returned as they are.
pub(crate) async fn opened(source: JsValue) -> Result<JsValue, Thrown> {
    let Some(files) = files() else { return Ok(source) };
    let found = files.open(&source).map_err(|error| read_failed(&error))?;
    if found.is_undefined() {
        return Ok(source);
    }
    resolved(found).await.map_err(|error| read_failed(&error))
}

/// The files of a folder, and of the folders in it: pairs of the path in the folder, and the absolute path.
pub(crate) async fn files_of(folder: &str) -> Result<JsValue, Thrown> {
    let found = files().map_or(Ok(JsValue::UNDEFINED), |files| files.files_of(folder));
    called(found).await.map_err(|error| read_failed(&error))
}

/// Writes a stream to a new file, which appears at `path` when it is complete.
pub(crate) async fn write(path: &JsValue, stream: &JsValue, options: &JsValue) -> Result<(), Thrown> {
    use crate::interop::error::is_own;

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
