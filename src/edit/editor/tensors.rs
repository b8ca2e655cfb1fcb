//! The methods of `Editor` that change tensors and the layout of the file.

use wasm_bindgen::prelude::*;

use super::Editor;
use super::selection::{GivenName, GivenTensor, name_bytes};
use crate::edit::byte_order::byte_order;
use crate::interop::thrown::Thrown;
use crate::interop::{NumberArgument, argument_type, arguments, is_integer, shown_number};
use gguf_format::write::checks::bad_alignment;

argument_type!(GivenByteOrder: "\"little-endian\" | \"big-endian\"");

#[wasm_bindgen]
impl Editor {
    /// Renames a tensor.
    ///
    /// @throws {GgufError} `unknown-tensor`, `name-taken`, `bad-name`.
    #[wasm_bindgen(js_name = renameTensor)]
    pub fn rename_tensor(&mut self, tensor: GivenTensor, name: GivenName) -> Result<(), Thrown> {
        let (tensor, name) = (self.find_tensor(&tensor)?, name_bytes(&name)?);
        self.change(|edit| edit.rename_tensor(tensor, &name))
    }

    /// Removes a tensor and its data.
    ///
    /// @throws {GgufError} `unknown-tensor`.
    #[wasm_bindgen(js_name = removeTensor)]
    pub fn remove_tensor(&mut self, tensor: GivenTensor) -> Result<(), Thrown> {
        let tensor = self.find_tensor(&tensor)?;
        self.change(|edit| edit.remove_tensor(tensor))
    }

    /// Places the data of all tensors without gaps, in the order of `tensors`, as llama.cpp requires.
    pub fn repack(&mut self) -> Result<(), Thrown> {
        self.change(|edit| {
            edit.repack();
            Ok(())
        })
    }

    /// The alignment of the data section and of each tensor in it, in bytes. Setting it changes the entry
    /// `general.alignment`, or adds it, and places all data anew. It must be a power of two from 8 on.
    #[wasm_bindgen(getter)]
    pub fn alignment(&self) -> f64 {
        self.edit.alignment() as f64
    }

    #[wasm_bindgen(setter)]
    #[allow(missing_docs, reason = "the type declarations have the documentation of the getter")]
    pub fn set_alignment(&mut self, alignment: NumberArgument) -> Result<(), Thrown> {
        let alignment = arguments::number("alignment", &alignment)?;
        if f64::from(alignment as u32) != alignment {
            return Err(bad_alignment(&shown_number(alignment)).into());
        }
        self.change(|edit| edit.set_alignment(alignment as u32))
    }

    /// The version of the format. It can only be set to 3.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> f64 {
        self.edit.format().version.into()
    }

    #[wasm_bindgen(setter)]
    #[allow(missing_docs, reason = "the type declarations have the documentation of the getter")]
    pub fn set_version(&mut self, version: NumberArgument) -> Result<(), Thrown> {
        let version = arguments::number("version", &version)?;
        self.change(|edit| edit.set_version(if is_integer(version) { version as u32 } else { 0 }))
    }

    /// The byte order of every number in the file, including the data of the tensors.
    #[wasm_bindgen(getter, js_name = byteOrder, unchecked_return_type = "\"little-endian\" | \"big-endian\"")]
    pub fn byte_order(&self) -> JsValue {
        self.edit.format().endian.name().into()
    }

    #[wasm_bindgen(setter, js_name = byteOrder)]
    #[allow(missing_docs, reason = "the type declarations have the documentation of the getter")]
    pub fn set_byte_order(&mut self, order: GivenByteOrder) -> Result<(), Thrown> {
        let endian = byte_order(&order)?;
        self.change(|edit| {
            edit.set_byte_order(endian);
            Ok(())
        })
    }
}
