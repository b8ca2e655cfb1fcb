//! `Editor`: changes to a file's header.

mod change_record;

use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::OnceCell;

use js_sys::{Array as JsArray, Map, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::edit::{Edit, EntrySelector, HistoryStep, TensorSelector};
use crate::error::ErrorCode;
use crate::format::value::ValueType;
use crate::web::edit::byte_order::byte_order;
use crate::web::edit::edit_plan::EditPlan;
use crate::web::edit::given_value::{GivenType, GivenValue, Types, new_value, text_bytes, types, value_of};
use crate::web::interop::arguments::{self, NumberArgument};
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js;
use crate::web::reader::listing::{Listing, MetadataEntry};
use crate::web::reader::opened::{Opened, parsed};
use crate::web::reader::value;
use crate::web::source::is_position;
use crate::web::validate::findings;
use crate::write::checks::lossy;
use crate::write::error::EditError;
use crate::write::new_value::NewValue;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** An entry as it will be. Its `offset` is in the file that will be. */
export interface EditedEntry extends MetadataEntry {
  /** The position in the file as it is; not there if the entry was added. */
  readonly origin?: number;
}

/** A tensor as it will be. Its `offset` and `fileOffset` are in the file that will be. */
export interface EditedTensor extends TensorInfo {
  /** The position in the file as it is. */
  readonly origin: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "string | number")]
    pub type GivenPlace;
    #[wasm_bindgen(typescript_type = "Change")]
    pub type GivenChange;
    #[wasm_bindgen(typescript_type = "string | Uint8Array")]
    pub type GivenName;
    #[wasm_bindgen(typescript_type = "\"little-endian\" | \"big-endian\"")]
    pub type GivenByteOrder;
}

/// Changes to a file: they are recorded one after the other, can be taken back, and are made when the plan of the
/// changed file is written. Nothing is written before.
///
/// Entries are given by their key, which means the first one that has it, or by their position in `entries`; tensors by
/// their name or by their position in `tensors`.
///
/// @example
/// const editor = gguf.edit();
/// editor.set("general.name", "My model");
/// editor.set("tokenizer.ggml.eos_token_id", 128009);
/// const plan = editor.plan();
/// const edited = plan.toBlob(file);
#[wasm_bindgen]
pub struct Editor {
    opened: Rc<Opened>,
    edit: Edit,
    /// The changed header, once it has been looked at.
    listing: OnceCell<Listing>,
}

#[wasm_bindgen]
impl Editor {
    /// The metadata as it will be, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly EditedEntry[]")]
    pub fn entries(&self) -> Result<JsArray, JsValue> {
        self.listing()?.entries_with(&mut |index| self.edit.entry(index)?.origin())
    }

