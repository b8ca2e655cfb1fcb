//! Writing a new file to where the caller wants it.

use alloc::vec::Vec;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, as_object, called, check_signal, describe, failure};
use crate::source::gguf_source::Source;
use crate::write::chunk_stream::ChunkStream;
use crate::write::to_handle::write_to_handle;
use crate::write::to_path::write_to_path;

/// Writes a stream to a path or to a file handle. `sources` are what the stream reads. A file of `kept`, which are sources as callers
/// give them, is not replaced.
///
/// # Errors
///
/// `invalid-argument` if the target is neither, or if it is a file of `kept`. What writing fails with.
pub(crate) async fn write_to_target(
    stream: ChunkStream,
    target: JsValue,
    overwrite: bool,
    sources: Vec<&Source>,
    kept: &Array,
    options: &Options,
) -> Result<JsValue, Thrown> {
    check_signal(options)?;
    let members = as_object(&target);
    let is_handle = members.map(|members| members.function("createWritable")).transpose()?.flatten().is_some();
    if is_handle {
        refuse_kept(&target, kept).await?;
        write_to_handle(&stream, target.unchecked_ref(), false, async { Ok(()) }, options).await?;
        return Ok(JsValue::UNDEFINED);
    }
    let is_url = members.map(|members| members.get("href")).transpose()?.is_some_and(|href| href.is_string());
    if !target.is_string() && !is_url {
        return Err(failure!(InvalidArgument:
            "the target is {}, expected a path, a file: URL, or a FileSystemFileHandle", describe(&target)));
    }
    write_to_path(&stream, &target, overwrite, sources.into_iter(), kept, options).await?;
    Ok(JsValue::UNDEFINED)
}

/// Fails if a handle is that of a file that must stay.
async fn refuse_kept(handle: &JsValue, kept: &Array) -> Result<(), Thrown> {
    for file in kept.iter() {
        let same = as_object(&file).map(|file| file.function("isSameEntry")).transpose()?.flatten();
        let Some(same) = same else { continue };
        if called(same.call1(&file, handle)).await?.is_truthy() {
            return Err(failure!(InvalidArgument:
                "the new file cannot replace the file of this handle: it is made from this file. Choose another file"));
        }
    }
    Ok(())
}
