//! `Gguf`: an opened file. Later folders add methods to it.

use alloc::{rc::Rc, sync::Arc};
use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, JsArray, Map, Options, POSITION_END, Promise, Uint8Array, abortable, exact, failure,
};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::elements;
use crate::reader::header_part::on_header;
use crate::reader::listing::{EntryObject, Listing};
use crate::reader::opened_file::OpenedFile;
use crate::reader::options::{OpenOptions, ReadOptions};
use crate::reader::shared_header::freed;
use crate::reader::tensor_info::{self, TensorOrName};
use crate::source::gguf_source::{GgufSource, Source};
use gguf_format::format::header::Header;
use gguf_format::io::{HeaderReader, Source as _};
use gguf_format::tensor::extents::required_size;

/// An opened GGUF file: its header, and access to the data of its tensors.
///
/// @example
/// import { Gguf } from "gguf-wasm";
///
/// const gguf = await Gguf.open("https://huggingface.co/ggml-org/models/resolve/main/tinyllamas/stories260K.gguf");
/// console.log(gguf.metadata.get("general.architecture"), gguf.tensors.length);
#[wasm_bindgen]
#[derive(Clone)]
pub struct Gguf(Rc<RefCell<Option<Rc<State>>>>);

/// `free()` of the generated class calls `release` first: `pkg-template/glue/publish.js`.
#[wasm_bindgen(typescript_custom_section)]
const FREE: &str = r#"
export interface Gguf {
    /**
     * Releases the memory of the header at once. After that, this object and its `MetadataArray`s throw a `GgufError` with
     * the code `freed`. Editors, plans and reads that have begun keep the header until they are done. A second call does
     * nothing. The memory of a `Gguf` that is not freed is released when it and its arrays are garbage-collected.
     *
     * @example
     * const gguf = await Gguf.open(file);
     * try {
     *   console.log(gguf.tensors.length);
     * } finally {
     *   gguf.free(); // Node.js 24 and TypeScript do this at the end of the block for `using gguf = …`.
     * }
     */
    free(): void;
}
"#;

/// The parts of an opened file that `free()` releases.
pub(crate) struct State {
    pub file: Rc<OpenedFile>,
    pub listing: Listing,
}

#[wasm_bindgen]
impl Gguf {
    /// Opens a file by reading its header: a few megabytes of a model of any size.
    ///
    /// @throws {GgufError} If the header cannot be fetched or parsed: see its `code`.
    /// @example
    /// const gguf = await Gguf.open(fileInput.files[0], {
    ///   signal: AbortSignal.timeout(30_000),
    ///   onProgress: ({ bytesRead }) => console.log(`${bytesRead} bytes`),
    /// });
    ///
    /// @example
    /// // What the file is, before its vocabulary has arrived.
    /// const gguf = await Gguf.open(url, {
    ///   onHeader({ entries }) {
    ///     const name = entries.find(({ key }) => key === "general.name")?.value;
    ///     if (name !== undefined) console.log(name);
    ///   },
    /// });
    #[wasm_bindgen(unchecked_return_type = "Promise<Gguf>")]
    pub fn open(source: GgufSource, options: Option<OpenOptions>) -> Promise {
        let options = Options::new(options);
        abortable(options.clone(), async move {
            let given = OpenOptions::read(&options)?;
            let mut header = HeaderReader::new(given.source.limits, on_header(given.progress, given.on_header));
            let source = Source::new(source.into(), &options).await?;
            match given.header {
                None => source.read_header(&mut header, AbortOptions::read(&options)?.signal).await?,
                Some(known) => {
                    header.take(&known)?;
                    source.set_has_header();
                }
            }
            Ok(Self::new(header.into_header()?, source)?.into())
        })
    }

    /// Releases the header, as [`FREE`] describes.
    #[wasm_bindgen(js_name = _release, skip_typescript)]
    pub fn release(&self) {
        if let Some(state) = self.0.take() {
            state.listing.free_arrays();
        }
    }

