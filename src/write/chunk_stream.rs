//! A file as a `ReadableStream` of chunks.

use alloc::{boxed::Box, rc::Rc};
use core::cell::{Cell, RefCell};
use core::future::Future;
use core::pin::Pin;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Bytes, Options, ProgressOptions, Promise, abortable, options, plain_object, to_js};
use gguf_format::io;

options! {
    /// Options of writing a file.
    pub interface WriteOptions extends AbortOptions, ProgressOptions<"WriteProgress"> as progress {
    }
}

plain_object! {
    /// The progress of writing a file.
    #[open true]
    struct WriteProgress {
        /// The bytes that have been written, or passed on by a stream.
        pub bytes_written: f64,
        /// The bytes of the whole file.
        pub total_bytes: f64,
    }
}

#[wasm_bindgen]
extern "C" {

    #[wasm_bindgen(js_name = ReadableStream)]
    pub type ChunkStream;
    #[wasm_bindgen(constructor, catch, js_class = "ReadableStream")]
    fn new(source: ChunkSource) -> Result<ChunkStream, Thrown>;
    #[wasm_bindgen(method, catch, js_name = pipeTo)]
    pub fn pipe_to(this: &ChunkStream, writable: &JsValue, options: &JsValue) -> Result<JsValue, Thrown>;

    type StreamController;
    #[wasm_bindgen(method, catch)]
    fn enqueue(this: &StreamController, chunk: &JsValue) -> Result<(), Thrown>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &StreamController) -> Result<(), Thrown>;
}

/// A chunk of a stream: bytes, or an object that says where bytes are to be written.
pub(crate) struct Chunk {
    pub value: JsValue,
    /// The number of bytes.
    pub length: f64,
}

impl From<Bytes> for Chunk {
    fn from(bytes: Bytes) -> Self {
        Self { length: bytes.byte_length(), value: bytes.into() }
    }
}

/// The next chunk of a file. `None` at the end.
pub(crate) type NextChunk = Pin<Box<dyn Future<Output = Result<Option<Chunk>, Thrown>>>>;

/// A file that is read chunk by chunk.
pub(crate) trait Chunks {
    fn next_chunk(self: Rc<Self>) -> NextChunk;

    /// Cancels the reads in flight. No more chunks are asked for.
    fn stop(&self);
}

/// Chunks that an engine makes. They are dropped when the stream ends, which cancels their reads.
pub(crate) struct MadeChunks<C>(RefCell<Option<C>>);

impl<C: io::Chunks<Buffer = Bytes>> MadeChunks<C> {
    pub fn new(chunks: C) -> Rc<Self> {
        Rc::new(Self(RefCell::new(Some(chunks))))
    }
}

impl<C: io::Chunks<Buffer = Bytes>> Chunks for MadeChunks<C> {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        let chunks = self.0.take();
        Box::pin(async move {
            let Some(mut chunks) = chunks else { return Ok(None) };
            let chunk = chunks.next_chunk().await?;
            self.0.replace(Some(chunks));
            Ok(chunk.map(Into::into))
        })
    }

    fn stop(&self) {
        self.0.take();
    }
}

/// A stream of a file of `total` bytes. Its first `start` bytes are not part of the stream, and count as written.
pub(crate) fn stream(chunks: Rc<dyn Chunks>, options: Options, start: f64, total: u64) -> Result<ChunkStream, Thrown> {
    let on_progress = WriteOptions::read(&options)?.progress.on_progress;
    let written = Cell::new(start);
    let report = move |bytes: f64| {
        written.set(written.get() + bytes);
        let Some(on_progress) = &on_progress else { return Ok(()) };
        let progress = to_js(&WriteProgress { bytes_written: written.get(), total_bytes: total as f64 });
        on_progress.call1(&JsValue::UNDEFINED, &progress)?;
        Ok(())
    };
    reported_stream(chunks, options, Rc::new(report))
}

/// Is told how many bytes a chunk has that was passed on. An error ends the stream.
pub(crate) type Report = Rc<dyn Fn(f64) -> Result<(), Thrown>>;

/// A stream of chunks whose progress a function reports. `options` have the signal that aborts it.
pub(crate) fn reported_stream(chunks: Rc<dyn Chunks>, options: Options, report: Report) -> Result<ChunkStream, Thrown> {
    ChunkStream::new(ChunkSource { chunks, options, report })
}

/// The underlying source of a `ReadableStream`.
#[wasm_bindgen(skip_typescript)]
pub struct ChunkSource {
    chunks: Rc<dyn Chunks>,
    options: Options,
    report: Report,
}

#[wasm_bindgen]
impl ChunkSource {
    /// Passes the next chunk to the stream.
    #[wasm_bindgen(skip_typescript)]
    pub fn pull(&self, controller: JsValue) -> Promise {
        let (chunks, report) = (self.chunks.clone(), self.report.clone());
        // Before the work begins: a signal that was aborted since the last chunk must end the reads for the next ones, too.
        let stop = StopOnFailure(Some(self.chunks.clone()));
        abortable(self.options.clone(), async move {
            let controller: StreamController = controller.unchecked_into();
            match chunks.clone().next_chunk().await? {
                Some(chunk) => {
                    controller.enqueue(&chunk.value)?;
                    report(chunk.length)?;
                }
                None => controller.close()?,
            }
            stop.disarm();
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Cancels the reads in flight, because the consumer has cancelled the stream.
    #[wasm_bindgen(skip_typescript)]
    pub fn cancel(&self) {
        self.chunks.stop();
    }
}

/// Stops the chunks when it is dropped with them: when the work on a chunk fails or is aborted.
struct StopOnFailure(Option<Rc<dyn Chunks>>);

impl StopOnFailure {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for StopOnFailure {
    fn drop(&mut self) {
        if let Some(chunks) = &self.0 {
            chunks.stop();
        }
    }
}
