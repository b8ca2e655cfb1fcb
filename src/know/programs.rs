//! Which programs load a file, as a JavaScript object.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{declare_types, to_js};
use crate::reader::gguf::Gguf;
use gguf_models::programs::{ProgramAnswer, Programs, programs};

declare_types!(ProgramAnswer, Programs);

#[wasm_bindgen]
impl Gguf {
    /// Says which programs load the file, as far as their rules are known, and with which option: llama.cpp, ComfyUI-GGUF,
    /// stable-diffusion.cpp and others. Tensor data is not read.
    ///
    /// @example
    /// const { sentence, programs } = gguf.programs();
    /// console.log(sentence); // "Image model, flux. ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not."
    /// for (const { program, how } of programs.filter(({ answer }) => answer === "yes")) console.log(program, how);
    #[wasm_bindgen(unchecked_return_type = "Programs")]
    pub fn programs(&self) -> Result<JsValue, Thrown> {
        let file = &self.state()?.file;
        Ok(to_js(&programs(&file.header, file.file_size())))
    }
}
