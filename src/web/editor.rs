//! `Editor`: changes to a file's header.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;

use js_sys::{Array as JsArray, Map, Object};
use wasm_bindgen::prelude::*;

use super::edit_plan::EditPlan;
use super::error::{Code, edit_failure, failure};
use super::js::{self, Record};
use super::listing::Listing;
use super::new_value::{GivenType, GivenValue, Types, new_value, text_bytes, type_name, types, types_of};
use super::opened::Opened;
use super::source::POSITION_END;
use super::value;
use crate::edit::{Edit, EntryAt, TensorAt};
use crate::format::Endian;
use crate::input::{EditErrorKind, NewValue};
use crate::value::{Value, ValueType};

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

/** One change to a file. */
export interface Change {
  readonly kind:
    | "set"
    | "add"
    | "remove"
    | "rename"
    | "retype"
    | "move"
    | "set-element"
    | "insert-elements"
    | "remove-elements"
    | "rename-tensor"
    | "remove-tensor"
    | "repack"
    | "version"
    | "byte-order";
  /** The entry's key before the change. */
  readonly key?: string;
  /** The tensor's name before the change. */
  readonly tensor?: string;
  /** The first element that is changed, or the position that an entry is added or moved to. */
  readonly index?: number;
  /** How many elements are put in or taken out. */
  readonly count?: number;
  /** What was there: a value, a key, a name, a version. Not there for an array some of whose elements had been changed. */
  readonly from?: MetadataValue;
  /** What is there now. */
  readonly to?: MetadataValue;
  /** The type of the value that was there. */
  readonly fromType?: NewType;
  /** The type of the value that is there now. */
  readonly toType?: NewType;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "string | number")]
    pub type GivenPlace;
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
    edit: RefCell<Edit>,
    /// One object for each change.
    changes: RefCell<Vec<JsValue>>,
    /// Those of the changes that were taken back, the last one first to be made again.
    undone: RefCell<Vec<JsValue>>,
    /// The changed header, once it has been looked at.
    listing: RefCell<Option<Rc<Listing>>>,
}

#[wasm_bindgen]
impl Editor {
    /// The metadata as it will be, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly EditedEntry[]")]
    pub fn entries(&self) -> Result<JsArray, JsValue> {
        let edit = self.edit.borrow();
        self.listing()?.entries_with(&mut |index| edit.entry(index)?.origin())
    }

