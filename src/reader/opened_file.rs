//! An opened file, with what only JavaScript needs of it.

use alloc::rc::Rc;
use core::cell::OnceCell;
use core::ops::Deref;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{declare_types, to_js};
use crate::reader::decoded_header::DecodedHeader;
use crate::source::gguf_source::Source;
use gguf_format::format::header::TensorInfo;
use gguf_format::tensor::extents::TensorExtent;
use gguf_format::tensor::opened_file;

declare_types!(TensorExtent);

/// A file that is read from a source of JavaScript.
pub(crate) type SourceFile = opened_file::OpenedFile<Source>;

pub(crate) struct OpenedFile {
    pub header: Rc<DecodedHeader>,
    pub file: Rc<SourceFile>,
    /// What the file is, as a JavaScript object. Made when a caller first asks for it.
    pub classification: OnceCell<JsValue>,
    /// The file type, as a JavaScript object. Made when a caller first asks for it.
    pub file_type: OnceCell<JsValue>,
}

impl OpenedFile {
    pub fn new(header: Rc<DecodedHeader>, source: Source) -> Self {
        Self {
            file: Rc::new(SourceFile::new(header.header().clone(), source)),
            header,
            classification: OnceCell::new(),
            file_type: OnceCell::new(),
        }
    }

    /// The extent of a tensor, as a JavaScript object; `undefined` if it is not known, or if it ends at 2^53 or beyond.
    pub fn extent_object(&self, tensor: &TensorInfo<'_>) -> Result<JsValue, Thrown> {
        Ok(self.extent_of(tensor)?.map_or(JsValue::UNDEFINED, |extent| to_js(&extent)))
    }
}

impl Deref for OpenedFile {
    type Target = SourceFile;

    fn deref(&self) -> &SourceFile {
        &self.file
    }
}
