//! Writing a planned file where a file system handle says.

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::error::ErrorCode;
use crate::web::edit::planned_file::{Pieces, Planned};
use crate::web::edit::write_stream::{self, Chunk, Chunks, NextChunk, WrittenStream};
use crate::web::interop::abort::check_signal;
use crate::web::interop::blobs;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::{failed_with, failure, is_own, read_failed};
use crate::web::interop::objects::{AnyObject, as_object};
use crate::web::interop::options::Options;
use crate::web::interop::promises::called;
use crate::web::interop::record::Record;
use crate::web::reader::decoded_header::DecodedHeader;

#[wasm_bindgen]
extern "C" {
    /// A `FileSystemFileHandle`.
    type FileHandle;
    #[wasm_bindgen(method, catch, js_name = getFile)]
    fn get_file(this: &FileHandle) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createWritable)]
    fn create_writable(this: &FileHandle, options: &JsValue) -> Result<JsValue, JsValue>;

    /// A `FileSystemWritableFileStream`.
    type Writable;
    #[wasm_bindgen(method, catch)]
    fn close(this: &Writable) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn abort(this: &Writable) -> Result<JsValue, JsValue>;

    /// A `FileSystemSyncAccessHandle`.
    type SyncHandle;
    #[wasm_bindgen(method, catch, js_name = getSize)]
    fn get_size(this: &SyncHandle) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &SyncHandle, bytes: &Bytes, options: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &SyncHandle, bytes: &Bytes, options: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn flush(this: &SyncHandle) -> Result<(), JsValue>;
}

const UNHARMED: &str = "the file could not be written, and is as it was";

/// Writes the file to a handle.
pub(crate) async fn apply_to(planned: Rc<Planned>, target: JsValue, options: Options) -> Result<JsValue, JsValue> {
    let has = |name: &str| -> Result<bool, JsValue> {
        let function = as_object(&target).map(|target| target.function(name)).transpose()?;
        Ok(function.flatten().is_some())
    };
    check_signal(&options)?;
    if has("createWritable")? {
        replace(planned, target.unchecked_ref(), options).await?;
    } else if has("getSize")? {
        patch(&planned, target.unchecked_ref())?;
    } else {
        let message = "the target is neither a FileSystemFileHandle nor a FileSystemSyncAccessHandle";
        return Err(failure(ErrorCode::InvalidArgument, message));
    }
    Ok(JsValue::UNDEFINED)
}

/// Replaces a file, by a copy that is patched or by a new one, at once when all is written. When it fails or is aborted,
/// what has been written is thrown away before that is said.
async fn replace(planned: Rc<Planned>, handle: &FileHandle, options: Options) -> Result<(), JsValue> {
    let is_original = is_original(&planned, handle).await?;
    let is_patched = is_original && planned.plan.patches().is_some();
    let (total, chunks): (u64, Rc<dyn Chunks>) = match planned.plan.patches().filter(|_| is_patched) {
        Some(patches) => {
            let total = patches.iter().map(|range| range.end - range.start).sum();
            (total, Rc::new(Patches { planned: planned.clone(), next: Cell::new(0) }))
        }
        None => (planned.plan.size(), Pieces::new(planned.clone(), 0)),
    };
    let stream = write_stream::stream(chunks, options.clone(), 0.0, total)?;
    check_signal(&options)?;
    let keep = Record::new().value("keepExistingData", &is_patched.into()).done();
    let failed = |error: JsValue| match is_own(&error) {
        true => error,
        false => failed_with(ErrorCode::WriteFailed, UNHARMED, &error),
    };
    // Where the user is asked first, or a copy made, this takes long: time in which others may write to the file.
    let writable = called(handle.create_writable(&keep)).await.map_err(failed)?;
    let writable: &Writable = writable.unchecked_ref();
    let kept = if is_patched { check_original(&planned, handle).await } else { Ok(()) };
    let filled = match kept {
        Ok(()) => fill(&stream, writable, &options).await,
        Err(error) => Err(error),
    };
    let Err(error) = filled else { return Ok(()) };
    let _ = called(writable.abort()).await;
    check_signal(&options)?;
    Err(failed(error))
}

/// Writes a stream, all of it, and closes what it is written to. Until then it can be aborted: a pipe that closes by itself
/// no longer listens while its last piece is written.
async fn fill(stream: &WrittenStream, writable: &Writable, options: &Options) -> Result<(), JsValue> {
    check_signal(options)?;
    let mut pipe = Record::new().value("preventClose", &true.into());
    if let Some(signal) = options.get("signal")? {
        pipe = pipe.value("signal", &signal);
    }
    called(stream.pipe_to(writable, &pipe.done())).await?;
    check_signal(options)?;
    called(writable.close()).await?;
    Ok(())
}

/// What is to be written into a file that is kept, as its writable stream takes it.
struct Patches {
    planned: Rc<Planned>,
    next: Cell<usize>,
}

