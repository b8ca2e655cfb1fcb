//! `gguf.chat`: its types, and what it needs of a header. `glue/file-chat.js` is the method.

use wasm_bindgen::prelude::*;

use crate::interop::JsArray;
use crate::interop::thrown::Thrown;
use crate::reader::gguf::Gguf;
use crate::reader::text;
use gguf_models::tokenizer::NamedTokens;

#[wasm_bindgen(typescript_custom_section)]
const CHAT: &str = r#"
/** How a conversation is rendered. */
export interface ChatOptions extends AbortOptions {
  /** The tools that the model may call, as in OpenAI's interface, or the JSON text of a list of them. Default: none. */
  tools?: readonly object[] | string;
  /** The text of another template than that of the file. */
  template?: string;
  /**
   * The name of a template of the file: `"tool_use"` for `tokenizer.chat_template.tool_use`, `"default"` for the one without a name. By
   * default that one; with tools, `tool_use` if the file has it, as llama-server chooses.
   */
  name?: string;
  /** Whether the text ends with the beginning of an answer. Default: true. */
  addGenerationPrompt?: boolean;
  /** Whether the model may think, if the template knows the variable `enable_thinking`. Default: true. */
  enableThinking?: boolean;
  /** Other variables of the template: an object, or the text of a JSON object. llama-server has them as `chat_template_kwargs`. */
  variables?: object | string;
  /** Whether the result has `tokens`. Default: false. */
  tokens?: boolean;
  /** The time of `strftime_now`, shown in the time zone of this machine: a `Date`, or milliseconds since 1970. Default: now. */
  now?: Date | number;
  /** What the rendering may take: `ChatTemplateLimits` of `gguf-wasm/template`. */
  limits?: { steps?: number; memory?: number; depth?: number };
}

/** A conversation as the model gets it. */
export interface Chat {
  /** The text. */
  readonly text: string;
  /** The text in parts, which tell the texts of the variables from those of the template. */
  readonly parts: readonly { readonly text: string; readonly isInput: boolean }[];
  /** What llama-server changed in the conversation and in the text, in its order. */
  readonly notes: readonly { readonly code: string; readonly message: string }[];
  /**
   * With `options.tokens`: the ids of the tokens. BOS and EOS are added if the file wants them, and the texts of special tokens are
   * recognised, in messages, too.
   */
  readonly tokens?: Int32Array<ArrayBuffer>;
}

export interface Gguf {
  /**
   * Renders a conversation with the chat template of the file and its special tokens, exactly as llama-server does before it gives the
   * text to the model. A file without a template gets ChatML, as in llama.cpp. A last message of the assistant is rendered as a complete
   * one; llama-server would continue it.
   *
   * The first call loads the module `gguf-wasm/template`.
   *
   * @param messages - The conversation as in OpenAI's interface: a list of objects with `role` and `content`, or its JSON text.
   * @throws {GgufError} `no-chat-template` if the file has no template with the name; `template-syntax`, `template-render`,
   * `template-raised` and `template-limit` with `line` and `column`; `template-context`, `template-conversation`; `network` if the module
   * cannot be loaded; with `options.tokens` also the errors of `tokenizer` and `encode`.
   * @example
   * const { text, tokens } = await gguf.chat([{ role: "user", content: "Hello" }], { tokens: true });
   * console.log(text, tokens?.length);
   */
  chat(messages: readonly object[] | string, options?: ChatOptions): Promise<Chat>;
}
"#;

#[wasm_bindgen]
impl Gguf {
    /// Of the BOS and then of the EOS token: its text, empty if there is none, and whether the tokenizer adds it. `undefined` if llama.cpp has
    /// no such tokenizer.
    #[wasm_bindgen(js_name = _chatTokens, skip_typescript)]
    pub fn chat_tokens(&self) -> Result<Option<JsArray>, Thrown> {
        let header = &self.state()?.file.header;
        let Ok(NamedTokens { bos, eos }) = NamedTokens::of(header) else { return Ok(None) };
        let texts = JsArray::new();
        for (bytes, is_added) in [bos, eos] {
            let token = text::text(&header.decoder, &bytes)?;
            texts.push(&token);
            texts.push(&is_added.into());
        }
        Ok(Some(texts))
    }
}
