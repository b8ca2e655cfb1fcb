//! The fix of a finding, as a JavaScript object.

use alloc::{borrow::Cow, rc::Rc, string::String, vec::Vec};

use js_sys::{Array as JsArray, JsString};
use wasm_bindgen::prelude::*;

use crate::edit::{Change, Edit};
use crate::format::value::{Value, ValueType};
use crate::validate::Fix as FoundFix;
use crate::web::interop::{Js, declare_string_union, plain_object};
use crate::web::reader::decoded_header::DecodedHeader;
use crate::web::reader::shared_header::SharedHeader;
use crate::web::reader::{array, text};
use crate::write::new_value::NewValue;

declare_string_union!(
    "The kinds of changes of a fix. They have the names of the methods of `Editor`.",
    "FixKind",
    &[
        "set",
        "add",
        "remove",
        "rename",
        "retype",
        "set-element",
        "remove-elements",
        "rename-tensor",
        "remove-tensor",
        "repack",
        "version",
        "byte-order",
    ]
);

plain_object! {
    /// The changes that remove a finding. `Editor.apply` makes them.
    pub(crate) struct Fix {
        /// What the changes do, as the label of a button: `Convert to UINT32`.
        pub title: String,
        /// Whether nobody needs to decide anything: the changed file means the same, or what the rest of the file says.
        pub is_safe: bool,
        /// The changes, one after the other.
        pub changes: Vec<FixChange>,
    }
}

plain_object! {
    /// A change of a fix.
    pub(crate) struct FixChange {
        #[typescript("FixKind")]
        pub kind: &'static str,
        /// The position of the entry or tensor directly before the change.
        pub index: Option<u32>,
        /// The key of the changed entry before the change, or the key of the added entry.
        pub key: Option<Js<JsString>>,
        /// The name of the changed tensor before the change.
        pub tensor: Option<Js<JsString>>,
        /// Whether an entry before the changed one has the same key, or a tensor before it the same name.
        pub is_repeated: Option<bool>,
        /// The value, key, name, version or byte order after the change. A changed element stands in an array.
        #[typescript("MetadataValue | readonly MetadataValue[]")]
        pub to: Option<Js<JsValue>>,
        /// The type of the value after the change.
        pub to_type: Option<String>,
        /// The index of the changed element, or of the first removed element.
        pub start: Option<f64>,
        /// The index after the last removed element.
        pub end: Option<f64>,
    }
}

/// The object of a fix of a header.
pub(super) fn fix_object(header: &Rc<DecodedHeader>, fix: FoundFix) -> Fix {
    // A change selects entries by their positions after the changes before it.
    let mut edit = (fix.changes.len() > 1).then(|| Edit::new(header.header().clone()));
    let mut changes = Vec::new();
    for change in &fix.changes {
        changes.push(change_object(header, edit.as_ref(), change));
        // A change that is refused here is refused by `Editor.apply`, which says why.
        let _ = edit.as_mut().map(|edit| edit.apply(core::slice::from_ref(change)));
    }
    Fix { title: fix.title, is_safe: fix.is_safe, changes }
}

