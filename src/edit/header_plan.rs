//! `HeaderPlan`: the header of an edited file, planned without the data.

use alloc::{rc::Rc, vec::Vec};
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, JsArray};
use crate::reader::decoded_header::DecodedHeader;
use gguf_format::edit;

/// The planned header of an edited file: its bytes, its offsets and its findings. `Editor.planHeader` makes it.
///
/// @example
/// const plan = editor.planHeader();
/// console.log(plan.headerSize, plan.dataOffset, plan.findings);
/// const bytes = plan.headerBytes();
#[wasm_bindgen]
pub struct HeaderPlan {
    pub(super) original: Rc<DecodedHeader>,
    pub(super) plan: edit::HeaderPlan,
    /// Made when a caller first asks for them: see `findings.rs`.
    pub(super) findings: OnceCell<JsArray>,
}

impl HeaderPlan {
    pub(crate) fn new(original: Rc<DecodedHeader>, plan: edit::HeaderPlan) -> Self {
        Self { original, plan, findings: OnceCell::new() }
    }
}

#[wasm_bindgen]
impl HeaderPlan {
    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> f64 {
        self.plan.header_size() as f64
    }

    /// The offset of the data section, in bytes from the start of the file.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> f64 {
        self.plan.data_offset() as f64
    }

    /// The offset of the data of each tensor, in bytes from `dataOffset`, in the order of `editor.tensors`.
    #[wasm_bindgen(getter, js_name = tensorOffsets)]
    pub fn tensor_offsets(&self) -> Vec<f64> {
        self.plan.tensor_offsets().map(|offset| offset as f64).collect()
    }

    /// Whether `tensorOffsets` are those of the edited file. If `false`, the data must be placed anew, but the original file is
    /// truncated or the size of some data is not known. The header then has the offsets of the original file.
    #[wasm_bindgen(getter, js_name = hasFinalOffsets)]
    pub fn has_final_offsets(&self) -> bool {
        self.plan.has_final_offsets()
    }

    /// The bytes of the header.
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<JsValue, Thrown> {
        let size = self.plan.header_size();
        Ok(Bytes::joined(size, self.plan.header_pieces(0..size))?.into())
    }
}
