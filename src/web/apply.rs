//! Writing a planned file where a file system handle says.

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use super::error::{Code, failed_with, failure, read_failed};
use super::js::{self, Bytes, Record};
use super::planned::{Pieces, Planned};
use super::source::new_bytes;
use super::write_stream::Progress;

#[wasm_bindgen]
extern "C" {
    /// A `FileSystemFileHandle`.
    type FileHandle;
    #[wasm_bindgen(method, catch, js_name = getFile)]
    fn get_file(this: &FileHandle) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = createWritable)]
    fn create_writable(this: &FileHandle, options: &JsValue) -> Result<JsValue, JsValue>;

    /// A `FileSystemWritableFileStream`: what is written becomes the file when it is closed.
    type Writable;
    #[wasm_bindgen(method, catch)]
    fn write(this: &Writable, what: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &Writable) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn abort(this: &Writable) -> Result<JsValue, JsValue>;

    /// A `FileSystemSyncAccessHandle`.
    type SyncHandle;
    #[wasm_bindgen(method, catch, js_name = getSize)]
    fn get_size(this: &SyncHandle) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &SyncHandle, bytes: &Bytes, options: &JsValue) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &SyncHandle, bytes: &Bytes, options: &JsValue) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn truncate(this: &SyncHandle, size: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn flush(this: &SyncHandle) -> Result<(), JsValue>;
}

/// Writes the file to a handle.
pub(super) async fn to(planned: Rc<Planned>, target: JsValue, on_progress: Option<Function>) -> Result<(), JsValue> {
    let has = |name: &str| -> Result<bool, JsValue> {
        let function = js::members(&target).map(|target| target.function(name)).transpose()?;
        Ok(function.flatten().is_some())
    };
    let progress = |total| Progress::new(on_progress, 0.0, total);
    let patches = planned.plan.patches().unwrap_or_default();
    let patched = patches.iter().map(|patch| patch.end - patch.start).sum();
    if has("createWritable")? {
        let handle: FileHandle = target.unchecked_into();
        let file = js::called(handle.get_file()).await.map_err(|error| read_failed(&error))?;
        let file: Blob = file.dyn_into().map_err(|_| failure(Code::InvalidArgument, "getFile() gave no Blob"))?;
        let is_patched = planned.plan.patches().is_some() && is_original(&planned, &file).await?;
        let progress = progress(if is_patched { patched } else { planned.size() });
        return replace(&planned, &handle, is_patched, &progress).await;
    }
    if has("truncate")? && has("getSize")? {
        let handle: SyncHandle = target.unchecked_into();
        let size = handle.get_size().map_err(|error| read_failed(&error))?;
        if size == 0.0 {
            let total = planned.size();
            return fill(planned, &handle, &progress(total)).await;
        }
        if planned.plan.patches().is_none() {
            let message = "the file cannot be changed in place: write a new one, to an empty handle";
            return Err(failure(Code::NotInPlace, message));
        }
        return patch(&planned, &handle, size, &progress(patched));
    }
    let message = "the target is neither a FileSystemFileHandle nor a FileSystemSyncAccessHandle";
    Err(failure(Code::InvalidArgument, message))
}

