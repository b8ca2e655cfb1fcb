//! `renderChatTemplate`.

use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::given::{self, TemplateContext};
use super::options::{self, ChatTemplateOptions};
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, Record, TextArgument, deep_frozen};
use gguf_template::{Note, Prompt, ServerTemplate, Template, TextPart};

#[wasm_bindgen(typescript_custom_section)]
const RESULTS: &str = r#"
/** A part of a rendered text. */
export interface ChatTextPart {
    /** The text. */
    readonly text: string;
    /**
     * Whether the text comes from the variables, such as messages and `bos_token`. A program that looks for special tokens only in the
     * other parts is safe from messages that contain them. llama-server looks for them everywhere.
     */
    readonly isInput: boolean;
}

/** What llama-server changed in a conversation or in the text. */
export interface ChatNote {
    /** A stable name of the change: `arguments-parsed`. */
    readonly code: string;
    /** A sentence for people. */
    readonly message: string;
}

/** A rendered conversation. */
export interface RenderedChat {
    /** The text. */
    readonly text: string;
    /** The text in parts, which tell the texts of the variables from those of the template. */
    readonly parts: readonly ChatTextPart[];
    /** What llama-server changed, in its order. Empty without `options.server`. */
    readonly notes: readonly ChatNote[];
}
"#;

/// Renders a chat template exactly as llama.cpp does.
///
/// The context has the variables of the template: `messages`, and `tools`, `add_generation_prompt`, `bos_token` and others. A variable that
/// is missing is undefined in the template. As a JSON text, it keeps what JavaScript cannot: `1.0` is not `1`, and integers can have 64 bits.
///
/// @param template - The text of the template: the value of `tokenizer.chat_template`.
/// @param context - The variables: an object, or the text of a JSON object.
/// @throws {GgufError} `template-syntax`, `template-render`, `template-raised` and `template-limit` with `line` and `column`;
/// `template-context`; with `options.server` also `template-conversation`; `too-large` for more than 16 million characters.
/// @example
/// const messages = [{ role: "user", content: "Hello" }];
/// const { text } = renderChatTemplate(template, { messages, add_generation_prompt: true });
#[wasm_bindgen(js_name = renderChatTemplate, unchecked_return_type = "RenderedChat")]
pub fn render_chat_template(
    template: &TextArgument,
    context: &TemplateContext,
    options: Option<ChatTemplateOptions>,
) -> Result<JsValue, Thrown> {
    let options = ChatTemplateOptions::take(options)?;
    let settings = options::settings(options.now, options.limits);
    let (source, context) = (given::source(template)?, given::context(context)?);
    let Prompt { text, notes } = match options.server {
        false => Prompt { text: Template::parse(&source)?.render(&context, &settings)?, notes: Vec::new() },
        true => ServerTemplate::parse(&source)?
            .render(&context, &settings)?
            .without_special(options.added_bos.as_deref(), options.added_eos.as_deref()),
    };
    let mut whole = String::with_capacity(text.parts.iter().map(|part| part.text.len()).sum());
    let (parts, listed) = (JsArray::new(), JsArray::new());
    for TextPart { text, is_input } in text.parts {
        whole.push_str(&text);
        parts.push(&Record::new().text("text", &text).flag("isInput", is_input).done());
    }
    for Note { code, message } in notes {
        listed.push(&Record::new().text("code", code).text("message", &message).done());
    }
    Ok(deep_frozen(Record::new().text("text", &whole).value("parts", &parts).value("notes", &listed).done()))
}
