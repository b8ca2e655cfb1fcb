//! `GgufWriter`: a new file.

mod new_file;
mod tensor_data;

use alloc::{rc::Rc, string::ToString, vec::Vec};
use core::cell::{Cell, OnceCell, RefCell};

use wasm_bindgen::prelude::*;

use crate::edit::editor::selection::{GivenName, name_bytes, position};
use crate::edit::given_value::types::{GivenType, Types, named_types, types_of};
use crate::edit::given_value::{GivenValue, new_entry_value};
use crate::interop::thrown::Thrown;
use crate::interop::{
    Bytes, Js, JsArray, Options, argument_type, as_object, blobs, describe, element, exact, failure, frozen,
    frozen_list, frozen_numbers, is_array, is_integer, length, once, options, to_open_js, utf8_decoder,
};
use crate::reader::tensor_info::TensorInfo;
use crate::reader::tensor_info::type_by_name_or_id;
use crate::write::chunk_stream::{self, WriteOptions};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::value::ValueType;
use gguf_format::format::version::{Endian, Format};
use gguf_format::write::checks::{ALIGNMENT, lossy};
use gguf_format::write::writer::{NewTensor, Writer, byte_length};
use new_file::{NewFile, PaddedData};
use tensor_data::TensorData;

options! {
    /// Options of a new file.
    pub interface WriterOptions fills format: Format {
        /// The byte order of every number, by default `"little-endian"`. The data of the tensors must be given in it.
        byte_order?: "\"little-endian\" | \"big-endian\"" -> format.endian: Endian;
        /// The alignment of the data section and of each tensor in it, in bytes: a power of two from 8 on, by default 32.
        alignment?: "number" => JsValue;
        /// The version of the format, by default 3.
        version?: "2 | 3" -> format.version: u32, by version;
    }
}

