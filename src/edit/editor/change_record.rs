//! A change as a JavaScript object.

use alloc::{rc::Rc, string::String};

use wasm_bindgen::prelude::*;

use crate::edit::given_value::types::type_name;
use crate::interop::{Js, JsArray, JsString, declare_types, plain_object, to_js};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::shared_header::SharedHeader;
use crate::reader::{array, text};
use gguf_format::edit::{Change as MadeChange, ChangeId, ChangeKind, Edit, EditedKv, RecordedChange};
use gguf_format::format::value::{Value, ValueType};
use gguf_format::write::new_value::NewValue;

declare_types!(ChangeKind);

plain_object! {
    /// A change to a file, or the revert of one.
    struct Change {
        /// Identifies the change. It stays the same when other changes are undone or reverted, and no change of another editor
        /// has it. A revert has the id of the reverted change.
        pub id: f64,
        pub kind: ChangeKind,
        /// The key of the changed entry before the change, or the key of the added entry.
        pub key: Option<Js<JsString>>,
        /// The id of the changed or added entry: the `id` of an object of `entries` or `removedEntries`.
        pub entry_id: Option<f64>,
        /// The name of the changed tensor before the change.
        pub tensor: Option<Js<JsString>>,
        /// The id of the changed tensor: the `id` of an object of `tensors` or `removedTensors`.
        pub tensor_id: Option<f64>,
        /// The index of the first changed element, or the position that an entry is added at or moved to.
        pub index: Option<f64>,
        /// The number of inserted or removed elements.
        pub count: Option<f64>,
        /// The value, key, name, position, version or byte order before the change. Not present if it is an array of which
        /// other changes had changed elements, or if it is too large for a JavaScript string.
        #[typescript("MetadataValue")]
        pub from: Option<Js<JsValue>>,
        /// The value, key, name, position, version or byte order after the change.
        #[typescript("MetadataValue")]
        pub to: Option<Js<JsValue>>,
        /// The type of the value before the change.
        #[typescript("NewType")]
        pub from_type: Option<String>,
        /// The type of the value after the change.
        #[typescript("NewType")]
        pub to_type: Option<String>,
        /// The reverted change, if the kind is `revert`. A revert is in `undone` and the result of `undo` and `redo`, but never
        /// in `changes`.
        #[typescript("Change")]
        pub reverted: Option<Js<JsValue>>,
        /// The changes that were made together, if the kind is `apply`: see `Editor.apply`. Such a step is in `undone` and the
        /// result of `undo` and `redo`. In `changes` are the changes themselves.
        #[typescript("readonly Change[]")]
        pub changes: Option<Js<JsArray>>,
    }
}

impl Change {
    fn new(id: ChangeId, kind: ChangeKind) -> Self {
        Self {
            id: id.0 as f64,
            kind,
            key: None,
            entry_id: None,
            tensor: None,
            tensor_id: None,
            index: None,
            count: None,
            from: None,
            to: None,
            from_type: None,
            to_type: None,
            reverted: None,
            changes: None,
        }
    }
}

/// The object of the revert of a change. `before` has made all changes before the reverted one.
pub(super) fn revert_record(header: &Rc<DecodedHeader>, before: &Edit, reverted: &RecordedChange) -> JsValue {
    let mut record = Change::new(reverted.id, ChangeKind::Revert);
    record.reverted = Some(Js(change_record(header, before, reverted)));
    to_js(&record)
}

/// The object of changes that are made together. `edit` has made all changes before them.
pub(super) fn apply_record(header: &Rc<DecodedHeader>, edit: &Edit, changes: &[RecordedChange]) -> JsValue {
    let [first, others @ ..] = changes else { return JsValue::UNDEFINED };
    if others.is_empty() {
        return change_record(header, edit, first);
    }
    let mut before = edit.with_first_changes(usize::MAX);
    let records = JsArray::new();
    for made in changes {
        records.push(&change_record(header, &before, made));
        before.make(made.clone());
    }
    let mut record = Change::new(first.id, ChangeKind::Apply);
    record.changes = Some(Js(records));
    to_js(&record)
}