    /// The version of the format: 1, 2 or 3.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> Result<u32, Thrown> {
        Ok(self.state()?.file.header.format().version)
    }

    /// The byte order of every number in the file.
    #[wasm_bindgen(getter, js_name = byteOrder, unchecked_return_type = "\"little-endian\" | \"big-endian\"")]
    pub fn byte_order(&self) -> Result<JsValue, Thrown> {
        Ok(self.state()?.file.header.format().endian.name().into())
    }

    /// The alignment of the tensors' data in bytes: `general.alignment`, or 32 if that is absent or not an integer from 1 to
    /// 2^32 - 1.
    #[wasm_bindgen(getter)]
    pub fn alignment(&self) -> Result<f64, Thrown> {
        Ok(self.state()?.file.header.alignment() as f64)
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    #[wasm_bindgen(getter, js_name = headerSize)]
    pub fn header_size(&self) -> Result<f64, Thrown> {
        Ok(self.state()?.file.header.header_size() as f64)
    }

    /// Where the tensors' data begins: `headerSize` rounded up to the alignment.
    #[wasm_bindgen(getter, js_name = dataOffset)]
    pub fn data_offset(&self) -> Result<f64, Thrown> {
        Ok(self.state()?.file.header.data_offset() as f64)
    }

    /// The size of the file in bytes, if it is known.
    #[wasm_bindgen(getter, js_name = fileSize)]
    pub fn file_size(&self) -> Result<Option<f64>, Thrown> {
        Ok(self.state()?.file.file_size().map(|size| size as f64))
    }

    /// The number of parameters: the elements of all tensors whose `elementCount` is known. Rounded from 2^53 on.
    #[wasm_bindgen(getter, js_name = parameterCount)]
    pub fn parameter_count(&self) -> Result<f64, Thrown> {
        Ok(self.state()?.file.header.parameter_count() as f64)
    }

    /// The metadata in file order. If several entries have the same key, it has the first one. Its arrays share the memory of
    /// the header: after `free()` they throw, and without `free()` they keep that memory until they are garbage-collected.
    ///
    /// @example
    /// const architecture = gguf.metadata.get("general.architecture");
    /// const contextLength = gguf.metadata.get(`${architecture}.context_length`);
    #[wasm_bindgen(getter, unchecked_return_type = "ReadonlyMap<string, MetadataValue>")]
    pub fn metadata(&self) -> Result<Map, Thrown> {
        self.state()?.listing.metadata()
    }

    /// All metadata entries in file order, including duplicates, with their types, offsets and sizes.
    ///
    /// @example
    /// for (const { key, type, offset } of gguf.entries) console.log(key, type, offset);
    #[wasm_bindgen(getter, unchecked_return_type = "readonly MetadataEntry[]")]
    pub fn entries(&self) -> Result<JsArray, Thrown> {
        self.state()?.listing.entries()
    }

    /// The tensors in the order of the file's list.
    ///
    /// @example
    /// const largest = gguf.tensors.toSorted((a, b) => (b.byteLength ?? 0) - (a.byteLength ?? 0))[0];
    #[wasm_bindgen(getter, unchecked_return_type = "readonly TensorInfo[]")]
    pub fn tensors(&self) -> Result<JsArray, Thrown> {
        self.state()?.listing.tensors()
    }

    /// The first tensor with a name: an object of `tensors`, or `undefined` if there is none.
    ///
    /// @example
    /// const { type, dimensions } = gguf.tensor("token_embd.weight") ?? {};
    #[wasm_bindgen(unchecked_return_type = "TensorInfo | undefined")]
    pub fn tensor(&self, #[wasm_bindgen(unchecked_param_type = "string")] name: JsValue) -> Result<JsValue, Thrown> {
        let state = self.state()?;
        match name.as_string().and_then(|name| tensor_info::find_by_name(&state.file.header, &name)) {
            Some(tensor) => Ok(state.listing.tensors()?.get(tensor.index() as u32)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Where the data of a tensor lies in the file. If the `byteLength` of the tensor is not known, its data counts as
    /// reaching to the next tensor with data, or to the end of the file, including padding. `undefined` if the data reaches to
    /// the end of a file whose size is not known, or if it ends at 2^53 or beyond.
    ///
    /// @throws {GgufError} `unknown-tensor`.
    /// @example
    /// const { start, end } = gguf.extent("output.weight") ?? {};
    #[wasm_bindgen(unchecked_return_type = "TensorExtent | undefined")]
    pub fn extent(&self, tensor: TensorOrName) -> Result<JsValue, Thrown> {
        let state = self.state()?;
        state.file.extent_object(&tensor_info::find(&state.file.header, &tensor)?)
    }

    /// The least size in bytes of the complete file, with its header and the data of all tensors. A tensor whose `byteLength`
    /// is not known counts as one byte. `undefined` from 2^53 on. A file with a smaller `fileSize` is truncated.
    #[wasm_bindgen(getter, js_name = requiredSize)]
    pub fn required_size(&self) -> Result<Option<f64>, Thrown> {
        Ok(required_size(&self.state()?.file.header).and_then(exact))
    }

    /// Reads the data of a tensor as stored: the whole blocks that hold the elements `start..end`. A tensor of unknown type can
    /// only be read as a whole: see `extent`.
    ///
    /// @throws {GgufError} `unknown-tensor`, `out-of-range`, `unknown-type`, or what reading fails with.
    /// @example
    /// const firstRow = await gguf.readBytes("output.weight", { end: gguf.tensor("output.weight")?.dimensions[0] });
    #[wasm_bindgen(js_name = readBytes, unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read_bytes(&self, tensor: TensorOrName, options: Option<ReadOptions>) -> Promise {
        let (state, options) = (self.state(), Options::new(options));
        abortable(options.clone(), async move {
            let file = state?.file.clone();
            let tensor = tensor_info::find(&file.header, &tensor)?;
            let options = ReadOptions::read(&options)?;
            let elements = elements::if_known(&file.header, &tensor, [options.start, options.end])?;
            Ok(file.read_stored(&tensor, elements).await?.into())
        })
    }

    /// The bytes of an entry's key as stored.
    #[wasm_bindgen(js_name = keyBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn key_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.state()?.listing.key_bytes(entry)
    }

    /// The bytes of an entry's value as stored, at its `offset` and with its `byteLength`.
    #[wasm_bindgen(js_name = valueBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn value_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.state()?.listing.value_bytes(entry)
    }

    /// The bytes of an entry's `STRING` value, without its length. They may be other bytes than UTF-8; `value` then has
    /// U+FFFD in their place.
    ///
    /// @throws {GgufError} `invalid-argument` if the value is not a `STRING`.
    /// @example
    /// const template = new TextDecoder().decode(gguf.stringBytes(entry));
    #[wasm_bindgen(js_name = stringBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn string_bytes(&self, entry: &EntryObject) -> Result<Uint8Array, Thrown> {
        self.state()?.listing.string_bytes(entry)
    }

    /// The bytes of the header as stored. With the option `header`, the same file can be opened again, for example in a
    /// worker, without reading its header.
    ///
    /// @example
    /// worker.postMessage({ url, header: gguf.headerBytes() });
    ///
    /// @example
    /// // In the worker:
    /// addEventListener("message", async ({ data: { url, header } }) => {
    ///   const gguf = await Gguf.open(url, { header });
    /// });
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self) -> Result<Uint8Array, Thrown> {
        let header = &self.state()?.file.header;
        header.copy_bytes(0..header.header_size())
    }
}

impl Gguf {
    /// A file with a decoded header.
    pub(crate) fn new(header: Header, source: Source) -> Result<Self, Thrown> {
        Self::with_header(Arc::new(header), source)
    }

    /// A file with a header that others have, too.
    pub(crate) fn with_header(header: Arc<Header>, source: Source) -> Result<Self, Thrown> {
        if let Some(size) = source.size().filter(|size| *size >= POSITION_END) {
            return Err(failure!(TooLarge: "the file cannot be opened: it has {size} bytes, expected fewer than 2^53"));
        }
        let header = Rc::new(DecodedHeader::new(header));
        let state = State { listing: Listing::new(header.clone()), file: Rc::new(OpenedFile::new(header, source)) };
        Ok(Self(Rc::new(RefCell::new(Some(Rc::new(state))))))
    }

    /// What the file holds, or the error `freed` after `free()`.
    pub(crate) fn state(&self) -> Result<Rc<State>, Thrown> {
        self.0.borrow().clone().ok_or_else(freed)
    }
}
