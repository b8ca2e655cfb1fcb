//! Changes of a file, as JavaScript is told of them.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::edit::{Change, Edit, RecordedChange};
use crate::format::value::{Value, ValueType};
use crate::web::edit::given_value::type_name;
use crate::web::interop::js::Record;
use crate::web::reader::file::File;
use crate::web::reader::shared_file::SharedFile;
use crate::web::reader::value;
use crate::write::new_value::NewValue;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** One change to a file, or the revert of one. */
export interface Change {
  /** Identifies the change: it stays the same when other changes are undone or reverted, and no change of another editor
   * has it. For a revert: that of the reverted change. */
  readonly id: number;
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
    | "byte-order"
    | "revert";
  /** The entry's key before the change. */
  readonly key?: string;
  /** The tensor's name before the change. */
  readonly tensor?: string;
  /** The first element that is changed, or the position that an entry is added or moved to. */
  readonly index?: number;
  /** How many elements are put in or taken out. */
  readonly count?: number;
  /** What was there: a value, a key, a name, a version. Not there for an array some of whose elements had been changed, nor
   * for what is too large to be shown. */
  readonly from?: MetadataValue;
  /** What is there now. */
  readonly to?: MetadataValue;
  /** The type of the value that was there. */
  readonly fromType?: NewType;
  /** The type of the value that is there now. */
  readonly toType?: NewType;
  /** The change that is reverted, for kind `revert`. Such steps are in `undone` and results of `undo` and `redo`, never in
   * `changes`. */
  readonly reverted?: Change;
}
"#;

/// The revert of a change as JavaScript sees it; `edit` has made all changes before it.
pub(crate) fn revert_record(file: &Rc<File>, edit: &Edit, made: &RecordedChange) -> JsValue {
    let reverted = record(file, edit, made);
    Record::new().text("kind", "revert").number("id", made.id.0 as f64).value("reverted", &reverted).done()
}

/// A change as JavaScript sees it; `edit` has made all before it.
pub(crate) fn record(file: &Rc<File>, edit: &Edit, made: &RecordedChange) -> JsValue {
    let change = &made.change;
    let kind = match change {
        Change::Set { .. } => "set",
        Change::Retype { .. } => "retype",
        Change::Add { .. } => "add",
        Change::Remove { .. } => "remove",
        Change::Rename { .. } => "rename",
        Change::Move { .. } => "move",
        Change::Splice { inserted: None, .. } => "remove-elements",
        Change::Splice { elements, .. } if elements.is_empty() => "insert-elements",
        Change::Splice { .. } => "set-element",
        Change::RenameTensor { .. } => "rename-tensor",
        Change::RemoveTensor { .. } => "remove-tensor",
        Change::Repack => "repack",
        Change::Version(_) => "version",
        Change::ByteOrder(_) => "byte-order",
    };
    let mut record = Record::new().number("id", made.id.0 as f64).text("kind", kind);
    let mut name = JsValue::UNDEFINED;
    // What is too large to be shown is left out: a change can be taken back all the same.
    let text = |bytes: &[u8]| value::text(file, bytes).map_or(JsValue::UNDEFINED, JsValue::from);
    if let Change::RenameTensor { tensor, .. } | Change::RemoveTensor { tensor } = change {
        name = text(&edit.tensor_name(*tensor).unwrap_or_default());
        record = record.value("tensor", &name);
    }
    if let Change::Set { entry, .. }
    | Change::Retype { entry, .. }
    | Change::Remove { entry }
    | Change::Rename { entry, .. }
    | Change::Move { entry, .. }
    | Change::Splice { entry, .. } = change
        && let Some(old) = edit.entry(*entry)
    {
        name = text(&old.key());
        record = record.value("key", &name);
        let from = ["from", "fromType"];
        match (change, kind) {
            (Change::Splice { elements, .. }, "set-element") => {
                if let Some(element) = old.element(elements.start) {
                    record = with_value(file, record, from, Some(element), None, element.value_type(), None);
                }
            }
            (_, "set" | "retype" | "remove") => {
                record = with_value(file, record, from, old.value(), old.new_value(), old.value_type(), old.array());
            }
            _ => {}
        }
    }
    let now = file.format();
    let record = match change {
        Change::Set { value, .. } | Change::Retype { value, .. } => with_new(file, record, value, None),
        Change::Add { position, key, value } => {
            let record = record.value("key", &text(key)).number("index", *position as f64);
            with_new(file, record, value, None)
        }
        Change::Rename { key: to, .. } | Change::RenameTensor { name: to, .. } => {
            record.value("from", &name).value("to", &text(to))
        }
        Change::Move { entry, position } => {
            let (from, to) = (*entry as f64, *position as f64);
            record.numbers(&["index", "from", "to"], &[to, from, to])
        }
        Change::Splice { elements, inserted, .. } => {
            let record = record.number("index", elements.start as f64);
            match inserted {
                Some(value) if kind == "set-element" => with_new(file, record, value, Some(0)),
                Some(value) => record.number("count", value.value().as_array().map_or(0, |array| array.len()) as f64),
                None => record.number("count", (elements.end - elements.start) as f64),
            }
        }
        Change::Version(version) => record.numbers(&["from", "to"], &[now.version.into(), (*version).into()]),
        Change::ByteOrder(endian) => record.text("from", endian.other().name()).text("to", endian.name()),
        Change::Remove { .. } | Change::RemoveTensor { .. } | Change::Repack => record,
    };
    record.done()
}

/// Adds a new value to a record, or an element of it.
fn with_new(file: &Rc<File>, record: Record, new: &NewValue, element: Option<u64>) -> Record {
    let array = new.value().as_array();
    let element = array.zip(element).and_then(|(array, index)| array.get(index));
    let value = element.unwrap_or(new.value());
    let array = value.as_array().map(|array| (array.element_type(), array.len()));
    with_value(file, record, ["to", "toType"], Some(value), Some(new), value.value_type(), array)
}

/// Adds a value and its type to a record: a value of the file as it is, or a new one.
fn with_value(
    file: &Rc<File>,
    record: Record,
    names: [&str; 2],
    value: Option<Value<'_>>,
    new: Option<&NewValue>,
    value_type: ValueType,
    array: Option<(ValueType, u64)>,
) -> Record {
    let shown = match (value, new) {
        (Some(value), Some(new)) => value::to_js(&SharedFile::new(Rc::new(file.with(new.header().clone()))), value),
        // An array in an array may be of either, and is shown where the whole is.
        (Some(Value::Array(_)), None) if names[0] == "from" && array.is_none() => Ok(JsValue::UNDEFINED),
        (Some(value), None) => value::to_js(&SharedFile::new(file.clone()), value),
        (None, _) => Ok(JsValue::UNDEFINED),
    };
    record.value(names[0], &shown.unwrap_or_default()).text(names[1], &type_name(value_type, array))
}
