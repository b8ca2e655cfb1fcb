//! `tensorRole`: what a tensor is, by its name.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{TextArgument, arguments, declare_types, to_js};
use gguf_models::tensor_names::{self, TensorPart, TensorRole};

declare_types!(TensorPart, TensorRole);

/// Explains the name of a tensor. The result is `undefined` if the name is not a standard one of the GGUF specification, of
/// llama.cpp or of the Python package gguf.
///
/// @throws {GgufError} `invalid-argument` if the name is not a string.
/// @example
/// const role = tensorRole("blk.3.attn_q.weight");
/// console.log(role?.title, role?.block, role?.part); // "Attention query" 3 "weight"
#[wasm_bindgen(js_name = tensorRole, unchecked_return_type = "TensorRole | undefined")]
pub fn tensor_role(name: &TextArgument) -> Result<JsValue, Thrown> {
    let name = arguments::name("name", name)?;
    let role = name.and_then(|name| tensor_names::tensor_role(name.as_bytes()));
    Ok(role.map_or(JsValue::UNDEFINED, |role| to_js(&role)))
}
