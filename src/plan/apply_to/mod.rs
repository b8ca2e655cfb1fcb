//! Writing a planned file to a file system handle.

mod original_file;
mod patch_file;
mod replace_file;
mod replaced_file;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, as_object, check_signal, failure};
use crate::source::gguf_source::PlannedFile;

/// Writes a planned file to a handle.
pub(super) async fn apply_to(file: PlannedFile, target: JsValue, options: Options) -> Result<JsValue, Thrown> {
    let has = |name: &str| -> Result<bool, Thrown> {
        let function = as_object(&target).map(|target| target.function(name)).transpose()?;
        Ok(function.flatten().is_some())
    };
    check_signal(&options)?;
    if has("createWritable")? {
        replace_file::replace_file(file, target.unchecked_ref(), options).await?;
    } else if has("getSize")? {
        patch_file::patch_file(&file, target.unchecked_ref())?;
    } else {
        return Err(failure!(InvalidArgument:
            "the file cannot be written: the target is neither a FileSystemFileHandle nor a \
             FileSystemSyncAccessHandle"));
    }
    Ok(JsValue::UNDEFINED)
}
