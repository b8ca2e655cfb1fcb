//! The metadata entries and tensors of a header as JavaScript lists, which are made once.

use alloc::rc::Rc;
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AnyObject, Js, JsArray, JsString, Map, TextDecoder, Uint8Array, as_object, describe, failure, frozen, frozen_list,
    is_integer, once, plain_object, to_open_js,
};
use crate::reader::array;
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::shared_header::SharedHeader;
use crate::reader::tensor_info;
use crate::reader::text;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::{Value, ValueType};

plain_object! {
    /// One key and its value, as the file has them.
    pub(crate) struct MetadataEntry {
        /// The position in the file.
        pub index: u32,
        /// The key, with U+FFFD in place of bytes that are not UTF-8.
        pub key: Js<JsString>,
        #[typescript("ValueTypeName")]
        pub r#type: &'static str,
        /// The type of the elements of an array.
        #[typescript("ValueTypeName")]
        pub element_type: Option<&'static str>,
        /// The number of elements of an array.
        pub length: Option<f64>,
        #[typescript("MetadataValue")]
        pub value: Js<JsValue>,
        /// Where the value is stored, in bytes from the start of the file: after its type.
        pub offset: f64,
        /// Bytes of the stored value. A string's include its length, an array's its element type and length.
        pub byte_length: f64,
    }
}

#[wasm_bindgen]
extern "C" {
    /// An object of `entries`, or a copy of one.
    #[wasm_bindgen(extends = AnyObject, typescript_type = "MetadataEntry")]
    pub type EntryObject;
}

#[wasm_bindgen(raw_module = "glue/results.js")]
extern "C" {
    /// The values of objects of `entries` by their keys, frozen. If several have the same key, the first one counts.
    #[wasm_bindgen(js_name = metadataOf)]
    pub fn metadata_of(entries: &JsArray) -> Map;
}

impl MetadataEntry {
    /// The object of an entry with a `value`. The caller freezes it.
    pub fn object(decoder: &TextDecoder, entry: MetadataKv<'_>, value: JsValue) -> Result<JsValue, Thrown> {
        let (array, range) = (entry.value().as_array(), entry.value_range());
        Ok(to_open_js(&Self {
            index: entry.index() as u32,
            key: Js(text::string(decoder, entry.key())?),
            r#type: entry.value_type().name(),
            element_type: array.map(|array| array.element_type().name()),
            length: array.map(|array| array.len() as f64),
            value: Js(value),
            offset: range.start as f64,
            byte_length: (range.end - range.start) as f64,
        }))
    }
}

/// The frozen objects of the entries from the position `start` on. `value` makes the value of an entry.
pub(crate) fn entry_list(
    header: &Header,
    decoder: &TextDecoder,
    start: usize,
    value: &dyn Fn(Value<'_>) -> Result<JsValue, Thrown>,
) -> Result<JsArray, Thrown> {
    let list = JsArray::new();
    for entry in (start..).map_while(|index| header.metadata_at(index)) {
        list.push(&frozen(MetadataEntry::object(decoder, entry, value(entry.value())?)?));
    }
    Ok(list)
}

pub(crate) struct Listing {
    header: Rc<DecodedHeader>,
    /// The same header, for the arrays that JavaScript gets.
    shared: SharedHeader,
    metadata: OnceCell<Map>,
    entries: OnceCell<JsArray>,
    tensors: OnceCell<JsArray>,
}

impl Listing {
    pub fn new(header: Rc<DecodedHeader>) -> Self {
        let shared = SharedHeader::new(header.clone());
        Self { header, shared, metadata: OnceCell::new(), entries: OnceCell::new(), tensors: OnceCell::new() }
    }

    /// Takes the header away from all arrays that JavaScript has got.
    pub fn free_arrays(&self) {
        self.shared.release();
    }

    /// The header, as the arrays of the lists share it.
    pub fn shared(&self) -> &SharedHeader {
        &self.shared
    }

    /// The values by their keys. If several entries have the same key, the first one counts.
    pub fn metadata(&self) -> Result<Map, Thrown> {
        once(&self.metadata, || Ok(metadata_of(&self.entries()?)))
    }

    /// All entries.
    pub fn entries(&self) -> Result<JsArray, Thrown> {
        let value = |value: Value<'_>| array::to_js(&self.shared, value);
        once(&self.entries, || Ok(frozen_list(entry_list(&self.header, &self.header.decoder, 0, &value)?)))
    }

    /// An entry of the header as an object of `entries`, which the caller freezes.
    pub fn entry_object(&self, entry: MetadataKv<'_>) -> Result<JsValue, Thrown> {
        MetadataEntry::object(&self.header.decoder, entry, array::to_js(&self.shared, entry.value())?)
    }

    /// All tensors.
    pub fn tensors(&self) -> Result<JsArray, Thrown> {
        once(&self.tensors, || Ok(frozen_list(tensor_info::list(&self.header, &self.header.decoder, 0)?)))
    }

    /// The bytes of an entry's key as stored.
    pub fn key_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.header.copy_bytes(self.find(entry)?.key().range())
    }

    /// The bytes of an entry's value as stored.
    pub fn value_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.header.copy_bytes(self.find(entry)?.value_range())
    }

    /// The bytes of a `STRING` value, without its length.
    pub fn string_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        match self.find(entry)?.value() {
            Value::String(text) => self.header.copy_bytes(text.range()),
            value => Err(not_a_string(value.value_type())),
        }
    }

    fn find(&self, given: &EntryObject) -> Result<MetadataKv<'_>, Thrown> {
        let key_of = |entry: &MetadataKv<'_>| text::string(&self.header.decoder, entry.key());
        Ok(described_entry(given, |index| self.header.metadata_at(index), key_of)?.1)
    }
}

/// The entry that an object of `entries`, or a copy of one, describes, and its index.
pub(crate) fn described_entry<T>(
    given: &EntryObject,
    entry_at: impl Fn(usize) -> Option<T>,
    key_of: impl Fn(&T) -> Result<JsString, Thrown>,
) -> Result<(usize, T), Thrown> {
    let member = |name| as_object(given).map_or(Ok(JsValue::UNDEFINED), |given| given.get(name));
    let (index, key) = (member("index")?.as_f64(), member("key")?);
    let index = index.filter(|index| *index >= 0.0 && is_integer(*index)).map(|index| index as usize);
    // An object of a list that was made before a change may have the index of another entry.
    let is_same = |entry: &T| key.is_undefined() || key_of(entry).is_ok_and(|found| JsValue::from(found) == key);
    index.zip(index.and_then(entry_at).filter(is_same)).ok_or_else(|| {
        failure!(InvalidArgument:
            "the entry is {}, which is not in the current list `entries`: pass an object of that list", describe(given))
    })
}

/// The error of `stringBytes` for an entry of another type.
pub(crate) fn not_a_string(found: ValueType) -> Thrown {
    failure!(InvalidArgument:
        "the value of the entry is {}, but `stringBytes` needs STRING: use `valueBytes` for values of other types",
        found.name())
}