    /// The tensors as they will be, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly EditedTensor[]")]
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        let edit = self.edit.borrow();
        self.listing()?.tensors_with(&mut |index| edit.tensor_origin(index))
    }

    /// The metadata as it will be, by its keys.
    #[wasm_bindgen(getter, unchecked_return_type = "ReadonlyMap<string, MetadataValue>")]
    pub fn metadata(&self) -> Result<Map, JsValue> {
        self.entries()?;
        self.listing()?.metadata()
    }

    /// Gives an entry another value. Without a type it keeps its own. A key that is not there is added at the end, as the
    /// type that is known of it, or as one that suits the value.
    ///
    /// @throws {GgufError} `does-not-fit`, `bad-alignment`, `bad-key`, `unknown-key` for a position.
    /// @example
    /// editor.set("general.name", "My model");
    /// editor.set("tokenizer.chat_template", template);
    /// editor.set("llama.rope.freq_base", 500000, "FLOAT32");
    pub fn set(&self, entry: GivenPlace, value: GivenValue, r#type: Option<GivenType>) -> Result<(), JsValue> {
        let types = given_types(r#type)?;
        let Some(at) = self.find_if_any(&entry)? else {
            return self.put_in(&entry, &value, types, None);
        };
        let value = new_value(&self.key(at), &value, Some(&types.unwrap_or_else(|| self.types(at))))?;
        let record = self.of_entry("set", at)?;
        self.edit.borrow_mut().set_new(EntryAt::Index(at), value)?;
        self.done(self.with_new(record, at)?);
        Ok(())
    }

    /// Adds an entry before the one at `position`, or at the end.
    ///
    /// @throws {GgufError} `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `out-of-range`, `limit-exceeded`.
    /// @example
    /// editor.add("general.license", "apache-2.0");
    /// editor.add("my.scores", [0.5, 1], "FLOAT32[]", 0);
    pub fn add(
        &self,
        key: GivenName,
        value: GivenValue,
        r#type: Option<GivenType>,
        position: Option<f64>,
    ) -> Result<(), JsValue> {
        self.put_in(&key, &value, given_types(r#type)?, position)
    }

    /// Removes an entry.
    ///
    /// @throws {GgufError} `unknown-key`.
    pub fn remove(&self, entry: GivenPlace) -> Result<(), JsValue> {
        let at = self.find(&entry)?;
        let record = self.of_entry("remove", at)?;
        self.edit.borrow_mut().remove(at)?;
        self.done(record);
        Ok(())
    }

    /// Gives an entry another key.
    ///
    /// @throws {GgufError} `unknown-key`, `key-taken`, `bad-key`, `bad-alignment`.
    /// @example
    /// editor.rename("llama.context_lenght", "llama.context_length");
    pub fn rename(&self, entry: GivenPlace, key: GivenName) -> Result<(), JsValue> {
        let at = self.find(&entry)?;
        let name = name(&key)?;
        let record = record("rename", "key", &self.key(at)).text("from", &self.key(at)).text("to", &lossy(&name));
        self.edit.borrow_mut().rename(at, &name)?;
        self.done(record);
        Ok(())
    }

    /// Gives an entry the same value as another type: integers exactly, floats to the nearest.
    ///
    /// @throws {GgufError} `unknown-key`, `does-not-fit`, `bad-alignment`.
    /// @example
    /// editor.retype("llama.context_length", "UINT32");
    pub fn retype(&self, entry: GivenPlace, r#type: GivenType) -> Result<(), JsValue> {
        let (at, types) = (self.find(&entry)?, types(&r#type)?);
        let record = self.of_entry("retype", at)?;
        self.edit.borrow_mut().retype(at, &types)?;
        self.done(self.with_new(record, at)?);
        Ok(())
    }

    /// Moves an entry, so that it then has the position.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`.
    #[wasm_bindgen(js_name = "move")]
    pub fn move_to(&self, entry: GivenPlace, position: f64) -> Result<(), JsValue> {
        let (at, position) = (self.find(&entry)?, whole(position)?);
        let record = record("move", "key", &self.key(at)).number("index", position as f64);
        let record = record.number("from", at as f64).number("to", position as f64);
        self.edit.borrow_mut().move_to(at, position as usize)?;
        self.done(record);
        Ok(())
    }

    /// Gives an element of an array another value; the others are not touched.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit`.
    /// @example
    /// editor.setElement("tokenizer.ggml.tokens", 128011, "<|tool|>");
    #[wasm_bindgen(js_name = setElement)]
    pub fn set_element(&self, entry: GivenPlace, index: f64, value: GivenValue) -> Result<(), JsValue> {
        let index = whole(index)?;
        let values = JsArray::of1(&value);
        self.splice("set-element", &entry, index..index + 1, Some(&values))
    }

    /// Puts values in before the element at `index`, or at the end.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit`, `limit-exceeded`.
    /// @example
    /// editor.insertElements("general.tags", 0, ["text-generation"]);
    #[wasm_bindgen(js_name = insertElements)]
    pub fn insert_elements(&self, entry: GivenPlace, index: f64, values: GivenValue) -> Result<(), JsValue> {
        let index = whole(index)?;
        self.splice("insert-elements", &entry, index..index, Some(&values))
    }

    /// Takes the elements from `start` to before `end` out of an array; one if there is no `end`.
    ///
    /// @throws {GgufError} `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array.
    #[wasm_bindgen(js_name = removeElements)]
    pub fn remove_elements(&self, entry: GivenPlace, start: f64, end: Option<f64>) -> Result<(), JsValue> {
        let start = whole(start)?;
        let end = end.map_or(Ok(start + 1), whole)?;
        self.splice("remove-elements", &entry, start..end, None)
    }

    /// Gives a tensor another name.
    ///
    /// @throws {GgufError} `unknown-tensor`, `name-taken`, `bad-name`.
    #[wasm_bindgen(js_name = renameTensor)]
    pub fn rename_tensor(&self, tensor: GivenPlace, name: GivenName) -> Result<(), JsValue> {
        let (at, to) = (self.find_tensor(&tensor)?, self::name(&name)?);
        let from = self.tensor_name(at);
        self.edit.borrow_mut().rename_tensor(at, &to)?;
        self.done(record("rename-tensor", "tensor", &from).text("from", &from).text("to", &lossy(&to)));
        Ok(())
    }

    /// Removes a tensor and its data.
    ///
    /// @throws {GgufError} `unknown-tensor`.
    #[wasm_bindgen(js_name = removeTensor)]
    pub fn remove_tensor(&self, tensor: GivenPlace) -> Result<(), JsValue> {
        let at = self.find_tensor(&tensor)?;
        let name = self.tensor_name(at);
        self.edit.borrow_mut().remove_tensor(at)?;
        self.done(record("remove-tensor", "tensor", &name));
        Ok(())
    }

    /// Places the tensors' data without gaps and in the order of the list, as llama.cpp demands it.
    pub fn repack(&self) {
        self.edit.borrow_mut().repack();
        self.done(Record::new().text("kind", "repack"));
    }

    /// What the tensors' data is aligned to, in bytes. Another one places all data anew.
    #[wasm_bindgen(getter)]
    pub fn alignment(&self) -> f64 {
        self.edit.borrow().alignment() as f64
    }

    /// @throws {GgufError} `bad-alignment` unless it is a power of two from 8 on.
    #[wasm_bindgen(setter)]
    pub fn set_alignment(&self, alignment: f64) -> Result<(), JsValue> {
        let key = JsValue::from_str("general.alignment").unchecked_into();
        let value = JsValue::from_f64(alignment).unchecked_into();
        self.set(key, value, Some(JsValue::from_str(ValueType::Uint32.name()).unchecked_into()))
    }

    /// The version of the format. Only 3 can be set.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> u32 {
        self.edit.borrow().format().version
    }

    /// @throws {GgufError} `unsupported-version` unless it is 3, or what it is.
    #[wasm_bindgen(setter)]
    pub fn set_version(&self, version: f64) -> Result<(), JsValue> {
        let before = self.version();
        self.edit.borrow_mut().set_version(version as u32)?;
        if self.version() != before {
            self.done(record("version", "", "").number("from", before.into()).number("to", version));
        }
        Ok(())
    }

    /// The byte order of every number in the file, the tensors' data included.
    #[wasm_bindgen(getter, js_name = byteOrder, unchecked_return_type = "\"little-endian\" | \"big-endian\"")]
    pub fn byte_order(&self) -> JsValue {
        byte_order_name(self.edit.borrow().format().endian).into()
    }

    /// @throws {GgufError} `invalid-argument` if it is neither.
    #[wasm_bindgen(setter, js_name = byteOrder)]
    pub fn set_byte_order(&self, order: GivenByteOrder) -> Result<(), JsValue> {
        let endian = byte_order(&order)?;
        let before = self.edit.borrow().format().endian;
        self.edit.borrow_mut().set_byte_order(endian);
        if endian != before {
            self.done(
                record("byte-order", "", "").text("from", byte_order_name(before)).text("to", byte_order_name(endian)),
            );
        }
        Ok(())
    }

    /// The changes, the first one first.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Change[]")]
    pub fn changes(&self) -> JsArray {
        self.changes.borrow().iter().collect()
    }

    /// The changes that were taken back and can be made again, the next one last.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Change[]")]
    pub fn undone(&self) -> JsArray {
        self.undone.borrow().iter().collect()
    }

    /// Takes the last change back, and says which; `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "Change | undefined")]
    pub fn undo(&self) -> JsValue {
        self.edit.borrow_mut().undo();
        self.listing.take();
        moved(&self.changes, &self.undone)
    }

    /// Makes the change again that was taken back last, and says which; `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "Change | undefined")]
    pub fn redo(&self) -> JsValue {
        self.edit.borrow_mut().redo();
        self.listing.take();
        moved(&self.undone, &self.changes)
    }

    /// Plans the changed file. Nothing is read or written; what is changed later is not in the plan.
    ///
    /// @throws {GgufError} `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    /// @example
    /// const plan = editor.plan();
    /// console.log(plan.inPlace ? plan.patches() : plan.size);
    pub fn plan(&self) -> Result<EditPlan, JsValue> {
        let plan = self.edit.borrow().plan(self.opened.file_size.get())?;
        Ok(EditPlan::new(self.opened.clone(), plan))
    }
}

impl Editor {
    pub(super) fn new(opened: Rc<Opened>) -> Self {
        Self {
            edit: RefCell::new(Edit::new(opened.file.header().clone())),
            opened,
            changes: RefCell::default(),
            undone: RefCell::default(),
            listing: RefCell::default(),
        }
    }

    /// The changed header as lists.
    fn listing(&self) -> Result<Rc<Listing>, JsValue> {
        if let Some(listing) = &*self.listing.borrow() {
            return Ok(listing.clone());
        }
        let edit = self.edit.borrow();
        let file = if edit.changes().is_empty() {
            self.opened.file.clone()
        } else {
            let plan = edit.plan_header(self.opened.file_size.get())?;
            Rc::new(self.opened.file.with(self.opened.header_of(&plan)?))
        };
        let listing = Rc::new(Listing::new(file));
        self.listing.replace(Some(listing.clone()));
        Ok(listing)
    }

    /// The position of the entry that is meant; nothing if it is a key that is not there.
    fn find_if_any(&self, place: &JsValue) -> Result<Option<usize>, JsValue> {
        let edit = self.edit.borrow();
        let Some(key) = place.as_string() else {
            return Ok(Some(edit.find(EntryAt::Index(index(place)?))?));
        };
        let found = edit.find(EntryAt::Key(key.as_bytes())).ok();
        let is_shown_so = |at: &usize| edit.entry(*at).is_some_and(|entry| lossy(&entry.key()) == key);
        Ok(found.or_else(|| if value::stands_in(&key) { (0..edit.entry_count()).find(is_shown_so) } else { None }))
    }

    fn find(&self, place: &JsValue) -> Result<usize, JsValue> {
        match self.find_if_any(place)? {
            Some(at) => Ok(at),
            None => Ok(self.edit.borrow().find(EntryAt::Key(place.as_string().unwrap_or_default().as_bytes()))?),
        }
    }

    fn find_tensor(&self, place: &JsValue) -> Result<usize, JsValue> {
        let edit = self.edit.borrow();
        let Some(name) = place.as_string() else {
            return Ok(edit.find_tensor(TensorAt::Index(index(place)?))?);
        };
        let found = edit.find_tensor(TensorAt::Name(name.as_bytes()));
        let is_shown_so = |at: &usize| lossy(&edit.tensor_name(*at).unwrap_or_default()) == name;
        match found {
            Err(_) if value::stands_in(&name) => (0..edit.tensor_count()).find(is_shown_so).map_or(Ok(found?), Ok),
            found => Ok(found?),
        }
    }

    /// The key of an entry, as text.
    fn key(&self, at: usize) -> String {
        self.edit.borrow().entry(at).map(|entry| lossy(&entry.key())).unwrap_or_default()
    }

    /// The name of a tensor, as text.
    fn tensor_name(&self, at: usize) -> String {
        lossy(&self.edit.borrow().tensor_name(at).unwrap_or_default())
    }

    /// The type of an entry's value, and of its elements.
    fn types(&self, at: usize) -> Types {
        let edit = self.edit.borrow();
        let Some(entry) = edit.entry(at) else { return Types::new() };
        types_of(entry.value_type(), entry.array().map(|(element_type, _)| element_type))
    }

    fn put_in(
        &self,
        key: &JsValue,
        value: &JsValue,
        types: Option<Types>,
        position: Option<f64>,
    ) -> Result<(), JsValue> {
        let key = name(key)?;
        let value = new_value(&lossy(&key), value, types.as_deref())?;
        let position = position.map(whole).transpose()?.map(|position| position as usize);
        let at = position.unwrap_or_else(|| self.edit.borrow().entry_count());
        self.edit.borrow_mut().add_new(position, &key, value)?;
        let record = record("add", "key", &lossy(&key)).number("index", at as f64);
        self.done(self.with_new(record, at)?);
        Ok(())
    }

    fn splice(
        &self,
        kind: &str,
        place: &JsValue,
        elements: Range<u64>,
        values: Option<&JsValue>,
    ) -> Result<(), JsValue> {
        let at = self.find(place)?;
        let (key, types) = (self.key(at), self.types(at));
        let inserted = values.map(|values| new_value(&key, values, Some(&types))).transpose()?;
        let is_one = kind == "set-element";
        let before = self.element(at, elements.start);
        let count = match inserted.as_ref().and_then(|values| values.value().as_array()) {
            Some(values) => values.len(),
            None => elements.end.saturating_sub(elements.start),
        };
        let first = elements.start;
        self.edit.borrow_mut().splice(EntryAt::Index(at), elements, inserted)?;
        let record = record(kind, "key", &key).number("index", first as f64);
        self.done(if is_one {
            record.value("from", &before?).value("to", &self.element(at, first)?)
        } else {
            record.number("count", count as f64)
        });
        Ok(())
    }

    /// A record of what is done to an entry: with the value that it has.
    fn of_entry(&self, kind: &str, at: usize) -> Result<Record, JsValue> {
        let record = record(kind, "key", &self.key(at));
        self.with_value(record, at, "from", "fromType")
    }

    /// Adds the value that an entry has now.
    fn with_new(&self, record: Record, at: usize) -> Result<Record, JsValue> {
        self.with_value(record, at, "to", "toType")
    }

    fn with_value(&self, record: Record, at: usize, value: &str, value_type: &str) -> Result<Record, JsValue> {
        let edit = self.edit.borrow();
        let Some(entry) = edit.entry(at) else { return Ok(record) };
        let element_type = entry.array().map(|(element_type, _)| element_type);
        let shown = match entry.value() {
            Some(value) => self.shown(value, entry.new_value())?,
            None => JsValue::UNDEFINED,
        };
        Ok(record.value(value, &shown).text(value_type, &type_name(entry.value_type(), element_type)))
    }

    /// A value, of the file as it is or a new one.
    fn shown(&self, value: Value<'_>, new: Option<&NewValue>) -> Result<JsValue, JsValue> {
        let file = &self.opened.file;
        match new {
            Some(new) => value::to_js(&Rc::new(file.with(new.header().clone())), value),
            None => value::to_js(file, value),
        }
    }

    /// An element of an array; `undefined` if it is an array itself.
    fn element(&self, at: usize, index: u64) -> Result<JsValue, JsValue> {
        let edit = self.edit.borrow();
        let element = edit.entry(at).and_then(|entry| entry.element(index));
        match element.filter(|element| element.value_type() != ValueType::Array) {
            Some(element) => self.shown(element, None),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Records a change that has been made.
    fn done(&self, record: Record) {
        let record = record.done();
        Object::freeze(record.unchecked_ref::<Object>());
        self.changes.borrow_mut().push(record);
        self.undone.borrow_mut().clear();
        self.listing.take();
    }
}

/// A record of what is done to an entry or a tensor.
fn record(kind: &str, of: &str, name: &str) -> Record {
    let record = Record::new().text("kind", kind);
    if of.is_empty() { record } else { record.text(of, name) }
}

/// Moves the last record from one list to the other.
fn moved(from: &RefCell<Vec<JsValue>>, to: &RefCell<Vec<JsValue>>) -> JsValue {
    let Some(record) = from.borrow_mut().pop() else { return JsValue::UNDEFINED };
    to.borrow_mut().push(record.clone());
    record
}

pub(super) fn given_types(given: Option<GivenType>) -> Result<Option<Types>, JsValue> {
    given.map(|given| types(&given)).transpose()
}

/// A key or a name, as text or as bytes.
pub(super) fn name(given: &JsValue) -> Result<Vec<u8>, JsValue> {
    text_bytes(given).ok_or_else(|| failure(Code::InvalidArgument, "a key or name is text, or its bytes"))
}

fn index(given: &JsValue) -> Result<usize, JsValue> {
    given.as_f64().map_or_else(|| whole(f64::NAN), whole).map(|index| index as usize)
}

/// A position or an index, if it can be one.
pub(super) fn whole(number: f64) -> Result<u64, JsValue> {
    if number >= 0.0 && number < POSITION_END as f64 && js::is_whole(number) {
        return Ok(number as u64);
    }
    Err(edit_failure(EditErrorKind::OutOfRange, "a position is a whole number from 0 on"))
}

/// The byte order that a caller names.
pub(super) fn byte_order(given: &JsValue) -> Result<Endian, JsValue> {
    let name = given.as_string().unwrap_or_default();
    let named = [Endian::Little, Endian::Big].into_iter().find(|endian| byte_order_name(*endian) == name);
    named.ok_or_else(|| failure(Code::InvalidArgument, "a byte order is \"little-endian\" or \"big-endian\""))
}

pub(super) fn byte_order_name(endian: Endian) -> &'static str {
    match endian {
        Endian::Little => "little-endian",
        Endian::Big => "big-endian",
    }
}

pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
