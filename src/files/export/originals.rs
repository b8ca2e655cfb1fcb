//! The option `originals` of the exports that list tensors.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, as_object, elements, is_array, is_position, refused_option};
use gguf_files::export::OriginalTensor;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A tensor as the original file has it, which a GGUF file shows: see `LegacyModel.asGguf`. The tensors of `LegacyModel.gguf` are such. */
export interface OriginalTensor {
  /** The name of the type: `"Q4_0_V1"`. */
  readonly type: string;
  /** The size of the data in bytes. */
  readonly byteLength?: number | undefined;
  /** The offset of the data in the original file. Undefined if it lies in several places. */
  readonly fileOffset?: number | undefined;
}
"#;

/// The tensors of the original file that a caller gives, one for each of the header.
pub(super) fn originals(options: &Options, name: &str) -> Result<Option<Vec<OriginalTensor>>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let refused = |found: &JsValue| refused_option(name, found, "an array of objects with a type");
    if !is_array(&given) {
        return Err(refused(&given));
    }
    let mut originals = Vec::new();
    for element in elements(&given)? {
        let object = as_object(&element).ok_or_else(|| refused(&element))?;
        let number = |member: &str| -> Result<Option<u64>, Thrown> {
            let number = object.get(member)?.as_f64().filter(|number| is_position(*number));
            Ok(number.map(|number| number as u64))
        };
        originals.push(OriginalTensor {
            type_name: object.get("type")?.as_string().ok_or_else(|| refused(&element))?,
            byte_length: number("byteLength")?,
            file_offset: number("fileOffset")?,
        });
    }
    Ok(Some(originals))
}
