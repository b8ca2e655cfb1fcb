//! `GgufWriter`: a new file from nothing.

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};

use js_sys::{Array as JsArray, Function, SharedArrayBuffer};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::error::ErrorCode;
use crate::format::ggml_type::GgmlType;
use crate::format::value::ValueType;
use crate::format::version::Format;
use crate::web::edit::byte_order::byte_order;
use crate::web::edit::edit_plan;
use crate::web::edit::editor::{self, GivenName, given_types, name, types_of};
use crate::web::edit::given_value::{GivenType, GivenValue, Types, value_of};
use crate::web::edit::write_stream::{self, Chunks, NextChunk, PIECE, WriteOptions};
use crate::web::interop::error::{Code, failure, read_failed};
use crate::web::interop::js::{self, Bytes, Members};
use crate::web::reader::file::File;
use crate::web::reader::listing::Listing;
use crate::web::reader::opened::parsed;
use crate::web::source::new_bytes;
use crate::web::values::dequantize::by_name_or_id;
use crate::write::checks::{ALIGNMENT, lossy};

use crate::write::writer::{Writer, byte_length};

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** What a new file is to be. */
export interface WriterOptions {
  /** The byte order of every number, `"little-endian"` by default. Data has to be given in it. */
  byteOrder?: "little-endian" | "big-endian";
  /** What the tensors' data is aligned to, in bytes: a power of two from 8 on, 32 by default. */
  alignment?: number;
  /** The version of the format, 3 by default. */
  version?: 2 | 3;
}

/**
 * The data of a tensor, in the byte order of the file: bytes, a `Blob`, or a function that gives it when its turn comes.
 */
export type TensorData = ArrayBufferView | ArrayBuffer | Blob | (() => TensorData | Promise<TensorData>);

/** A tensor of a new file. */
export interface NewTensor {
  /** Extents in elements, fastest first, as in the file and in ggml: at most 4. */
  dimensions: readonly number[];
  /** A type of `ggmlTypes()`, by name or number. */
  type: string | number;
  /** Only for `toBlob` and `stream`. It is not copied, and has to stay what it is until then. */
  data?: TensorData;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Members, typescript_type = "WriterOptions")]
    pub type WriterOptions;
    #[wasm_bindgen(typescript_type = "NewTensor")]
    pub type GivenTensor;
}

/// Dimensions that are looked at: more than a tensor can have.
const MOST_EXTENTS: u32 = 16;

/// Functions that give functions, in a row.
const MOST_FUNCTIONS: u32 = 16;

/// A new file from nothing. What is added is checked: llama.cpp reads every file that comes out, unless it has nested
/// arrays, or is big-endian and the machine is not.
///
/// It can be written in three ways: all at once, as a `Blob` or a stream; metadata first, `headerBytes()`, with the tensors'
/// data appended to it later, each padded to where the next one begins; or data first, from `dataOffset` on, for which
/// `reserve()` keeps the place, and `headerBytes()` last.
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
    /// Of each tensor.
    data: Vec<Data>,
    /// The header as it is by now, once it has been looked at.
    listing: OnceCell<Listing>,
}

/// What has been given as the data of a tensor.
#[derive(Clone)]
struct Data {
    name: String,
    /// Bytes that it has to have.
    byte_length: u64,
    /// `undefined` if nothing was given.
    given: JsValue,
}

