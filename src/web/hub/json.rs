//! JSON of a hub, parsed by JavaScript.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::files::repository::json::Json;
use crate::web::interop::{as_object, element, is_array, is_position, length, reason};

impl Json for JsValue {
    fn parse(text: &str) -> Result<Self, String> {
        js_sys::JSON::parse(text).map_err(|error| reason(&error))
    }

    fn member(&self, name: &str) -> Option<Self> {
        as_object(self)?.present(name).ok()?
    }

    fn length(&self) -> Option<u32> {
        if is_array(self) { length(self).ok()? } else { None }
    }

    fn element(&self, index: u32) -> Option<Self> {
        element(self, index).ok()
    }

    fn text(&self) -> Option<String> {
        self.as_string()
    }

    fn count(&self) -> Option<u64> {
        self.as_f64().filter(|number| is_position(*number)).map(|number| number as u64)
    }

    fn is_truthy(&self) -> bool {
        Self::is_truthy(self)
    }
}
