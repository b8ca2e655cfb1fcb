//! The method of `Gguf` that checks the file.

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::reader::gguf::Gguf;
use crate::validate::asked::options::ValidateOptions;
use crate::validate::findings;

#[wasm_bindgen]
impl Gguf {
    /// Checks the header and the size of the file, and lists problems and facts that are worth knowing. Tensor data is not
    /// read. With `fileName`, it also compares the name of the file with its header.
    ///
    /// @throws {GgufError} `invalid-argument` if `fileName` is not a string.
    /// @example
    /// const errors = gguf.validate().filter(({ severity }) => severity === "error");
    /// const findings = gguf.validate({ fileName: "Llama-3-8B-Q4_K_M.gguf" });
    #[wasm_bindgen(unchecked_return_type = "readonly Finding[]")]
    pub fn validate(&self, options: Option<ValidateOptions>) -> Result<JsArray, Thrown> {
        let file_name = ValidateOptions::take(options)?.file_name;
        let file = &self.state()?.file;
        Ok(findings::list(&file.header, file.file_size(), file_name.as_deref()))
    }
}
