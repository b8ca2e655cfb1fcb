//! The rows of a table as a frozen JavaScript list, and each row by its name.

use js_sys::{Array as JsArray, Map};
use wasm_bindgen::prelude::*;

use crate::web::interop::objects::deep_freeze;

/// The objects of all rows. They are made once, so that a caller can ask for them whenever a page is drawn.
pub(super) struct Listing {
    rows: JsArray,
    by_name: Map,
}

impl Listing {
    /// The list of rows with their names.
    pub fn new(rows: impl Iterator<Item = (&'static str, JsValue)>) -> Self {
        let listing = Self { rows: JsArray::new(), by_name: Map::new() };
        for (name, row) in rows {
            listing.rows.push(&row);
            listing.by_name.set(&name.into(), &row);
        }
        deep_freeze(&listing.rows);
        listing
    }

    pub fn rows(&self) -> JsArray {
        self.rows.clone()
    }

    /// The row with a name; `undefined` if there is none.
    pub fn row(&self, name: &JsValue) -> JsValue {
        self.by_name.get(name)
    }
}
