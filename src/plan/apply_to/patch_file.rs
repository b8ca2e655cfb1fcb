//! Writing to a `FileSystemSyncAccessHandle`: the file is changed in place.

use alloc::vec::Vec;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use super::original_file::{changed, has_original_size, is_header};
use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, Record, failed_with, failure, read_failed};
use crate::source::gguf_source::PlannedFile;
use crate::write::to_handle::FILE_UNCHANGED;
use gguf_format::error::ErrorCode;

#[wasm_bindgen]
extern "C" {
    /// A `FileSystemSyncAccessHandle`.
    pub(super) type SyncHandle;
    #[wasm_bindgen(method, catch, js_name = getSize)]
    fn get_size(this: &SyncHandle) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &SyncHandle, bytes: &Bytes, options: &JsValue) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &SyncHandle, bytes: &Bytes, options: &JsValue) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch)]
    fn flush(this: &SyncHandle) -> Result<(), Thrown>;
}

/// Writes the patches into the original file. If that fails, writes back the original bytes.
pub(super) fn patch_file(file: &PlannedFile, handle: &SyncHandle) -> Result<(), Thrown> {
    let Some(patches) = file.plan().patches() else {
        return Err(failure!(NotInPlace:
            "the file cannot be changed in place: its size would change or its data would move; write a new file"));
    };
    let header = file.original().header();
    let size = handle.get_size().map_err(|error| read_failed(&error))?.as_f64().unwrap_or(f64::NAN);
    if !(has_original_size(file, size) && is_header(header, &read_at(handle, 0..header.header_size())?)?) {
        return Err(changed());
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for range in patches {
        before.push((range.start as f64, read_at(handle, range.clone())?));
        after.push((range.start as f64, file.header_bytes(range.clone())?));
    }
    let Err(error) = write_all(handle, &after) else { return Ok(()) };
    Err(match write_all(handle, &before) {
        Ok(()) => failed_with(ErrorCode::WriteFailed, FILE_UNCHANGED, &error),
        Err(_) => {
            let end = patches.last().map_or(0, |range| range.end);
            let message = format!(
                "writing was interrupted, and the original bytes could not be restored: the first {end} bytes of the file may \
                 be damaged"
            );
            failed_with(ErrorCode::Interrupted, &message, &error)
        }
    })
}

fn read_at(handle: &SyncHandle, range: Range<u64>) -> Result<Bytes, Thrown> {
    let bytes = Bytes::zeroed(range.end - range.start)?;
    let options = Record::new().number("at", range.start as f64).done();
    match handle.read(&bytes, &options) {
        Ok(read) if read.as_f64() == Some(bytes.byte_length()) => Ok(bytes),
        Ok(_) => Err(read_failed(&JsValue::from_str("the handle has returned fewer bytes than requested"))),
        Err(error) => Err(read_failed(&error)),
    }
}

/// Writes bytes at their positions, and flushes them to the disk.
fn write_all(handle: &SyncHandle, patches: &[(f64, Bytes)]) -> Result<(), Thrown> {
    for (position, bytes) in patches {
        let written = handle.write(bytes, &Record::new().number("at", *position).done())?.as_f64();
        if written != Some(bytes.byte_length()) {
            return Err(JsValue::from_str("the disk is full").into());
        }
    }
    handle.flush()
}
