//! The options of `validate`.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::web::interop::{Options, options};

options! {
    /// What `validate` takes.
    pub interface ValidateOptions {
        /// The name of the file without folders: `Llama-3-8B-Q4_K_M.gguf`. It is compared with what the header says.
        fileName?: "string";
    }
}

/// The option `fileName`.
///
/// # Errors
///
/// `invalid-argument` if it is not a string.
pub(crate) fn file_name(options: Option<ValidateOptions>) -> Result<Option<String>, JsValue> {
    Options::new(options).text("fileName")
}
