//! Writes the tables of the crates as JSON to the standard output: keys, types, architectures, kinds of files, checks and error
//! codes. `cargo xtask docs` makes a page of each row.

use gguf_declare::value::{Given, Value as GivenValue};
use gguf_files::shards::SET_CHECKS;
use gguf_format::ValueType;
use gguf_format::error::ERROR_CODES;
use gguf_format::format::ggml_type::GGML_TYPES;
use gguf_models::architectures::ARCHITECTURES;
use gguf_models::file_kinds::FILE_KINDS;
use gguf_models::file_types::FILE_TYPES;
use gguf_models::keys::{KEY_SECTIONS, keys};
use gguf_models::tensor_names::{TENSOR_SECTIONS, tensor_names};
use gguf_models::validate::CHECKS;
use serde_json::{Value, json};

/// The rows of a table as the package gives them to JavaScript, each with members that JavaScript does not have.
fn rows<'a, T: GivenValue + 'a>(table: impl IntoIterator<Item = &'a T>, more: impl Fn(&T) -> Value) -> Vec<Value> {
    let row = |row: &T| {
        let mut json = serde_json::to_value(Given(row)).expect("a row has texts, numbers and lists only");
        if let (Value::Object(members), Value::Object(added)) = (&mut json, more(row)) {
            members.extend(added);
        }
        json
    };
    table.into_iter().map(row).collect()
}

fn main() {
    let none = || json!({});
    let keys: Vec<_> = keys().collect();
    let fields = |fields: &[gguf_format::format::ggml_type::Field]| -> Vec<Value> {
        fields
            .iter()
            .map(|f| json!({ "offset": f.offset, "width": f.width, "count": f.count, "stride": f.stride }))
            .collect()
    };
    let tables = json!({
        "keySections": KEY_SECTIONS.iter().map(|section| json!({
            "title": section.title,
            "patterns": section.keys().map(|key| key.pattern).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "keys": rows(&keys, |_| none()),
        "valueTypes": ValueType::ALL.iter().map(|value_type| json!({
            "id": *value_type as u32,
            "name": value_type.name(),
            "size": value_type.size(),
        })).collect::<Vec<_>>(),
        "tensorTypes": rows(GGML_TYPES, |info| json!({
            "isRemoved": info.is_removed(),
            "isConvertible": info.is_convertible,
            "fields": fields(info.fields),
        })),
        "fileTypes": rows(FILE_TYPES, |info| json!({ "alias": info.alias, "advice": info.advice })),
        "architectures": rows(ARCHITECTURES, |info| json!({ "kind": info.kind.map(|kind| kind.name()) })),
        "tensorNames": tensor_names().map(|info| json!({
            "base": info.base,
            "title": info.title,
            "description": info.description,
            "sections": TENSOR_SECTIONS.iter().filter(|section| section.bases().any(|base| base == info.base))
                .map(|section| json!({ "title": section.title, "prefix": section.prefix })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "fileKinds": rows(FILE_KINDS, |info| json!({ "isCompleteModel": info.kind.is_complete_model() })),
        "checks": CHECKS.iter().map(|info| json!({
            "code": info.code,
            "severity": info.severity.name(),
            "meaning": info.meaning,
            "advice": info.advice,
        })).collect::<Vec<_>>(),
        "setChecks": SET_CHECKS.iter().map(|info| json!({
            "code": info.code,
            "severity": info.severity.name(),
            "meaning": info.meaning,
            "advice": info.advice,
        })).collect::<Vec<_>>(),
        "errorCodes": ERROR_CODES.iter().map(|info| json!({
            "code": info.name,
            "meaning": info.meaning,
            "advice": info.advice,
        })).collect::<Vec<_>>(),
    });
    println!("{tables}");
}