#[wasm_bindgen]
impl GgufWriter {
    /// A file that has nothing in it yet.
    ///
    /// @throws {GgufError} `unsupported-version`, `bad-alignment`, `does-not-fit`, or `invalid-argument` for a byte order
    /// that is none.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Option<WriterOptions>) -> Result<GgufWriter, JsValue> {
        let options = js::members_of(&options);
        let mut format = Format::default();
        if let Some(version) = option(&options, "version")? {
            format.version = version.as_f64().filter(|version| js::is_whole(*version)).unwrap_or(0.0) as u32;
        }
        if let Some(order) = option(&options, "byteOrder")? {
            format.endian = byte_order(&order)?;
        }
        let writer = Writer::new(format)?;
        let mut made = Self { writer, data: Vec::new(), listing: OnceCell::new() };
        if let Some(alignment) = option(&options, "alignment")? {
            made.put(ALIGNMENT, &alignment, Types::from([ValueType::Uint32]))?;
        }
        Ok(made)
    }

    /// Gives an entry a value, or adds it after those there are. Without a type it keeps its own, or gets one that suits the
    /// value.
    ///
    /// @throws {GgufError} `does-not-fit`, `bad-key`, `bad-alignment`, `limit-exceeded`, and `no-room` after `reserve()`.
    /// @example
    /// writer.set("general.name", "My model");
    /// writer.set("llama.rope.freq_base", 500000, "FLOAT32");
    /// writer.set("tokenizer.ggml.scores", new Float32Array(32000));
    pub fn set(&mut self, key: GivenName, value: GivenValue, r#type: Option<GivenType>) -> Result<(), JsValue> {
        self.put(&name(&key)?, &value, given_types(r#type)?)
    }

    /// Adds a tensor after those there are.
    ///
    /// @throws {GgufError} `bad-name`, `name-taken`, `unknown-type`, `does-not-fit` if rows are not whole blocks or the data
    /// has another size, `limit-exceeded`, `out-of-range`, `invalid-argument`, and `no-room` after `reserve()`.
    /// @example
    /// writer.addTensor("output.weight", { dimensions: [4096, 32000], type: "Q6_K", data: file.slice(start, end) });
    /// writer.addTensor("rope_freqs.weight", { dimensions: [64], type: "F32", data: async () => await compute() });
    #[wasm_bindgen(js_name = addTensor)]
    pub fn add_tensor(&mut self, name: GivenName, tensor: GivenTensor) -> Result<(), JsValue> {
        let name = editor::name(&name)?;
        let no_tensor = || failure(Code::InvalidArgument, "a tensor has a type, and an array of dimensions");
        let tensor = js::members(&tensor).ok_or_else(no_tensor)?;
        let (given, extents) = (tensor.get("data")?, tensor.get("dimensions")?);
        let ggml_type = GgmlType(by_name_or_id(&tensor.get("type")?)?.id);
        if !js::is_array(&extents) {
            return Err(no_tensor());
        }
        let mut dimensions = Vec::new();
        for index in 0..js::length(&extents)?.unwrap_or(0).min(MOST_EXTENTS) {
            dimensions.push(editor::whole(js::element(&extents, index)?.as_f64().unwrap_or(f64::NAN))?);
        }
        let data =
            Data { name: lossy(&name).into_owned(), byte_length: byte_length(&name, &dimensions, ggml_type)?, given };
        if !data.given.is_undefined() && !data.is_later() {
            data.check(&data.given)?;
        }
        self.writer.add_tensor(&name, &dimensions, ggml_type)?;
        self.data.push(data);
        self.listing.take();
        Ok(())
    }

    /// The tensors, with their places in the file as it is by now.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly TensorInfo[]")]
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        if self.listing.get().is_none() {
            let header = self.writer.header()?;
            let header = parsed(self.writer.header_size(), &mut core::iter::once(&header[..]))?;
            let _ = self.listing.set(Listing::new(Rc::new(File::new(header))));
        }
        self.listing.get().map_or_else(|| Ok(JsArray::new()), Listing::tensors)
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> f64 {
        self.writer.header_size() as f64
    }

    /// Where the tensors' data begins.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> f64 {
        self.writer.data_offset() as f64
    }

    /// The size of the file in bytes. The last tensor's data is padded to the alignment as all others' is.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.writer.size() as f64
    }

    /// The header, and the padding up to the data if there are tensors.
    ///
    /// @example
    /// await handle.write(writer.headerBytes());
    /// for (const { byteLength, fileOffset } of writer.tensors) {
    ///   await handle.write(data, 0, byteLength, fileOffset);
    /// }
    /// await handle.truncate(writer.size); // the last tensor's padding
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<JsValue, JsValue> {
        Ok(js::copied(&self.writer.header()?)?.into())
    }

    /// Fixes `dataOffset`, so that the data can be written before the header is. What would move the data is refused from
    /// then on with `no-room`: numbers can still be changed, and strings for others of the same length; what else can
    /// depends on how much padding is left before the data.
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

    /// The whole file. Data that was given as a `Blob` is read only when this one is.
    ///
    /// @throws {GgufError} `truncated` if a tensor has no data, `invalid-argument` if it is to come from a function, which
    /// only `stream` calls.
    #[wasm_bindgen(js_name = toBlob, unchecked_return_type = "Blob")]
    pub fn to_blob(&self) -> Result<JsValue, JsValue> {
        let file = self.file(false)?;
        let parts = JsArray::of1(&file.header);
        for (data, padding) in &file.data {
            parts.push(&data.of_blob()?);
            parts.push(new_bytes(*padding)?.as_ref());
        }
        Ok(edit_plan::Blob::new(&parts, &JsValue::UNDEFINED)?.into())
    }

    /// The bytes of the whole file. Functions that give data are called when it is its turn, one after the other.
    ///
    /// @throws {GgufError} `truncated` if a tensor has no data. The stream fails with `does-not-fit` or `invalid-argument` if
    /// a function does not give what the tensor has to have, with what it throws, and with what reading fails with.
    /// @example
    /// const handle = await showSaveFilePicker({ suggestedName: "model.gguf" });
    /// await writer.stream().pipeTo(await handle.createWritable());
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<WriteOptions>) -> Result<JsValue, JsValue> {
        let file = Rc::new(self.file(true)?);
        Ok(write_stream::stream(file.clone(), js::members_of(&options), 0.0, file.size)?.into())
    }
}

impl GgufWriter {
    fn put(&mut self, key: &[u8], value: &JsValue, mut types: Types) -> Result<(), JsValue> {
        let own = self.writer.get(key).filter(|_| types.is_empty()).map(|entry| entry.value());
        if let Some(own) = own {
            types = types_of(own.value_type(), own.as_array().map(|array| (array.element_type(), array.len())));
        }
        let value = value_of(key, value, types)?;
        self.listing.take();
        Ok(self.writer.put(key, value)?)
    }

