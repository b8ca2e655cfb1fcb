//! The findings of the checks, as JavaScript objects.

use alloc::{rc::Rc, string::String, string::ToString};

use js_sys::{Array as JsArray, JsString};
use wasm_bindgen::prelude::*;

use super::fix::{Fix, fix_object};
use crate::validate::{Check, Subject, validate, validate_named};
use crate::web::interop::{Js, declare_string_union, deep_frozen, plain_object, to_open_js};
use crate::web::reader::decoded_header::DecodedHeader;
use crate::web::reader::text;

declare_string_union!("The stable codes of findings: one for each check.", "FindingCode", Check::CODES);

plain_object! {
    /// A problem of a file, or a fact about it that is worth knowing. The file can be read all the same.
    struct Finding {
        /// Stable, for programs; `message` is for people.
        #[typescript("FindingCode")]
        pub code: &'static str,
        /// `error`: llama.cpp refuses the file, or readers get wrong data from it. `warning`: llama.cpp loads the file, but
        /// something is probably wrong. `info`: nothing is wrong, but it is worth knowing.
        #[typescript("\"error\" | \"warning\" | \"info\"")]
        pub severity: &'static str,
        pub message: String,
        /// The key of the metadata entry that the finding is about. The file may lack the entry.
        pub key: Option<Js<JsString>>,
        /// The name of the tensor that the finding is about. The file may lack the tensor.
        pub tensor: Option<Js<JsString>>,
        /// The position of that entry in `entries`, or of that tensor in `tensors`. Not present if the file lacks it.
        pub index: Option<u32>,
        /// The position of the problem, in bytes from the start of the file.
        pub offset: Option<f64>,
        /// The changes that remove the finding. Not present if only a person can know them.
        pub fix: Option<Fix>,
    }
}

/// The findings about a header, about the whole file if its size is known, and about its name if that is given.
pub(crate) fn list(header: &Rc<DecodedHeader>, file_size: Option<u64>, file_name: Option<&str>) -> JsArray {
    frozen_list(open_list(header, file_size, file_name))
}

/// Freezes a list of findings with its objects.
pub(crate) fn frozen_list(list: JsArray) -> JsArray {
    deep_frozen(list.into()).unchecked_into()
}

/// The findings as objects that the caller completes and freezes.
pub(crate) fn open_list(header: &Rc<DecodedHeader>, file_size: Option<u64>, file_name: Option<&str>) -> JsArray {
    let list = JsArray::new();
    let found = match file_name {
        Some(name) => validate_named(header, file_size, name),
        None => validate(header, file_size),
    };
    for found in found {
        let name = |stored| Some(Js(text::string(header, stored).unwrap_or_default()));
        let (key, tensor, index) = match found.subject {
            Some(Subject::Entry(index)) => (name(header.keys().get(index)), None, Some(index)),
            Some(Subject::Tensor(index)) => (None, name(header.tensor_names().get(index)), Some(index)),
            Some(Subject::MissingEntry(pattern)) => (Some(Js(missing_key(header, pattern))), None, None),
            Some(Subject::MissingTensor(tensor)) => (None, Some(Js(JsString::from(tensor.to_string()))), None),
            None => (None, None, None),
        };
        list.push(&to_open_js(&Finding {
            code: found.check.code(),
            severity: found.check.severity().name(),
            message: found.message,
            key,
            tensor,
            index: index.map(|index| index as u32),
            offset: found.offset.map(|offset| offset as f64),
            fix: found.fix.map(|fix| fix_object(header, fix)),
        }));
    }
    list
}

/// The key of an entry that the file lacks. `{arch}` in the pattern stands for the architecture.
fn missing_key(header: &DecodedHeader, pattern: &str) -> JsString {
    let architecture = header.architecture();
    let architecture = architecture.map(|name| name.to_bytes()).unwrap_or_default();
    JsString::from(pattern.replace("{arch}", &String::from_utf8_lossy(&architecture)))
}
