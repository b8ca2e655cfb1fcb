//! The methods of `Editor` that change entries.

use wasm_bindgen::prelude::*;

use super::Editor;
use super::selection::{GivenEntry, GivenName, name_bytes, position};
use crate::edit::given_value::types::{GivenType, Types, named_types, types_of};
use crate::edit::given_value::{GivenValue, new_entry_value, new_value};
use crate::interop::thrown::Thrown;
use crate::interop::{NumberArgument, arguments};
use gguf_format::edit::EntrySelector;
use gguf_format::write::new_value::NewValue;

#[wasm_bindgen]
impl Editor {
    /// Sets the value of an entry. Without `type`, the entry keeps its type.
    ///
    /// If no entry has the key, adds an entry at the end. Without `type`, it gets the type that llama.cpp expects for the key,
    /// or one that can hold the value.
    ///
    /// @throws {GgufError} `does-not-fit`, `bad-alignment`, `bad-key`; `unknown-key` for a position or an `id`.
    /// @example
    /// editor.set("general.name", "My model");
    /// editor.set("tokenizer.chat_template", template);
    /// editor.set("llama.rope.freq_base", 500000, "FLOAT32");
    pub fn set(&mut self, entry: GivenEntry, value: GivenValue, r#type: Option<GivenType>) -> Result<(), Thrown> {
        let Some(entry_position) = self.find_if_any(&entry)? else {
            return self.add_entry(&entry, &value, r#type, None);
        };
        let types = if r#type.is_none() { self.types(entry_position) } else { named_types(r#type)? };
        let value = self.value_for(entry_position, &value, types, 0)?;
        self.change(|edit| edit.set_new(EntrySelector::Index(entry_position), value))
    }

    /// Adds an entry before the entry at `position`, or at the end. Without `type`, it gets the type that llama.cpp expects
    /// for the key, or one that can hold the value.
    ///
    /// @throws {GgufError} `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `out-of-range`, `limit-exceeded`.
    /// @example
    /// editor.add("general.url", "https://example.com/model");
    /// editor.add("my.scores", [0.5, 1], "FLOAT32[]", 0);
    pub fn add(
        &mut self,
        key: GivenName,
        value: GivenValue,
        r#type: Option<GivenType>,
        position: Option<NumberArgument>,
    ) -> Result<(), Thrown> {
        let position = arguments::optional_number("position", position.as_ref())?;
        self.add_entry(&key, &value, r#type, position)
    }

    /// Removes an entry.
    ///
    /// @throws {GgufError} `unknown-key`.
    pub fn remove(&mut self, entry: GivenEntry) -> Result<(), Thrown> {
        let entry = self.find(&entry)?;
        self.change(|edit| edit.remove(entry))
    }

    /// Renames an entry.
    ///
    /// @throws {GgufError} `unknown-key`, `key-taken`, `bad-key`, `bad-alignment`.
    /// @example
    /// editor.rename("general.author", "general.organization");
    pub fn rename(&mut self, entry: GivenEntry, key: GivenName) -> Result<(), Thrown> {
        let (entry, key) = (self.find(&entry)?, name_bytes(&key)?);
        self.change(|edit| edit.rename(entry, &key))
    }

    /// Converts the value of an entry to another type. Integers are converted exactly. Floats are rounded to the nearest float
    /// of the type. A number or a BOOL becomes its shortest text as a STRING: the FLOAT32 0.1 becomes "0.1". A STRING that is
    /// the text of a number becomes that number.
    ///
    /// @throws {GgufError} `unknown-key`, `does-not-fit`, `bad-alignment`.
    /// @example
    /// editor.retype("llama.context_length", "UINT32");
    pub fn retype(&mut self, entry: GivenEntry, r#type: GivenType) -> Result<(), Thrown> {
        let (entry, types) = (self.find(&entry)?, named_types(Some(r#type))?);
        self.change(|edit| edit.retype(entry, &types))
    }

    /// Moves an entry. Afterwards it is at `position`.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`.
    #[wasm_bindgen(js_name = "move")]
    pub fn move_to(
        &mut self,
        entry: GivenEntry,
        #[wasm_bindgen(js_name = "position")] target: NumberArgument,
    ) -> Result<(), Thrown> {
        let entry = self.find(&entry)?;
        let target = position("position", arguments::number("position", &target)?)?;
        self.change(|edit| edit.move_to(entry, target as usize))
    }
}

impl Editor {
    /// The types of the value of the entry at a position, and of its elements.
    pub(super) fn types(&self, entry: usize) -> Types {
        let entry = self.edit.entry(entry);
        entry.map(|entry| types_of(entry.value_type(), entry.array())).unwrap_or_default()
    }

    /// A given value for the entry at a position, or given elements for it. `first_index` is the index of the first element.
    pub(super) fn value_for(
        &self,
        entry: usize,
        given: &JsValue,
        types: Types,
        first_index: u64,
    ) -> Result<NewValue, Thrown> {
        let key = || self.edit.entry(entry).map(|entry| entry.key().into_owned()).unwrap_or_default();
        new_value(given, types).map_err(|refusal| refusal.to_error(&key(), first_index))
    }

    fn add_entry(
        &mut self,
        key: &JsValue,
        value: &JsValue,
        r#type: Option<GivenType>,
        target: Option<f64>,
    ) -> Result<(), Thrown> {
        let key = name_bytes(key)?;
        let value = new_entry_value(&key, value, named_types(r#type)?)?;
        let target = target.map(|target| position("position", target)).transpose()?;
        self.change(|edit| edit.add_new(target.map(|target| target as usize), &key, value))
    }
}
