//! The tokens with a special role: the beginning of a text, the end of a turn and so on.

use super::keys::{KeyInfo, keys};
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::Str;
use gguf_format::format::version::LONGEST_KEY;

/// A token with a special role, as an entry of the header names it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SpecialToken<'a> {
    /// The role: `bos` for `tokenizer.ggml.bos_token_id`.
    pub role: &'static str,
    /// The row of the key, with the title and the meaning of the role.
    pub key_info: KeyInfo,
    /// The entry that names the token.
    pub entry: MetadataKv<'a>,
    /// The id of the token: its index in `tokenizer.ggml.tokens`.
    pub id: u64,
    /// The token as the vocabulary stores it. `None` if the vocabulary has no token with this id.
    pub text: Option<Str<'a>>,
}

/// The tokens with a special role, in the order of the table of keys.
///
/// They are those that the header names. A role whose entry is missing, or whose value is not an integer of 0 or more, is
/// not listed: for such a role llama.cpp has defaults by tokenizer, or searches the vocabulary.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, ValueType, write::encode::{Encoder, OwnedValue}};
/// use gguf_models::tokenizer::special_tokens;
///
/// let mut file = Encoder::new(Format::default());
/// file.header(0, 2)
///     .kv(b"tokenizer.ggml.tokens", &OwnedValue::array(ValueType::String, ["<unk>", "<s>", "</s>"]))
///     .kv(b"tokenizer.ggml.eos_token_id", &2u32.into());
/// let header = gguf_format::parse(file.as_bytes())?;
///
/// let eos = special_tokens(&header).next().unwrap();
/// assert_eq!((eos.role, eos.id, eos.key_info.title), ("eos", 2, "End of sequence"));
/// assert_eq!(eos.text.unwrap(), "</s>");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn special_tokens(header: &Header) -> impl Iterator<Item = SpecialToken<'_>> {
    let tokens = header.get("tokenizer.ggml.tokens").and_then(|entry| entry.value().as_array());
    let architecture = header.architecture();
    let architecture = architecture.filter(|name| name.byte_length() < LONGEST_KEY as u64);
    keys().filter(|info| info.is_token_id).filter_map(move |info| {
        let entry = match info.pattern.strip_prefix("{arch}") {
            Some(rest) => header.get([&*architecture?.to_bytes(), rest.as_bytes()].concat())?,
            None => header.get(info.pattern)?,
        };
        let id = entry.value().as_u64()?;
        let text = tokens.and_then(|tokens| tokens.get(id)?.as_str());
        Some(SpecialToken { role: role(&info), key_info: info, entry, id, text })
    })
}

/// The role that a key names: the part of the key that says which token it is.
fn role(info: &KeyInfo) -> &'static str {
    let name = info.pattern.rsplit_once('.').map_or(info.pattern, |(_, name)| name);
    match name.strip_suffix("_token_id").unwrap_or(name) {
        // The key that programs write and read is misspelt.
        "seperator" => "separator",
        role => role,
    }
}
