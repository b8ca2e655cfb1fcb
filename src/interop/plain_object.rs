//! Plain JavaScript objects, as results are passed to callers.

use js_sys::{Array as JsArray, Int32Array, JsString, Object, Uint32Array};
use serde::{Serialize, Serializer};
use wasm_bindgen::prelude::*;

use crate::interop::bytes::Bytes;
use crate::interop::objects::deep_frozen;
use gguf_declare::typescript::Type;
use gguf_declare::value::{Declared, Given, TypeScript, Value};

/// Declares a struct of the JavaScript API as [`gguf_declare::result!`] does: a result that no struct of the core has, or
/// whose members are JavaScript values, [`Js`]. Texts of a file are such values: they can have any length, and the host decodes
/// them, or fails.
macro_rules! plain_object {
    ($(#[$($attribute:tt)*])* $visibility:vis struct $name:ident $members:tt) => {
        gguf_declare::result! {
            $(#[$($attribute)*])* $visibility struct $name $members
        }
        $crate::interop::typescript::declare_types!($name);
    };
}
pub(crate) use plain_object;

/// A member that is a JavaScript value already, and is passed on as it is.
pub(crate) struct Js<T>(pub T);

macro_rules! typescript_types {
    ($($typescript:literal: $type:ty;)*) => {
        $(impl TypeScript for Js<$type> {
            const TYPE: Type = Type::Named($typescript);
        })*
    };
}

typescript_types! {
    "unknown": JsValue;
    "readonly unknown[]": JsArray;
    "string": JsString;
    "Uint8Array<ArrayBuffer>": Bytes;
    "Int32Array<ArrayBuffer>": Int32Array;
    "Uint32Array<ArrayBuffer>": Uint32Array;
}

impl<T: JsCast> Value for Js<T>
where
    Self: TypeScript,
{
    fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_wasm_bindgen::preserve::serialize(&self.0, serializer)
    }
}

/// The JavaScript object of a struct. It is frozen with all objects in it if its members are `readonly`.
pub(crate) fn to_js<T: Declared + Value>(object: &T) -> JsValue {
    let made = to_open_js(object);
    if T::IS_READONLY { deep_frozen(made) } else { made }
}

/// The JavaScript object of a struct, which the caller completes and freezes.
pub(crate) fn to_open_js(object: &impl Value) -> JsValue {
    // Nothing fails: numbers are given as doubles, and only 64-bit integers of metadata as they are.
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_large_number_types_as_bigints(true);
    Given(object).serialize(&serializer).unwrap_throw()
}

/// A frozen array of numbers, for an object that is frozen without the objects in it.
pub(crate) fn frozen_numbers(numbers: impl Iterator<Item = f64>) -> Js<JsArray> {
    let numbers: JsArray = numbers.map(JsValue::from).collect();
    Object::freeze(&numbers);
    Js(numbers)
}
