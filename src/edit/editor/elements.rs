//! The methods of `Editor` that change elements of arrays.

use wasm_bindgen::prelude::*;

use super::Editor;
use super::selection::{GivenEntry, position};
use crate::edit::given_value::GivenValue;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, NumberArgument, arguments};
use gguf_format::edit::EntrySelector;

#[wasm_bindgen]
impl Editor {
    /// Sets the element of an array at `index`. The other elements do not change.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit`.
    /// @example
    /// editor.setElement("tokenizer.ggml.tokens", 105, "<|tool|>");
    #[wasm_bindgen(js_name = setElement)]
    pub fn set_element(&mut self, entry: GivenEntry, index: NumberArgument, value: GivenValue) -> Result<(), Thrown> {
        let index = arguments::number("index", &index)?;
        self.splice(&entry, index, index + 1.0, Some(&JsArray::of1(&value)))
    }

    /// Inserts elements before the element at `index`, or at the end if `index` is the length of the array.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit`, `limit-exceeded`.
    /// @example
    /// editor.insertElements("general.tags", 0, ["text-generation"]);
    #[wasm_bindgen(js_name = insertElements)]
    pub fn insert_elements(
        &mut self,
        entry: GivenEntry,
        index: NumberArgument,
        values: GivenValue,
    ) -> Result<(), Thrown> {
        let index = arguments::number("index", &index)?;
        self.splice(&entry, index, index, Some(&values))
    }

    /// Removes the elements from `start` up to, but not including, `end`. Without `end`, it removes one element.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array.
    #[wasm_bindgen(js_name = removeElements)]
    pub fn remove_elements(
        &mut self,
        entry: GivenEntry,
        start: NumberArgument,
        end: Option<NumberArgument>,
    ) -> Result<(), Thrown> {
        let start = arguments::number("start", &start)?;
        let end = arguments::optional_number("end", end.as_ref())?;
        self.splice(&entry, start, end.unwrap_or(start + 1.0), None)
    }
}

impl Editor {
    fn splice(&mut self, entry: &JsValue, start: f64, end: f64, values: Option<&JsValue>) -> Result<(), Thrown> {
        let entry = self.find(entry)?;
        let elements = position("index", start)?..position("index", end)?;
        let new_elements = |values| self.value_for(entry, values, self.types(entry), elements.start);
        let inserted = values.map(new_elements).transpose()?;
        self.change(|edit| edit.splice(EntrySelector::Index(entry), elements, inserted))
    }
}