    /// The file with all its data, which may be there later.
    fn file(&self, may_be_later: bool) -> Result<NewFile, JsValue> {
        let Self { writer, data, .. } = self;
        let header = js::copied(&writer.header()?)?;
        let mut parts = Vec::new();
        for (tensor, data) in writer.tensors().zip(data).filter(|(_, data)| data.byte_length > 0) {
            if data.given.is_undefined() {
                return Err(failure(ErrorCode::Truncated, &format!("\"{}\" has no data", data.name)));
            }
            if !(may_be_later && data.is_later()) {
                data.check(&data.given)?;
            }
            parts.push((data.clone(), tensor.padded_length() - data.byte_length));
        }
        Ok(NewFile { header, data: parts, size: writer.size(), next: Cell::default(), given: RefCell::default() })
    }
}

impl Data {
    /// Whether a function gives it.
    fn is_later(&self) -> bool {
        self.given.is_function()
    }

    /// Whether bytes or a `Blob` can be the tensor's data.
    fn check(&self, given: &JsValue) -> Result<(), JsValue> {
        let Self { name, byte_length, .. } = self;
        let length = match given.dyn_ref::<Blob>() {
            Some(blob) => Some(js::blob_size(blob)?),
            None => js::bytes(given).map(|bytes| bytes.byte_length()),
        };
        match length {
            Some(length) if length == *byte_length as f64 => Ok(()),
            Some(length) => {
                let message = format!("\"{name}\" has {byte_length} bytes, its data {}", length as u64);
                Err(failure(ErrorCode::DoesNotFit, &message))
            }
            None => {
                let message =
                    format!("the data of \"{name}\" is neither bytes nor a Blob: of functions only stream() makes use");
                Err(failure(Code::InvalidArgument, &message))
            }
        }
    }

    /// What a `Blob` can be made of: not of memory that is shared.
    fn of_blob(&self) -> Result<JsValue, JsValue> {
        match js::bytes(&self.given) {
            Some(bytes) if bytes.buffer().is_instance_of::<SharedArrayBuffer>() => {
                Ok(bytes.slice(0.0, self.byte_length as f64)?.into())
            }
            _ => Ok(self.given.clone()),
        }
    }
}

/// A new file with all its data.
struct NewFile {
    header: Bytes,
    /// Of each tensor that has any, and how many zeros follow it.
    data: Vec<(Data, u64)>,
    size: u64,
    /// What comes next in a stream.
    next: Cell<Next>,
    /// The data of the present tensor.
    given: RefCell<JsValue>,
}

/// What of a file comes next.
#[derive(Clone, Copy, Default)]
enum Next {
    #[default]
    Header,
    /// The data of a tensor from a position on.
    Data(usize, u64),
}

impl NewFile {
    async fn next(&self) -> Result<Option<Bytes>, JsValue> {
        let Next::Data(index, start) = self.next.get() else {
            self.next.set(Next::Data(0, 0));
            return Ok(Some(self.header.clone()));
        };
        let Some((data, padding)) = self.data.get(index) else { return Ok(None) };
        if start == data.byte_length {
            self.next.set(Next::Data(index + 1, 0));
            return new_bytes(*padding).map(Some);
        }
        let end = data.byte_length.min(start + PIECE);
        let mut given = if start == 0 { data.given.clone() } else { self.given.borrow().clone() };
        let mut functions = 0;
        // Once, for all that is waited for.
        let bytes = loop {
            let function = given.dyn_ref::<Function>();
            let Some(function) = function else {
                let Some(blob) = given.dyn_ref::<Blob>() else {
                    break js::bytes(&given).and_then(|bytes| bytes.slice(start as f64, end as f64).ok());
                };
                let read = js::blob_bytes(blob, start, end).await;
                break js::bytes(&read.map_err(|error| read_failed(&error))?);
            };
            let result = js::called(function.call0(&JsValue::UNDEFINED)).await?;
            given = result;
            functions += 1;
            // What goes on giving functions is checked as one, which is no data.
            if !given.is_function() || functions > MOST_FUNCTIONS {
                data.check(&given)?;
            }
        };
        let is_all = end == data.byte_length && *padding == 0;
        self.next.set(if is_all { Next::Data(index + 1, 0) } else { Next::Data(index, end) });
        self.given.replace(given);
        match bytes.filter(|bytes| bytes.byte_length() == (end - start) as f64) {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(failure(Code::ReadFailed, &format!("the data of \"{}\" is no longer there", data.name))),
        }
    }
}

impl Chunks for NewFile {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        Box::pin(async move { Ok(self.next().await?.map(Into::into)) })
    }

    fn stop(&self) {
        self.next.set(Next::Data(self.data.len(), 0));
        self.given.take();
    }
}

#[inline(never)]
fn option(options: &Option<Members>, name: &str) -> Result<Option<JsValue>, JsValue> {
    options.as_ref().map_or(Ok(None), |options| options.some(name))
}
