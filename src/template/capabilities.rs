//! `chatTemplateCapabilities`.

use wasm_bindgen::prelude::*;

use super::given;
use crate::interop::thrown::Thrown;
use crate::interop::{TextArgument, plain_object, to_js};
use gguf_template::ServerTemplate;

plain_object! {
    /// What a chat template can do, as llama-server finds it out: it renders small conversations, and watches what the template reads.
    struct ChatTemplateCapabilities {
        /// The template describes tools.
        pub tools: bool,
        /// The template writes calls of tools.
        pub tool_calls: bool,
        /// The template reads the content of a system message.
        pub system_role: bool,
        /// The template writes several calls of one message.
        pub parallel_tool_calls: bool,
        /// The template writes the reasoning of all messages, not only of the last one.
        pub preserve_reasoning: bool,
        /// The template reads `reasoning_effort`.
        pub reasoning_effort: bool,
        /// The template takes content that is a text.
        pub string_content: bool,
        /// The template takes content that is a list of parts.
        pub typed_content: bool,
        /// The template takes arguments of tools as an object, not only as a JSON text.
        pub object_arguments: bool,
    }
}

/// Finds out what a chat template can do. It tells whether llama.cpp accepts the template, too.
///
/// @throws {GgufError} `template-syntax` and `template-limit` with `line` and `column`; `too-large` for more than 16 million characters.
/// @example
/// if (!chatTemplateCapabilities(template).tools) console.log("The model is not told of tools.");
#[wasm_bindgen(js_name = chatTemplateCapabilities, unchecked_return_type = "ChatTemplateCapabilities")]
pub fn chat_template_capabilities(template: &TextArgument) -> Result<JsValue, Thrown> {
    let template = ServerTemplate::parse(&given::source(template)?)?;
    let found = template.capabilities();
    Ok(to_js(&ChatTemplateCapabilities {
        tools: found.tools,
        tool_calls: found.tool_calls,
        system_role: found.system_role,
        parallel_tool_calls: found.parallel_tool_calls,
        preserve_reasoning: found.preserve_reasoning,
        reasoning_effort: found.reasoning_effort,
        string_content: found.string_content,
        typed_content: found.typed_content,
        object_arguments: found.object_arguments,
    }))
}
