//! The rows of a table as frozen JavaScript objects, each made once.

use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::{JsArray, Map, Object, to_js};
use gguf_declare::value::{Declared, Value};

/// The objects that were made of the rows of a table. A caller can ask for them whenever a page is drawn.
#[derive(Default)]
pub(super) struct Listing {
    by_name: Map,
    rows: OnceCell<JsArray>,
}

impl Listing {
    /// The object of a row. It is made the first time.
    pub fn row<T: Declared + Value>(&self, name: &str, row: &T) -> JsValue {
        let name = name.into();
        let made = self.by_name.get(&name);
        if !made.is_undefined() {
            return made;
        }
        let row = to_js(row);
        self.by_name.set(&name, &row);
        row
    }

    /// The list of the objects of all rows. It is made the first time. `name` is the name of a row.
    pub fn rows<T: Declared + Value>(
        &self,
        rows: impl Iterator<Item = T>,
        name: impl Fn(&T) -> &'static str,
    ) -> JsArray {
        let rows = self.rows.get_or_init(|| {
            let rows: JsArray = rows.map(|row| self.row(name(&row), &row)).collect();
            Object::freeze(&rows);
            rows
        });
        rows.clone()
    }
}
