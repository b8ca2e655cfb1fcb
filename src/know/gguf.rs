//! The members of `Gguf` that tell what the file is.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, JsArray, TextArgument, arguments, to_js};
use crate::know::special_tokens;
use crate::reader::gguf::Gguf;
use gguf_models::file_name::suggested_file_name;
use gguf_models::file_types::ModelFileType;
use gguf_models::image::original_shape;
use gguf_models::kind::classify;

#[wasm_bindgen]
impl Gguf {
    /// What the file is: a model, an adapter, an importance matrix and so on. `unknown` if nothing in the header says it.
    ///
    /// @example
    /// if (gguf.kind === "shard") console.log("Open the first file of the set.");
    #[wasm_bindgen(getter, unchecked_return_type = "FileKind")]
    pub fn kind(&self) -> Result<JsValue, Thrown> {
        self.classification()?.unchecked_into::<AnyObject>().get("kind")
    }

    /// What the file is, and what in the header says so. The object is made once, and is frozen.
    ///
    /// @example
    /// const { title, evidence } = gguf.classification;
    /// console.log(title, evidence[0]); // "Model" "`general.architecture` is `llama`."
    #[wasm_bindgen(getter, unchecked_return_type = "Classification")]
    pub fn classification(&self) -> Result<JsValue, Thrown> {
        let file = &self.state()?.file;
        Ok(file.classification.get_or_init(|| to_js(&classify(&file.header))).clone())
    }

    /// The bits of tensor data for each parameter, on average over all tensors. If the `byteLength` of a tensor is not known, the
    /// whole rest of the file after the header counts. `undefined` if there are no parameters, or if the size of the file is not
    /// known, either.
    ///
    /// @example
    /// console.log(gguf.bitsPerWeight?.toFixed(2)); // "4.85"
    #[wasm_bindgen(getter, js_name = bitsPerWeight)]
    pub fn bits_per_weight(&self) -> Result<Option<f64>, Thrown> {
        Ok(self.state()?.file.bits_per_weight())
    }

    /// The file type: which quantization most tensors have. The object is made once, and is frozen.
    ///
    /// @example
    /// const { name, declared, tensors } = gguf.fileType;
    /// if (declared && !tensors.includes(declared)) console.log(`called ${declared}, but has other tensors`);
    #[wasm_bindgen(getter, js_name = fileType, unchecked_return_type = "ModelFileType")]
    pub fn file_type(&self) -> Result<JsValue, Thrown> {
        let file = &self.state()?.file;
        Ok(file.file_type.get_or_init(|| to_js(&ModelFileType::of(&file.header))).clone())
    }

    /// The name that llama.cpp's converter would give the file, from its metadata and tensors. Its parts are those of the naming
    /// convention, but a part that nothing in the file tells is left out. So most names have no version, which the convention
    /// demands: `parseFileName` says so.
    ///
    /// The encoding is that of `general.file_type`, else the type that most elements have, apart from embeddings and output.
    /// Characters that some file systems do not allow become dashes.
    ///
    /// @example
    /// console.log(gguf.suggestFileName()); // "Mixtral-8x7B-Instruct-v0.1-Q4_K_M.gguf"
    #[wasm_bindgen(js_name = suggestFileName)]
    pub fn suggest_file_name(&self) -> Result<String, Thrown> {
        Ok(suggested_file_name(&self.state()?.file.header))
    }

    /// The dimensions that a tensor had before ComfyUI-GGUF stored it as rows of 256 elements, in the order of `dimensions`. `undefined` if
    /// the file does not say it, or says it wrongly. The index of an element is the same in both shapes.
    ///
    /// @throws {GgufError} `invalid-argument` if the name is not a string.
    /// @example
    /// const shape = gguf.originalShape("input_blocks.3.0.op.weight") ?? gguf.tensor("input_blocks.3.0.op.weight")?.dimensions;
    #[wasm_bindgen(js_name = originalShape, unchecked_return_type = "readonly number[] | undefined")]
    pub fn original_shape(&self, tensor: &TextArgument) -> Result<JsValue, Thrown> {
        let name = arguments::name("tensor", tensor)?;
        let header = &self.state()?.file.header;
        let shape = name.and_then(|name| original_shape(header, name.as_bytes()));
        let number = |extent: u64| JsValue::from_f64(extent as f64);
        Ok(shape.map_or(JsValue::UNDEFINED, |shape| shape.into_iter().map(number).collect::<JsArray>().into()))
    }

    /// Lists the tokens with a special role that the header names: the beginning of a text, the end of a turn and so on. The
    /// list is in the order of `keys()`. A role without an entry is not listed, although llama.cpp may have a default for it.
    ///
    /// @throws {GgufError} `too-large` if a token is longer than a JavaScript string can be.
    /// @example
    /// const end = gguf.specialTokens().find(({ role }) => role === "eos");
    /// console.log(end?.id, end?.text, end?.key); // 2 "</s>" "tokenizer.ggml.eos_token_id"
    #[wasm_bindgen(js_name = specialTokens, unchecked_return_type = "readonly SpecialToken[]")]
    pub fn special_tokens(&self) -> Result<JsArray, Thrown> {
        special_tokens::list(&self.state()?.file.header)
    }
}
