//! The entries and tensors of the edited header as JavaScript lists.
//!
//! The lists are made from the edited state and the planned header, without encoding the whole header and decoding it again.
//! Each list is made once, and again after a change.

use alloc::rc::Rc;
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, Js, JsArray, Map, Uint8Array, exact, frozen, frozen_list, once, set_member, to_open_js};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::listing::{EntryObject, Listing, MetadataEntry, described_entry, metadata_of, not_a_string};
use crate::reader::shared_header::SharedHeader;
use crate::reader::tensor_info::TensorInfo as TensorObject;
use crate::reader::{array, text};
use gguf_format::decode::decoder::decode_known;
use gguf_format::edit::{Edit, EditState, EditedKv, EditedTensor, HeaderPlan, RemovedKv};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::value::{Value, ValueType};
use gguf_format::write::encode::Encoder;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** An entry of the edited file. Its `index` and `offset` are those in the edited file. */
export interface EditedEntry extends MetadataEntry {
  /**
   * Identifies the entry. It stays the same when the entry is changed, renamed or moved, and when changes are undone, redone
   * or reverted.
   */
  readonly id: number;
  /** `changed`: one of the `changes` has set the value or the key, or has moved the entry. */
  readonly state: "unchanged" | "changed" | "added";
  /** The position in the original file. Not present if the entry was added. */
  readonly origin?: number;
  /** The entry in the original file. Only present if `state` is `changed`. */
  readonly original?: MetadataEntry;
}

/** An entry of the original file that was removed. Its `index` and `offset` are those in the original file. */
export interface RemovedEntry extends MetadataEntry {
  /** Identifies the entry: the `id` that it had in `entries`. */
  readonly id: number;
  readonly state: "removed";
  /**
   * The position in `entries` where the entry would be: after the nearest entry that preceded it in the original file and is
   * not removed.
   */
  readonly position: number;
}

/** A tensor of the edited file. Its `index`, `offset` and `fileOffset` are those in the edited file. */
export interface EditedTensor extends TensorInfo {
  /** Identifies the tensor. It stays the same when tensors are renamed or removed, and when changes are undone or reverted. */
  readonly id: number;
  /** `changed`: one of the `changes` has renamed the tensor. */
  readonly state: "unchanged" | "changed";
  /** The position in the original file. */
  readonly origin: number;
  /** The tensor in the original file. Only present if `state` is `changed`. */
  readonly original?: TensorInfo;
}

/** A tensor of the original file that was removed. Its `index` and offsets are those in the original file. */
export interface RemovedTensor extends TensorInfo {
  /** Identifies the tensor: the `id` that it had in `tensors`. */
  readonly id: number;
  readonly state: "removed";
}
"#;

pub(super) struct EditedListing {
    /// The original header.
    header: Rc<DecodedHeader>,
    originals: Rc<Listing>,
    pub plan: HeaderPlan,
    entries: OnceCell<JsArray>,
    removed_entries: OnceCell<JsArray>,
    tensors: OnceCell<JsArray>,
    removed_tensors: OnceCell<JsArray>,
    metadata: OnceCell<Map>,
    /// The edited header, decoded for the checks.
    decoded: OnceCell<Rc<DecodedHeader>>,
}

impl EditedListing {
    pub fn new(header: Rc<DecodedHeader>, originals: Rc<Listing>, plan: HeaderPlan) -> Self {
        Self {
            header,
            originals,
            plan,
            entries: OnceCell::new(),
            removed_entries: OnceCell::new(),
            tensors: OnceCell::new(),
            removed_tensors: OnceCell::new(),
            metadata: OnceCell::new(),
            decoded: OnceCell::new(),
        }
    }

    pub fn entries(&self, edit: &Edit) -> Result<JsArray, Thrown> {
        frozen_objects(&self.entries, || {
            edit.entries().enumerate().map(|(position, entry)| self.entry(edit, position, entry)).collect()
        })
    }

