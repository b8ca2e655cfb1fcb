//! Building one JavaScript object member by member.

use js_sys::Object;
use wasm_bindgen::prelude::*;

use crate::interop::objects::set_member;

pub(crate) struct Record(JsValue);

impl Record {
    pub fn new() -> Self {
        Self(Object::new().into())
    }

    /// Adds a member, unless the value is `undefined`.
    pub fn value(self, name: &str, value: &JsValue) -> Self {
        if !value.is_undefined() {
            set_member(&self.0, name, value);
        }
        self
    }

    pub fn text(self, name: &str, value: &str) -> Self {
        self.value(name, &value.into())
    }

    pub fn number(self, name: &str, value: f64) -> Self {
        self.value(name, &value.into())
    }

    pub fn flag(self, name: &str, value: bool) -> Self {
        self.value(name, &value.into())
    }

    pub fn done(self) -> JsValue {
        self.0
    }
}
