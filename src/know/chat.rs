//! `gguf.chat`: a conversation as the model of the file gets it from llama-server.

use alloc::string::String;

use js_sys::JsString;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, AnyObject, Options, Promise, Record, TextArgument, abortable, argument_type, called, failure, frozen,
    long_text, options, set_member,
};
use crate::know::tokenizer::{int32_array, refused};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::gguf::Gguf;
use crate::reader::text;
use gguf_models::tokenizer::{EncodeOptions, NamedTokens, Tokenizer, special_tokens};

argument_type!(ChatMessages: "readonly object[] | string");

options! {
    /// How a conversation is rendered.
    pub interface ChatOptions extends AbortOptions {
        /// The tools that the model may call, as in OpenAI's interface, or the JSON text of a list of them. Default: none.
        tools?: "readonly object[] | string" => JsValue;
        /// The text of another template than that of the file.
        template?: "string" => String;
        /// The name of a template of the file: `"tool_use"` for `tokenizer.chat_template.tool_use`, `"default"` for the one without a name. By
        /// default that one; with tools, `tool_use` if the file has it, as llama-server chooses.
        name?: "string" => String;
        /// Whether the text ends with the beginning of an answer. Default: true.
        add_generation_prompt?: "boolean" => bool = true;
        /// Whether the model may think, if the template knows the variable `enable_thinking`. Default: true.
        enable_thinking?: "boolean" => bool = true;
        /// Other variables of the template: an object, or the text of a JSON object. llama-server has them as `chat_template_kwargs`.
        variables?: "object | string" => JsValue;
        /// Whether the result has `tokens`. Default: false.
        tokens?: "boolean" => bool = false;
        /// The time of `strftime_now`, shown in the time zone of this machine: a `Date`, or milliseconds since 1970. Default: now.
        now?: "Date | number" => JsValue;
        /// What the rendering may take.
        limits?: "import(\"gguf-wasm/template\").ChatTemplateLimits" => JsValue;
    }
}

#[wasm_bindgen(typescript_custom_section)]
const CHAT: &str = r#"
/** A conversation as the model gets it. */
export interface Chat {
  /** The text. */
  readonly text: string;
  /** The text in parts, which tell the texts of the variables from those of the template. */
  readonly parts: import("gguf-wasm/template").RenderedChat["parts"];
  /** What llama-server changed in the conversation and in the text, in its order. */
  readonly notes: import("gguf-wasm/template").RenderedChat["notes"];
  /**
   * With `options.tokens`: the ids of the tokens. BOS and EOS are added if the file wants them, and the texts of special tokens are
   * recognised, in messages, too.
   */
  readonly tokens?: Int32Array<ArrayBuffer>;
}
"#;

#[wasm_bindgen(raw_module = "glue/file-chat.js")]
extern "C" {
    /// Loads the module of chat templates, and renders a conversation.
    #[wasm_bindgen(catch, js_name = renderedChat)]
    fn rendered_chat(conversation: &JsValue) -> Result<JsValue, Thrown>;
}

