//! The methods of `Gguf` that read a metadata value of a certain type.

use js_sys::BigInt;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{POSITION_END, TextArgument, describe, failure, may_be_lossy, name};
use crate::reader::array;
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::gguf::Gguf;
use crate::reader::text;
use gguf_format::format::header::MetadataKv;
use gguf_format::format::value::Value;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = Number)]
    fn to_number(value: &JsValue) -> Result<f64, Thrown>;
}

#[wasm_bindgen]
impl Gguf {
    /// The value of a `STRING` entry. `undefined` if there is no entry with the key.
    ///
    /// @throws {GgufError} `wrong-type` if the value is not a `STRING`.
    /// @example
    /// const template = gguf.getString("tokenizer.chat_template");
    #[wasm_bindgen(js_name = getString, unchecked_return_type = "string | undefined")]
    pub fn get_string(&self, key: &TextArgument) -> Result<JsValue, Thrown> {
        self.value_of(key, "STRING", |value| value.as_str().is_some())
    }

    /// The value of an entry of any integer or floating-point type as a number. `undefined` if there is no entry with the key.
    ///
    /// @throws {GgufError} `wrong-type` if the value is not a number; `too-large` if it is an integer that a number cannot
    /// represent exactly: see `getBigInt`.
    /// @example
    /// const base = gguf.getNumber("llama.rope.freq_base") ?? 10_000;
    #[wasm_bindgen(js_name = getNumber, unchecked_return_type = "number | undefined")]
    pub fn get_number(&self, key: &TextArgument) -> Result<JsValue, Thrown> {
        let found = self.value_of(key, "a number", |value| value.as_f64().is_some() || is_integer(value))?;
        if !found.is_bigint() {
            return Ok(found);
        }
        let number = to_number(&found)?;
        if number.abs() >= POSITION_END as f64 {
            let (key, found) = (describe(key), describe(&found));
            return Err(failure!(TooLarge:
                "the value of {key} is {found}, which a JavaScript number cannot represent exactly: use \
                 getBigInt({key})"));
        }
        Ok(number.into())
    }

    /// The value of an entry of any integer type. `undefined` if there is no entry with the key.
    ///
    /// @throws {GgufError} `wrong-type` if the value is not an integer.
    /// @example
    /// const seed = gguf.getBigInt("training.seed");
    #[wasm_bindgen(js_name = getBigInt, unchecked_return_type = "bigint | undefined")]
    pub fn get_big_int(&self, key: &TextArgument) -> Result<JsValue, Thrown> {
        let found = self.value_of(key, "an integer", is_integer)?;
        if found.is_undefined() { Ok(found) } else { Ok(BigInt::new(&found).map_err(JsValue::from)?.into()) }
    }

    /// The value of a `BOOL` entry. `undefined` if there is no entry with the key.
    ///
    /// @throws {GgufError} `wrong-type` if the value is not a `BOOL`.
    /// @example
    /// const addsBos = gguf.getBoolean("tokenizer.ggml.add_bos_token") ?? true;
    #[wasm_bindgen(js_name = getBoolean, unchecked_return_type = "boolean | undefined")]
    pub fn get_boolean(&self, key: &TextArgument) -> Result<JsValue, Thrown> {
        self.value_of(key, "BOOL", |value| value.as_bool().is_some())
    }

    /// The value of an `ARRAY` entry. `undefined` if there is no entry with the key.
    ///
    /// @throws {GgufError} `wrong-type` if the value is not an `ARRAY`.
    /// @example
    /// const tokens = gguf.getArray("tokenizer.ggml.tokens")?.slice(0, 10);
    #[wasm_bindgen(js_name = getArray, unchecked_return_type = "MetadataArray | undefined")]
    pub fn get_array(&self, key: &TextArgument) -> Result<JsValue, Thrown> {
        self.value_of(key, "ARRAY", |value| value.as_array().is_some())
    }
}

impl Gguf {
    /// The value of an entry whose type is the expected one; `undefined` if there is no such entry.
    fn value_of(
        &self,
        key: &TextArgument,
        expected: &str,
        is_expected: fn(&Value<'_>) -> bool,
    ) -> Result<JsValue, Thrown> {
        let state = self.state()?;
        let Some(value) = find(&state.file.header, key)?.map(|entry| entry.value()) else {
            return Ok(JsValue::UNDEFINED);
        };
        if is_expected(&value) {
            return array::to_js(state.listing.shared(), value);
        }
        let found = value.value_type().name();
        let elements = value.as_array().map_or("", |array| array.element_type().name());
        let of = if elements.is_empty() { "" } else { " of " };
        Err(failure!(WrongType: "the value of {} is of type {found}{of}{elements}, expected {expected}", describe(key)))
    }
}

/// The first entry with a key, which is the one in `metadata`. A key with U+FFFD also finds a stored key that is not UTF-8.
fn find<'a>(header: &'a DecodedHeader, given: &TextArgument) -> Result<Option<MetadataKv<'a>>, Thrown> {
    let Some(key) = name("key", given)? else { return Ok(None) };
    let is_shown_as_key = |entry: &MetadataKv<'_>| text::is_shown_as(&header.decoder, entry.key(), given);
    Ok(if may_be_lossy(&key) { header.metadata().find(is_shown_as_key) } else { header.get(&key) })
}

fn is_integer(value: &Value<'_>) -> bool {
    value.as_i64().is_some() || value.as_u64().is_some()
}
