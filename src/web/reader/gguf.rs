//! `Gguf`: an opened file. Folders after this one add methods to it.

use alloc::boxed::Box;
use alloc::rc::Rc;
use core::cell::{Cell, OnceCell, RefCell};

use js_sys::{Array as JsArray, Function, Map, Promise, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::web::interop::abort::promise;
use crate::web::interop::error::{Code, failure, too_large};
use crate::web::interop::js::{self, Members};
use crate::web::reader::file::File;
use crate::web::reader::listing::{Listing, MetadataEntry};
use crate::web::reader::opened::Opened;
use crate::web::reader::options::{OpenOptions, ReadOptions};
use crate::web::reader::shared_file::freed;
use crate::web::reader::tensor::{self, TensorOrName};
use crate::web::reader::{array, extent, stored_bytes};
use crate::web::source::ranges::Ranges;
use crate::web::source::stream::Task;
use crate::web::source::{GgufSource, HeaderReader, POSITION_END, Source};

/// An opened GGUF file: its header, and the means to read its tensors' data.
///
/// @example
/// import { Gguf } from "gguf-wasm";
///
/// const gguf = await Gguf.open("https://huggingface.co/ggml-org/models/resolve/main/tinyllamas/stories260K.gguf");
/// console.log(gguf.metadata.get("general.architecture"), gguf.tensors.length);
#[wasm_bindgen]
pub struct Gguf(RefCell<Option<Rc<State>>>);

/// The parts of an opened file that `free()` releases.
pub(crate) struct State {
    pub opened: Rc<Opened>,
    pub listing: Listing,
}

#[wasm_bindgen]
impl Gguf {
    /// Opens a file by reading its header, and no more than that: a few megabytes of a model of any size.
    ///
    /// @throws {GgufError} If the header cannot be fetched or parsed: see its `code`.
    /// @example
    /// const gguf = await Gguf.open(fileInput.files[0], {
    ///   signal: AbortSignal.timeout(30_000),
    ///   onProgress: ({ bytesRead }) => console.log(`${bytesRead} bytes`),
    /// });
    #[wasm_bindgen(unchecked_return_type = "Promise<Gguf>")]
    pub fn open(source: GgufSource, options: Option<OpenOptions>) -> Promise {
        promise(js::members_of(&options), move |signal| {
            Box::pin(async move {
                let mut header = HeaderReader::new(options.as_ref(), signal)?;
                let source = Source::new(source.into(), options.as_ref()).await?;
                match options.map(|options| options.some("header")).transpose()?.flatten() {
                    None => source.read_header(&mut header).await?,
                    Some(known) => {
                        let Some(known) = js::bytes(&known) else {
                            return Err(failure(Code::InvalidArgument, "the option header is not bytes"));
                        };
                        header.take(&known)?;
                        source.has_header();
                    }
                }
                let file_size = source.size();
                if file_size.is_some_and(|size| size >= POSITION_END) {
                    return Err(too_large("a file of 2^53 bytes or more"));
                }
                let file = Rc::new(File::new(header.into_header()?));
                let state = State {
                    listing: Listing::new(file.clone()),
                    opened: Rc::new(Opened {
                        file,
                        ranges: Ranges::new(Rc::new(source)),
                        file_size: Cell::new(file_size),
                        extents: OnceCell::new(),
                    }),
                };
                Ok(Self(RefCell::new(Some(Rc::new(state)))).into())
            })
        })
    }

    /// Gives the memory of the header back at once: after that, this object and its `MetadataArray`s throw a `GgufError`
    /// with the code `freed`. Editors, plans and reads that have begun keep the header until they are done. A second call
    /// does nothing. A `Gguf` that is not freed gives its memory back when it and its arrays are garbage-collected.
    ///
    /// @example
    /// using gguf = await Gguf.open(file); // freed at the end of the block
    pub fn free(&self) {
        if let Some(state) = self.0.take() {
            state.listing.free_arrays();
        }
    }

    /// The version of the format: 1, 2 or 3.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> Result<u32, JsValue> {
        Ok(self.state()?.opened.file.format().version)
    }

    /// The byte order of every number in the file.
    #[wasm_bindgen(getter, js_name = byteOrder, unchecked_return_type = "\"little-endian\" | \"big-endian\"")]
    pub fn byte_order(&self) -> Result<JsValue, JsValue> {
        Ok(self.state()?.opened.file.format().endian.name().into())
    }

    /// What the tensors' data is aligned to, in bytes: `general.alignment`, or 32 where that is absent or not an
    /// integer from 1 to 2^32 - 1.
    #[wasm_bindgen(getter)]
    pub fn alignment(&self) -> Result<f64, JsValue> {
        Ok(self.state()?.opened.file.alignment() as f64)
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> Result<f64, JsValue> {
        Ok(self.state()?.opened.file.header_size() as f64)
    }

    /// Where the tensors' data begins: `headerSize` rounded up to the alignment.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> Result<f64, JsValue> {
        Ok(self.state()?.opened.file.data_offset() as f64)
    }

    /// The size of the file in bytes, if it is known.
    #[wasm_bindgen(getter, js_name = fileSize)]
    pub fn file_size(&self) -> Result<Option<f64>, JsValue> {
        Ok(self.state()?.opened.file_size.get().map(|size| size as f64))
    }

    /// The number of parameters: the elements of all tensors whose `elementCount` is known; rounded from 2^53 on.
    #[wasm_bindgen(getter, js_name = parameterCount)]
    pub fn parameter_count(&self) -> Result<f64, JsValue> {
        Ok(self.state()?.opened.file.parameter_count() as f64)
    }

    /// The metadata in file order. Of entries with the same key, the first. Its arrays share the header's
    /// memory: after `free()` they throw, and without `free()` they keep that memory until they are garbage-collected.
    ///
    /// @example
    /// const architecture = gguf.metadata.get("general.architecture");
    /// const contextLength = gguf.metadata.get(`${architecture}.context_length`);
    #[wasm_bindgen(getter, unchecked_return_type = "ReadonlyMap<string, MetadataValue>")]
    pub fn metadata(&self) -> Result<Map, JsValue> {
        self.state()?.listing.metadata()
    }

    /// Every metadata entry in file order, duplicates included, with its type, offset and size.
    ///
    /// @example
    /// for (const { key, type, offset } of gguf.entries) console.log(key, type, offset);
    #[wasm_bindgen(getter, unchecked_return_type = "readonly MetadataEntry[]")]
    pub fn entries(&self) -> Result<JsArray, JsValue> {
        self.state()?.listing.entries()
    }

    /// The tensors in the order of the file's list.
    ///
    /// @example
    /// const largest = gguf.tensors.toSorted((a, b) => b.byteLength - a.byteLength)[0];
    #[wasm_bindgen(getter, unchecked_return_type = "readonly TensorInfo[]")]
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        self.state()?.listing.tensors()
    }

    /// The first tensor with a name: the object that `tensors` has.
    ///
    /// @example
    /// const { type, dimensions } = gguf.tensor("token_embd.weight");
    #[wasm_bindgen(unchecked_return_type = "TensorInfo | undefined")]
    pub fn tensor(&self, #[wasm_bindgen(unchecked_param_type = "string")] name: JsValue) -> Result<JsValue, JsValue> {
        let state = self.state()?;
        match name.as_string().and_then(|name| tensor::named(&state.opened.file, &name)) {
            Some(tensor) => Ok(state.listing.tensors()?.get(tensor.index() as u32)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Where the data of a tensor lies in the file. A tensor whose `byteLength` is not known is taken to go up to the next
    /// tensor with data, or up to the end of the file; padding is then part of it. `undefined` if the end of the file is
    /// needed and the size of the file is not known, or if the data would end at 2^53 or beyond.
    ///
    /// @throws {GgufError} `unknown-tensor`.
    /// @example
    /// const { start, end } = gguf.extent("output.weight");
    #[wasm_bindgen(unchecked_return_type = "TensorExtent | undefined")]
    pub fn extent(&self, tensor: TensorOrName) -> Result<JsValue, JsValue> {
        let state = self.state()?;
        extent::of(&state.opened, &tensor::find(&state.opened.file, &tensor)?)
    }

    /// The least size in bytes with which the file is complete: up to the end of the header, and up to the last byte of
    /// the tensors' data. A tensor whose `byteLength` is not known counts as one byte. `undefined` from 2^53 on. A file
    /// whose `fileSize` is less is truncated.
    #[wasm_bindgen(getter, js_name = requiredSize)]
    pub fn required_size(&self) -> Result<Option<f64>, JsValue> {
        Ok(extent::required_size(&self.state()?.opened))
    }

    /// Reads a tensor's data as stored: the whole blocks in which the elements `start..end` lie. A tensor of unknown type
    /// is read as a whole: see `extent`.
    ///
    /// @throws {GgufError} `unknown-tensor`, `out-of-range`, `unknown-type`, or what reading fails with.
    /// @example
    /// const firstRow = await gguf.readBytes("output.weight", { end: gguf.tensor("output.weight").dimensions[0] });
    #[wasm_bindgen(js_name = readBytes, unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read_bytes(&self, tensor: TensorOrName, options: Option<ReadOptions>) -> Promise {
        let task = TensorTask { prepare: stored_bytes::task, needs_file_size: true, on_progress: |_| Ok(None) };
        self.run(tensor, js::members_of(&options), task)
    }

    /// The key of an entry exactly as stored.
    #[wasm_bindgen(js_name = keyBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn key_bytes(&self, entry: &MetadataEntry) -> Result<Uint8Array, JsValue> {
        self.state()?.listing.key_bytes(entry)
    }

    /// The value of an entry exactly as stored: the bytes that its `offset` and `byteLength` say.
    #[wasm_bindgen(js_name = valueBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn value_bytes(&self, entry: &MetadataEntry) -> Result<Uint8Array, JsValue> {
        self.state()?.listing.value_bytes(entry)
    }

    /// The header exactly as stored. Opened with it as the option `header`, the same file is not read
    /// again: in a worker, say.
    ///
    /// @example
    /// worker.postMessage({ url, header: gguf.headerBytes() });
    /// // in the worker:
    /// const gguf = await Gguf.open(url, { header });
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<Uint8Array, JsValue> {
        let file = &self.state()?.opened.file;
        array::copy(file, 0..file.header_size())
    }
}

