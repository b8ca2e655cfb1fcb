//! Members of JavaScript objects, by their names.
//!
//! Objects come from callers, so every access can throw: a member may be a getter, and the object a `Proxy`.

use crate::interop::thrown::Thrown;
use alloc::vec::Vec;
use core::cell::OnceCell;

use js_sys::{Array, Function, Object};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// An object of any kind.
    #[wasm_bindgen(extends = Object)]
    #[derive(Clone)]
    pub type AnyObject;
    #[wasm_bindgen(method, catch, indexing_getter)]
    pub fn get(this: &AnyObject, name: &str) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, catch, indexing_getter)]
    fn at(this: &AnyObject, index: u32) -> Result<JsValue, Thrown>;
    #[wasm_bindgen(method, indexing_setter)]
    fn set(this: &AnyObject, name: &str, value: &JsValue);

    #[wasm_bindgen(catch, js_namespace = Object)]
    pub fn entries(object: &JsValue) -> Result<Array, Thrown>;
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn try_is_array(value: &JsValue) -> Result<bool, Thrown>;
    /// The elements of an iterable object, as a new array.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    pub fn array_of(iterable: &JsValue) -> Result<Array, Thrown>;
}

#[wasm_bindgen(raw_module = "glue/results.js")]
extern "C" {
    /// Freezes a value that this crate has made, and all plain objects and arrays in it. Objects of other classes are not frozen:
    /// typed arrays cannot be, and the objects of this package have members that change.
    #[wasm_bindgen(js_name = deepFrozen)]
    pub fn deep_frozen(value: JsValue) -> JsValue;
}

/// `value` as an object whose members can be read; `None` if it is a primitive value, `undefined` or `null`.
pub(crate) fn as_object(value: &JsValue) -> Option<&AnyObject> {
    (value.is_object() || value.is_function()).then(|| value.unchecked_ref())
}

impl AnyObject {
    /// The member, if it is a function.
    pub fn function(&self, name: &str) -> Result<Option<Function>, Thrown> {
        Ok(self.get(name)?.dyn_into().ok())
    }

    /// The member, if it is neither `undefined` nor `null`.
    pub fn present(&self, name: &str) -> Result<Option<JsValue>, Thrown> {
        Ok(Some(self.get(name)?).filter(|member| !member.is_undefined() && !member.is_null()))
    }
}

/// Sets a member of an object that this crate has made, whose setters cannot throw.
pub(crate) fn set_member(object: &JsValue, name: &str, value: &JsValue) {
    object.unchecked_ref::<AnyObject>().set(name, value);
}

/// Whether a value is an array. A revoked `Proxy`, of which this cannot be told, is none.
pub(crate) fn is_array(value: &JsValue) -> bool {
    try_is_array(value).unwrap_or(false)
}

/// The member `length` of an array or a typed array, if it is a number.
pub(crate) fn length(array: &JsValue) -> Result<Option<u32>, Thrown> {
    Ok(array.unchecked_ref::<AnyObject>().get("length")?.as_f64().map(|length| length as u32))
}

/// An element of an array or a typed array.
pub(crate) fn element(array: &JsValue, index: u32) -> Result<JsValue, Thrown> {
    array.unchecked_ref::<AnyObject>().at(index)
}

/// The elements of an array. None if it has no length.
pub(crate) fn elements(array: &JsValue) -> Result<Vec<JsValue>, Thrown> {
    (0..length(array)?.unwrap_or(0)).map(|index| element(array, index)).collect()
}

/// Freezes an object that this crate has made. Objects in it are not frozen.
pub(crate) fn frozen(object: JsValue) -> JsValue {
    Object::freeze(object.unchecked_ref::<Object>());
    object
}

/// The value of a cell, which is made when a caller first asks for it.
pub(crate) fn once<T: Clone>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, Thrown>) -> Result<T, Thrown> {
    if let Some(value) = cell.get() {
        return Ok(value.clone());
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value).clone())
}

/// A frozen array of objects, which are not frozen by it.
pub(crate) fn frozen_list(list: Array) -> Array {
    Object::freeze(&list);
    list
}
