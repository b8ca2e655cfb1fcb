//! The methods of `Editor` that check, name and plan the edited file.

use alloc::string::String;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use super::Editor;
use crate::know::file_name::suggested_file_name;
use crate::know::kind::classify;
use crate::web::edit::edit_plan::EditPlan;
use crate::web::edit::header_plan::HeaderPlan;
use crate::web::interop::plain_object::to_js;
use crate::web::know::special_tokens;
use crate::web::validate::findings;
use crate::web::validate::options::{ValidateOptions, file_name};

#[wasm_bindgen]
impl Editor {
    /// Checks the edited file: its header, and its size if that is known. Returns problems, and facts that are worth knowing.
    /// With `fileName`, it also compares the name of the file with its header.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`; `invalid-argument` if `fileName` is not a string.
    /// @example
    /// const errors = editor.validate().filter(({ severity }) => severity === "error");
    #[wasm_bindgen(unchecked_return_type = "readonly Finding[]")]
    pub fn validate(&self, options: Option<ValidateOptions>) -> Result<JsArray, JsValue> {
        let file_name = file_name(options)?;
        let listing = self.listing()?;
        let file_size = self.edit.file_size_for_checks(self.file.file_size(), &listing.plan);
        Ok(findings::list(listing.decoded()?, file_size, file_name.as_deref()))
    }

    /// The name that llama.cpp's converter would give the edited file: see `Gguf.suggestFileName`.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("general.version", "v2.0");
    /// link.download = editor.suggestFileName(); // "Mixtral-8x7B-Instruct-v2.0-Q4_K_M.gguf"
    #[wasm_bindgen(js_name = suggestFileName)]
    pub fn suggest_file_name(&self) -> Result<String, JsValue> {
        Ok(suggested_file_name(self.listing()?.decoded()?))
    }

    /// What the edited file is, and what in its header says so: see `Gguf.classification`. The object is frozen.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("general.type", "adapter");
    /// console.log(editor.classification.title); // "Adapter"
    #[wasm_bindgen(getter, unchecked_return_type = "Classification")]
    pub fn classification(&self) -> Result<JsValue, JsValue> {
        Ok(to_js(&classify(self.listing()?.decoded()?)))
    }

    /// Lists the tokens with a special role that the edited header names: see `Gguf.specialTokens`.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// editor.set("tokenizer.ggml.eos_token_id", 2);
    /// const end = editor.specialTokens().find(({ role }) => role === "eos"); // id 2, text "</s>"
    #[wasm_bindgen(js_name = specialTokens, unchecked_return_type = "readonly SpecialToken[]")]
    pub fn special_tokens(&self) -> Result<JsArray, JsValue> {
        special_tokens::list(self.listing()?.decoded()?)
    }

    /// Plans the edited file. Nothing is read or written. Later changes are not part of the plan.
    ///
    /// @throws {GgufError} `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    /// @example
    /// const plan = editor.plan();
    /// console.log(plan.inPlace ? plan.patches() : plan.size);
    pub fn plan(&self) -> Result<EditPlan, JsValue> {
        Ok(EditPlan::new(self.file.clone(), self.edit.plan(self.file.file_size())?))
    }

    /// Plans the edited header without the data of the tensors. In contrast to `plan`, it also works if the original file is
    /// truncated or its size is not known. Nothing is read or written. Later changes are not part of the plan.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// const { headerSize, dataOffset, findings } = editor.planHeader();
    #[wasm_bindgen(js_name = planHeader)]
    pub fn plan_header(&self) -> Result<HeaderPlan, JsValue> {
        Ok(HeaderPlan::new(self.file.header.clone(), self.edit.plan_header(self.file.file_size())?))
    }
}
