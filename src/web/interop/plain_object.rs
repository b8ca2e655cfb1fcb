//! Plain JavaScript objects, as results are passed to callers.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use js_sys::{Array as JsArray, Float32Array, Float64Array, Int32Array, JsString, Object, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::declare::host::{Declared, Host, HostValue, TypeScript};
use crate::declare::typescript::Type;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::objects::{deep_frozen, frozen, set_property};

/// Declares a struct as [`crate::declare::result!`] does. Its members can be JavaScript values, [`Js`].
macro_rules! plain_object {
    ($(#[$($attribute:tt)*])* $visibility:vis struct $name:ident $members:tt) => {
        $crate::declare::result! {
            @for [] [$crate::web::interop::plain_object::JsHost]
            $(#[$($attribute)*])* $visibility struct $name $members
        }
        $crate::web::interop::typescript::declare_types!($name);
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
    "Float32Array<ArrayBuffer>": Float32Array;
    "Float64Array<ArrayBuffer>": Float64Array;
}

impl<T: JsCast> HostValue<JsHost> for Js<T>
where
    Self: TypeScript,
{
    fn to_host(&self, host: &JsHost) -> JsValue {
        let value: &JsValue = self.0.as_ref();
        if host.freezes { deep_frozen(value.clone()) } else { value.clone() }
    }
}

/// Makes JavaScript values.
pub(crate) struct JsHost {
    freezes: bool,
}

/// An object that gets its members one after the other.
pub(crate) struct JsObject {
    object: JsValue,
    names: Rc<[JsString]>,
    added: usize,
}

/// The names of the members of a kind of objects.
type Names = &'static [&'static str];

std::thread_local! {
    /// The names as JavaScript strings: a string is only copied for the first object of a kind.
    static NAMES: RefCell<Vec<(Names, Rc<[JsString]>)>> = const { RefCell::new(Vec::new()) };
}

fn js_names(names: Names) -> Rc<[JsString]> {
    NAMES.with_borrow_mut(|known| {
        if let Some((_, strings)) = known.iter().find(|(other, _)| core::ptr::eq(*other, names)) {
            return strings.clone();
        }
        let strings: Rc<[JsString]> = names.iter().map(|name| JsString::from(*name)).collect();
        known.push((names, strings.clone()));
        strings
    })
}

// Functions that are not inlined make the module smaller: each is called for every member of every object.
impl Host for JsHost {
    type Value = JsValue;
    type Object = JsObject;

    fn absent(&self) -> JsValue {
        JsValue::UNDEFINED
    }

    fn flag(&self, flag: bool) -> JsValue {
        flag.into()
    }

    fn number(&self, number: f64) -> JsValue {
        number.into()
    }

    #[inline(never)]
    fn text(&self, text: &str) -> JsValue {
        text.into()
    }

    #[inline(never)]
    fn list(&self, items: &mut dyn Iterator<Item = JsValue>) -> JsValue {
        let list: JsArray = items.collect();
        if self.freezes { frozen(list.into()) } else { list.into() }
    }

    #[inline(never)]
    fn object(&self, names: Names) -> JsObject {
        JsObject { object: Object::new().into(), names: js_names(names), added: 0 }
    }

    #[inline(never)]
    fn add(&self, object: &mut JsObject, member: JsValue) {
        if !member.is_undefined()
            && let Some(name) = object.names.get(object.added)
        {
            set_property(&object.object, name, &member);
        }
        object.added += 1;
    }

    #[inline(never)]
    fn finish(&self, object: JsObject) -> JsValue {
        if self.freezes { frozen(object.object) } else { object.object }
    }
}

/// The JavaScript object of a struct. It is frozen with all objects in it if its members are `readonly`.
pub(crate) fn to_js<T: Declared + HostValue<JsHost>>(object: &T) -> JsValue {
    object.to_host(&JsHost { freezes: T::IS_READONLY })
}

/// The JavaScript object of a struct, which the caller completes and freezes.
pub(crate) fn to_open_js(object: &impl HostValue<JsHost>) -> JsValue {
    object.to_host(&JsHost { freezes: false })
}

/// A frozen array of numbers, for an object that is frozen without the objects in it.
pub(crate) fn frozen_numbers(numbers: impl Iterator<Item = f64>) -> Js<JsArray> {
    let numbers: JsArray = numbers.map(JsValue::from).collect();
    Object::freeze(&numbers);
    Js(numbers)
}
