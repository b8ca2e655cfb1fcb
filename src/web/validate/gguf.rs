//! The method of `Gguf` that runs the checks.

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::web::reader::gguf::Gguf;
use crate::web::validate::findings;

#[wasm_bindgen]
impl Gguf {
    /// Looks for what is wrong with the file, unusual or worth knowing, although it can be read. Only its header and its
    /// size are looked at.
    ///
    /// @example
    /// const errors = gguf.validate().filter(({ severity }) => severity === "error");
    #[wasm_bindgen(unchecked_return_type = "readonly Finding[]")]
    pub fn validate(&self) -> Result<JsArray, JsValue> {
        let opened = &self.state()?.opened;
        Ok(findings::list(&opened.file, opened.file_size.get()))
    }
}
