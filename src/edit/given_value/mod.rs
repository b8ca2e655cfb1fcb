//! Metadata values that a caller gives, and their encoding.

mod encode;
mod infer;
mod length;
mod number;
mod refusal;
mod text;
mod typed;
pub(super) mod types;

use wasm_bindgen::prelude::*;

use crate::interop::argument_type;
use crate::interop::thrown::Thrown;
use encode::encode;
use gguf_format::format::value::ValueType;
use gguf_format::limits::Limits;
use gguf_format::write::new_value::NewValue;
use gguf_models::keys::{KeyType, key_info};
use infer::infer_types;
pub(super) use refusal::Refusal;
pub(super) use text::text_bytes;
use typed::element_type_of;
use types::Types;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * A metadata value for an editor or a writer: a number or a `bigint` for any number, a boolean, a string, or bytes for a
 * `STRING` that is not UTF-8. An array is given as an array of values, a typed array, or a `MetadataArray` of any file, which
 * is copied unchanged.
 * A value takes at most 256 MiB in the file. All changes of an editor together keep at most 512 MiB of new values.
 */
export type NewValue =
  | number
  | bigint
  | boolean
  | string
  | ArrayBufferView
  | MetadataArray
  | readonly NewValue[];
"#;

argument_type!(GivenValue: "NewValue");

/// The given value of a new entry. If no types are named, it gets the types that are known for the key, or types that can hold
/// the value.
pub(super) fn new_entry_value(key: &[u8], given: &JsValue, mut types: Types) -> Result<NewValue, Thrown> {
    if let Some(known) = key_info(key).map(|info| info.types).filter(|_| types.is_empty()) {
        // A typed array keeps its element type if entries with the key can have it.
        let own = element_type_of(given).map_err(|refusal| refusal.to_error(key, 0))?;
        let own = own.filter(|element_type| known.accept(KeyType::Array(*element_type)));
        // Bytes can also be a string, so an object is only an array if entries with the key can be arrays.
        let element_type = own.or(known.element_type()).filter(|_| given.is_object() || known.single_type().is_none());
        types.extend(element_type.map(|_| ValueType::Array));
        types.extend(element_type.or(known.single_type()));
    }
    new_value(given, types).map_err(|refusal| refusal.to_error(key, 0))
}

/// A given value, encoded as the named types. If no types are named, it gets types that can hold it.
pub(super) fn new_value(given: &JsValue, mut types: Types) -> Result<NewValue, Refusal> {
    if types.is_empty() {
        types = infer_types(given)?;
    }
    let mut encoder = NewValue::encoder(types.first().copied().unwrap_or(ValueType::Array));
    encode(given, &types, Limits::default().array_depth, &mut encoder)?;
    NewValue::encoded(encoder).ok_or_else(Refusal::too_long)
}
