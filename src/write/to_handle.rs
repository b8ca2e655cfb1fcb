//! Writing a stream to a `FileSystemFileHandle`: the file changes at once, when everything has been written.

use core::future::Future;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Options, Record, called, check_signal, failed_with, is_own};
use crate::write::chunk_stream::ChunkStream;
use gguf_format::error::ErrorCode;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A `FileSystemFileHandle`, or an object with the same methods. */
export interface ReplaceableFile {
  getFile(): Promise<Blob>;
  createWritable(options?: { keepExistingData?: boolean }): Promise<WritableStream>;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// A `FileSystemFileHandle`.
    pub(crate) type FileHandle;
    #[wasm_bindgen(method, catch, js_name = getFile)]
    pub(crate) fn get_file(this: &FileHandle) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch, js_name = createWritable)]
    fn create_writable(this: &FileHandle, options: &JsValue) -> Result<JsValue, Thrown>;

    /// A `FileSystemWritableFileStream`.
    type Writable;
    #[wasm_bindgen(method, catch)]
    fn close(this: &Writable) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn abort(this: &Writable) -> Result<JsValue, Thrown>;
}

/// The beginning of the message for a failed write that left the file unchanged.
pub(crate) const FILE_UNCHANGED: &str = "the file could not be written and is unchanged";

/// Writes a stream to the file of a handle. The browser writes to a temporary file, a copy of the file if `keeps_data`. If writing
/// fails or is aborted, the temporary file is discarded before the error is reported. `check` runs when the temporary file has been
/// made, which can take long. `options` have the signal that aborts it.
pub(crate) async fn write_to_handle(
    stream: &ChunkStream,
    handle: &FileHandle,
    keeps_data: bool,
    check: impl Future<Output = Result<(), Thrown>>,
    options: &Options,
) -> Result<(), Thrown> {
    check_signal(options)?;
    let keep = Record::new().value("keepExistingData", &keeps_data.into()).done();
    let write_failed = |error: Thrown| match is_own(&error) {
        true => error,
        false => failed_with(ErrorCode::WriteFailed, FILE_UNCHANGED, &error),
    };
    // This can take long: the browser may ask the user, or copy the file.
    let writable = called(handle.create_writable(&keep)).await.map_err(write_failed)?;
    let writable: &Writable = writable.unchecked_ref();
    let written = match check.await {
        Ok(()) => write_and_close(stream, writable, options).await,
        Err(error) => Err(error),
    };
    let Err(error) = written else { return Ok(()) };
    let _ = called(writable.abort()).await;
    check_signal(options)?;
    Err(write_failed(error))
}

/// Writes a whole stream and closes the file. The signal is checked before closing, because a pipe that closes the file by
/// itself ignores the signal while it writes the last chunk.
async fn write_and_close(stream: &ChunkStream, writable: &Writable, options: &Options) -> Result<(), Thrown> {
    check_signal(options)?;
    let mut pipe = Record::new().value("preventClose", &true.into());
    if let Some(signal) = AbortOptions::read(options)?.signal {
        pipe = pipe.value("signal", &signal);
    }
    called(stream.pipe_to(writable, &pipe.done())).await?;
    check_signal(options)?;
    called(writable.close()).await?;
    Ok(())
}
