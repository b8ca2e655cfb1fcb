//! `Gguf.chatTemplates`.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Js, JsArray, JsString, plain_object, to_js};
use crate::reader::gguf::Gguf;
use crate::reader::text;
use gguf_files::export::chat_template::chat_templates;

plain_object! {
    /// A chat template of a model.
    struct ChatTemplate {
        /// `"default"`, or the name in the key: `"tool_use"` of `tokenizer.chat_template.tool_use`.
        pub name: Js<JsString>,
        /// The key of the entry.
        pub key: Js<JsString>,
        /// The template, in the language Jinja.
        pub template: Js<JsString>,
    }
}

#[wasm_bindgen]
impl Gguf {
    /// The chat templates of the model: the default template first, the others in the order of the file.
    ///
    /// @throws {GgufError} `too-large` if a template is longer than a string can be.
    /// @example
    /// for (const { name, template } of gguf.chatTemplates()) await writeFile(`${name}.jinja`, template);
    #[wasm_bindgen(js_name = chatTemplates, unchecked_return_type = "ChatTemplate[]")]
    pub fn chat_templates(&self) -> Result<JsArray, Thrown> {
        let header = self.state()?.file.header.clone();
        let object = |template: &gguf_files::export::chat_template::ChatTemplate<'_>| {
            let name = match template.name() {
                Some(name) => text::text(&header.decoder, &name)?,
                None => "default".into(),
            };
            let key = text::string(&header.decoder, template.entry.key())?;
            let text = text::string(&header.decoder, template.text)?;
            Ok(to_js(&ChatTemplate { name: Js(name), key: Js(key), template: Js(text) }))
        };
        chat_templates(&header).iter().map(object).collect()
    }
}
