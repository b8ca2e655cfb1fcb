//! Writing a planned file to a path.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::web::edit::chunk_stream::{self, MadeChunks};
use crate::web::interop::{Options, Record, check_signal};
use crate::web::source::gguf_source::PlannedFile;
use crate::web::source::local_files;

/// Writes a planned file to a path. It appears there when it is complete.
pub(super) async fn write_to(file: PlannedFile, path: JsValue, options: Options) -> Result<JsValue, JsValue> {
    check_signal(&options)?;
    let overwrite = options.flag("overwrite", false)?;
    let sources: Array =
        file.originals().iter().filter_map(|original| original.reader().source().custom_object()).collect();
    let stream = chunk_stream::stream(MadeChunks::new(file.chunks(0)), options.clone(), 0.0, file.plan().size())?;
    let mut given = Record::new().value("overwrite", &overwrite.into()).value("sources", &sources);
    if let Some(signal) = options.get("signal")? {
        given = given.value("signal", &signal);
    }
    match local_files::write(&path, &stream, &given.done()).await {
        Ok(()) => Ok(JsValue::UNDEFINED),
        // The reason of the signal is passed on as it is.
        Err(error) => check_signal(&options).and(Err(error)),
    }
}
