//! The methods of `Editor` that check, name and explain the edited file.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::Editor;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, to_js};
use crate::know::special_tokens;
use crate::validate::asked::loads;
use crate::validate::asked::options::ValidateOptions;
use crate::validate::findings;
use gguf_models::file_name::suggested_file_name;
use gguf_models::kind::classify;

#[wasm_bindgen]
impl Editor {
    /// Checks the edited file: its header, and its size if that is known. Returns problems, and facts that are worth knowing.
    /// With `fileName`, it also compares the name of the file with its header.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`; `invalid-argument` if `fileName` is not a string.
    /// @example
    /// const errors = editor.validate().filter(({ severity }) => severity === "error");
    #[wasm_bindgen(unchecked_return_type = "readonly Finding[]")]
    pub fn validate(&self, options: Option<ValidateOptions>) -> Result<JsArray, Thrown> {
        let file_name = ValidateOptions::take(options)?.file_name;
        let listing = self.listing()?;
        let file_size = self.edit.file_size_for_checks(self.file.file_size(), &listing.plan);
        Ok(findings::list(listing.decoded()?, file_size, file_name.as_deref()))
    }

    /// Says whether llama.cpp loads the edited file: see `Gguf.loads`.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("llama.block_count", 32);
    /// console.log(editor.loads().sentence);
    #[wasm_bindgen(unchecked_return_type = "Loads")]
    pub fn loads(&self) -> Result<JsValue, Thrown> {
        let listing = self.listing()?;
        let file_size = self.edit.file_size_for_checks(self.file.file_size(), &listing.plan);
        Ok(loads::answer(listing.decoded()?, file_size))
    }

    /// The name that llama.cpp's converter would give the edited file: see `Gguf.suggestFileName`.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("general.version", "v2.0");
    /// link.download = editor.suggestFileName(); // "Mixtral-8x7B-Instruct-v2.0-Q4_K_M.gguf"
    #[wasm_bindgen(js_name = suggestFileName)]
    pub fn suggest_file_name(&self) -> Result<String, Thrown> {
        Ok(suggested_file_name(self.listing()?.decoded()?))
    }

    /// What the edited file is, and what in its header says so: see `Gguf.classification`. The object is frozen.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("general.type", "adapter");
    /// console.log(editor.classification.title); // "Adapter"
    #[wasm_bindgen(getter, unchecked_return_type = "Classification")]
    pub fn classification(&self) -> Result<JsValue, Thrown> {
        Ok(to_js(&classify(self.listing()?.decoded()?)))
    }

    /// Lists the tokens with a special role that the edited header names: see `Gguf.specialTokens`.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("tokenizer.ggml.eos_token_id", 2);
    /// const end = editor.specialTokens().find(({ role }) => role === "eos"); // id 2, text "</s>"
    #[wasm_bindgen(js_name = specialTokens, unchecked_return_type = "readonly SpecialToken[]")]
    pub fn special_tokens(&self) -> Result<JsArray, Thrown> {
        special_tokens::list(self.listing()?.decoded()?)
    }
}
