//! Writing a stream to a path.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Options, Record, check_signal};
use crate::source::gguf_source::Source;
use crate::source::local_files;
use crate::write::chunk_stream::ChunkStream;

/// Writes a stream to a path. The file appears there when it is complete, unless one of the `sources` that the stream reads has
/// changed. A file of `kept`, which are sources as callers give them, is not replaced, even with `overwrite`; `undefined` if all files
/// may be. `options` have the signal that aborts it.
pub(crate) async fn write_to_path<'a>(
    stream: &ChunkStream,
    path: &JsValue,
    overwrite: bool,
    sources: impl Iterator<Item = &'a Source>,
    kept: &JsValue,
    options: &Options,
) -> Result<(), Thrown> {
    let sources: Array = sources.filter_map(Source::custom_object).collect();
    let given = Record::new().value("overwrite", &overwrite.into()).value("sources", &sources);
    let mut given = given.value("kept", kept);
    if let Some(signal) = AbortOptions::read(options)?.signal {
        given = given.value("signal", &signal);
    }
    match local_files::write(path, stream, &given.done()).await {
        Ok(()) => Ok(()),
        // The reason of the signal is passed on as it is.
        Err(error) => check_signal(options).and(Err(error)),
    }
}
