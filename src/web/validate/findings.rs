//! What `validate` finds, as JavaScript sees it.

use js_sys::{Array as JsArray, Object};
use wasm_bindgen::prelude::*;

use crate::validate::{Check, Subject, validate};
use crate::web::interop::js::Record;
use crate::web::reader::file::File;
use crate::web::reader::value;

crate::web::interop::typescript::string_union!(
    "Stable names of what `validate` looks for.",
    "FindingCode",
    &[Check::CODES]
);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** Something that is wrong with a file, unusual or worth knowing, although the file can be read. */
export interface Finding {
  /** Stable, for programs; `message` is for people. */
  readonly code: FindingCode;
  /**
   * `error`: the file breaks the specification, or cannot be read consistently. `warning`: the specification allows it, but
   * llama.cpp refuses it, or something is likely to go wrong. `info`: worth knowing.
   */
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  /** The key of the metadata entry that it is about. */
  readonly key?: string;
  /** The name of the tensor that it is about. */
  readonly tensor?: string;
  /** The position of that entry in `entries`, or of that tensor in `tensors`. */
  readonly index?: number;
  /** Where it is, in bytes from the start of the file. */
  readonly offset?: number;
}
"#;

/// The findings of a header, and of the whole file if its size is known.
pub(crate) fn list(file: &File, file_size: Option<u64>) -> JsArray {
    let list = JsArray::new();
    for finding in validate(file, file_size) {
        let check = finding.check;
        let mut record = Record::new()
            .text("severity", check.severity().name())
            .text("code", check.code())
            .text("message", &finding.message);
        if let Some(subject) = finding.subject {
            let (member, name, index) = match subject {
                Subject::Entry(index) => ("key", file.keys().get(index), index),
                Subject::Tensor(index) => ("tensor", file.tensor_names().get(index), index),
            };
            let name = value::string(file, name).unwrap_or_default();
            record = record.value(member, &name).number("index", index as f64);
        }
        if let Some(offset) = finding.offset {
            record = record.number("offset", offset as f64);
        }
        list.push(&record.done());
    }
    Object::freeze(&list);
    list
}
