//! The chat templates of a model.

use alloc::vec::Vec;

use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::Str;

const KEY: &str = "tokenizer.chat_template";

/// A chat template: a text in the language Jinja.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// assert!(gguf_files::export::chat_templates(&header).is_empty());
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ChatTemplate<'a> {
    /// The entry with the template.
    pub entry: MetadataKv<'a>,
    /// The text.
    pub text: Str<'a>,
}

impl ChatTemplate<'_> {
    /// The bytes of the name in the key: `tool_use` of `tokenizer.chat_template.tool_use`. `None` for the default template.
    pub fn name(&self) -> Option<Vec<u8>> {
        self.entry.key().to_bytes().get(KEY.len() + 1..).map(<[u8]>::to_vec)
    }
}

/// The chat templates of a header: the default template first, the others in the order of the file. Entries that are not
/// strings are left out.
pub fn chat_templates(header: &Header) -> Vec<ChatTemplate<'_>> {
    let is_key = |entry: &MetadataKv<'_>| {
        let key = entry.key().to_bytes();
        key.strip_prefix(KEY.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'.')
    };
    let entries = header.metadata().filter(is_key);
    let templates = entries.filter_map(|entry| Some(ChatTemplate { entry, text: entry.value().as_str()? }));
    let (mut default, others): (Vec<_>, Vec<_>) = templates.partition(|template| template.entry.key() == KEY);
    default.extend(others);
    default
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::chat_templates;
    use gguf_format::decode::decoder::parse;
    use gguf_format::format::version::Format;
    use gguf_format::write::encode::Encoder;

    #[test]
    fn the_default_template_comes_first() {
        let mut file = Encoder::new(Format::default());
        file.header(0, 5)
            .kv(b"tokenizer.chat_template.tool_use", &"tools".into())
            .kv(b"tokenizer.chat_template", &"chat".into())
            .kv(b"tokenizer.chat_template.", &"nameless".into())
            .kv(b"tokenizer.chat_template.rag", &1_u32.into())
            .kv(b"tokenizer.chat_templates", &"no template".into());
        let header = parse(file.as_bytes()).unwrap();
        let found: Vec<_> = chat_templates(&header).iter().map(|template| (template.name(), template.text)).collect();
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_deref()).collect();
        assert_eq!(names, [None, Some(&b"tool_use"[..]), Some(b"")]);
        assert_eq!(found[0].1, "chat");
    }
}
