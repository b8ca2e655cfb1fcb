//! A `Blob` as a source, which can be a file that is replaced while it is open.

use core::cell::RefCell;

use web_sys::Blob;

use crate::interop::failure;
use crate::interop::thrown::Thrown;
use crate::interop::{as_object, blobs, failed_with};
use gguf_format::error::ErrorCode;

/// A `Blob` that is read.
pub(crate) struct BlobSource {
    size: u64,
    given: Blob,
    replaced: RefCell<Option<Replaced>>,
}

/// What has replaced the file of a handle. The content of the given file can no longer be read.
struct Replaced {
    file: Blob,
    /// Parts of the new file that have the bytes of the given file. `None` if it lacks some.
    content: Option<Blob>,
}

impl BlobSource {
    pub fn new(given: Blob) -> Result<Self, Thrown> {
        Ok(Self { size: blobs::size(&given)? as u64, given, replaced: RefCell::default() })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// The file as it is known to be, and whether it has replaced the given one.
    pub fn file(&self) -> (Blob, bool) {
        match &*self.replaced.borrow() {
            Some(replaced) => (replaced.file.clone(), true),
            None => (self.given.clone(), false),
        }
    }

    /// Goes on with a new file, a part of which is the content.
    pub fn replace(&self, file: Blob, content: Option<Blob>) {
        self.replaced.replace(Some(Replaced { file, content }));
    }

    /// What is read.
    ///
    /// # Errors
    ///
    /// `changed` if the file has been replaced by one that lacks some of the bytes.
    pub fn content(&self) -> Result<Blob, Thrown> {
        if let Some(Replaced { content, .. }) = &*self.replaced.borrow() {
            return content.clone().ok_or_else(|| {
                failure!(Changed:
                    "the file cannot be read: it has been replaced by a file that lacks some of its data. Open the new file")
            });
        }
        Ok(self.given.clone())
    }
}

/// The error of a `Blob` whose bytes a browser does not read: that of a file which is not as it was when the `File` was made says so.
#[cold]
pub(crate) fn refused(error: Thrown) -> Thrown {
    let name = as_object(&error).and_then(|error| error.get("name").ok()).and_then(|name| name.as_string());
    match name.as_deref() {
        Some("NotReadableError" | "NotFoundError") => failed_with(
            ErrorCode::Changed,
            "the file cannot be read: it has been changed, moved or removed since it was opened. Open it again",
            &error,
        ),
        _ => error,
    }
}
