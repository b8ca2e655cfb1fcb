//! The findings of the checks, as JavaScript objects.

use alloc::string::String;

use js_sys::{Array as JsArray, JsString, Object};

use crate::validate::{Check, NONE, TENSORS, line, look};
use crate::web::interop::plain_object::{Js, plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;
use crate::web::reader::decoded_header::DecodedHeader;
use crate::web::reader::text;

declare_string_union!("Stable names of the checks of `validate`.", "FindingCode", Check::CODES);

plain_object! {
    /// A problem of a file that can be read, or a fact about it that is worth knowing.
    readonly struct Finding {
        /// Stable, for programs; `message` is for people.
        code: &'static str as "FindingCode",
        /// `error`: the file breaks the specification, or cannot be read consistently. `warning`: the specification allows it, but
        /// llama.cpp refuses it, or something is likely to go wrong. `info`: worth knowing.
        severity: &'static str as "\"error\" | \"warning\" | \"info\"",
        message: String,
        /// The key of the metadata entry that it is about.
        key?: Js<JsString>,
        /// The name of the tensor that it is about.
        tensor?: Js<JsString>,
        /// The position of that entry in `entries`, or of that tensor in `tensors`.
        index?: u32,
        /// Where it is, in bytes from the start of the file.
        offset?: f64,
    }
}

/// The findings about a header, and about the file if its size is known.
pub(crate) fn list(header: &DecodedHeader, file_size: Option<u64>) -> JsArray {
    let list = JsArray::new();
    look(header, file_size, &mut |check, message, subject, offset| {
        let row = check as usize * 3;
        let is_tensor = subject != NONE && subject >= TENSORS;
        let index = (subject != NONE).then_some(subject as u32);
        let name = index.map(|index| text::string(header, header.name(is_tensor, index as usize)).unwrap_or_default());
        let (key, tensor) = if is_tensor { (None, name) } else { (name, None) };
        list.push(&to_js(&Finding {
            code: line(row + 1),
            severity: line(row),
            message,
            key: key.map(Js),
            tensor: tensor.map(Js),
            index,
            offset: (offset != NONE).then_some(offset as f64),
        }));
    });
    Object::freeze(&list);
    list
}