/// Work on the data of one tensor, for a method that returns a promise of its result.
pub(crate) struct TensorTask {
    /// Checks the options and prepares the work.
    pub prepare: fn(&Opened, &TensorInfo<'_>, Option<&Members>) -> Result<Task, JsValue>,
    /// Whether the size of the file is needed for a tensor whose own size cannot be computed.
    pub needs_file_size: bool,
    /// The function that is told how much has been read, if the options name one.
    pub on_progress: fn(Option<&Members>) -> Result<Option<Function>, JsValue>,
}

impl Gguf {
    /// What an opened file holds; the error `freed` after `free()`.
    pub(crate) fn state(&self) -> Result<Rc<State>, JsValue> {
        self.0.borrow().clone().ok_or_else(freed)
    }

    /// A promise of the result of a task.
    pub(crate) fn run(&self, tensor: TensorOrName, options: Option<Members>, task: TensorTask) -> Promise {
        let state = self.state();
        promise(options.clone(), move |_| {
            Box::pin(async move {
                let opened = state?.opened.clone();
                let Opened { file, ranges, file_size, .. } = &*opened;
                let (tensor, options) = (tensor::find(file, &tensor)?, options.as_ref());
                if task.needs_file_size && file_size.get().is_none() && tensor.byte_length().is_none() {
                    ranges.learn_file_size(file.data_offset()).await?;
                    file_size.set(ranges.file_size());
                }
                let prepared = (task.prepare)(&opened, &tensor, options)?;
                let result = prepared.run(ranges, (task.on_progress)(options)?).await?;
                file_size.set(file_size.get().or(ranges.file_size()));
                Ok(result)
            })
        })
    }
}
