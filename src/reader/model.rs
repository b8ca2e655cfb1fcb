//! The members of `Gguf` that describe the model.

use js_sys::JsString;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::gguf::Gguf;
use crate::reader::text;
use gguf_format::format::value::Str;

#[wasm_bindgen]
impl Gguf {
    /// The name of the model: `general.name`. `undefined` if there is no such entry, or if it is not a `STRING`.
    ///
    /// @example
    /// console.log(gguf.name ?? "unnamed");
    #[wasm_bindgen(getter, unchecked_return_type = "string | undefined")]
    pub fn name(&self) -> Result<Option<JsString>, Thrown> {
        let file = &self.state()?.file;
        shown(&file.header, file.header.name())
    }

    /// The architecture of the model: `general.architecture`. `undefined` if there is no such entry, or if it is not a `STRING`.
    ///
    /// @example
    /// const blockCount = gguf.getNumber(`${gguf.architecture}.block_count`);
    #[wasm_bindgen(getter, unchecked_return_type = "string | undefined")]
    pub fn architecture(&self) -> Result<Option<JsString>, Thrown> {
        let file = &self.state()?.file;
        shown(&file.header, file.header.architecture())
    }

    /// The number of tokens of the longest context that the model was trained with: `{arch}.context_length`. `undefined` if
    /// there is no such entry, or if it is not an integer of 0 or more. Rounded from 2^53 on.
    #[wasm_bindgen(getter, js_name = contextLength)]
    pub fn context_length(&self) -> Result<Option<f64>, Thrown> {
        Ok(self.state()?.file.header.context_length().map(|length| length as f64))
    }
}

fn shown(header: &DecodedHeader, stored: Option<Str<'_>>) -> Result<Option<JsString>, Thrown> {
    stored.map(|stored| text::string(&header.decoder, stored)).transpose()
}