/// The object of a change. `before` has made all changes before it. A text that is too large for a JavaScript string is left
/// out.
pub(super) fn change_record(header: &Rc<DecodedHeader>, before: &Edit, made: &RecordedChange) -> JsValue {
    let change = &made.change;
    let mut record = Change::new(made.id, change.kind());
    let text = |bytes: &[u8]| text::text(&header.decoder, bytes).ok();
    if let Some(tensor) = change.tensor().and_then(|position| before.tensor(position)) {
        record.tensor = text(&tensor.name()).map(Js);
        record.tensor_id = Some(tensor.id().0 as f64);
    }
    let entry = change.entry().and_then(|position| before.entry(position));
    if let Some(entry) = entry {
        record.key = text(&entry.key()).map(Js);
        record.entry_id = Some(entry.id().0 as f64);
    }
    match change {
        MadeChange::Set { value, .. } | MadeChange::Retype { value, .. } => {
            record.set_value_before(header, entry);
            record.set_value_after(header, value, value.value());
        }
        MadeChange::Add { position, key, value } => {
            record.key = text(key).map(Js);
            record.entry_id = Some(before.added_entry(made.id).0 as f64);
            record.index = Some(*position as f64);
            record.set_value_after(header, value, value.value());
        }
        MadeChange::Remove { .. } => record.set_value_before(header, entry),
        MadeChange::Rename { key, .. } => {
            record.from = record.key.as_ref().map(|key| Js(key.0.clone().into()));
            record.to = text(key).map(|key| Js(key.into()));
        }
        MadeChange::Move { entry, position } => {
            record.index = Some(*position as f64);
            record.from = Some(Js((*entry as f64).into()));
            record.to = Some(Js((*position as f64).into()));
        }
        MadeChange::Splice { elements, inserted, .. } => {
            record.index = Some(elements.start as f64);
            let inserted_array = inserted.as_ref().and_then(|inserted| inserted.value().as_array());
            match (inserted, inserted_array) {
                (Some(inserted), Some(array)) if !elements.is_empty() => {
                    record.set_element_before(header, entry, elements.start);
                    if let Some(element) = array.get(0) {
                        record.set_value_after(header, inserted, element);
                    }
                }
                (_, Some(array)) => record.count = Some(array.len() as f64),
                (_, None) => record.count = Some((elements.end - elements.start) as f64),
            }
        }
        MadeChange::RenameTensor { name, .. } => {
            record.from = record.tensor.as_ref().map(|name| Js(name.0.clone().into()));
            record.to = text(name).map(|name| Js(name.into()));
        }
        MadeChange::RemoveTensor { .. } | MadeChange::Repack => {}
        MadeChange::Version(version) => {
            record.from = Some(Js(before.format().version.into()));
            record.to = Some(Js((*version).into()));
        }
        MadeChange::ByteOrder(endian) => {
            record.from = Some(Js(before.format().endian.name().into()));
            record.to = Some(Js(endian.name().into()));
        }
    }
    to_js(&record)
}

impl Change {
    /// Sets the value of the entry before the change, and its type.
    fn set_value_before(&mut self, header: &Rc<DecodedHeader>, entry: Option<EditedKv<'_>>) {
        let Some(entry) = entry else { return };
        self.from_type = Some(type_name(entry.value_type(), entry.array()));
        let Some(value) = entry.value() else { return };
        let owner = match entry.new_value() {
            Some(new) => Rc::new(header.with_header(new.header().clone())),
            None => header.clone(),
        };
        self.from = array::to_js(&SharedHeader::new(owner), value).ok().map(Js);
    }

    /// Sets the element of the entry before the change, and its type. The value of an element that is an array is left out,
    /// because it can belong to any of several headers.
    fn set_element_before(&mut self, header: &Rc<DecodedHeader>, entry: Option<EditedKv<'_>>, index: u64) {
        let Some(element) = entry.and_then(|entry| entry.element(index)) else { return };
        self.from_type = Some(type_name(element.value_type(), None));
        if element.value_type() != ValueType::Array {
            self.from = array::to_js(&SharedHeader::new(header.clone()), element).ok().map(Js);
        }
    }

    /// Sets the value after the change, and its type. `value` is the new value, or an element of it.
    fn set_value_after(&mut self, header: &Rc<DecodedHeader>, new: &NewValue, value: Value<'_>) {
        let array = value.as_array().map(|array| (array.element_type(), array.len()));
        self.to_type = Some(type_name(value.value_type(), array));
        let owner = Rc::new(header.with_header(new.header().clone()));
        self.to = array::to_js(&SharedHeader::new(owner), value).ok().map(Js);
    }
}
