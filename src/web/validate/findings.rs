//! What `validate` finds, as JavaScript sees it.

use js_sys::{Array as JsArray, Object};
use wasm_bindgen::prelude::*;

use crate::validate::{Check, NONE, TENSORS, line, look};
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

/// What there is to say of a header, and of the file if its size is known.
#[inline(never)]
pub(crate) fn list(file: &File, file_size: Option<u64>) -> JsArray {
    let list = JsArray::new();
    look(file, file_size, &mut |check, message, subject, offset| {
        let row = check as usize * 3;
        let mut record =
            Record::new().text("severity", line(row)).text("code", line(row + 1)).text("message", &message);
        if subject != NONE {
            let (is_tensor, index) = (subject >= TENSORS, subject as u32);
            let name = value::string(file, file.name(is_tensor, index as usize)).unwrap_or_default();
            record = record.value(if is_tensor { "tensor" } else { "key" }, &name).number("index", index.into());
        }
        if offset != NONE {
            record = record.number("offset", offset as f64);
        }
        list.push(&record.done());
    });
    Object::freeze(&list);
    list
}