impl Chunks for Patches {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        let range = self.planned.plan.patches().and_then(|patches| patches.get(self.next.replace(self.next.get() + 1)));
        let chunk = range.map(|range| {
            let bytes = self.planned.header_bytes(range.clone())?;
            let length = bytes.byte_length();
            let record = Record::new().text("type", "write").number("position", range.start as f64);
            Ok(Chunk { value: record.value("data", &bytes).done(), length })
        });
        alloc::boxed::Box::pin(core::future::ready(chunk.transpose()))
    }

    fn stop(&self) {}
}

/// Whether a file is the one that was opened: by its name, its time, its size and its header. Files with the same header and
/// other data are common, so where the first two are not known it is not taken for it.
async fn is_original(planned: &Planned, handle: &FileHandle) -> Result<bool, JsValue> {
    let file = called(handle.get_file()).await.map_err(|error| read_failed(&error))?;
    let file: Blob = file.dyn_into().map_err(|_| failure(ErrorCode::InvalidArgument, "getFile() gave no Blob"))?;
    let Some(opened) = planned.opened.ranges.blob() else { return Ok(false) };
    for name in ["name", "lastModified"] {
        let [opened, found] = [opened, &file].map(|file| file.unchecked_ref::<AnyObject>().get(name));
        if found.as_ref().is_ok_and(JsValue::is_undefined) || opened? != found? {
            return Ok(false);
        }
    }
    if !has_size(planned, blobs::size(&file)?) {
        return Ok(false);
    }
    let header_size = planned.opened.header.header_size();
    let bytes = blobs::read(&file, 0, header_size).await.map_err(|error| read_failed(&error))?;
    Bytes::of(&bytes).map_or(Ok(false), |bytes| is_header(&planned.opened.header, &bytes))
}

/// An error if the file that a copy was made of is not the one that was opened, or no longer.
async fn check_original(planned: &Planned, handle: &FileHandle) -> Result<(), JsValue> {
    if is_original(planned, handle).await? { Ok(()) } else { Err(changed()) }
}

#[cold]
fn changed() -> JsValue {
    failure(ErrorCode::Changed, "the file is not the one that was opened, or has been changed since")
}

fn has_size(planned: &Planned, size: f64) -> bool {
    planned.opened.file_size.get() == Some(size as u64)
}

/// Whether bytes are those of a header.
fn is_header(header: &DecodedHeader, bytes: &Bytes) -> Result<bool, JsValue> {
    if bytes.byte_length() != header.header_size() as f64 {
        return Ok(false);
    }
    let (mut start, mut found) = (0.0, Vec::new());
    for piece in header.bytes().pieces(0..header.header_size()) {
        let end = start + piece.len() as f64;
        found.resize(piece.len(), 0);
        bytes.subarray(start, end)?.copy_to(&mut found)?;
        if found != piece {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}

/// Writes the patches into a file where it is. If that fails, what was there is put back.
fn patch(planned: &Planned, handle: &SyncHandle) -> Result<(), JsValue> {
    let Some(patches) = planned.plan.patches() else {
        let message = "the file cannot be changed in place: write a new one";
        return Err(failure(ErrorCode::NotInPlace, message));
    };
    let header = &planned.opened.header;
    let size = handle.get_size().map_err(|error| read_failed(&error))?.as_f64().unwrap_or(f64::NAN);
    if !(has_size(planned, size) && is_header(header, &read_at(handle, 0..header.header_size())?)?) {
        return Err(changed());
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for range in patches {
        before.push((range.start as f64, read_at(handle, range.clone())?));
        after.push((range.start as f64, planned.header_bytes(range.clone())?));
    }
    let Err(error) = write_all(handle, &after) else { return Ok(()) };
    Err(match write_all(handle, &before) {
        Ok(()) => failed_with(ErrorCode::WriteFailed, UNHARMED, &error),
        Err(_) => {
            let end = patches.last().map_or(0, |range| range.end);
            let message = format!("writing was interrupted: the first {end} bytes of the file may be damaged");
            failed_with(ErrorCode::Interrupted, &message, &error)
        }
    })
}

fn read_at(handle: &SyncHandle, range: Range<u64>) -> Result<Bytes, JsValue> {
    let bytes = Bytes::zeroed(range.end - range.start)?;
    let options = Record::new().number("at", range.start as f64).done();
    match handle.read(&bytes, &options) {
        Ok(read) if read.as_f64() == Some(bytes.byte_length()) => Ok(bytes),
        Ok(_) => Err(read_failed(&JsValue::from_str("there is less than was asked for"))),
        Err(error) => Err(read_failed(&error)),
    }
}

/// Writes bytes at their positions, all of them, to the disk.
fn write_all(handle: &SyncHandle, patches: &[(f64, Bytes)]) -> Result<(), JsValue> {
    for (position, bytes) in patches {
        let written = handle.write(bytes, &Record::new().number("at", *position).done())?.as_f64();
        if written != Some(bytes.byte_length()) {
            return Err(JsValue::from_str("the disk is full"));
        }
    }
    handle.flush()
}
