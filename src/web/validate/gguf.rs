//! The method of `Gguf` that checks the file.

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::web::reader::gguf::Gguf;
use crate::web::validate::findings;

#[wasm_bindgen]
impl Gguf {
    /// Checks the header and the size of the file, and lists problems and facts that are worth knowing. Tensor data is not
    /// read.
    ///
    /// @example
    /// const errors = gguf.validate().filter(({ severity }) => severity === "error");
    #[wasm_bindgen(unchecked_return_type = "readonly Finding[]")]
    pub fn validate(&self) -> Result<JsArray, JsValue> {
        let file = &self.state()?.file;
        Ok(findings::list(&file.header, file.file_size.get()))
    }
}
