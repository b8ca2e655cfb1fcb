//! Plain JavaScript objects, as results are passed to callers.
//!
//! [`plain_object!`] declares a Rust struct. From it come the JavaScript object, by serde, and its TypeScript interface. So
//! each member stands once.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::{Int32Array, JsString, Uint32Array};
use serde::{Serialize, Serializer};
use wasm_bindgen::prelude::*;

use crate::web::interop::bytes::Bytes;
use crate::web::interop::typescript::ConstText;

/// Declares a struct that becomes a plain JavaScript object, and the TypeScript interface of that object.
///
/// - Names are converted: the member `element_type` is `elementType` in JavaScript.
/// - `name?: Type` declares an optional member, an `Option<Type>`. The object does not have it if it is `None`.
/// - The TypeScript type of a member is that of its Rust type ([`TypeScript`]), or the one that `as` gives.
/// - `readonly struct` makes all members `readonly` in TypeScript.
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
        plain_object!(@declare "readonly " [$($doc),*] $visibility $($rest)*);
    };
    ($(#[doc = $doc:literal])* $visibility:vis struct $($rest:tt)*) => {
        plain_object!(@declare "" [$($doc),*] $visibility $($rest)*);
    };
    (@declare $modifier:literal [$($doc:literal),*] $visibility:vis $name:ident {
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

        impl $crate::web::interop::plain_object::TypeScript for $name {
            const TYPE: &'static str = stringify!($name);
        }

        $crate::web::interop::typescript::declare!($crate::web::interop::plain_object::interface(
            &[$($doc),*],
            stringify!($name),
            $modifier,
            &[$(
                $crate::web::interop::plain_object::Member {
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

/// A member of an interface.
pub(crate) struct Member {
    pub doc: &'static [&'static str],
    /// The name in Rust.
    pub name: &'static str,
    /// What stands between the name and the type.
    pub mark: &'static str,
    pub typescript: &'static str,
}

/// The declaration of a TypeScript interface. `modifier` stands before every member.
pub(crate) const fn interface(doc: &[&str], name: &str, modifier: &str, members: &[Member]) -> ConstText {
    let mut text = ConstText::new();
    text.push_doc("", doc);
    text.push("export interface ");
    text.push(name);
    text.push(" {\n");
    let mut index = 0;
    while index < members.len() {
        let member = &members[index];
        if !member.doc.is_empty() {
            text.push_doc("  ", member.doc);
        }
        text.push("  ");
        text.push(modifier);
        text.push_camel_case(member.name);
        text.push(member.mark);
        text.push(member.typescript);
        text.push(";\n");
        index += 1;
    }
    text.push("}");
    text
}

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

/// The JavaScript object of a struct that [`plain_object!`] declares, or an array of such objects.
pub(crate) fn to_js(object: &(impl Serialize + ?Sized)) -> JsValue {
    // Only integers beyond 2^53 could fail, and no member has such a type.
    serde_wasm_bindgen::to_value(object).unwrap_throw()
}
