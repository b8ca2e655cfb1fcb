//! The rows of a table as frozen JavaScript objects, each made once.

use core::cell::OnceCell;

use js_sys::{Array as JsArray, Map, Object};
use wasm_bindgen::prelude::*;

/// The objects that were made of the rows of a table. A caller can ask for them whenever a page is drawn.
#[derive(Default)]
pub(super) struct Listing {
    by_name: Map,
    rows: OnceCell<JsArray>,
}

impl Listing {
    /// The object of the row with a name. `make` makes it the first time.
    pub fn row(&self, name: &str, make: impl FnOnce() -> JsValue) -> JsValue {
        let name = name.into();
        let made = self.by_name.get(&name);
        if !made.is_undefined() {
            return made;
        }
        let row = make();
        self.by_name.set(&name, &row);
        row
    }

    /// The list of the objects of all rows. `rows` makes it the first time, with `row`.
    pub fn rows(&self, rows: impl FnOnce() -> JsArray) -> JsArray {
        let rows = self.rows.get_or_init(|| {
            let rows = rows();
            Object::freeze(&rows);
            rows
        });
        rows.clone()
    }
}