    pub fn removed_entries(&self, edit: &Edit) -> Result<JsArray, Thrown> {
        frozen_objects(&self.removed_entries, || {
            let object = |removed: &RemovedKv<'_>| {
                let object = self.originals.entry_object(removed.original())?;
                set_members_of_removed(&object, removed.id().0);
                set_member(&object, "position", &(removed.position() as f64).into());
                Ok(object)
            };
            edit.removed_entries().iter().map(object).collect()
        })
    }

    pub fn tensors(&self, edit: &Edit) -> Result<JsArray, Thrown> {
        frozen_objects(&self.tensors, || {
            edit.tensors().enumerate().map(|(position, tensor)| self.tensor(position, tensor)).collect()
        })
    }

    pub fn removed_tensors(&self, edit: &Edit) -> Result<JsArray, Thrown> {
        frozen_objects(&self.removed_tensors, || {
            let object = |tensor: TensorInfo<'_>| {
                let object = to_open_js(&TensorObject::new(&self.header.decoder, &tensor)?);
                set_members_of_removed(&object, tensor.index());
                Ok(object)
            };
            edit.removed_tensors().map(object).collect()
        })
    }

    /// The values by their keys. If several entries have the same key, the first one counts.
    pub fn metadata(&self, edit: &Edit) -> Result<Map, Thrown> {
        once(&self.metadata, || Ok(metadata_of(&self.entries(edit)?)))
    }

    pub fn key_bytes(&self, edit: &Edit, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        let (_, entry) = self.find(edit, entry)?;
        Ok(Bytes::copy_of(&entry.key())?.unchecked_into())
    }

    pub fn value_bytes(&self, edit: &Edit, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        let (position, _) = self.find(edit, entry)?;
        let range = self.plan.value_range(position).unwrap_or_default();
        let length = range.end - range.start;
        Ok(Bytes::joined(length, self.plan.header_pieces(range))?.unchecked_into())
    }

    pub fn string_bytes(&self, edit: &Edit, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        let (_, entry) = self.find(edit, entry)?;
        match entry.value() {
            Some(Value::String(text)) => Ok(Bytes::copy_of(&text.to_bytes())?.unchecked_into()),
            _ => Err(not_a_string(entry.value_type())),
        }
    }

    /// The edited header, encoded and decoded. Only the checks need it.
    pub fn decoded(&self) -> Result<&Rc<DecodedHeader>, Thrown> {
        if let Some(decoded) = self.decoded.get() {
            return Ok(decoded);
        }
        let decoded = decode_plan(&self.header, &self.plan)?;
        Ok(self.decoded.get_or_init(|| decoded))
    }

    fn entry(&self, edit: &Edit, position: usize, entry: EditedKv<'_>) -> Result<JsValue, Thrown> {
        let range = self.plan.value_range(position).unwrap_or_default();
        let array = entry.array();
        let object = to_open_js(&MetadataEntry {
            index: position as u32,
            key: Js(text::text(&self.header.decoder, &entry.key())?),
            r#type: entry.value_type().name(),
            element_type: array.map(|(element_type, _)| element_type.name()),
            length: array.map(|(_, length)| length as f64),
            value: Js(self.value(edit, position, entry)?),
            offset: range.start as f64,
            byte_length: (range.end - range.start) as f64,
        });
        set_member(&object, "id", &(entry.id().0 as f64).into());
        set_member(&object, "state", &entry.state().name().into());
        if let Some(origin) = entry.origin() {
            set_member(&object, "origin", &(origin as f64).into());
        }
        if let Some(original) = entry.original().filter(|_| entry.state() == EditState::Changed) {
            set_member(&object, "original", &frozen(self.originals.entry_object(original)?));
        }
        Ok(object)
    }

    /// The value of an entry. An unchanged value belongs to the original header. A new value is stored with its entry. A new
    /// or edited array is decoded from the planned header, which makes an index of its elements.
    fn value(&self, edit: &Edit, position: usize, entry: EditedKv<'_>) -> Result<JsValue, Thrown> {
        let original = entry.original().filter(|_| entry.has_original_value());
        if let Some(original) = original {
            return array::to_js(self.originals.shared(), original.value());
        }
        match entry.value() {
            Some(value) if value.value_type() != ValueType::Array => array::to_js(self.originals.shared(), value),
            _ => {
                let header = Rc::new(self.header.with_header(self.decode_array(edit, position)?.into()));
                let shared = SharedHeader::new(header.clone());
                let value = header.metadata_at(0).map(|entry| entry.value());
                value.map_or(Ok(JsValue::UNDEFINED), |value| array::to_js(&shared, value))
            }
        }
    }

    /// A header whose only entry has the array of an entry.
    fn decode_array(&self, edit: &Edit, position: usize) -> Result<Header, Thrown> {
        let mut before = Encoder::new(edit.format());
        before.header(0, 1).key(b"", ValueType::Array.id());
        let range = self.plan.value_range(position).unwrap_or_default();
        let size = before.len() + (range.end - range.start);
        let pieces = self.plan.header_pieces(range);
        Ok(decode_known(size, &mut core::iter::once(before.as_bytes()).chain(pieces))?)
    }

    fn tensor(&self, position: usize, tensor: EditedTensor<'_>) -> Result<JsValue, Thrown> {
        let offset = self.plan.tensor_offset(position).unwrap_or_default();
        let is_changed = tensor.state() == EditState::Changed;
        let mut info = TensorObject::new(&self.header.decoder, &tensor.original())?;
        info.index = position as u32;
        if is_changed {
            info.name = Js(text::text(&self.header.decoder, &tensor.name())?);
        }
        info.offset = offset as f64;
        info.file_offset = self.plan.data_offset().checked_add(offset).and_then(exact);
        let object = to_open_js(&info);
        set_member(&object, "id", &(tensor.id().0 as f64).into());
        set_member(&object, "state", &tensor.state().name().into());
        set_member(&object, "origin", &(tensor.origin() as f64).into());
        if is_changed {
            set_member(
                &object,
                "original",
                &frozen(to_open_js(&TensorObject::new(&self.header.decoder, &tensor.original())?)),
            );
        }
        Ok(object)
    }

    /// The entry that an object of `entries`, or a copy of one, describes, and its index.
    fn find<'a>(&self, edit: &'a Edit, given: &EntryObject) -> Result<(usize, EditedKv<'a>), Thrown> {
        let key_of = |entry: &EditedKv<'_>| text::text(&self.header.decoder, &entry.key());
        described_entry(given, |index| edit.entry(index), key_of)
    }
}

/// The header of a plan, encoded and decoded.
pub(in crate::edit) fn decode_plan(original: &DecodedHeader, plan: &HeaderPlan) -> Result<Rc<DecodedHeader>, Thrown> {
    let size = plan.header_size();
    let header = decode_known(size, &mut plan.header_pieces(0..size))?;
    Ok(Rc::new(original.with_header(header.into())))
}

/// The list in a cell. If the cell is empty, the list is made first, and frozen with its objects.
fn frozen_objects(cell: &OnceCell<JsArray>, make: impl FnOnce() -> Result<JsArray, Thrown>) -> Result<JsArray, Thrown> {
    once(cell, || {
        let list = make()?;
        list.iter().for_each(|object| _ = frozen(object));
        Ok(frozen_list(list))
    })
}

/// Sets the members that every removed entry and tensor has.
fn set_members_of_removed(object: &JsValue, id: usize) {
    set_member(object, "id", &(id as f64).into());
    set_member(object, "state", &EditState::Removed.name().into());
}
