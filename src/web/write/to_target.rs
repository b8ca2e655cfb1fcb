//! Writing a new file to where the caller wants it.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::web::interop::{Options, as_object, check_signal};
use crate::web::source::gguf_source::Source;
use crate::web::write::chunk_stream::ChunkStream;
use crate::web::write::to_handle::write_to_handle;
use crate::web::write::to_path::write_to_path;

/// Writes a stream to a path or to a file handle. `sources` are what the stream reads.
pub(crate) async fn write_to_target(
    stream: ChunkStream,
    target: JsValue,
    overwrite: bool,
    sources: Vec<&Source>,
    options: &Options,
) -> Result<JsValue, JsValue> {
    check_signal(options)?;
    let is_handle = match as_object(&target) {
        Some(members) => members.function("createWritable")?.is_some(),
        None => false,
    };
    if is_handle {
        write_to_handle(&stream, target.unchecked_ref(), false, async { Ok(()) }, options).await?;
    } else {
        write_to_path(&stream, &target, overwrite, sources.into_iter(), options).await?;
    }
    Ok(JsValue::UNDEFINED)
}