/// An option that is a version. Another value than a whole number is refused as the version 0 is.
fn version(options: &Options, name: &str) -> Result<Option<u32>, Thrown> {
    let version = |given: JsValue| given.as_f64().filter(|version| is_integer(*version)).unwrap_or(0.0) as u32;
    Ok(options.get(name)?.map(version))
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * The data of a tensor, in the byte order of the file: bytes, a `Blob`, or a function that returns the data when it is needed.
 */
export type TensorData = ArrayBufferView | ArrayBuffer | Blob | (() => TensorData | Promise<TensorData>);

/** A tensor of a new file. */
export interface NewTensor {
  /** The dimensions in elements, the fastest first, as in the file and in ggml: at most 4. */
  dimensions: readonly number[];
  /** A type of `ggmlTypes()`, by name or number. */
  type: string | number;
  /** The data for `toBlob` and `stream`. It is not copied, so it must not change until they have read it. */
  data?: TensorData | undefined;
}
"#;

argument_type!(GivenNewTensor: "NewTensor");

/// The most dimensions that are read. It is more than a tensor can have, so that `addTensor` can refuse the tensor.
const MAX_READ_DIMENSIONS: u32 = 16;

/// A new file. Additions are checked, so llama.cpp reads every file that a writer makes. There are two exceptions: llama.cpp
/// refuses nested arrays, and reads big-endian files only on big-endian machines.
///
/// There are three ways to write the file:
///
/// - All at once: `toBlob()` or `stream()`.
/// - Metadata first: write `headerBytes()`, then the data of each tensor, padded to where the next one begins.
/// - Data first: call `reserve()`, write the data from `dataOffset` on, and write `headerBytes()` last.
///
/// @example
/// const writer = new GgufWriter();
/// writer.set("general.architecture", "llama");
/// writer.set("llama.block_count", 32, "UINT32");
/// writer.addTensor("output_norm.weight", { dimensions: [4], type: "F32", data: new Float32Array([1, 1, 1, 1]) });
/// const blob = writer.toBlob();
#[wasm_bindgen]
pub struct GgufWriter {
    writer: Writer,
    /// The data of each tensor.
    data: Vec<TensorData>,
    /// The list of tensors. Made when a caller first asks for it after a change.
    tensors: OnceCell<JsArray>,
}

#[wasm_bindgen]
impl GgufWriter {
    /// A file without entries and tensors.
    ///
    /// @throws {GgufError} `unsupported-version`, `bad-alignment`, `does-not-fit`. `invalid-argument` for an unknown byte order.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Option<WriterOptions>) -> Result<GgufWriter, Thrown> {
        let options = WriterOptions::take(options)?;
        let mut writer = Self { writer: Writer::new(options.format)?, data: Vec::new(), tensors: OnceCell::new() };
        if let Some(alignment) = options.alignment {
            writer.put(ALIGNMENT, &alignment, Types::from([ValueType::Uint32]))?;
        }
        Ok(writer)
    }

    /// Sets the value of an entry, or adds the entry at the end. Without `type`, an existing entry keeps its type, and a new one
    /// gets a type that can hold the value.
    ///
    /// @throws {GgufError} `does-not-fit`, `bad-key`, `bad-alignment`, `limit-exceeded`; `no-room` after `reserve()`.
    /// @example
    /// writer.set("general.name", "My model");
    /// writer.set("llama.rope.freq_base", 500000, "FLOAT32");
    /// writer.set("tokenizer.ggml.scores", new Float32Array(32000));
    pub fn set(&mut self, key: GivenName, value: GivenValue, r#type: Option<GivenType>) -> Result<(), Thrown> {
        self.put(&name_bytes(&key)?, &value, named_types(r#type)?)
    }

    /// Adds a tensor at the end.
    ///
    /// @throws {GgufError} `bad-name`, `name-taken`, `unknown-type`, `limit-exceeded`, `out-of-range`, `invalid-argument`.
    /// `does-not-fit` if rows do not consist of whole blocks, or if the data has another size. `no-room` after `reserve()`.
    /// @example
    /// writer.addTensor("output.weight", { dimensions: [256, 256], type: "Q6_K", data: file.slice(start, end) });
    /// writer.addTensor("rope_freqs.weight", { dimensions: [64], type: "F32", data: async () => await compute() });
    #[wasm_bindgen(js_name = addTensor)]
    pub fn add_tensor(&mut self, name: GivenName, tensor: GivenNewTensor) -> Result<(), Thrown> {
        let name = name_bytes(&name)?;
        let no_dimensions = |found: &JsValue| {
            failure!(InvalidArgument:
                "cannot add the tensor \"{}\": its dimensions are {}, expected an array of numbers", lossy(&name),
                describe(found))
        };
        let tensor = as_object(&tensor).ok_or_else(|| no_dimensions(&JsValue::UNDEFINED))?;
        let (given, extents) = (tensor.get("data")?, tensor.get("dimensions")?);
        let ggml_type = GgmlType(type_by_name_or_id(&tensor.get("type")?)?.id);
        if !is_array(&extents) {
            return Err(no_dimensions(&extents));
        }
        let mut dimensions = Vec::new();
        for index in 0..length(&extents)?.unwrap_or(0).min(MAX_READ_DIMENSIONS) {
            let extent = element(&extents, index)?.as_f64().unwrap_or(f64::NAN);
            dimensions.push(position("dimension", extent)?);
        }
        let byte_length = byte_length(&name, &dimensions, ggml_type)?;
        let data = TensorData::new(lossy(&name).into_owned(), byte_length, given)?;
        self.writer.add_tensor(&name, &dimensions, ggml_type)?;
        self.data.push(data);
        self.tensors.take();
        Ok(())
    }

    /// The tensors, with the offsets that their data has now. A later change of the header can move the data section.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly TensorInfo[]")]
    pub fn tensors(&self) -> Result<JsArray, Thrown> {
        let decoder = utf8_decoder();
        let object = |tensor: NewTensor<'_>| {
            let extents = tensor.dimensions();
            let product: u64 = extents.iter().product();
            Ok(frozen(to_open_js(&TensorInfo {
                index: tensor.index() as u32,
                name: Js(decoder.decode(tensor.name())?),
                dimensions: frozen_numbers(extents.iter().map(|extent| *extent as f64)),
                r#type: tensor.ggml_type().to_string(),
                type_id: tensor.ggml_type().0,
                type_owner: None,
                element_count: exact(product),
                byte_length: exact(tensor.byte_length()),
                offset: tensor.offset() as f64,
                file_offset: exact(tensor.position()),
            })))
        };
        once(&self.tensors, || Ok(frozen_list(self.writer.tensors().map(object).collect::<Result<_, Thrown>>()?)))
    }

    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> f64 {
        self.writer.header_size() as f64
    }

    /// The offset of the data section, in bytes from the start of the file.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> f64 {
        self.writer.data_offset() as f64
    }

    /// The size of the file in bytes. The data of every tensor is padded to the alignment, also of the last one.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.writer.size() as f64
    }

    /// The bytes of the header. If there are tensors, followed by the padding up to `dataOffset`.
    ///
    /// @example
    /// await handle.write(writer.headerBytes());
    /// for (const { byteLength, fileOffset } of writer.tensors) {
    ///   await handle.write(data, 0, byteLength, fileOffset);
    /// }
    /// await handle.truncate(writer.size); // the last tensor's padding
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<JsValue, Thrown> {
        Ok(Bytes::copy_of(&self.writer.header()?)?.into())
    }

    /// Fixes `dataOffset`, so that the data can be written before the header. From then on, a change that would move the data is
    /// refused with `no-room`. A number of the same type and a string of the same length always fit. Other changes fit if the
    /// header still ends in the padding before the data.
    ///
    /// @example
    /// writer.set("my.checksum", 0, "UINT64");
    /// writer.reserve();
    /// const checksum = await writeData(writer.dataOffset);
    /// writer.set("my.checksum", checksum);
    /// await handle.write(writer.headerBytes(), 0, undefined, 0);
    pub fn reserve(&mut self) {
        self.writer.reserve();
    }

    /// The whole file as a `Blob`. Data that was given as a `Blob` is read when the result is read.
    ///
    /// @throws {GgufError} `truncated` if a tensor has no data. `invalid-argument` if a function gives the data: use `stream`
    /// then.
    #[wasm_bindgen(js_name = toBlob, unchecked_return_type = "Blob")]
    pub fn to_blob(&self) -> Result<JsValue, Thrown> {
        let file = self.file(false)?;
        let parts = JsArray::of1(&file.header);
        for PaddedData { data, padding } in &file.data {
            parts.push(&data.blob_part()?);
            parts.push(Bytes::zeroed(*padding)?.as_ref());
        }
        Ok(blobs::joined(&parts, &JsValue::UNDEFINED)?.into())
    }

    /// The bytes of the whole file. Functions that give data are called one after the other, when their data is needed.
    ///
    /// @throws {GgufError} `truncated` if a tensor has no data. The stream fails with `does-not-fit` or `invalid-argument` if a
    /// function does not return data of the right size, with what the function throws, and with what reading fails with.
    /// @example
    /// const handle = await showSaveFilePicker({ suggestedName: "model.gguf" });
    /// await writer.stream().pipeTo(await handle.createWritable());
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<WriteOptions>) -> Result<JsValue, Thrown> {
        let file = Rc::new(self.file(true)?);
        Ok(chunk_stream::stream(file.clone(), Options::new(options), 0.0, file.size)?.into())
    }
}

