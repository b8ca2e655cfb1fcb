//! `chatTemplateCapabilities`.

use wasm_bindgen::prelude::*;

use super::given;
use crate::interop::thrown::Thrown;
use crate::interop::{Record, TextArgument, frozen};
use gguf_template::ServerTemplate;

#[wasm_bindgen(typescript_custom_section)]
const CAPABILITIES: &str = r#"
/** What a chat template can do, as llama-server finds it out: it renders small conversations, and watches what the template reads. */
export interface ChatTemplateCapabilities {
    /** The template describes tools. */
    readonly tools: boolean;
    /** The template writes calls of tools. */
    readonly toolCalls: boolean;
    /** The template reads the content of a system message. */
    readonly systemRole: boolean;
    /** The template writes several calls of one message. */
    readonly parallelToolCalls: boolean;
    /** The template writes the reasoning of all messages, not only of the last one. */
    readonly preserveReasoning: boolean;
    /** The template reads `reasoning_effort`. */
    readonly reasoningEffort: boolean;
    /** The template takes content that is a text. */
    readonly stringContent: boolean;
    /** The template takes content that is a list of parts. */
    readonly typedContent: boolean;
    /** The template takes arguments of tools as an object, not only as a JSON text. */
    readonly objectArguments: boolean;
}
"#;

/// Finds out what a chat template can do. It tells whether llama.cpp accepts the template, too.
///
/// @throws {GgufError} `template-syntax` and `template-limit` with `line` and `column`; `too-large` for more than 16 million characters.
/// @example
/// if (!chatTemplateCapabilities(template).tools) console.log("The model is not told of tools.");
#[wasm_bindgen(js_name = chatTemplateCapabilities, unchecked_return_type = "ChatTemplateCapabilities")]
pub fn chat_template_capabilities(template: &TextArgument) -> Result<JsValue, Thrown> {
    let template = ServerTemplate::parse(&given::source(template)?)?;
    let found = template.capabilities();
    let capabilities = Record::new()
        .flag("tools", found.tools)
        .flag("toolCalls", found.tool_calls)
        .flag("systemRole", found.system_role)
        .flag("parallelToolCalls", found.parallel_tool_calls)
        .flag("preserveReasoning", found.preserve_reasoning)
        .flag("reasoningEffort", found.reasoning_effort)
        .flag("stringContent", found.string_content)
        .flag("typedContent", found.typed_content)
        .flag("objectArguments", found.object_arguments);
    Ok(frozen(capabilities.done()))
}