fn change_object(header: &Rc<DecodedHeader>, edit: Option<&Edit>, change: &Change) -> FixChange {
    let text = |bytes: &[u8]| text::text(header, bytes).ok();
    let value =
        |change, value| FixChange { to: value_object(header, value), to_type: Some(value_type_name(value)), ..change };
    match change {
        Change::Set { entry, value: new } => value(of_entry(header, edit, "set", *entry), new),
        Change::Add { position, key, value: new } => {
            let add = FixChange { index: Some(*position as u32), key: text(key).map(Js), ..FixChange::new("add") };
            value(add, new)
        }
        Change::Remove { entry } => of_entry(header, edit, "remove", *entry),
        Change::Rename { entry, key } => {
            FixChange { to: text(key).map(|key| Js(key.into())), ..of_entry(header, edit, "rename", *entry) }
        }
        Change::Retype { entry, value, .. } => {
            FixChange { to_type: Some(value_type_name(value)), ..of_entry(header, edit, "retype", *entry) }
        }
        Change::RenameTensor { tensor, name } => FixChange {
            to: text(name).map(|name| Js(name.into())),
            ..of_tensor(header, edit, "rename-tensor", *tensor)
        },
        Change::RemoveTensor { tensor } => of_tensor(header, edit, "remove-tensor", *tensor),
        Change::Repack => FixChange::new("repack"),
        Change::Version(version) => FixChange { to: Some(Js((*version).into())), ..FixChange::new("version") },
        Change::ByteOrder(endian) => FixChange { to: Some(Js(endian.name().into())), ..FixChange::new("byte-order") },
        Change::Splice { entry, elements, inserted } => {
            let (start, end) = (Some(elements.start as f64), Some(elements.end as f64));
            match inserted {
                // `to` is an array with the one element that a fix replaces.
                Some(inserted) => value(FixChange { start, ..of_entry(header, edit, "set-element", *entry) }, inserted),
                None => FixChange { start, end, ..of_entry(header, edit, "remove-elements", *entry) },
            }
        }
        Change::Move { .. } => unreachable!("no fix moves an entry"),
    }
}

impl FixChange {
    fn new(kind: &'static str) -> Self {
        Self {
            kind,
            index: None,
            key: None,
            tensor: None,
            is_repeated: None,
            to: None,
            to_type: None,
            start: None,
            end: None,
        }
    }
}

/// A change of the entry at a position.
fn of_entry(header: &Rc<DecodedHeader>, edit: Option<&Edit>, kind: &'static str, index: usize) -> FixChange {
    let key = match edit {
        Some(edit) => edit.entry(index).map(|entry| entry.key().into_owned()),
        None => header.metadata_at(index).map(|entry| entry.key().to_bytes().into_owned()),
    };
    let key = key.unwrap_or_default();
    let first = match edit {
        Some(edit) => edit.entries().position(|entry| *entry.key() == *key),
        None => header.get(&key).map(|entry| entry.index()),
    };
    let is_repeated = first.is_some_and(|first| first < index).then_some(true);
    let key = text::text(header, &key).ok().map(Js);
    FixChange { index: Some(index as u32), key, is_repeated, ..FixChange::new(kind) }
}

/// A change of the tensor at a position.
fn of_tensor(header: &Rc<DecodedHeader>, edit: Option<&Edit>, kind: &'static str, index: usize) -> FixChange {
    let name = match edit {
        Some(edit) => edit.tensor_name(index).map(Cow::into_owned),
        None => header.tensor_at(index).map(|tensor| tensor.name().to_bytes().into_owned()),
    };
    let name = name.unwrap_or_default();
    let first = match edit {
        Some(edit) => edit.tensors().position(|tensor| *tensor.name() == *name),
        None => header.tensor(&name).map(|tensor| tensor.index()),
    };
    let is_repeated = first.is_some_and(|first| first < index).then_some(true);
    let name = text::text(header, &name).ok().map(Js);
    FixChange { index: Some(index as u32), tensor: name, is_repeated, ..FixChange::new(kind) }
}

/// A value after a change. The elements of an array are given as a plain array, so that a fix can be copied to a worker.
fn value_object(header: &Rc<DecodedHeader>, value: &NewValue) -> Option<Js<JsValue>> {
    let owner = SharedHeader::new(Rc::new(header.with_header(value.header().clone())));
    let object = |value: Value<'_>| array::to_js(&owner, value).ok();
    match value.value() {
        Value::Array(elements) => Some(Js(elements.iter().map(object).collect::<Option<JsArray>>()?.into())),
        single => object(single).map(Js),
    }
}

/// The type of a value as the methods of `Editor` take it: `UINT32`, `BOOL[]`.
fn value_type_name(value: &NewValue) -> String {
    match value.value().as_array() {
        Some(array) => alloc::format!("{}[]", array.element_type()),
        None => ValueType::name(value.value().value_type()).into(),
    }
}
