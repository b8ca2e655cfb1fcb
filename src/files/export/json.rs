//! `Gguf.toJSON`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::files::export::originals::originals;
use crate::files::export::text::DEFAULT_NAME;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, JsString, Map, Record, failure, options};
use crate::reader::array::MOST_ELEMENTS;
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::gguf::Gguf;
use crate::reader::text;
use gguf_files::export::OriginalTensor;
use gguf_files::export::dump::{DumpField, DumpName, dump_fields};
use gguf_files::export::original::Listed;
use gguf_format::format::header::TensorInfo;
use gguf_format::format::value::{Value, ValueType};
use gguf_format::format::version::Endian;

options! {
    /// What `Gguf.toJSON` writes.
    pub interface JsonOptions {
        /// The values of arrays: all elements by default, as `gguf-dump --json --json-array` gives them; the first 8 elements and
        /// the `length`; or none, as `gguf-dump --json`.
        arrays?: Arrays of ["full" => Arrays::Full, "short" => Arrays::Short, "none" => Arrays::None];
        /// Whether the tensors are listed. Default: true.
        tensors?: "boolean" => bool = true;
        /// The name or the path of the file. `"model.gguf"` by default.
        file_name?: "string" => String = DEFAULT_NAME.into();
        /// The tensors as the original file has them, one for each tensor of this file, if it shows another one: their types are
        /// listed. By default those of this file.
        originals?: "readonly OriginalTensor[]" => Vec<OriginalTensor> = Vec::new(), by originals;
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A value in JSON. 64-bit integers are strings, and so are `"NaN"`, `"Infinity"` and `"-Infinity"`. */
export type JsonScalar = string | number | boolean;

/** A field in `GgufJson`. */
export interface GgufJsonField {
  /** The position among all fields. */
  readonly index: number;
  readonly type: ValueTypeName;
  /** Where the field begins, in bytes from the start of the file. That of an entry begins with its key. */
  readonly offset: number;
  /** Of an array: the types of its first element, from the outermost in. */
  readonly array_types?: readonly ValueTypeName[];
  /** Of an array: its elements; in place of arrays in it, their elements. */
  readonly value?: JsonScalar | readonly JsonScalar[];
  /** Of an array that is shortened: the number of elements. */
  readonly length?: number;
}

/** A tensor in `GgufJson`. */
export interface GgufJsonTensor {
  /** The position in the file's list. */
  readonly index: number;
  /** Extents in elements, fastest first. */
  readonly shape: readonly number[];
  readonly type: string;
  /** Where the tensor info begins, in bytes from the start of the file. The data is elsewhere: see `TensorInfo.fileOffset`. */
  readonly offset: number;
}

/**
 * The header of a file, with the members of llama.cpp's `gguf-dump --json`. The first fields of `metadata` are `GGUF.version`,
 * `GGUF.tensor_count` and `GGUF.kv_count`. If a key or a name occurs twice, the later one gets its `offset` as a suffix.
 */
export interface GgufJson {
  readonly filename: string;
  readonly endian: "LITTLE" | "BIG";
  readonly metadata: Readonly<Record<string, GgufJsonField>>;
  readonly tensors: Readonly<Record<string, GgufJsonTensor>>;
}
"#;

/// The elements of a shortened array.
const SHORT_ELEMENTS: usize = 8;

#[wasm_bindgen]
extern "C" {
    /// An object with the given members, also `__proto__`.
    #[wasm_bindgen(catch, js_namespace = Object, js_name = fromEntries)]
    fn from_entries(entries: &Map) -> Result<JsValue, Thrown>;

    /// A string whose methods can throw.
    type Name;
    #[wasm_bindgen(method, catch)]
    fn concat(this: &Name, suffix: &str) -> Result<JsString, Thrown>;
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Arrays {
    Full,
    Short,
    None,
}

#[wasm_bindgen]
impl Gguf {
    /// The metadata and the tensors as an object for `JSON.stringify`, with the members of llama.cpp's `gguf-dump --json`.
    /// 64-bit integers, NaN and infinities are strings. `JSON.stringify(gguf)` calls this method.
    ///
    /// @throws {GgufError} `invalid-argument`; `too-large` if an array or a string is longer than JavaScript allows.
    /// @example
    /// const text = JSON.stringify(gguf.toJSON({ arrays: "short", fileName: "model.gguf" }), null, 2);
    #[wasm_bindgen(js_name = toJSON, unchecked_return_type = "GgufJson")]
    pub fn to_json(&self, options: Option<JsonOptions>) -> Result<JsValue, Thrown> {
        let file = self.state()?.file.clone();
        let (header, options) = (&file.header, JsonOptions::take(options)?);
        let (metadata, tensors) = (Members::new(), Members::new());
        for (index, field) in dump_fields(header).enumerate() {
            let name = match field.name {
                DumpName::Own(name) => name.into(),
                DumpName::Key(key) => text::string(&header.decoder, key)?,
            };
            metadata.add(name, field.offset, &field_object(header, index, &field, options.arrays)?)?;
        }
        if options.tensors {
            for tensor in header.tensors() {
                let name = text::string(&header.decoder, tensor.name())?;
                tensors.add(name, tensor.range().start, &tensor_object(&tensor, Listed(&options.originals)))?;
            }
        }
        let endian = if header.format().endian == Endian::Little { "LITTLE" } else { "BIG" };
        let object = Record::new().text("filename", &options.file_name).text("endian", endian);
        Ok(object.value("metadata", &metadata.object()?).value("tensors", &tensors.object()?).done())
    }
}

/// The members of an object whose names come from the file.
struct Members(Map);

impl Members {
    fn new() -> Self {
        Self(Map::new())
    }

    /// Adds a member. If there is one with the same name, the name gets the offset of the item as a suffix.
    fn add(&self, name: JsString, offset: u64, value: &JsValue) -> Result<(), Thrown> {
        let longer = |name: JsString, suffix: &str| {
            let longer = name.unchecked_into::<Name>().concat(suffix);
            longer.map_err(
                |_| failure!(TooLarge: "a key or a name that occurs twice is longer than a JavaScript string can be"),
            )
        };
        let mut name = name;
        if self.0.has(&name) {
            name = longer(name, &format!("_{offset}"))?;
        }
        // Another item can have this name, too.
        while self.0.has(&name) {
            name = longer(name, "_")?;
        }
        self.0.set(&name, value);
        Ok(())
    }

    fn object(&self) -> Result<JsValue, Thrown> {
        from_entries(&self.0)
    }
}

fn field_object(
    header: &DecodedHeader,
    index: usize,
    field: &DumpField<'_>,
    arrays: Arrays,
) -> Result<JsValue, Thrown> {
    let types = field.types();
    let object = Record::new().number("index", index as f64).text("type", types[0].name());
    let object = object.number("offset", field.offset as f64);
    let Value::Array(array) = field.value else {
        return Ok(object.value("value", &scalar(header, field.value)?).done());
    };
    let names: JsArray = types[1..].iter().map(|value_type| JsValue::from(value_type.name())).collect();
    let object = object.value("array_types", &names);
    let most = match arrays {
        Arrays::None => return Ok(object.done()),
        Arrays::Short => SHORT_ELEMENTS,
        Arrays::Full => usize::MAX,
    };
    let count = field.element_count();
    if count > MOST_ELEMENTS && arrays == Arrays::Full {
        return Err(failure!(TooLarge:
            "\"{}\": {count} elements do not fit into one JavaScript array, which holds up to {MOST_ELEMENTS}: use the \
             option arrays: \"short\"", field.name));
    }
    let elements = match array.element_type() {
        ValueType::String => {
            text::strings(&header.decoder, array.iter().take(most).filter_map(|element| element.as_str()))?
        }
        _ => field.elements().take(most).map(|element| scalar(header, element)).collect::<Result<JsArray, _>>()?,
    };
    let object = object.value("value", &elements);
    Ok(if arrays == Arrays::Short { object.number("length", count as f64) } else { object }.done())
}

/// A value that is not an array.
fn scalar(header: &DecodedHeader, value: Value<'_>) -> Result<JsValue, Thrown> {
    Ok(match value {
        Value::Bool(value) => value.into(),
        Value::Uint64(value) => value.to_string().into(),
        Value::Int64(value) => value.to_string().into(),
        Value::Float32(value) => float(value.into()),
        Value::Float64(value) => float(value),
        Value::String(value) => text::string(&header.decoder, value)?.into(),
        other => other.as_i64().map_or(JsValue::NULL, |value| (value as f64).into()),
    })
}

fn float(value: f64) -> JsValue {
    match value {
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        _ if value.is_nan() => "NaN".into(),
        _ => value.into(),
    }
}

fn tensor_object(tensor: &TensorInfo<'_>, listed: Listed<'_>) -> JsValue {
    let shape: JsArray = tensor.dimension_iter().map(|extent| JsValue::from(extent as f64)).collect();
    Record::new()
        .number("index", tensor.index() as f64)
        .value("shape", &shape)
        .text("type", &listed.type_name(tensor))
        .number("offset", tensor.range().start as f64)
        .done()
}