#[wasm_bindgen]
impl Gguf {
    /// Renders a conversation with the chat template of the file and its special tokens, exactly as llama-server does before it gives the
    /// text to the model. A file without a template gets ChatML, as in llama.cpp.
    ///
    /// The first call loads the module `gguf-wasm/template`.
    ///
    /// @param messages - The conversation as in OpenAI's interface: a list of objects with `role` and `content`, or its JSON text.
    /// @throws {GgufError} `no-chat-template` if the file has no template with the name; `template-syntax`, `template-render`,
    /// `template-raised` and `template-limit` with `line` and `column`; `template-context`, `template-conversation`; with `options.tokens`
    /// also the errors of `tokenizer` and `encode`.
    /// @example
    /// const { text, tokens } = await gguf.chat([{ role: "user", content: "Hello" }], { tokens: true });
    /// console.log(text, tokens?.length);
    #[wasm_bindgen(unchecked_return_type = "Promise<Chat>")]
    pub fn chat(&self, messages: ChatMessages, options: Option<ChatOptions>) -> Promise {
        let (state, options) = (self.state(), Options::checked(options));
        abortable(options.clone(), async move {
            let file = state?.file.clone();
            let header = &file.header;
            let given = ChatOptions::read(&options)?;
            let conversation = with_tokens(header, with_templates(header, Record::new(), given.template, given.name)?)?
                .value("messages", &messages)
                .value("tools", &given.tools.unwrap_or_default())
                .value("variables", &given.variables.unwrap_or_default())
                .value("addGenerationPrompt", &given.add_generation_prompt.into())
                .value("enableThinking", &given.enable_thinking.into())
                .value("now", &given.now.unwrap_or_default())
                .value("limits", &given.limits.unwrap_or_default());
            let chat = called(rendered_chat(&conversation.done())).await?;
            if given.tokens {
                let rendered = chat.unchecked_ref::<AnyObject>().get("text")?;
                set_member(&chat, "tokens", &ids_of(header, rendered.unchecked_ref())?);
            }
            Ok(frozen(chat))
        })
    }
}

/// Adds the templates that a conversation can be rendered with.
fn with_templates(
    header: &DecodedHeader,
    record: Record,
    given: Option<String>,
    name: Option<String>,
) -> Result<Record, Thrown> {
    const KEY: &str = "tokenizer.chat_template";
    let find = |key: &str| {
        let found = header.get(key).and_then(|entry| entry.value().as_str());
        found.map(|template| text::string(&header.decoder, template)).transpose()
    };
    if let Some(given) = given {
        return Ok(record.text("template", &given));
    }
    if let Some(name) = name {
        let key = if name == "default" { KEY.into() } else { format!("{KEY}.{name}") };
        let missing = || failure!(NoChatTemplate: "the file has no entry {key} with a text");
        let found = find(&key)?.ok_or_else(missing)?;
        return Ok(record.value("template", &found));
    }
    let templates = [("template", find(KEY)?), ("toolTemplate", find(&format!("{KEY}.tool_use"))?)];
    let with = |record: Record, (name, found): (&str, Option<JsString>)| {
        record.value(name, &found.map_or(JsValue::UNDEFINED, Into::into))
    };
    Ok(templates.into_iter().fold(record, with))
}

/// Adds the texts of the BOS and the EOS token, and those of them that the tokenizer adds.
fn with_tokens(header: &DecodedHeader, record: Record) -> Result<Record, Thrown> {
    let decode = |bytes: &[u8]| text::text(&header.decoder, bytes);
    let Ok(named) = NamedTokens::of(header) else {
        // Nothing is known of what a tokenizer adds that llama.cpp does not have.
        let of_role = |role| {
            let stored = special_tokens(header).find(|token| token.role == role).and_then(|token| token.text);
            stored.map_or(Ok("".into()), |stored| text::string(&header.decoder, stored))
        };
        let (bos, eos) = (of_role("bos")?, of_role("eos")?);
        return Ok(record.value("bos", &bos).value("eos", &eos));
    };
    let (bos, eos) = (decode(&named.bos.0)?, decode(&named.eos.0)?);
    let added = |text: &JsString, is_added: bool| if is_added { text.into() } else { JsValue::UNDEFINED };
    Ok(record
        .value("bos", &bos)
        .value("eos", &eos)
        .value("addedBos", &added(&bos, named.bos.1))
        .value("addedEos", &added(&eos, named.eos.1)))
}

/// The ids of the tokens of a rendered conversation.
fn ids_of(header: &DecodedHeader, rendered: &TextArgument) -> Result<JsValue, Thrown> {
    let tokenizer = Tokenizer::new(header).map_err(|error| refused(&error))?;
    let rendered = long_text("text", rendered)?;
    let ids = tokenizer.encode(&rendered, EncodeOptions::default()).map_err(|error| refused(&error))?;
    Ok(int32_array(&ids)?.into())
}
