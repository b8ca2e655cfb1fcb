//! The tokens of a file that have a special role.

use alloc::rc::Rc;

use crate::interop::thrown::Thrown;
use crate::interop::{Js, JsArray, JsString, Object, plain_object, to_js};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::text;
use gguf_models::special_tokens::special_tokens;

plain_object! {
    /// A token with a special role, as a metadata entry names it.
    struct SpecialToken {
        /// The role: `"bos"` for `tokenizer.ggml.bos_token_id`. `keyInfo(key)` explains it.
        pub role: &'static str,
        /// The id of the token: its index in `tokenizer.ggml.tokens`. Rounded from 2^53 on.
        pub id: f64,
        /// The token as the vocabulary stores it, with U+FFFD in place of bytes that are not UTF-8. Not present if the vocabulary
        /// has no token with this id.
        pub text: Option<Js<JsString>>,
        /// The key of the entry that names the token.
        pub key: Js<JsString>,
    }
}

/// The special tokens that a header names, as a frozen array.
pub(crate) fn list(header: &Rc<DecodedHeader>) -> Result<JsArray, Thrown> {
    let list = JsArray::new();
    for token in special_tokens(header) {
        list.push(&to_js(&SpecialToken {
            role: token.role,
            id: token.id as f64,
            text: token.text.map(|stored| text::string(&header.decoder, stored).map(Js)).transpose()?,
            key: Js(text::string(&header.decoder, token.entry.key())?),
        }));
    }
    Object::freeze(&list);
    Ok(list)
}
