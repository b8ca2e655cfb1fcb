//! The types of values, as callers name them.

use alloc::{string::String, vec::Vec};
use core::iter;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{argument_type, describe, failure};
use gguf_format::format::value::ValueType;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** The type of a value: `"UINT32"`; of an array, `"UINT32[]"`; of an array of arrays, `"UINT32[][]"`. */
export type NewType = ValueTypeName | `${ValueTypeName}[]` | `${ValueTypeName}[][]`;
"#;

argument_type!(GivenType: "NewType");

/// The type of a value, of its elements, of their elements, and so on: `[Array, Uint32]`. The last ones can be missing; they
/// are then inferred from the value.
pub(in crate::edit) type Types = Vec<ValueType>;

/// The types that a caller names: `"UINT32[]"`. No types if the caller names none.
///
/// # Errors
///
/// `invalid-argument`.
pub(in crate::edit) fn named_types(given: Option<GivenType>) -> Result<Types, Thrown> {
    let Some(given) = given else { return Ok(Types::new()) };
    let name = given.as_string().unwrap_or_default();
    let (mut element, mut nesting) = (name.as_str(), 0);
    while let Some(inner) = element.strip_suffix("[]") {
        (element, nesting) = (inner, nesting + 1);
    }
    let Some(value_type) = ValueType::ALL.iter().find(|value_type| value_type.name() == element) else {
        return Err(failure!(InvalidArgument:
            "the type is {}, expected the name of a metadata type like \"UINT32\" or \"UINT32[]\"", describe(&given)));
    };
    Ok(iter::repeat_n(ValueType::Array, nesting).chain([*value_type]).collect())
}

/// The types of a stored value. `array` has its element type and its length.
pub(in crate::edit) fn types_of(value_type: ValueType, array: Option<(ValueType, u64)>) -> Types {
    [value_type].into_iter().chain(array.map(|(element_type, _)| element_type)).collect()
}

/// The name of the type of a stored value: `"UINT32[]"`. An array of arrays is an `"ARRAY[]"`.
pub(in crate::edit) fn type_name(value_type: ValueType, array: Option<(ValueType, u64)>) -> String {
    match array {
        Some((element_type, _)) => format!("{element_type}[]"),
        None => format!("{value_type}"),
    }
}
