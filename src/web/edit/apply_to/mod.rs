//! Writing a planned file to a file system handle.

mod patch_file;
mod replace_file;

use alloc::rc::Rc;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::web::edit::planned_file::PlannedFile;
use crate::web::interop::abort::check_signal;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::failure;
use crate::web::interop::objects::as_object;
use crate::web::interop::options::Options;
use crate::web::reader::decoded_header::DecodedHeader;

/// What failed, if the file is as it was before.
const FILE_UNCHANGED: &str = "the file could not be written and is unchanged";

/// Writes a planned file to a handle.
pub(super) async fn apply_to(file: Rc<PlannedFile>, target: JsValue, options: Options) -> Result<JsValue, JsValue> {
    let has = |name: &str| -> Result<bool, JsValue> {
        let function = as_object(&target).map(|target| target.function(name)).transpose()?;
        Ok(function.flatten().is_some())
    };
    check_signal(&options)?;
    if has("createWritable")? {
        replace_file::replace_file(file, target.unchecked_ref(), options).await?;
    } else if has("getSize")? {
        patch_file::patch_file(&file, target.unchecked_ref())?;
    } else {
        let message = "the file cannot be written: the target is neither a FileSystemFileHandle nor a \
                       FileSystemSyncAccessHandle";
        return Err(failure(ErrorCode::InvalidArgument, message));
    }
    Ok(JsValue::UNDEFINED)
}

#[cold]
fn changed() -> JsValue {
    let message = "the file cannot be written: it is not the file that was opened, or it has been changed since; open it \
                   again and repeat the changes";
    failure(ErrorCode::Changed, message)
}

fn has_original_size(file: &PlannedFile, size: f64) -> bool {
    file.original.file_size.get() == Some(size as u64)
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
