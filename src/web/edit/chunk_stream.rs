//! Files that are to be, as streams.

use alloc::boxed::Box;
use alloc::rc::Rc;
use core::cell::Cell;
use core::future::Future;
use core::pin::Pin;

use crate::web::interop::abort::abortable;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::options::Options;
use crate::web::interop::record::Record;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** How far a planned file has been written. */
export interface WriteProgress {
  bytesWritten: number;
  totalBytes: number;
}

/** How a planned file is written, and until when. */
export interface WriteOptions {
  /** Ends the writing, with the signal's reason. */
  signal?: AbortSignal;
  /** Is called for every piece that has been written, or handed on. */
  onProgress?: (progress: WriteProgress) => void;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "WriteOptions")]
    pub type WriteOptions;

    #[wasm_bindgen(js_name = ReadableStream)]
    pub type WrittenStream;
    #[wasm_bindgen(constructor, catch, js_class = "ReadableStream")]
    fn new(source: ChunkSource) -> Result<WrittenStream, JsValue>;
    #[wasm_bindgen(method, catch, js_name = pipeTo)]
    pub fn pipe_to(this: &WrittenStream, writable: &JsValue, options: &JsValue) -> Result<JsValue, JsValue>;

    type StreamController;
    #[wasm_bindgen(method, catch)]
    fn enqueue(this: &StreamController, chunk: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &StreamController) -> Result<(), JsValue>;
}

/// Bytes that a stream hands on at once, where they are many.
pub(crate) const PIECE: u64 = 4 << 20;

/// What a stream hands on at once: bytes, or what says where they go.
pub(crate) struct Chunk {
    pub value: JsValue,
    /// How many bytes there are.
    pub length: f64,
}

impl From<Bytes> for Chunk {
    fn from(bytes: Bytes) -> Self {
        Self { length: bytes.byte_length(), value: bytes.into() }
    }
}

/// The next piece of a file: `None` at the end.
pub(crate) type NextChunk = Pin<Box<dyn Future<Output = Result<Option<Chunk>, JsValue>>>>;

/// A file that comes piece by piece.
pub(crate) trait Chunks {
    fn next_chunk(self: Rc<Self>) -> NextChunk;

    /// Ends what is under way.
    fn stop(&self);
}

/// A `ReadableStream` of the file, of which the first `written` bytes are not wanted.
pub(crate) fn stream(
    chunks: Rc<dyn Chunks>,
    options: Options,
    written: f64,
    total: u64,
) -> Result<WrittenStream, JsValue> {
    let progress = Rc::new(Progress::new(options.function("onProgress")?, written, total));
    WrittenStream::new(ChunkSource { chunks, options, progress })
}

/// How far a file has been handed on, and who wants to know.
struct Progress {
    on_progress: Option<Function>,
    written: Cell<f64>,
    total: f64,
}

impl Progress {
    fn new(on_progress: Option<Function>, written: f64, total: u64) -> Self {
        Self { on_progress, written: Cell::new(written), total: total as f64 }
    }

    fn add(&self, bytes: f64) -> Result<(), JsValue> {
        self.written.set(self.written.get() + bytes);
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let progress = Record::new().numbers(&["bytesWritten", "totalBytes"], &[self.written.get(), self.total]);
        on_progress.call1(&JsValue::UNDEFINED, &progress.done()).map(|_| ())
    }
}

/// What a `ReadableStream` of a file pulls from.
#[wasm_bindgen(skip_typescript)]
pub struct ChunkSource {
    chunks: Rc<dyn Chunks>,
    options: Options,
    progress: Rc<Progress>,
}

#[wasm_bindgen]
impl ChunkSource {
    /// Hands the next piece to the stream.
    #[wasm_bindgen(skip_typescript)]
    pub fn pull(&self, controller: JsValue) -> Promise {
        let (chunks, progress) = (self.chunks.clone(), self.progress.clone());
        abortable(self.options.clone(), move |_| {
            Box::pin(async move {
                let unfinished = Unfinished(&*chunks);
                let controller: StreamController = controller.unchecked_into();
                match chunks.clone().next_chunk().await? {
                    Some(chunk) => {
                        controller.enqueue(&chunk.value)?;
                        progress.add(chunk.length)?;
                    }
                    None => controller.close()?,
                }
                core::mem::forget(unfinished);
                Ok(JsValue::UNDEFINED)
            })
        })
    }

    /// Ends what is under way: nobody reads the stream any more.
    #[wasm_bindgen(skip_typescript)]
    pub fn cancel(&self) {
        self.chunks.stop();
    }
}

/// Ends what is under way when the piece that was to come does not.
struct Unfinished<'a>(&'a dyn Chunks);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
