//! Passing an opened file on: to another module or copy of the package, and to other threads.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::interop::failure;
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Bytes, JsArray, Options, Promise, abortable, is_position};
use crate::reader::gguf::Gguf;
use crate::reader::opened_file::OpenedFile;
use crate::source::gguf_source::Source;
use gguf_format::io::{HeaderReader, Merge};
use gguf_format::limits::Limits;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** An opened file as a value for another thread: see `Gguf.toMessage`. Its members may change with the version of the package. */
export interface GgufMessage {
  /** The version of the message. */
  readonly gguf: 1;
  /** What `postMessage` must be told to transfer, as its second argument. */
  readonly transfer: any[];
}

/** A `Gguf` of any entry of the package. */
export type GgufOfAnyEntry = Pick<Gguf, "headerBytes" | "toMessage">;
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "GgufOfAnyEntry | GgufMessage | { readonly merged: GgufOfAnyEntry }")]
    pub type HandedOver;
}

#[wasm_bindgen(raw_module = "glue/handover.js")]
extern "C" {
    /// What is handed over to another entry: an object of these parts.
    #[wasm_bindgen(js_name = handedOver)]
    fn handed_over(header: &JsValue, source: &JsValue, size: Option<f64>) -> JsValue;
    /// The header, the source and the size of what another entry hands over.
    #[wasm_bindgen(catch, js_name = takenOver)]
    fn taken_over(other: &HandedOver) -> Result<JsArray, Thrown>;
    /// What is handed over as a value that can be posted.
    #[wasm_bindgen(catch, js_name = postableOf)]
    fn postable_of(handed_over: &JsValue) -> Result<JsValue, Thrown>;
}

#[wasm_bindgen]
impl Gguf {
    /// An object of this entry from an opened file of another entry or copy of the package, or from a message of another thread.
    /// Nothing is requested: the header is copied, and the data is read from the same source. The other object stays usable, and
    /// can be freed. Of a `GgufSet`, it is the merged file; see also `GgufSet.from`.
    ///
    /// @throws {GgufError} `freed`; `invalid-argument` for all other values, and for a message of an incompatible version.
    /// @example
    /// import * as reader from "gguf-wasm/reader";
    ///
    /// const opened = await reader.Gguf.open(url); // The small module shows the header.
    /// const explain = await import("gguf-wasm/explain");
    /// const findings = explain.Gguf.from(opened).validate();
    pub fn from(other: &HandedOver) -> Result<Gguf, Thrown> {
        let taken = taken_over(other)?;
        let size = taken.get(2).as_f64().filter(|size| is_position(*size)).map(|size| size as u64);
        let mut reader = HeaderReader::new(Limits::none(), None);
        reader.take(taken.get(0).unchecked_ref::<Bytes>())?;
        Self::new(reader.into_header()?, Source::of_object(taken.get(1), size)?)
    }

    /// The opened file as a value that can be posted to a worker, where `Gguf.from` takes it. Nothing is requested again. A
    /// message can be used once.
    ///
    /// A `Blob` is read by the worker itself, and so are bytes, which are copied unless they are in a `SharedArrayBuffer`. All
    /// other sources, for example URLs and objects of your own, are read by this thread on behalf of the worker: with the
    /// requests, headers and connections of this object, as long as this thread runs.
    ///
    /// @throws {GgufError} `freed`.
    /// @example
    /// const message = gguf.toMessage();
    /// worker.postMessage(message, message.transfer);
    ///
    /// @example
    /// // In the worker:
    /// addEventListener("message", async ({ data }) => {
    ///   const gguf = Gguf.from(data);
    /// });
    #[wasm_bindgen(js_name = toMessage, unchecked_return_type = "GgufMessage")]
    pub fn to_message(&self) -> Result<JsValue, Thrown> {
        postable_of(&self.hand_over()?)
    }

    /// The parts of this object that `from` of another module takes.
    #[wasm_bindgen(js_name = _handOver, skip_typescript)]
    pub fn hand_over(&self) -> Result<JsValue, Thrown> {
        let file = self.state()?.file.clone();
        if file.header.is_of_other_file() {
            return Err(failure!(Unsupported:
                "the model is in a format before GGUF, so its header cannot be passed on. Open model.asGguf() instead, or migrate it"));
        }
        let header = file.header.copy_bytes(0..file.header.bytes().len())?;
        Ok(handed_over(&header, &file.source_for_others(), file.file_size().map(|size| size as f64)))
    }
}

/// Reads a file of this module for another module.
#[wasm_bindgen(skip_typescript)]
pub struct SharedFile(Rc<OpenedFile>);

#[wasm_bindgen]
impl SharedFile {
    /// Reads a range, with what this module knows of the server, together with other reads of the file.
    pub fn read(&self, start: f64, end: f64, options: Option<AbortOptions>) -> Promise {
        let read = self.0.reader().request(start as u64..end as u64, Merge::Close);
        abortable(Options::new(options), async move { Ok(read.bytes().await?.into()) })
    }
}

/// The source of a file as another module can read it: a `Blob`, bytes, or an object with `read`. `undefined` for a stream, which
/// cannot be read again.
trait HandOver {
    fn source_for_others(&self) -> JsValue;
}

impl HandOver for Rc<OpenedFile> {
    fn source_for_others(&self) -> JsValue {
        match self.reader().source() {
            Source::Bytes(bytes) => bytes.into(),
            Source::Blob(blob) => blob.content().map_or(JsValue::UNDEFINED, Into::into),
            Source::Custom { object, .. } => object.clone(),
            Source::Remote(_) | Source::Computed(_) => SharedFile(self.clone()).into(),
            Source::Stream(_) => JsValue::UNDEFINED,
        }
    }
}