/// Whether a file has the size and the header of the one that was opened.
async fn is_original(planned: &Planned, file: &Blob) -> Result<bool, JsValue> {
    let opened = &planned.opened;
    let header = &opened.file;
    if opened.file_size.get() != Some(file.size() as u64) {
        return Ok(false);
    }
    let mut start = 0;
    while start < header.header_size() {
        let end = header.header_size().min(start + (1 << 20));
        let slice = file.slice_with_f64_and_f64(start as f64, end as f64)?;
        let bytes = js::resolved(slice.array_buffer().into()).await.map_err(|error| read_failed(&error))?;
        let is_same = js::bytes(&bytes).is_some_and(|bytes| has(header, start..end, &bytes));
        if !is_same {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}

/// Whether bytes are those of the header at a range.
fn has(header: &crate::header::Header, range: Range<u64>, bytes: &Bytes) -> bool {
    let bytes: &js_sys::Uint8Array = bytes.unchecked_ref();
    u64::from(bytes.length()) == range.end - range.start && header.bytes().equal(range, &bytes.to_vec())
}

/// Replaces a file, by a copy that is patched or by a new one, at once when all is written.
async fn replace(
    planned: &Rc<Planned>,
    handle: &FileHandle,
    is_patched: bool,
    progress: &Progress,
) -> Result<(), JsValue> {
    let options = Record::new().value("keepExistingData", &is_patched.into()).done();
    let unharmed =
        |error: JsValue| failed_with(Code::WriteFailed, "the file could not be written, and is as it was", &error);
    let opened = js::called(handle.create_writable(&options)).await.map_err(unharmed)?;
    let writing = Writing { writable: opened.unchecked_into(), is_open: RefCell::new(true) };
    let writable = &writing.writable;
    if is_patched {
        for range in planned.plan.patches().unwrap_or_default() {
            let bytes = planned.header_bytes(range.clone())?;
            let chunk =
                Record::new().text("type", "write").number("position", range.start as f64).value("data", &bytes);
            js::called(writable.write(&chunk.done())).await.map_err(unharmed)?;
            progress.add(bytes.byte_length())?;
        }
    } else {
        let pieces = Pieces::new(planned.clone(), 0);
        while let Some(bytes) = pieces.next().await? {
            js::called(writable.write(&bytes)).await.map_err(unharmed)?;
            progress.add(bytes.byte_length())?;
        }
    }
    writing.is_open.replace(false);
    js::called(writable.close()).await.map_err(unharmed)?;
    Ok(())
}

/// A file that is being written; what has been is thrown away when this is dropped before it is closed.
struct Writing {
    writable: Writable,
    is_open: RefCell<bool>,
}

impl Drop for Writing {
    fn drop(&mut self) {
        if *self.is_open.borrow() {
            js::ignore(self.writable.abort());
        }
    }
}

/// Writes a whole file to an empty one; empties it again if that fails.
async fn fill(planned: Rc<Planned>, handle: &SyncHandle, progress: &Progress) -> Result<(), JsValue> {
    let filling = Filling { handle, is_unfinished: RefCell::new(true) };
    let pieces = Pieces::new(planned, 0);
    let mut position = 0.0;
    while let Some(bytes) = pieces.next().await? {
        write_at(handle, &bytes, position).map_err(|error| {
            failed_with(Code::WriteFailed, "the file could not be written, and is empty again", &error)
        })?;
        position += bytes.byte_length();
        progress.add(bytes.byte_length())?;
    }
    filling.is_unfinished.replace(false);
    handle.flush().map_err(|error| failed_with(Code::WriteFailed, "the file could not be written to the disk", &error))
}

struct Filling<'a> {
    handle: &'a SyncHandle,
    is_unfinished: RefCell<bool>,
}

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        if *self.is_unfinished.borrow() {
            let _ = self.handle.truncate(0.0);
        }
    }
}

/// Writes the patches into a file where it is. If that fails, what was there is put back.
fn patch(planned: &Planned, handle: &SyncHandle, size: f64, progress: &Progress) -> Result<(), JsValue> {
    let header = &planned.opened.file;
    let read_at = |range: Range<u64>| {
        let bytes = new_bytes(range.end - range.start)?;
        let options = Record::new().number("at", range.start as f64).done();
        handle.read(&bytes, &options).map_err(|error| read_failed(&error))?;
        Ok::<Bytes, JsValue>(bytes)
    };
    let is_original = planned.opened.file_size.get() == Some(size as u64)
        && has(header, 0..header.header_size(), &read_at(0..header.header_size())?);
    if !is_original {
        return Err(failure(Code::Changed, "the file is not the one that was opened, or has been changed since"));
    }
    let mut before = Vec::new();
    for range in planned.plan.patches().unwrap_or_default() {
        before.push((range.start as f64, read_at(range.clone())?));
    }
    let written = || {
        for range in planned.plan.patches().unwrap_or_default() {
            let bytes = planned.header_bytes(range.clone())?;
            write_at(handle, &bytes, range.start as f64)?;
        }
        handle.flush()
    };
    if let Err(error) = written() {
        let put_back = before.iter().try_for_each(|(at, bytes)| write_at(handle, bytes, *at));
        return Err(match put_back.and_then(|()| handle.flush()) {
            Ok(()) => failed_with(Code::WriteFailed, "the file could not be written, and is as it was", &error),
            Err(_) => {
                let end = before.iter().map(|(at, bytes)| at + bytes.byte_length()).fold(0.0, f64::max) as u64;
                let message = format!("writing was interrupted: the first {end} bytes of the file are damaged");
                failed_with(Code::Interrupted, &message, &error)
            }
        });
    }
    before.iter().try_for_each(|(_, bytes)| progress.add(bytes.byte_length()))
}

/// Writes bytes at a position, all of them.
fn write_at(handle: &SyncHandle, bytes: &Bytes, position: f64) -> Result<(), JsValue> {
    let options = Record::new().number("at", position).done();
    let written = handle.write(bytes, &options)?;
    if written == bytes.byte_length() {
        return Ok(());
    }
    Err(JsValue::from_str("the disk is full"))
}
