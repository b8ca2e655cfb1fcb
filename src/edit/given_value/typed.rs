//! Given values that know the type of their elements: `MetadataArray`s and typed arrays.

use js_sys::{Reflect, Symbol};
use wasm_bindgen::prelude::*;

use super::refusal::Refusal;
use crate::interop::thrown::Thrown;
use crate::interop::{as_object, has_code, is_bytes};
use crate::reader::array_receiver::{ArrayReceiver, StoredArray};
use gguf_format::error::ErrorCode;
use gguf_format::format::value::{Array, ValueType};

#[wasm_bindgen]
extern "C" {
    /// An object that can be a `MetadataArray`.
    type MaybeMetadataArray;
    #[wasm_bindgen(method, catch, js_name = _copyTo)]
    fn copy_to(this: &MaybeMetadataArray, receiver: ArrayReceiver) -> Result<(), Thrown>;
}

#[wasm_bindgen(raw_module = "glue/instances.js")]
extern "C" {
    /// The error for an object that is not of this module.
    #[wasm_bindgen(js_name = notAnInstance)]
    fn not_an_instance(given: &JsValue) -> JsValue;
}

/// The element type of a `MetadataArray` or a typed array. `None` for other values.
pub(super) fn element_type_of(given: &JsValue) -> Result<Option<ValueType>, Refusal> {
    let stored = stored_array(given)?.map(|(header, range)| Array::new(&header.storage, range).element_type());
    Ok(stored.or_else(|| typed_array_type(given)))
}

/// The header and the bytes of a `MetadataArray`. `None` for other values. An array of another module is refused.
pub(super) fn stored_array(given: &JsValue) -> Result<Option<StoredArray>, Refusal> {
    let Some(members) = as_object(given) else { return Ok(None) };
    if !matches!(members.function("_copyTo"), Ok(Some(_))) {
        // The arrays of a module without editors do not have this method.
        let has = |name, is_expected: fn(&JsValue) -> bool| members.get(name).is_ok_and(|member| is_expected(&member));
        let is_array = has("__wbg_ptr", |member| member.as_f64().is_some()) && has("elementType", JsValue::is_string);
        return if is_array { Err(Refusal::thrown(not_an_instance(given).into())) } else { Ok(None) };
    }
    let (receiver, received) = ArrayReceiver::new();
    match given.unchecked_ref::<MaybeMetadataArray>().copy_to(receiver) {
        Err(error) if has_code(&error, ErrorCode::OtherModule) => Err(Refusal::thrown(error)),
        _ => Ok(received.take()),
    }
}

/// The element type of a typed array. Other views and buffers are bytes.
pub(super) fn typed_array_type(given: &JsValue) -> Option<ValueType> {
    if !is_bytes(given) {
        return None;
    }
    let tag = Reflect::get(given, &Symbol::to_string_tag()).ok()?.as_string()?;
    Some(match tag.as_str() {
        "Int8Array" => ValueType::Int8,
        "Uint16Array" => ValueType::Uint16,
        "Int16Array" => ValueType::Int16,
        "Uint32Array" => ValueType::Uint32,
        "Int32Array" => ValueType::Int32,
        "Float32Array" => ValueType::Float32,
        "BigUint64Array" => ValueType::Uint64,
        "BigInt64Array" => ValueType::Int64,
        "Float64Array" => ValueType::Float64,
        _ => ValueType::Uint8,
    })
}
