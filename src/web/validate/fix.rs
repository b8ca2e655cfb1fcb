//! The fix of a finding, as a JavaScript object.

use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use js_sys::JsString;
use wasm_bindgen::prelude::*;

use crate::edit::{Change, Edit};
use crate::format::value::ValueType;
use crate::validate::Fix as FoundFix;
use crate::web::interop::plain_object::{Js, TypeScript, plain_object};
use crate::web::interop::typescript::declare_string_union;
use crate::web::reader::decoded_header::DecodedHeader;
use crate::web::reader::shared_header::SharedHeader;
use crate::web::reader::{array, text};
use crate::write::new_value::NewValue;

declare_string_union!(
    "The kinds of changes of a fix. They have the names of the methods of `Editor`.",
    "FixKind",
    &["set", "add", "remove", "rename", "retype", "rename-tensor", "remove-tensor", "repack", "version", "byte-order",]
);

plain_object! {
    /// The changes that remove a finding. `Editor.apply` makes them.
    pub(crate) readonly struct Fix {
        /// What the changes do, as the label of a button: `Convert to UINT32`.
        title: String,
        /// Whether nobody needs to decide anything: the changed file means the same, or what the rest of the file says.
        is_safe: bool,
        /// The changes, one after the other.
        changes: Vec<FixChange>,
    }
}

plain_object! {
    /// A change of a fix.
    pub(crate) readonly struct FixChange {
        kind: &'static str as "FixKind",
        /// The position of the entry or tensor directly before the change.
        index?: u32,
        /// The key of the changed entry before the change, or the key of the added entry.
        key?: Js<JsString>,
        /// The name of the changed tensor before the change.
        tensor?: Js<JsString>,
        /// The value, key, name, version or byte order after the change.
        to?: Js<JsValue> as "MetadataValue",
        /// The type of the value after the change.
        to_type?: String as "string",
    }
}

impl TypeScript for Vec<FixChange> {
    const TYPE: &'static str = "readonly FixChange[]";
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
    let key = |index: usize| {
        let key = match edit {
            Some(edit) => edit.entry(index).map(|entry| entry.key().into_owned()),
            None => header.metadata_at(index).map(|entry| entry.key().to_bytes().into_owned()),
        };
        text(&key?).map(Js)
    };
    let tensor = |index: usize| {
        let name = match edit {
            Some(edit) => edit.tensor_name(index).map(Cow::into_owned),
            None => header.tensor_at(index).map(|tensor| tensor.name().to_bytes().into_owned()),
        };
        text(&name?).map(Js)
    };
    let empty = FixChange { kind: "", index: None, key: None, tensor: None, to: None, to_type: None };
    match change {
        Change::Set { entry, value } => FixChange {
            kind: "set",
            index: Some(*entry as u32),
            key: key(*entry),
            to: value_object(header, value),
            to_type: Some(value_type_name(value)),
            ..empty
        },
        Change::Add { position, key, value } => FixChange {
            kind: "add",
            index: Some(*position as u32),
            key: text(key).map(Js),
            to: value_object(header, value),
            to_type: Some(value_type_name(value)),
            ..empty
        },
        Change::Remove { entry } => FixChange { kind: "remove", index: Some(*entry as u32), key: key(*entry), ..empty },
        Change::Rename { entry, key: new } => FixChange {
            kind: "rename",
            index: Some(*entry as u32),
            key: key(*entry),
            to: text(new).map(|key| Js(key.into())),
            ..empty
        },
        Change::Retype { entry, value, .. } => FixChange {
            kind: "retype",
            index: Some(*entry as u32),
            key: key(*entry),
            to_type: Some(value_type_name(value)),
            ..empty
        },
        Change::RenameTensor { tensor: index, name } => FixChange {
            kind: "rename-tensor",
            index: Some(*index as u32),
            tensor: tensor(*index),
            to: text(name).map(|name| Js(name.into())),
            ..empty
        },
        Change::RemoveTensor { tensor: index } => {
            FixChange { kind: "remove-tensor", index: Some(*index as u32), tensor: tensor(*index), ..empty }
        }
        Change::Repack => FixChange { kind: "repack", ..empty },
        Change::Version(version) => FixChange { kind: "version", to: Some(Js((*version).into())), ..empty },
        Change::ByteOrder(endian) => FixChange { kind: "byte-order", to: Some(Js(endian.name().into())), ..empty },
        Change::Move { .. } | Change::Splice { .. } => unreachable!("no fix moves an entry or changes elements"),
    }
}

fn value_object(header: &Rc<DecodedHeader>, value: &NewValue) -> Option<Js<JsValue>> {
    let owner = Rc::new(header.with_header(value.header().clone()));
    array::to_js(&SharedHeader::new(owner), value.value()).ok().map(Js)
}

/// The type of a value as the methods of `Editor` take it: `UINT32`, `BOOL[]`.
fn value_type_name(value: &NewValue) -> String {
    match value.value().as_array() {
        Some(array) => alloc::format!("{}[]", array.element_type()),
        None => ValueType::name(value.value().value_type()).into(),
    }
}
