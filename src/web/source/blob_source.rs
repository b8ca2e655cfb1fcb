//! A `Blob` as a source, which can be a file that is replaced while it is open.

use core::cell::RefCell;

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::error::ErrorCode;
use crate::web::interop::thrown::Thrown;
use crate::web::interop::{as_object, blobs, failed_with, failure, read_failed};

/// A `Blob` that is read.
pub(crate) struct BlobSource {
    size: u64,
    /// The file of a handle after it has been replaced. Its content is no more that of the source.
    replaced_by: RefCell<Option<Blob>>,
    /// What is read: the given `Blob`, or parts of the new file that have the same bytes. `None` if the new file lacks some.
    content: RefCell<Option<Blob>>,
    given: Blob,
}

impl BlobSource {
    pub fn new(given: Blob) -> Result<Self, Thrown> {
        let size = blobs::size(&given)? as u64;
        Ok(Self { size, replaced_by: RefCell::default(), content: RefCell::new(Some(given.clone())), given })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// The file as it is known to be, and whether it has replaced the given one.
    #[cfg(feature = "write")]
    pub fn file(&self) -> (Blob, bool) {
        let new = self.replaced_by.borrow();
        (new.as_ref().unwrap_or(&self.given).clone(), new.is_some())
    }

    /// Goes on with a new file, a part of which is the content.
    #[cfg(feature = "write")]
    pub fn replace(&self, file: Blob, content: Option<Blob>) {
        self.replaced_by.replace(Some(file));
        self.content.replace(content);
    }

    /// What is read.
    ///
    /// # Errors
    ///
    /// `changed` if the file has been replaced by one that lacks some of the bytes.
    pub fn content(&self) -> Result<Blob, Thrown> {
        self.content.borrow().clone().ok_or_else(|| {
            failure!(Changed:
                "the file cannot be read: it has been replaced by a file that lacks some of its data. Open the new file")
        })
    }

    /// Reads the bytes `start..end`.
    pub async fn read(&self, start: u64, end: u64) -> Result<JsValue, Thrown> {
        blobs::read(&self.content()?, start, end).await.map_err(|error| match is_of_other_file(&error) {
            true => failed_with(
                ErrorCode::Changed,
                "the file cannot be read: it has been changed, moved or removed since it was opened. Open it again",
                &error,
            ),
            false => read_failed(&error),
        })
    }
}

/// Whether a browser refuses to read a file because it is not as it was when the `File` was made.
fn is_of_other_file(error: &JsValue) -> bool {
    let name = as_object(error).and_then(|error| error.get("name").ok()).and_then(|name| name.as_string());
    name.is_some_and(|name| name == "NotReadableError" || name == "NotFoundError")
}
