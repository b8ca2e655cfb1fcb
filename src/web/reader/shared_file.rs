//! The header that the arrays of an opened file share.

use alloc::rc::Rc;
use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::web::interop::error::{Code, failure};
use crate::web::reader::file::File;

/// A file's header, as the `MetadataArray`s of one `Gguf` hold it.
///
/// JavaScript can keep an array for as long as it wants, and an array needs the header. So that `free()` gives the memory
/// of the header back at once, it takes the header away from all arrays: they then fail with `freed`.
#[derive(Clone)]
pub(crate) struct SharedFile(Rc<RefCell<Option<Rc<File>>>>);

impl SharedFile {
    pub fn new(file: Rc<File>) -> Self {
        Self(Rc::new(RefCell::new(Some(file))))
    }

    /// The header, or `freed` after [`release`](Self::release).
    pub fn get(&self) -> Result<Rc<File>, JsValue> {
        self.0.borrow().clone().ok_or_else(freed)
    }

    /// Takes the header away from everything that shares it.
    pub fn release(&self) {
        self.0.take();
    }
}

/// The error of everything that needs a header that was freed.
pub(crate) fn freed() -> JsValue {
    failure(
        Code::Freed,
        "the file was freed, so its header is not in memory any more: use it before free(), or open it again",
    )
}
