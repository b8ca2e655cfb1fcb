//! Writing a planned file to a path.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, check_signal, options};
use crate::source::gguf_source::PlannedFile;
use crate::write::chunk_stream::{self, MadeChunks, WriteOptions};
use crate::write::to_path::write_to_path;

options! {
    /// Options of writing a planned file to a path.
    pub interface WriteToOptions extends WriteOptions {
        /// Whether an existing file may be replaced, even if it is the original file. By default false.
        overwrite?: "boolean" => bool = false;
    }
}

/// Writes a planned file to a path. It appears there when it is complete.
pub(super) async fn write_to(file: PlannedFile, path: JsValue, options: Options) -> Result<JsValue, Thrown> {
    check_signal(&options)?;
    let overwrite = WriteToOptions::read(&options)?.overwrite;
    let stream = chunk_stream::stream(MadeChunks::new(file.chunks(0)), options.clone(), 0.0, file.plan().size())?;
    let originals = file.originals().iter().map(|original| original.reader().source());
    write_to_path(&stream, &path, overwrite, originals, &JsValue::UNDEFINED, &options).await?;
    Ok(JsValue::UNDEFINED)
}
