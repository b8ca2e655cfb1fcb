//! `Editor`: an edit of a file's header.

#[cfg(feature = "know")]
mod apply;
mod change_record;
mod change_records;
mod elements;
mod entries;
mod history;
pub(super) mod listing;
#[cfg(feature = "know")]
mod meaning;
mod plans;
pub(super) mod selection;
mod tensors;

use alloc::rc::Rc;
use core::cell::{OnceCell, RefCell};

use js_sys::{Array as JsArray, Map, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::reader::listing::{EntryObject, Listing};
use crate::reader::opened_file::OpenedFile;
use change_records::ChangeRecords;
use gguf_format::edit::Edit;
use gguf_format::error::Error;
use listing::EditedListing;

/// An edit of a file. Changes are recorded one after the other, and can be undone and reverted. Nothing is written until a
/// plan of the edited file is written.
///
/// Methods select an entry by its key, by its position in `entries`, or by its `id`; and a tensor by its name, by its
/// position in `tensors`, or by its `id`. If several entries have the same key, the key selects the first one.
///
/// @example
/// const editor = gguf.edit();
/// editor.set("general.name", "My model");
/// editor.set("tokenizer.ggml.eos_token_id", 128009);
/// const plan = editor.plan();
/// const edited = plan.toBlob(file);
#[wasm_bindgen]
pub struct Editor {
    file: Rc<OpenedFile>,
    edit: Edit,
    /// The entries and tensors of the original file.
    originals: Rc<Listing>,
    /// The edited header as lists. Made when a caller first asks for it after a change.
    listing: OnceCell<EditedListing>,
    /// Made when a caller first asks for the changes.
    change_records: OnceCell<RefCell<ChangeRecords>>,
}

#[wasm_bindgen]
impl Editor {
    /// The metadata of the edited file, in order.
    ///
    /// @example
    /// const changed = editor.entries.filter(({ state }) => state !== "unchanged");
    #[wasm_bindgen(getter, unchecked_return_type = "readonly EditedEntry[]")]
    pub fn entries(&self) -> Result<JsArray, Thrown> {
        self.listing()?.entries(&self.edit)
    }

    /// The entries of the original file that were removed, in the order of the original file.
    ///
    /// @example
    /// for (const { key } of editor.removedEntries) console.log(`${key} is removed`);
    #[wasm_bindgen(getter, js_name = removedEntries, unchecked_return_type = "readonly RemovedEntry[]")]
    pub fn removed_entries(&self) -> Result<JsArray, Thrown> {
        self.listing()?.removed_entries(&self.edit)
    }

    /// The tensors of the edited file, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly EditedTensor[]")]
    pub fn tensors(&self) -> Result<JsArray, Thrown> {
        self.listing()?.tensors(&self.edit)
    }

    /// The tensors of the original file that were removed, in the order of the original file.
    #[wasm_bindgen(getter, js_name = removedTensors, unchecked_return_type = "readonly RemovedTensor[]")]
    pub fn removed_tensors(&self) -> Result<JsArray, Thrown> {
        self.listing()?.removed_tensors(&self.edit)
    }

    /// The metadata of the edited file by its keys. If several entries have the same key, it has the first one.
    #[wasm_bindgen(getter, unchecked_return_type = "ReadonlyMap<string, MetadataValue>")]
    pub fn metadata(&self) -> Result<Map, Thrown> {
        self.listing()?.metadata(&self.edit)
    }

    /// The bytes of an entry's key as the edited file stores it.
    ///
    /// @throws {GgufError} `invalid-argument` if the object is not one of the current `entries`.
    #[wasm_bindgen(js_name = keyBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn key_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.listing()?.key_bytes(&self.edit, entry)
    }

    /// The bytes of an entry's value as the edited file stores it.
    ///
    /// @throws {GgufError} `invalid-argument` if the object is not one of the current `entries`.
    #[wasm_bindgen(js_name = valueBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn value_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.listing()?.value_bytes(&self.edit, entry)
    }

    /// The bytes of an entry's `STRING` value in the edited file, without its length. They may be other bytes than UTF-8; `value` then has
    /// U+FFFD in their place.
    ///
    /// @throws {GgufError} `invalid-argument` if the value is not a `STRING`, or if the object is not one of the current `entries`.
    /// @example
    /// const template = new TextDecoder().decode(editor.stringBytes(entry));
    #[wasm_bindgen(js_name = stringBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn string_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.listing()?.string_bytes(&self.edit, entry)
    }
}

impl Editor {
    pub(crate) fn new(file: Rc<OpenedFile>) -> Self {
        Self {
            edit: Edit::new(file.header.header().clone()),
            originals: Rc::new(Listing::new(file.header.clone())),
            listing: OnceCell::new(),
            change_records: OnceCell::new(),
            file,
        }
    }

    fn listing(&self) -> Result<&EditedListing, Thrown> {
        if let Some(listing) = self.listing.get() {
            return Ok(listing);
        }
        let plan = self.edit.plan_header(self.file.file_size())?;
        let listing = EditedListing::new(self.file.header.clone(), self.originals.clone(), plan);
        Ok(self.listing.get_or_init(|| listing))
    }

    /// Makes a change, or throws why it is refused. The lists are made again when a caller next asks for them.
    fn change<T>(&mut self, make: impl FnOnce(&mut Edit) -> Result<T, Error>) -> Result<T, Thrown> {
        let made = make(&mut self.edit)?;
        self.listing.take();
        Ok(made)
    }
}
