//! Writing to a `FileSystemFileHandle`: the file changes at once, when everything has been written.

use alloc::{boxed::Box, rc::Rc};
use core::cell::Cell;
use core::future::ready;

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use super::original_file::{changed, is_header};
use super::replaced_file::go_on_with;
use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, Bytes, Options, Record, blobs, called, failure, read_failed};
use crate::source::gguf_source::{PlannedFile, Source};
use crate::write::chunk_stream::{self, Chunk, Chunks, MadeChunks, NextChunk};
use crate::write::to_handle::{FileHandle, write_to_handle};

/// Replaces the file of a handle. The browser writes to a temporary file: a patched copy of the original file, or a new file.
/// If writing fails or is aborted, the temporary file is discarded before the error is reported.
pub(super) async fn replace_file(file: PlannedFile, handle: &FileHandle, options: Options) -> Result<(), Thrown> {
    let target = target_of(&file, handle).await?;
    let is_patched = target == Target::Original && file.plan().patches().is_some();
    let (total, chunks): (u64, Rc<dyn Chunks>) = match file.plan().patches().filter(|_| is_patched) {
        Some(patches) => {
            let total = patches.iter().map(|range| range.end - range.start).sum();
            (total, Rc::new(PatchChunks { file: file.clone(), next: Cell::new(0) }))
        }
        None => (file.plan().size(), MadeChunks::new(file.chunks(0))),
    };
    let stream = chunk_stream::stream(chunks, options.clone(), 0.0, total)?;
    // Until the temporary file has been made, other programs can change the file.
    let is_still_original = async { if is_patched { check_original(&file, handle).await } else { Ok(()) } };
    write_to_handle(&stream, handle, is_patched, is_still_original, &options).await?;
    if target != Target::Other {
        // The file is written, so errors are ignored here. A later read of the original file reports them.
        let _ = file_of(handle).await.and_then(|new| go_on_with(new, &file));
    }
    Ok(())
}

/// The patches as chunks of a `FileSystemWritableFileStream`.
struct PatchChunks {
    file: PlannedFile,
    next: Cell<usize>,
}

impl Chunks for PatchChunks {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        let index = self.next.replace(self.next.get() + 1);
        let range = self.file.plan().patches().and_then(|patches| patches.get(index));
        let chunk = range.map(|range| {
            let bytes = self.file.header_bytes(range.clone())?;
            let length = bytes.byte_length();
            let write = Record::new().text("type", "write").number("position", range.start as f64);
            Ok(Chunk { value: write.value("data", &bytes).done(), length })
        });
        Box::pin(ready(chunk.transpose()))
    }

    fn stop(&self) {}
}

/// The file of a handle.
pub(super) async fn file_of(handle: &FileHandle) -> Result<Blob, Thrown> {
    let file = called(handle.get_file()).await.map_err(|error| read_failed(&error))?;
    file.dyn_into().map_err(
        |_| failure!(InvalidArgument: "the file cannot be written: getFile() of the target has not returned a Blob"),
    )
}

/// What the file of a handle is.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    /// The original file.
    Original,
    /// The file that has replaced the original one before.
    Replaced,
    Other,
}

/// What the file of a handle is. The original file has the same name, time, size and header. Files with the same header and other data are
/// common, so without a name and a time it does not count as the original.
async fn target_of(planned: &PlannedFile, handle: &FileHandle) -> Result<Target, Thrown> {
    let file = file_of(handle).await?;
    let Source::Blob(source) = planned.original().reader().source() else { return Ok(Target::Other) };
    let (known, is_replaced) = source.file();
    for name in ["name", "lastModified"] {
        let [expected, found] = [&known, &file].map(|file| file.unchecked_ref::<AnyObject>().get(name));
        if found.as_ref().is_ok_and(JsValue::is_undefined) || expected? != found? {
            return Ok(Target::Other);
        }
    }
    if blobs::size(&known)? != blobs::size(&file)? {
        return Ok(Target::Other);
    }
    if is_replaced {
        return Ok(Target::Replaced);
    }
    let header = planned.original().header();
    let bytes = blobs::read(&file, 0, header.header_size()).await.map_err(|error| read_failed(&error))?;
    let has_header = Bytes::of(&bytes).map_or(Ok(false), |bytes| is_header(header, &bytes))?;
    Ok(if has_header { Target::Original } else { Target::Other })
}

/// Fails with `changed` if the file of a handle is not the original file.
async fn check_original(file: &PlannedFile, handle: &FileHandle) -> Result<(), Thrown> {
    if target_of(file, handle).await? == Target::Original { Ok(()) } else { Err(changed()) }
}