    /// The tensors as they will be, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly EditedTensor[]")]
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        self.listing()?.tensors_with(&mut |index| self.edit.tensor_origin(index))
    }

    /// The metadata as it will be, by its keys.
    #[wasm_bindgen(getter, unchecked_return_type = "ReadonlyMap<string, MetadataValue>")]
    pub fn metadata(&self) -> Result<Map, JsValue> {
        self.entries()?;
        self.listing()?.metadata()
    }

    /// The key of an entry exactly as it will be stored.
    #[wasm_bindgen(js_name = keyBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn key_bytes(&self, entry: &MetadataEntry) -> Result<Uint8Array, JsValue> {
        self.listing()?.key_bytes(entry)
    }

    /// The value of an entry exactly as it will be stored.
    #[wasm_bindgen(js_name = valueBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn value_bytes(&self, entry: &MetadataEntry) -> Result<Uint8Array, JsValue> {
        self.listing()?.value_bytes(entry)
    }

    /// Gives an entry another value. Without a type it keeps its own. A key that is not there is added at the end, as the
    /// type that llama.cpp reads it as, or, where that is not known, as one that suits the value.
    ///
    /// @throws {GgufError} `does-not-fit`, `bad-alignment`, `bad-key`, `unknown-key` for a position.
    /// @example
    /// editor.set("general.name", "My model");
    /// editor.set("tokenizer.chat_template", template);
    /// editor.set("llama.rope.freq_base", 500000, "FLOAT32");
    pub fn set(&mut self, entry: GivenPlace, value: GivenValue, r#type: Option<GivenType>) -> Result<(), JsValue> {
        let Some(at) = self.find_if_any(&entry)? else {
            return self.put_in(&entry, &value, r#type, None);
        };
        let types = if r#type.is_none() { self.types(at) } else { given_types(r#type)? };
        let value = self.new_value(at, &value, types, 0)?;
        let made = self.edit.set_new(EntrySelector::Index(at), value);
        self.made(made)
    }

    /// Adds an entry before the one at `position`, or at the end.
    ///
    /// @throws {GgufError} `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `out-of-range`, `limit-exceeded`.
    /// @example
    /// editor.add("general.license", "apache-2.0");
    /// editor.add("my.scores", [0.5, 1], "FLOAT32[]", 0);
    pub fn add(
        &mut self,
        key: GivenName,
        value: GivenValue,
        r#type: Option<GivenType>,
        position: Option<NumberArgument>,
    ) -> Result<(), JsValue> {
        let position = arguments::optional_number("position", position.as_ref())?;
        self.put_in(&key, &value, r#type, position)
    }

    /// Removes an entry.
    ///
    /// @throws {GgufError} `unknown-key`.
    pub fn remove(&mut self, entry: GivenPlace) -> Result<(), JsValue> {
        let at = self.find(&entry)?;
        let made = self.edit.remove(at);
        self.made(made)
    }

    /// Gives an entry another key.
    ///
    /// @throws {GgufError} `unknown-key`, `key-taken`, `bad-key`, `bad-alignment`.
    /// @example
    /// editor.rename("llama.context_lenght", "llama.context_length");
    pub fn rename(&mut self, entry: GivenPlace, key: GivenName) -> Result<(), JsValue> {
        let (at, key) = (self.find(&entry)?, name(&key)?);
        let made = self.edit.rename(at, &key);
        self.made(made)
    }

    /// Gives an entry the same value as another type: integers exactly, floats to the nearest. A number or BOOL becomes its
    /// shortest text as a STRING (the FLOAT32 0.1 becomes "0.1"), and a STRING that says a number becomes that number.
    ///
    /// @throws {GgufError} `unknown-key`, `does-not-fit`, `bad-alignment`.
    /// @example
    /// editor.retype("llama.context_length", "UINT32");
    pub fn retype(&mut self, entry: GivenPlace, r#type: GivenType) -> Result<(), JsValue> {
        let (at, types) = (self.find(&entry)?, given_types(Some(r#type))?);
        let made = self.edit.retype(at, &types);
        self.made(made)
    }

    /// Moves an entry, so that it then has the position.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`.
    #[wasm_bindgen(js_name = "move")]
    pub fn move_to(&mut self, entry: GivenPlace, position: NumberArgument) -> Result<(), JsValue> {
        let (at, position) = (self.find(&entry)?, arguments::number("position", &position)?);
        let made = self.edit.move_to(at, whole(position)? as usize);
        self.made(made)
    }

    /// Gives an element of an array another value; the others are not touched.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit`.
    /// @example
    /// editor.setElement("tokenizer.ggml.tokens", 128011, "<|tool|>");
    #[wasm_bindgen(js_name = setElement)]
    pub fn set_element(&mut self, entry: GivenPlace, index: NumberArgument, value: GivenValue) -> Result<(), JsValue> {
        let index = arguments::number("index", &index)?;
        self.splice(&entry, index, index + 1.0, Some(&JsArray::of1(&value)))
    }

    /// Puts values in before the element at `index`, or at the end.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit`, `limit-exceeded`.
    /// @example
    /// editor.insertElements("general.tags", 0, ["text-generation"]);
    #[wasm_bindgen(js_name = insertElements)]
    pub fn insert_elements(
        &mut self,
        entry: GivenPlace,
        index: NumberArgument,
        values: GivenValue,
    ) -> Result<(), JsValue> {
        let index = arguments::number("index", &index)?;
        self.splice(&entry, index, index, Some(&values))
    }

    /// Takes the elements from `start` to before `end` out of an array; one if there is no `end`.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array.
    #[wasm_bindgen(js_name = removeElements)]
    pub fn remove_elements(
        &mut self,
        entry: GivenPlace,
        start: NumberArgument,
        end: Option<NumberArgument>,
    ) -> Result<(), JsValue> {
        let start = arguments::number("start", &start)?;
        let end = arguments::optional_number("end", end.as_ref())?;
        self.splice(&entry, start, end.unwrap_or(start + 1.0), None)
    }

    /// Gives a tensor another name.
    ///
    /// @throws {GgufError} `unknown-tensor`, `name-taken`, `bad-name`.
    #[wasm_bindgen(js_name = renameTensor)]
    pub fn rename_tensor(&mut self, tensor: GivenPlace, name: GivenName) -> Result<(), JsValue> {
        let (at, name) = (self.find_tensor(&tensor)?, self::name(&name)?);
        let made = self.edit.rename_tensor(at, &name);
        self.made(made)
    }

    /// Removes a tensor and its data.
    ///
    /// @throws {GgufError} `unknown-tensor`.
    #[wasm_bindgen(js_name = removeTensor)]
    pub fn remove_tensor(&mut self, tensor: GivenPlace) -> Result<(), JsValue> {
        let at = self.find_tensor(&tensor)?;
        let made = self.edit.remove_tensor(at);
        self.made(made)
    }

    /// Places the tensors' data without gaps and in the order of the list, as llama.cpp demands it.
    pub fn repack(&mut self) {
        self.edit.repack();
        self.listing.take();
    }

    /// What the tensors' data is aligned to, in bytes. Another one, which is to be a power of two from 8 on, places all
    /// data anew.
    #[wasm_bindgen(getter)]
    pub fn alignment(&self) -> f64 {
        self.edit.alignment() as f64
    }

    #[wasm_bindgen(setter)]
    #[allow(missing_docs, reason = "JavaScript shows the getter's")]
    pub fn set_alignment(&mut self, alignment: NumberArgument) -> Result<(), JsValue> {
        let alignment = arguments::number("alignment", &alignment)?;
        if alignment as u32 as f64 != alignment {
            let message = "\"general.alignment\": an alignment is a power of two from 8 to 2^31";
            return Err(failure(ErrorCode::BadAlignment, message));
        }
        let made = self.edit.set_alignment(alignment as u32);
        self.made(made)
    }

    /// The version of the format. Only 3 can be set.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> f64 {
        self.edit.format().version.into()
    }

    #[wasm_bindgen(setter)]
    #[allow(missing_docs, reason = "JavaScript shows the getter's")]
    pub fn set_version(&mut self, version: NumberArgument) -> Result<(), JsValue> {
        let version = arguments::number("version", &version)?;
        let made = self.edit.set_version(if js::is_whole(version) { version as u32 } else { 0 });
        self.made(made)
    }

    /// The byte order of every number in the file, the tensors' data included.
    #[wasm_bindgen(getter, js_name = byteOrder, unchecked_return_type = "\"little-endian\" | \"big-endian\"")]
    pub fn byte_order(&self) -> JsValue {
        self.edit.format().endian.name().into()
    }

    #[wasm_bindgen(setter, js_name = byteOrder)]
    #[allow(missing_docs, reason = "JavaScript shows the getter's")]
    pub fn set_byte_order(&mut self, order: GivenByteOrder) -> Result<(), JsValue> {
        let endian = byte_order(&order)?;
        self.edit.set_byte_order(endian);
        self.listing.take();
        Ok(())
    }

    /// The changes, the first one first.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Change[]")]
    pub fn changes(&self) -> JsArray {
        let records = JsArray::new();
        let mut edit = Edit::new(self.edit.header().clone());
        for made in self.edit.changes() {
            records.push(&change_record::record(&self.opened.file, &edit, made));
            edit.make(made.clone());
        }
        records
    }

    /// The changes that were undone and can be redone, the next one last. An undone revert is a change of kind `revert`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Change[]")]
    pub fn undone(&self) -> JsArray {
        let records = JsArray::new();
        let mut edit = first_changes(&self.edit, usize::MAX);
        for step in self.edit.undone().iter().rev() {
            records.push(&self.step_record(&edit, step));
            edit.replay(step);
        }
        records.reverse()
    }

    /// Undoes the last change or revert, and returns it; `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "Change | undefined")]
    pub fn undo(&mut self) -> JsValue {
        self.listing.take();
        if self.edit.undo() { self.next_record() } else { JsValue::UNDEFINED }
    }

    /// Redoes the change or revert that was undone last, and returns it; `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "Change | undefined")]
    pub fn redo(&mut self) -> JsValue {
        let record = self.next_record();
        self.listing.take();
        self.edit.redo();
        record
    }

    /// Reverts one of the `changes`: the file becomes what it would be if that change had never been made, and all others
    /// had. The change leaves `changes`; `undo` brings it back.
    ///
    /// A revert that is refused changes nothing. It is refused with `conflict` if a later change builds on the change: for
    /// example, if it changed the entry that the change added. Otherwise the code says why a later change is not possible
    /// without it: `key-taken` if the key of a removed entry is in use again.
    ///
    /// @throws {GgufError} `unknown-change`, `conflict`, `key-taken`, `name-taken`, `does-not-fit`, `bad-alignment`,
    /// `limit-exceeded`, `unsupported-version`.
    /// @example
    /// editor.set("general.name", "My model");
    /// editor.remove("general.license");
    /// editor.revert(editor.changes[0]); // The license is still removed.
    pub fn revert(&mut self, change: &GivenChange) -> Result<(), JsValue> {
        let id = js::members(change).map(|change| change.get("id")).transpose()?.and_then(|id| id.as_f64());
        let place = self.edit.changes().iter().position(|made| Some(made.id.0 as f64) == id);
        let Some(place) = place else {
            let message = "the change is not, or no longer, one of this editor's `changes`";
            return Err(failure(ErrorCode::UnknownChange, message));
        };
        let reverted = self.edit.revert(place);
        self.made(reverted)
    }

    /// Looks for what is wrong with the file as it will be, unusual or worth knowing.
    #[wasm_bindgen(unchecked_return_type = "readonly Finding[]")]
    pub fn validate(&self) -> Result<JsArray, JsValue> {
        let listing = self.listing()?;
        let old_size = self.opened.file_size.get();
        let header = self.edit.plan_header(old_size)?;
        Ok(findings::list(listing.file(), self.edit.file_size_for_checks(old_size, &header)))
    }

    /// Plans the changed file. Nothing is read or written; what is changed later is not in the plan.
    ///
    /// @throws {GgufError} `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    /// @example
    /// const plan = editor.plan();
    /// console.log(plan.inPlace ? plan.patches() : plan.size);
    pub fn plan(&self) -> Result<EditPlan, JsValue> {
        Ok(EditPlan::new(self.opened.clone(), self.edit.plan(self.opened.file_size.get())?))
    }
}

impl Editor {
    pub(crate) fn new(opened: Rc<Opened>) -> Self {
        Self { edit: Edit::new(opened.file.header().clone()), opened, listing: OnceCell::new() }
    }

    /// Ends a change: what is shown is shown anew.
    #[inline(never)]
    fn made(&mut self, result: Result<(), EditError>) -> Result<(), JsValue> {
        self.listing.take();
        Ok(result?)
    }

    /// The changed header as lists.
    fn listing(&self) -> Result<&Listing, JsValue> {
        if let Some(listing) = self.listing.get() {
            return Ok(listing);
        }
        let mut file = self.opened.file.clone();
        if !self.edit.changes().is_empty() {
            let plan = self.edit.plan_header(self.opened.file_size.get())?;
            let size = plan.header_size();
            let header = parsed(size, &mut plan.header_pieces(self.opened.file.bytes(), 0..size))?;
            file = Rc::new(file.with(Arc::new(header)));
        }
        Ok(self.listing.get_or_init(|| Listing::new(file)))
    }

    /// The position of the entry that is meant; nothing if it is a key that is not there.
    fn find_if_any(&self, place: &JsValue) -> Result<Option<usize>, JsValue> {
        let Some(key) = place.as_string() else {
            return Ok(Some(self.edit.find(EntrySelector::Index(index(place, ErrorCode::UnknownKey)?))?));
        };
        // Also one that is not UTF-8, by what it is shown as.
        let is_shown_so = |at: &usize| self.edit.entry(*at).is_some_and(|entry| lossy(&entry.key()) == key);
        let found = self.edit.find(EntrySelector::Key(key.as_bytes())).ok();
        let shown_so = || if value::stands_in(&key) { (0..self.edit.entry_count()).find(is_shown_so) } else { None };
        Ok(found.or_else(shown_so))
    }

    fn find(&self, place: &JsValue) -> Result<usize, JsValue> {
        match self.find_if_any(place)? {
            Some(at) => Ok(at),
            None => Ok(self.edit.find(EntrySelector::Key(place.as_string().unwrap_or_default().as_bytes()))?),
        }
    }

    fn find_tensor(&self, place: &JsValue) -> Result<usize, JsValue> {
        let Some(name) = place.as_string() else {
            return Ok(self.edit.find_tensor(TensorSelector::Index(index(place, ErrorCode::UnknownTensor)?))?);
        };
        let is_shown_so = |at: &usize| self.edit.tensor_name(*at).is_some_and(|found| lossy(&found) == name);
        let found = self.edit.find_tensor(TensorSelector::Name(name.as_bytes()));
        let shown_so = || if value::stands_in(&name) { (0..self.edit.tensor_count()).find(is_shown_so) } else { None };
        Ok(found.or_else(|error| shown_so().ok_or(error))?)
    }

    /// The type of an entry's value, and of its elements.
    fn types(&self, at: usize) -> Types {
        let entry = self.edit.entry(at);
        entry.map(|entry| types_of(entry.value_type(), entry.array())).unwrap_or_default()
    }

    /// A value of an entry, or of elements of it from `first` on.
    fn new_value(&self, at: usize, given: &JsValue, types: Types, first: u64) -> Result<NewValue, JsValue> {
        let key = || self.edit.entry(at).map(|entry| entry.key().into_owned()).unwrap_or_default();
        new_value(given, types).map_err(|refused| refused.failure(&key(), first))
    }

    fn put_in(
        &mut self,
        key: &JsValue,
        value: &JsValue,
        given: Option<GivenType>,
        position: Option<f64>,
    ) -> Result<(), JsValue> {
        let key = name(key)?;
        let value = value_of(&key, value, given_types(given)?)?;
        let position = position.map(whole).transpose()?;
        let made = self.edit.add_new(position.map(|position| position as usize), &key, value);
        self.made(made)
    }

    fn splice(&mut self, place: &JsValue, start: f64, end: f64, values: Option<&JsValue>) -> Result<(), JsValue> {
        let at = self.find(place)?;
        let elements = whole(start)?..whole(end)?;
        let new_value = |values| self.new_value(at, values, self.types(at), elements.start);
        let inserted = values.map(new_value).transpose()?;
        let made = self.edit.splice(EntrySelector::Index(at), elements, inserted);
        self.made(made)
    }

    /// An undone step, which `edit` would make next.
    fn step_record(&self, edit: &Edit, step: &HistoryStep) -> JsValue {
        let file = &self.opened.file;
        match step {
            HistoryStep::Make(made) => change_record::record(file, edit, made),
            HistoryStep::Revert { position, .. } => {
                let before = first_changes(edit, *position);
                let reverted = edit.changes().get(*position);
                reverted.map_or(JsValue::UNDEFINED, |reverted| change_record::revert_record(file, &before, reverted))
            }
        }
    }

    /// The step that would be redone next.
    fn next_record(&self) -> JsValue {
        self.edit.undone().last().map_or(JsValue::UNDEFINED, |step| self.step_record(&self.edit, step))
    }
}

/// An edit that has made the first `count` changes of another.
fn first_changes(edit: &Edit, count: usize) -> Edit {
    let mut first = Edit::new(edit.header().clone());
    for made in edit.changes().iter().take(count) {
        first.make(made.clone());
    }
    first
}

pub(crate) fn types_of(value_type: ValueType, array: Option<(ValueType, u64)>) -> Types {
    [value_type].into_iter().chain(array.map(|(element_type, _)| element_type)).collect()
}

/// The types that a caller names, if any are named.
pub(crate) fn given_types(given: Option<GivenType>) -> Result<Types, JsValue> {
    given.map_or(Ok(Types::new()), |given| types(&given))
}

/// A key or a name, as text or as bytes.
pub(crate) fn name(given: &JsValue) -> Result<Vec<u8>, JsValue> {
    text_bytes(given).ok_or_else(|| failure(Code::InvalidArgument, "a key or name is text, or its bytes"))
}

/// The position of an entry or a tensor, of which `unknown` says that there is none.
fn index(given: &JsValue, unknown: ErrorCode) -> Result<usize, JsValue> {
    let index = given.as_f64().filter(|index| *index as usize as f64 == *index);
    let message = "neither a key or name nor a position: a whole number from 0 on";
    index.map(|index| index as usize).ok_or_else(|| failure(unknown, message))
}

/// A position or an index, if it can be one.
pub(crate) fn whole(number: f64) -> Result<u64, JsValue> {
    if is_position(number) {
        return Ok(number as u64);
    }
    Err(failure(ErrorCode::OutOfRange, "a position or an extent is a whole number from 0 on"))
}
