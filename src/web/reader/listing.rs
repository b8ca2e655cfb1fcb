//! What a header has, as lists and objects that are made once.

use alloc::rc::Rc;
use core::cell::OnceCell;

use js_sys::{Array as JsArray, Map, Object, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::format::header::MetadataKv;
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{self, Members, Shape};
use crate::web::reader::array;
use crate::web::reader::file::File;
use crate::web::reader::shared_file::SharedFile;
use crate::web::reader::tensor;
use crate::web::reader::value;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** One key and its value, as the file has them. */
export interface MetadataEntry {
  /** The position in the file. */
  readonly index: number;
  /** The key, with U+FFFD where the stored bytes are not UTF-8. */
  readonly key: string;
  readonly type: ValueTypeName;
  /** The type of the elements of an array. */
  readonly elementType?: ValueTypeName;
  /** The number of elements of an array. */
  readonly length?: number;
  readonly value: MetadataValue;
  /** Where the value is stored, in bytes from the start of the file: after its type. */
  readonly offset: number;
  /** Bytes of the stored value; a string's include its length, an array's its element type and length. */
  readonly byteLength: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Members, typescript_type = "MetadataEntry")]
    pub type MetadataEntry;
}

/// The metadata and the tensors of a header.
pub(crate) struct Listing {
    file: Rc<File>,
    /// The same file, for the arrays that JavaScript gets.
    shared: SharedFile,
    metadata: OnceCell<Map>,
    entries: OnceCell<JsArray>,
    tensors: OnceCell<JsArray>,
}

impl Listing {
    pub fn new(file: Rc<File>) -> Self {
        let shared = SharedFile::new(file.clone());
        Self { file, shared, metadata: OnceCell::new(), entries: OnceCell::new(), tensors: OnceCell::new() }
    }

    /// Takes the header away from all arrays that JavaScript has got.
    pub fn free_arrays(&self) {
        self.shared.release();
    }

    /// The header that is listed.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The values by their keys; of entries with the same key the first.
    pub fn metadata(&self) -> Result<Map, JsValue> {
        if let Some(metadata) = self.metadata.get() {
            return Ok(metadata.clone());
        }
        let metadata = Map::new();
        for entry in self.entries()?.iter() {
            let entry: MetadataEntry = entry.unchecked_into();
            let key = entry.get("key")?;
            if !metadata.has(&key) {
                metadata.set(&key, &entry.get("value")?);
            }
        }
        Ok(self.metadata.get_or_init(|| metadata).clone())
    }

    /// All entries.
    pub fn entries(&self) -> Result<JsArray, JsValue> {
        self.entries_with(&mut |_| None)
    }

    /// All entries, each with the position `origin` that it has elsewhere, if there is one.
    pub fn entries_with(&self, origin: &mut dyn FnMut(usize) -> Option<usize>) -> Result<JsArray, JsValue> {
        if let Some(entries) = self.entries.get() {
            return Ok(entries.clone());
        }
        let shape =
            Shape::new(&["index", "key", "type", "elementType", "length", "value", "offset", "byteLength", "origin"]);
        let mut object = |entry: MetadataKv<'_>| {
            let (value, range) = (entry.value(), entry.value_range());
            let array = value.as_array();
            Ok(shape.object(&[
                entry.index().into(),
                value::string(&self.file, entry.key())?,
                entry.value_type().name().into(),
                array.map_or(JsValue::UNDEFINED, |array| array.element_type().name().into()),
                array.map_or(JsValue::UNDEFINED, |array| JsValue::from_f64(array.len() as f64)),
                value::to_js(&self.shared, value)?,
                JsValue::from_f64(range.start as f64),
                JsValue::from_f64((range.end - range.start) as f64),
                origin(entry.index()).map_or(JsValue::UNDEFINED, JsValue::from),
            ]))
        };
        let entries = self.file.metadata().map(&mut object).collect::<Result<JsArray, JsValue>>()?;
        Object::freeze(&entries);
        Ok(self.entries.get_or_init(|| entries).clone())
    }

    /// All tensors.
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        self.tensors_with(&mut |_| None)
    }

    /// All tensors, each with the position `origin` that it has elsewhere, if there is one.
    pub fn tensors_with(&self, origin: &mut dyn FnMut(usize) -> Option<usize>) -> Result<JsArray, JsValue> {
        if let Some(tensors) = self.tensors.get() {
            return Ok(tensors.clone());
        }
        let tensors = tensor::list(&self.file, origin)?;
        Object::freeze(&tensors);
        Ok(self.tensors.get_or_init(|| tensors).clone())
    }

    /// The key of an entry exactly as stored.
    pub fn key_bytes(&self, entry: &MetadataEntry) -> Result<Uint8Array, JsValue> {
        array::copy(&self.file, self.stored(entry)?.key().range())
    }

    /// The value of an entry exactly as stored.
    pub fn value_bytes(&self, entry: &MetadataEntry) -> Result<Uint8Array, JsValue> {
        array::copy(&self.file, self.stored(entry)?.value_range())
    }

    /// The entry of the header that an object of `entries`, or a copy of it, stands for.
    fn stored(&self, entry: &MetadataEntry) -> Result<MetadataKv<'_>, JsValue> {
        let member = |name| js::members(entry).map_or(Ok(JsValue::UNDEFINED), |entry| entry.get(name));
        let (index, key) = (member("index")?.as_f64(), member("key")?);
        let index = index.filter(|index| *index >= 0.0 && js::is_whole(*index));
        // One of a list made before a change may be another entry's by now.
        let is_same = |entry: &MetadataKv<'_>| key.is_undefined() || value::string(&self.file, entry.key()) == Ok(key);
        match index.and_then(|index| self.file.metadata_at(index as usize)).filter(is_same) {
            Some(entry) => Ok(entry),
            None => Err(failure(Code::InvalidArgument, "an entry is given as one of `entries` as they are now")),
        }
    }
}
