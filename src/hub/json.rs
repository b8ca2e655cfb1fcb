//! JSON of a hub, parsed by JavaScript.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::{as_object, element, is_array, is_position, length, reason};
use gguf_files::repository::json::Json;

/// A value of JSON, or a member or an element of one.
pub(crate) struct JsonValue(JsValue);

impl Json for JsonValue {
    fn parse(text: &str) -> Result<Self, String> {
        js_sys::JSON::parse(text).map(Self).map_err(|error| reason(&error))
    }

    fn member(&self, name: &str) -> Option<Self> {
        as_object(&self.0)?.present(name).ok()?.map(Self)
    }

    fn length(&self) -> Option<u32> {
        if is_array(&self.0) { length(&self.0).ok()? } else { None }
    }

    fn element(&self, index: u32) -> Option<Self> {
        element(&self.0, index).ok().map(Self)
    }

    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn count(&self) -> Option<u64> {
        self.0.as_f64().filter(|number| is_position(*number)).map(|number| number as u64)
    }

    fn is_truthy(&self) -> bool {
        self.0.is_truthy()
    }
}
