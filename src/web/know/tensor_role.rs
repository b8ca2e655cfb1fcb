//! `tensorRole`: what a tensor is, by its name.

use wasm_bindgen::prelude::*;

use crate::know::tensor_names::{self, TensorPart};
use crate::web::interop::arguments::{self, TextArgument};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;

declare_string_union!("What a tensor holds of its layer: the suffix of its name.", "TensorPart", TensorPart::NAMES);

plain_object! {
    /// What a tensor is, by its name.
    readonly struct TensorRole {
        /// The base name: the name without the prefix of its section and without its suffix. `{n}` stands for a number:
        /// `"attn_q"`.
        base: &'static str,
        /// What people call tensors with this base name.
        title: &'static str,
        /// What the tensor is for, in one sentence.
        description: &'static str,
        /// The section of the model that the tensor belongs to: `"Vision encoder block"`.
        section: &'static str,
        /// The number of the block.
        block?: u32,
        /// The number of the expert, if each expert has a tensor of its own, as in files before April 2024.
        expert?: u32,
        /// The number in the base name, if it is not that of an expert.
        number?: u32,
        /// The suffix of the name. Not present if the name has none, as in `"blk.0.ssm_a"`.
        part?: &'static str as "TensorPart",
    }
}

/// Explains the name of a tensor. The result is `undefined` if the name is not a standard one of the GGUF specification, of
/// llama.cpp or of the Python package gguf.
///
/// @throws {GgufError} `invalid-argument` if the name is not a string.
/// @example
/// const role = tensorRole("blk.3.attn_q.weight");
/// console.log(role?.title, role?.block, role?.part); // "Attention query" 3 "weight"
#[wasm_bindgen(js_name = tensorRole, unchecked_return_type = "TensorRole | undefined")]
pub fn tensor_role(name: &TextArgument) -> Result<JsValue, JsValue> {
    let name = arguments::name("name", name)?;
    let role = name.and_then(|name| tensor_names::tensor_role(name.as_bytes()));
    Ok(role.map_or(JsValue::UNDEFINED, |role| {
        to_js(&TensorRole {
            base: role.base,
            title: role.title,
            description: role.description,
            section: role.section.title,
            block: role.block,
            expert: role.expert,
            number: role.number,
            part: role.part.map(TensorPart::name),
        })
    }))
}
