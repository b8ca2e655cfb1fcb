//! Plain JavaScript objects, as results are passed to callers.
//!
//! [`plain_object!`] declares a Rust struct. From it come the JavaScript object, by serde, and its TypeScript interface. So
//! each member stands once.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::{Array as JsArray, Int32Array, JsString, Object, Uint32Array};
use serde::{Serialize, Serializer};
use wasm_bindgen::prelude::*;

use crate::web::interop::bytes::Bytes;
use crate::web::interop::objects::deep_frozen;

/// Declares a struct that becomes a plain JavaScript object, and the TypeScript interface of that object.
///
/// - Names are converted: the member `element_type` is `elementType` in JavaScript.
/// - `name?: Type` declares an optional member, an `Option<Type>`. The object does not have it if it is `None`.
/// - The TypeScript type of a member is that of its Rust type ([`TypeScript`]), or the one that `as` gives.
/// - `readonly struct` makes all members `readonly` in TypeScript, and [`to_js`] freezes the objects.
/// - The documentation is that of the TypeScript interface.
///
/// ```ignore
/// plain_object! {
///     /// A type of tensors.
///     pub(crate) readonly struct GgmlTypeInfo {
///         /// The name of the type.
///         name: &'static str,
///         /// Bytes in a block.
///         type_size?: f64,
///     }
/// }
/// ```
macro_rules! plain_object {
    ($(#[doc = $doc:literal])* $visibility:vis readonly struct $($rest:tt)*) => {
        plain_object!(@declare true "readonly " [$($doc),*] $visibility $($rest)*);
    };
    ($(#[doc = $doc:literal])* $visibility:vis struct $($rest:tt)*) => {
        plain_object!(@declare false "" [$($doc),*] $visibility $($rest)*);
    };
    (@declare $is_readonly:literal $modifier:literal [$($doc:literal),*] $visibility:vis $name:ident {
        $(
            $(#[doc = $member_doc:literal])*
            $member:ident $(?: $optional:ty)? $(: $required:ty)? $(as $typescript:literal)?
        ),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        $visibility struct $name {
            $(
                $(#[doc = $member_doc])*
                $(
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pub $member: Option<$optional>,
                )?
                $(pub $member: $required,)?
            )*
        }

        impl $crate::web::interop::plain_object::PlainObject for $name {
            const IS_READONLY: bool = $is_readonly;
        }

        impl $crate::web::interop::plain_object::TypeScript for $name {
            const TYPE: &'static str = stringify!($name);
        }

        $crate::web::interop::typescript::declare!($crate::web::interop::typescript::interface(
            &[$($doc),*],
            stringify!($name),
            &[],
            $modifier,
            &[$(
                $crate::web::interop::typescript::Member {
                    doc: &[$($member_doc),*],
                    name: stringify!($member),
                    mark: plain_object!(@mark $($optional)?),
                    typescript: plain_object!(@type $($optional)? $($required)? $(as $typescript)?),
                }
            ),*],
        ));
    };
    (@mark) => { ": " };
    (@mark $optional:ty) => { "?: " };
    (@type $type:ty as $typescript:literal) => { $typescript };
    (@type $type:ty) => { <$type as $crate::web::interop::plain_object::TypeScript>::TYPE };
}
pub(crate) use plain_object;

/// The TypeScript type of a Rust type.
pub(crate) trait TypeScript {
    const TYPE: &'static str;
}

macro_rules! typescript_types {
    ($($typescript:literal: $($type:ty),*;)*) => {
        $($(
            impl TypeScript for $type {
                const TYPE: &'static str = $typescript;
            }
        )*)*
    };
}

typescript_types! {
    "number": u32, f64;
    "boolean": bool;
    "string": &str, String, Js<JsString>;
    "readonly string[]": Vec<&str>;
    "Uint8Array<ArrayBuffer>": Js<Bytes>;
    "Int32Array<ArrayBuffer>": Js<Int32Array>;
    "Uint32Array<ArrayBuffer>": Js<Uint32Array>;
}

/// A member that is a JavaScript value already, and is passed on as it is.
pub(crate) struct Js<T>(pub T);

impl<T: JsCast> Serialize for Js<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_wasm_bindgen::preserve::serialize(&self.0, serializer)
    }
}

/// A struct that [`plain_object!`] declares.
pub(crate) trait PlainObject: Serialize {
    /// Whether all members are `readonly`. Then the JavaScript objects are frozen.
    const IS_READONLY: bool;
}

/// The JavaScript object of a struct. It is frozen with all objects in it if its members are `readonly`.
pub(crate) fn to_js<T: PlainObject>(object: &T) -> JsValue {
    let made = to_open_js(object);
    if T::IS_READONLY { deep_frozen(made) } else { made }
}

/// The JavaScript object of a struct, which the caller completes and freezes.
pub(crate) fn to_open_js(object: &impl PlainObject) -> JsValue {
    // Only integers beyond 2^53 could fail, and no member has such a type.
    serde_wasm_bindgen::to_value(object).unwrap_throw()
}

/// A frozen array of numbers, for an object that is frozen without the objects in it.
pub(crate) fn frozen_numbers(numbers: impl Iterator<Item = f64>) -> Js<JsArray> {
    let numbers: JsArray = numbers.map(JsValue::from).collect();
    Object::freeze(&numbers);
    Js(numbers)
}
