//! Values that are given to JavaScript, by serde, and their TypeScript types.

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::{Serialize, Serializer};

use super::typescript::{ConstText, Type};

/// The TypeScript type of a Rust type.
pub trait TypeScript {
    const TYPE: Type;
    /// Whether a member of this type can be absent.
    const IS_OPTIONAL: bool = false;
}

/// A type whose values can be given to JavaScript.
///
/// It is not [`Serialize`] itself, because integers are given as numbers and not as they are.
pub trait Value: TypeScript {
    fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Whether the value is an optional member that is absent.
    fn is_absent(&self) -> bool {
        false
    }
}

/// A value for serde.
pub struct Given<'a, T>(pub &'a T);

impl<T: Value> Serialize for Given<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.give(serializer)
    }
}

/// A type with a TypeScript declaration of its own.
pub trait Declared: TypeScript {
    const DECLARATION: ConstText;
    /// Whether all members are `readonly`. Then the objects are frozen.
    const IS_READONLY: bool;
}

macro_rules! simple_types {
    ($($typescript:literal: $($type:ty),* => |$value:ident, $serializer:ident| $made:expr;)*) => {
        $($(
            impl TypeScript for $type {
                const TYPE: Type = Type::Named($typescript);
            }

            impl Value for $type {
                fn give<S: Serializer>(&self, $serializer: S) -> Result<S::Ok, S::Error> {
                    let $value = self;
                    $made
                }
            }
        )*)*
    };
}

// Integers from 2^53 on are rounded.
simple_types! {
    "number": f64 => |number, serializer| serializer.serialize_f64(*number);
    "number": u8, u32, u64, usize, f32 => |number, serializer| serializer.serialize_f64(*number as f64);
    "boolean": bool => |flag, serializer| serializer.serialize_bool(*flag);
    "string": &str, Cow<'_, str>, String => |text, serializer| serializer.serialize_str(text);
}

impl<T: TypeScript> TypeScript for Option<T> {
    const TYPE: Type = T::TYPE;
    const IS_OPTIONAL: bool = true;
}

impl<T: Value> Value for Option<T> {
    fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.give(serializer),
            None => serializer.serialize_none(),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: TypeScript> TypeScript for &T {
    const TYPE: Type = T::TYPE;
}

impl<T: Value> Value for &T {
    fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).give(serializer)
    }
}

macro_rules! lists {
    ($($type:ty => $typescript:expr;)*) => {
        $(
            impl<T: TypeScript> TypeScript for $type {
                const TYPE: Type = $typescript;
            }

            impl<T: Value> Value for $type {
                fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_seq(self.iter().map(Given))
                }
            }
        )*
    };
}

lists! {
    &[T] => Type::List(&T::TYPE);
    Vec<T> => Type::List(&T::TYPE);
    [T; 2] => Type::Pair(&T::TYPE);
}

macro_rules! typed_arrays {
    ($($(#[doc = $doc:literal])* $list:ident($number:ty), $array:ident, $typescript:literal;)*) => {
        $(
            $(#[doc = $doc])*
            pub struct $list(pub Vec<$number>);

            impl TypeScript for $list {
                const TYPE: Type = Type::Named($typescript);
            }

            impl Value for $list {
                fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serde_wasm_bindgen::preserve::serialize(&js_sys::$array::from(&self.0[..]), serializer)
                }
            }
        )*
    };
}

typed_arrays! {
    /// Numbers that JavaScript gets as a `Float32Array`.
    Floats(f32), Float32Array, "Float32Array<ArrayBuffer>";
    /// Numbers that JavaScript gets as a `Float64Array`.
    Doubles(f64), Float64Array, "Float64Array<ArrayBuffer>";
}

/// Bytes that JavaScript gets as a `Uint8Array`.
pub struct Octets<'a>(pub &'a [u8]);

impl TypeScript for Octets<'_> {
    const TYPE: Type = Type::Named("Uint8Array<ArrayBuffer>");
}

impl Value for Octets<'_> {
    fn give<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}
