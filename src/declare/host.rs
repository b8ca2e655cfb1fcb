//! Values for a host: the program in another language that uses this crate.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::typescript::{ConstText, Type};

/// Makes values of the host.
pub(crate) trait Host {
    type Value;
    /// An object that is being made.
    type Object;

    /// The value of an optional member that is absent.
    fn absent(&self) -> Self::Value;
    fn flag(&self, flag: bool) -> Self::Value;
    fn number(&self, number: f64) -> Self::Value;
    fn text(&self, text: &str) -> Self::Value;
    fn list(&self, items: &mut dyn Iterator<Item = Self::Value>) -> Self::Value;
    /// Begins an object whose members have these names.
    fn object(&self, names: &'static [&'static str]) -> Self::Object;
    /// Adds the next member. A member that is absent is left out.
    fn add(&self, object: &mut Self::Object, member: Self::Value);
    fn finish(&self, object: Self::Object) -> Self::Value;
}

/// The TypeScript type of a Rust type.
pub(crate) trait TypeScript {
    const TYPE: Type;
    /// Whether a member of this type can be absent.
    const IS_OPTIONAL: bool = false;
}

/// A type whose values can be given to a host.
pub(crate) trait HostValue<H: Host>: TypeScript {
    fn to_host(&self, host: &H) -> H::Value;
}

/// A type with a TypeScript declaration of its own.
pub(crate) trait Declared: TypeScript {
    const DECLARATION: ConstText;
    /// Whether all members are `readonly`. Then the objects are frozen.
    const IS_READONLY: bool;
}

macro_rules! simple_types {
    ($($typescript:literal: $($type:ty),* => |$value:ident, $host:ident| $made:expr;)*) => {
        $($(
            impl TypeScript for $type {
                const TYPE: Type = Type::Named($typescript);
            }

            impl<H: Host> HostValue<H> for $type {
                fn to_host(&self, $host: &H) -> H::Value {
                    let $value = self;
                    $made
                }
            }
        )*)*
    };
}

// Integers from 2^53 on are rounded.
simple_types! {
    "number": f64 => |number, host| host.number(*number);
    "number": u8, u32, u64, usize, f32 => |number, host| host.number(*number as f64);
    "boolean": bool => |flag, host| host.flag(*flag);
    "string": &str, Cow<'_, str>, String => |text, host| host.text(text);
}

impl<T: TypeScript> TypeScript for Option<T> {
    const TYPE: Type = T::TYPE;
    const IS_OPTIONAL: bool = true;
}

impl<H: Host, T: HostValue<H>> HostValue<H> for Option<T> {
    fn to_host(&self, host: &H) -> H::Value {
        self.as_ref().map_or_else(|| host.absent(), |value| value.to_host(host))
    }
}

impl<T: TypeScript> TypeScript for &T {
    const TYPE: Type = T::TYPE;
}

impl<H: Host, T: HostValue<H>> HostValue<H> for &T {
    fn to_host(&self, host: &H) -> H::Value {
        (**self).to_host(host)
    }
}

impl<T: TypeScript> TypeScript for &[T] {
    const TYPE: Type = Type::List(&T::TYPE);
}

impl<H: Host, T: HostValue<H>> HostValue<H> for &[T] {
    fn to_host(&self, host: &H) -> H::Value {
        host.list(&mut self.iter().map(|item| item.to_host(host)))
    }
}

impl<T: TypeScript> TypeScript for Vec<T> {
    const TYPE: Type = Type::List(&T::TYPE);
}

impl<H: Host, T: HostValue<H>> HostValue<H> for Vec<T> {
    fn to_host(&self, host: &H) -> H::Value {
        (&**self).to_host(host)
    }
}

impl<T: TypeScript> TypeScript for [T; 2] {
    const TYPE: Type = Type::Pair(&T::TYPE);
}

impl<H: Host, T: HostValue<H>> HostValue<H> for [T; 2] {
    fn to_host(&self, host: &H) -> H::Value {
        (&self[..]).to_host(host)
    }
}
