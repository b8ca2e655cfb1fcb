//! `GgufWriter`: a new file from nothing.

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use js_sys::{Array as JsArray, Function, SharedArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use super::dequantize::by_name_or_id;
use super::edit_plan;
use super::editor::{self, GivenName, byte_order, given_types, lossy, name};
use super::error::{Code, edit_failure, failure};
use super::file::File;
use super::js::{self, Bytes, Members};
use super::listing::Listing;
use super::new_value::{GivenType, GivenValue, Types, new_value};
use super::source::{Source, new_bytes};
use super::write_stream::{self, Chunks, NextChunk, WriteOptions};
use crate::decoder::Decoder;
use crate::format::Format;
use crate::ggml_type::GgmlType;
use crate::input::{ALIGNMENT, EditErrorKind};
use crate::limits::Limits;
use crate::plan::{Part, Segment, WritePlan};
use crate::value::ValueType;
use crate::writer::{self, Writer};

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

/// Bytes of a tensor's data that are handed on at once.
const PIECE: u64 = 4 << 20;

/// A new file from nothing. What is added is checked: llama.cpp reads every file that comes out.
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
    writer: RefCell<Writer>,
    data: RefCell<Vec<Data>>,
    /// What has been written so far, once it has been looked at.
    listing: RefCell<Option<Listing>>,
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
        let option = |name: &str| -> Result<Option<JsValue>, JsValue> {
            options.as_ref().map_or(Ok(None), |options| options.some(name))
        };
        let mut format = Format::default();
        if let Some(version) = option("version")? {
            format.version = version.as_f64().filter(|version| js::is_whole(*version)).unwrap_or(0.0) as u32;
        }
        if let Some(order) = option("byteOrder")? {
            format.endian = byte_order(&order)?;
        }
        let mut writer = Writer::new(format)?;
        if let Some(alignment) = option("alignment")? {
            let value = new_value(&lossy(ALIGNMENT), &alignment, Some(&[ValueType::Uint32]))?;
            writer.add_new(ALIGNMENT, value)?;
        }
        Ok(Self { writer: RefCell::new(writer), data: RefCell::default(), listing: RefCell::default() })
    }

    /// Gives an entry a value, or adds it after those there are. Without a type it keeps its own, or gets one that suits the
    /// value.
    ///
    /// @throws {GgufError} `does-not-fit`, `bad-key`, `bad-alignment`, `limit-exceeded`, and `no-room` after `reserve()`.
    /// @example
    /// writer.set("general.name", "My model");
    /// writer.set("llama.rope.freq_base", 500000, "FLOAT32");
    /// writer.set("tokenizer.ggml.scores", new Float32Array(32000));
    pub fn set(&self, key: GivenName, value: GivenValue, r#type: Option<GivenType>) -> Result<(), JsValue> {
        let (key, types) = (name(&key)?, given_types(r#type)?);
        let own = || -> Option<Types> {
            let writer = self.writer.borrow();
            let value = writer.get(&key)?.value();
            let element_type = value.as_array().map(|array| array.element_type());
            Some([value.value_type()].into_iter().chain(element_type).collect())
        };
        let types = types.or_else(own);
        let value = new_value(&lossy(&key), &value, types.as_deref())?;
        let mut writer = self.writer.borrow_mut();
        if writer.get(&key).is_some() {
            writer.set_new(&key, value)?
        } else {
            writer.add_new(&key, value)?
        }
        self.listing.take();
        Ok(())
    }

    /// Adds a tensor after those there are.
    ///
    /// @throws {GgufError} `bad-name`, `name-taken`, `unknown-type`, `does-not-fit` if rows are not whole blocks or the data
    /// has another size, `limit-exceeded`, `out-of-range`, `invalid-argument`, and `no-room` after `reserve()`.
    /// @example
    /// writer.addTensor("output.weight", { dimensions: [4096, 32000], type: "Q6_K", data: file.slice(start, end) });
    /// writer.addTensor("rope_freqs.weight", { dimensions: [64], type: "F32", data: async () => await compute() });
    #[wasm_bindgen(js_name = addTensor)]
    pub fn add_tensor(&self, name: GivenName, tensor: GivenTensor) -> Result<(), JsValue> {
        let (name, text) = (editor::name(&name)?, lossy(&editor::name(&name)?));
        let Some(tensor) = js::members(&tensor) else {
            return Err(failure(Code::InvalidArgument, "a tensor has dimensions and a type"));
        };
        let (given, dimensions) = (tensor.get("data")?, tensor.get("dimensions")?);
        let ggml_type = GgmlType(by_name_or_id(&tensor.get("type")?)?.id);
        if !dimensions.is_array() {
            return Err(failure(Code::InvalidArgument, "the dimensions are not an array"));
        }
        let extent = |extent: JsValue| editor::whole(extent.as_f64().unwrap_or(f64::NAN));
        let dimensions = dimensions.unchecked_into::<JsArray>().iter().map(extent).collect::<Result<Vec<_>, _>>()?;
        let byte_length = writer::byte_length(&name, &dimensions, ggml_type)?;
        let data = Data { name: text, byte_length, given };
        if !data.given.is_undefined() && !data.is_later() {
            data.check(&data.given)?;
        }
        self.writer.borrow_mut().add_tensor(&name, &dimensions, ggml_type)?;
        self.data.borrow_mut().push(data);
        self.listing.take();
        Ok(())
    }

    /// The tensors, with their places in the file as it is by now.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly TensorInfo[]")]
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        if let Some(listing) = &*self.listing.borrow() {
            return listing.tensors();
        }
        let mut decoder = Decoder::with_limits(Limits::none());
        decoder.push(&self.writer.borrow().header()?)?;
        let listing = Listing::new(Rc::new(File::new(decoder.into_header()?)));
        let tensors = listing.tensors();
        self.listing.replace(Some(listing));
        tensors
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> f64 {
        self.writer.borrow().header_size() as f64
    }

    /// Where the tensors' data begins.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> f64 {
        self.writer.borrow().data_offset() as f64
    }

    /// The size of the file in bytes. The last tensor's data is padded to the alignment as all others' is.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.writer.borrow().size() as f64
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
        Ok(copied(&self.writer.borrow().header()?)?.into())
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
    pub fn reserve(&self) {
        self.writer.borrow_mut().reserve();
    }

    /// The whole file. Data that was given as a `Blob` is read only when this one is.
    ///
    /// @throws {GgufError} `truncated` if a tensor has no data, `invalid-argument` if it is to come from a function, which
    /// only `stream` calls.
    #[wasm_bindgen(js_name = toBlob, unchecked_return_type = "Blob")]
    pub fn to_blob(&self) -> Result<JsValue, JsValue> {
        let (plan, data) = self.plan(false)?;
        let parts = JsArray::new();
        for segment in plan.segments() {
            parts.push(&match segment {
                Segment::Bytes(bytes) => Uint8Array::from(&bytes[..]).into(),
                Segment::Copy { source, .. } | Segment::Swap { source, .. } => data[*source].of_blob()?,
            });
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
        let (plan, data) = self.plan(true)?;
        let size = plan.size();
        let file = NewFile { plan, data, position: Cell::new(0), current: RefCell::default() };
        write_stream::stream(Rc::new(file), js::members_of(&options), 0.0, size)
    }
}

impl GgufWriter {
    /// The file and all its data, which may be there later.
    fn plan(&self, may_be_later: bool) -> Result<(WritePlan, Vec<Data>), JsValue> {
        let data = self.data.borrow().clone();
        for data in data.iter().filter(|data| data.byte_length > 0) {
            if data.given.is_undefined() {
                let message = format!("\"{}\" has been given no data", data.name);
                return Err(edit_failure(EditErrorKind::Truncated, &message));
            }
            if !(may_be_later && data.is_later()) {
                data.check(&data.given)?;
            }
        }
        Ok((self.writer.borrow().plan()?, data))
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
            Some(blob) => Some(blob.size()),
            None => js::bytes(given).map(|bytes| bytes.byte_length()),
        };
        match length {
            Some(length) if length == *byte_length as f64 => Ok(()),
            Some(length) => {
                let message = format!("\"{name}\" has {byte_length} bytes, its data {}", length as u64);
                Err(edit_failure(EditErrorKind::DoesNotFit, &message))
            }
            None => {
                let message = format!("the data of \"{name}\" is neither bytes nor a Blob");
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

    /// Where it is read from.
    async fn source(&self) -> Result<Source, JsValue> {
        let mut given = self.given.clone();
        while let Some(function) = given.dyn_ref::<Function>() {
            given = js::called(function.call0(&JsValue::UNDEFINED)).await?;
        }
        self.check(&given)?;
        Source::new(given, None).await
    }
}

/// A new file that is being streamed.
struct NewFile {
    plan: WritePlan,
    data: Vec<Data>,
    position: Cell<u64>,
    /// The tensor whose data is being read, and where from.
    current: RefCell<Option<(usize, Rc<Source>)>>,
}

impl NewFile {
    async fn next(&self) -> Result<Option<Bytes>, JsValue> {
        let start = self.position.get();
        let bytes = match self.plan.parts(start..start + PIECE).next() {
            None => return Ok(None),
            Some(Part::Bytes(new)) => copied(new)?,
            Some(Part::Copy { source, range } | Part::Swap { source, range, .. }) => {
                self.source(source).await?.read(range, None).await?
            }
        };
        self.position.set(start + bytes.byte_length() as u64);
        Ok(Some(bytes))
    }

    async fn source(&self, tensor: usize) -> Result<Rc<Source>, JsValue> {
        match &*self.current.borrow() {
            Some((current, source)) if *current == tensor => return Ok(source.clone()),
            _ => {}
        }
        let source = Rc::new(self.data[tensor].source().await?);
        self.current.replace(Some((tensor, source.clone())));
        Ok(source)
    }
}

impl Chunks for NewFile {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        Box::pin(async move { self.next().await })
    }

    fn stop(&self) {
        self.position.set(self.plan.size());
        self.current.take();
    }
}

/// Bytes in JavaScript's memory.
fn copied(bytes: &[u8]) -> Result<Bytes, JsValue> {
    let copy = new_bytes(bytes.len() as u64)?;
    copy.subarray(0.0, bytes.len() as f64).copy_from(bytes);
    Ok(copy)
}
