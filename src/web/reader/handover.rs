//! Passing an opened file on: to another module or copy of the package, and to other threads.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::io::{HeaderReader, Merge};
use crate::limits::Limits;
use crate::web::interop::{
    AbortOptions, Bytes, JsArray, Options, Promise, Record, abortable, as_object, describe, failure, is_position,
};
use crate::web::reader::gguf::Gguf;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::source::gguf_source::Source;

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

/// The version of messages. Another copy of the package can have another version.
const VERSION: f64 = 1.0;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "GgufOfAnyEntry | GgufMessage | { readonly merged: GgufOfAnyEntry }")]
    pub type HandedOver;

    /// The functions of `handover.js`. The build adds it to the generated script.
    #[wasm_bindgen(catch, js_name = servedPort)]
    fn served_port(source: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = portSource)]
    fn port_source(port: &JsValue) -> JsValue;
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
    /// const main = await import("gguf-wasm");
    /// const findings = main.Gguf.from(opened).validate();
    pub fn from(other: &HandedOver) -> Result<Gguf, JsValue> {
        let hand_over = as_object(other).map(|other| other.function("_handOver")).transpose()?.flatten();
        let given = hand_over.map_or_else(|| Ok(other.into()), |hand_over| hand_over.call0(other))?;
        let members = as_object(&given).ok_or_else(|| refused(other))?;
        if members.get("gguf")?.as_f64() != Some(VERSION) {
            return Err(refused(other));
        }
        let header = Bytes::of(&members.get("header")?).ok_or_else(|| refused(other))?;
        let size = members.get("size")?.as_f64().filter(|size| is_position(*size)).map(|size| size as u64);
        let source = members.get("source")?;
        let source = match members.get("isPort")?.is_truthy() {
            true => port_source(&source),
            false => source,
        };
        let mut reader = HeaderReader::new(Limits::none(), None);
        reader.take(&header)?;
        Self::new(reader.into_header()?, Source::of_object(source, size)?)
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
    pub fn to_message(&self) -> Result<JsValue, JsValue> {
        let file = self.state()?.file.clone();
        let source = file.handed_over();
        let is_read_here = as_object(&source).map(|source| source.function("read")).transpose()?.flatten().is_some();
        let transfer = JsArray::new();
        let source = match is_read_here {
            true => served_port(&source)?,
            false => source,
        };
        if is_read_here {
            transfer.push(&source);
        }
        let message = message(&file, &source)?.value("isPort", &is_read_here.into()).value("transfer", &transfer);
        Ok(message.done())
    }

    /// The parts of this object that `from` of another module takes.
    #[wasm_bindgen(js_name = _handOver, skip_typescript)]
    pub fn hand_over(&self) -> Result<JsValue, JsValue> {
        let file = self.state()?.file.clone();
        Ok(message(&file, &file.handed_over())?.done())
    }
}

fn message(file: &OpenedFile, source: &JsValue) -> Result<Record, JsValue> {
    #[cfg(feature = "convert")]
    if file.header.is_of_other_file() {
        return Err(failure!(Unsupported:
            "the model is in a format before GGUF, so its header cannot be passed on. Open model.asGguf() instead, or migrate it"));
    }
    let size = file.file_size().map_or(JsValue::UNDEFINED, |size| (size as f64).into());
    let header = file.header.copy_bytes(0..file.header.header_size())?;
    Ok(Record::new().number("gguf", VERSION).value("header", &header).value("source", source).value("size", &size))
}

#[cold]
fn refused(other: &JsValue) -> JsValue {
    failure!(InvalidArgument:
        "the argument of from() is {}, expected a Gguf, a GgufSet, or a message of toMessage() of the same version of \
         gguf-wasm", describe(other))
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
    fn handed_over(&self) -> JsValue;
}

impl HandOver for Rc<OpenedFile> {
    fn handed_over(&self) -> JsValue {
        match self.reader().source() {
            Source::Bytes(bytes) => bytes.into(),
            Source::Blob { blob, .. } => blob.into(),
            Source::Custom { object, .. } => object.clone(),
            Source::Remote(_) => SharedFile(self.clone()).into(),
            #[cfg(feature = "write")]
            Source::Planned(_) => SharedFile(self.clone()).into(),
            #[cfg(feature = "convert")]
            Source::Joined(_) => SharedFile(self.clone()).into(),
            Source::Stream(_) => JsValue::UNDEFINED,
        }
    }
}
