//! The errors of chat templates.

use alloc::string::ToString;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use gguf_template::Error;

#[wasm_bindgen(raw_module = "glue/chat.js")]
extern "C" {
    #[wasm_bindgen(js_name = templateError)]
    fn template_error(code: &str, message: &str, line: Option<u32>, column: Option<u32>) -> JsValue;
}

impl From<Error> for Thrown {
    #[cold]
    #[inline(never)]
    fn from(error: Error) -> Self {
        let (line, column) = (error.position.map(|at| at.line), error.position.map(|at| at.column));
        template_error(error.code(), &error.to_string(), line, column).into()
    }
}
