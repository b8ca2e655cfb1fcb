//! What callers give: the text of a template, and its variables.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{TextArgument, argument_type, long_text};
use gguf_template::Context;

argument_type!(TemplateContext: "object | string");

#[wasm_bindgen(raw_module = "glue/chat.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = jsonOf)]
    fn json_of(given: &JsValue, name: &str) -> Result<TextArgument, Thrown>;
}

/// The text of a template.
pub(super) fn source(template: &TextArgument) -> Result<String, Thrown> {
    long_text("template", template)
}

/// The variables of a template.
pub(super) fn context(given: &TemplateContext) -> Result<Context, Thrown> {
    let json = json_of(given, "the context")?;
    Ok(Context::parse(&long_text("context", &json)?)?)
}
