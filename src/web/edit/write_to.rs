//! Writing a planned file to a path.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::web::edit::chunk_stream::{self, MadeChunks, WriteOptions};
use crate::web::interop::{AbortOptions, Options, Record, check_signal, options};
use crate::web::source::gguf_source::PlannedFile;
use crate::web::source::local_files;

options! {
    /// Options of writing a planned file to a path.
    pub interface WriteToOptions extends WriteOptions {
        /// Whether an existing file may be replaced, even if it is the original file. By default false.
        overwrite?: "boolean" => bool = false;
    }
}

/// Writes a planned file to a path. It appears there when it is complete.
pub(super) async fn write_to(file: PlannedFile, path: JsValue, options: Options) -> Result<JsValue, JsValue> {
    check_signal(&options)?;
    let overwrite = WriteToOptions::read(&options)?.overwrite;
    let sources: Array =
        file.originals().iter().filter_map(|original| original.reader().source().custom_object()).collect();
    let stream = chunk_stream::stream(MadeChunks::new(file.chunks(0)), options.clone(), 0.0, file.plan().size())?;
    let mut given = Record::new().value("overwrite", &overwrite.into()).value("sources", &sources);
    if let Some(signal) = AbortOptions::read(&options)?.signal {
        given = given.value("signal", &signal);
    }
    match local_files::write(&path, &stream, &given.done()).await {
        Ok(()) => Ok(JsValue::UNDEFINED),
        // The reason of the signal is passed on as it is.
        Err(error) => check_signal(&options).and(Err(error)),
    }
}