impl GgufWriter {
    /// The file as it is now.
    #[cfg(feature = "know")]
    pub(super) fn planned(&self) -> &Writer {
        &self.writer
    }

    fn put(&mut self, key: &[u8], value: &JsValue, mut types: Types) -> Result<(), Thrown> {
        let current = self.writer.get(key).filter(|_| types.is_empty()).map(|entry| entry.value());
        if let Some(current) = current {
            let array = current.as_array().map(|array| (array.element_type(), array.len()));
            types = types_of(current.value_type(), array);
        }
        let value = new_entry_value(key, value, types)?;
        self.writer.put(key, value)?;
        self.tensors.take();
        Ok(())
    }

    /// The file with its data. `allows_functions`: functions may give data later.
    fn file(&self, allows_functions: bool) -> Result<NewFile, Thrown> {
        let header = Bytes::copy_of(&self.writer.header()?)?;
        let mut padded = Vec::new();
        for (tensor, data) in self.writer.tensors().zip(&self.data).filter(|(_, data)| data.byte_length > 0) {
            data.check_given(allows_functions)?;
            padded.push(PaddedData { data: data.clone(), padding: tensor.padded_length() - data.byte_length });
        }
        Ok(NewFile {
            header,
            data: padded,
            size: self.writer.size(),
            next: Cell::default(),
            current: RefCell::default(),
        })
    }
}
