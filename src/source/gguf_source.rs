//! The kinds of sources that a file can be read from.

use alloc::boxed::Box;
use core::cell::RefCell;
use core::ops::Range;

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOnDrop, Bytes, ChunkCounter, EventLoop, Function, JsArray, Object, Options, Stream, StreamReader,
    argument_type, as_object, blobs, called, describe, failure, is_bytes, read_failed, set_member,
};
use crate::source::blob_source::{self, BlobSource};
use crate::source::computed::Computed;
use crate::source::http::{GivenResponse, RemoteFile, RequestLimits, RequestOptions, remote_file};
use crate::source::local_files;
use crate::source::receiver::received;
use gguf_format::error::Result as CoreResult;
use gguf_format::io::{self, HeaderReader, Source as _};
use gguf_format::write::planned_file;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** An object of your own that reads parts of a file. */
export interface CustomSource {
  /**
   * Resolves to the bytes `start..end` of the file; to fewer only where the file ends. Up to six reads are under way at
   * once, and their results must not share memory.
   */
  read(start: number, end: number, options: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** The size of the file in bytes, if it is known. */
  size?: number | undefined;
}

/** The kinds of sources. `gguf-wasm/node` adds those of Node.js. */
export interface GgufSources {
  /** With `gguf-wasm/node`, also a path: a text that does not begin with a scheme such as `https://`. */
  url: string | URL;
  file: Blob | { getFile(): Promise<Blob> };
  bytes: ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
  /** It is read once, up to the end of the header. The data of tensors cannot be read later. */
  stream: ReadableStream<Uint8Array>;
  /**
   * The response of a `fetch` for the file, or for its beginning. Its body is read up to the end of the header. What follows is
   * requested from its URL; if it has none, the data of tensors cannot be read.
   */
  response: Response;
  custom: CustomSource;
}

/** What can be opened: a URL, a file, bytes, a stream, a response, a file system handle, or an object of your own. */
export type GgufSource = GgufSources[keyof GgufSources];
"#;

argument_type!(GgufSource: "GgufSource");

#[wasm_bindgen(raw_module = "glue/sources.js")]
extern "C" {
    /// The kind of a source, and what is read. `entry` is the entry of this module for programs with a file system.
    #[wasm_bindgen(catch, js_name = sourceOf)]
    fn source_of(given: &JsValue, entry: &str) -> Result<JsArray, Thrown>;
}

#[wasm_bindgen(raw_module = "glue/explain.js")]
extern "C" {
    /// Remembers the first bytes of a file whose header could not be read, from which the message of the error says what the file is.
    #[wasm_bindgen(js_name = keepHead)]
    fn keep_head(error: &JsValue, head: &[u8]);
}

/// Bytes that are read at once from other sources. Six pieces in flight then take 6 MiB.
const LOCAL_BYTES_AT_ONCE: u64 = 1 << 20;

/// A planned file whose originals are read from such sources.
pub(crate) type PlannedFile = planned_file::PlannedFile<Source>;

/// The bytes of a file.
pub(crate) enum Source {
    Bytes(Bytes),
    Blob(BlobSource),
    Custom {
        object: JsValue,
        read: Function,
        size: Option<u64>,
        /// The signal of the caller while the header is read. A later read can be for several callers.
        signal: RefCell<Option<JsValue>>,
    },
    Remote(Box<RemoteFile>),
    /// A file that a plan or a conversion of this module makes of other sources.
    Computed(Computed),
    /// A stream is read once, from its beginning up to the end of the header.
    Stream(Stream),
}

impl Source {
    pub async fn new(given: JsValue, options: &Options) -> Result<Self, Thrown> {
        Self::with_limits(given, options, RequestLimits::of_file()).await
    }

    /// A source that, if it is a URL, has no more requests in flight than the limits allow.
    pub async fn with_limits(given: JsValue, options: &Options, limits: RequestLimits) -> Result<Self, Thrown> {
        let given = file_of(local_files::opened(given).await?).await?;
        Self::of(given, options, limits)
    }

    /// A source that is no path and no file handle.
    fn of(given: JsValue, options: &Options, limits: RequestLimits) -> Result<Self, Thrown> {
        if is_bytes(&given) {
            let detached = || {
                failure!(InvalidSource:
                    "the bytes cannot be opened: their memory has been transferred away. Open them before, or pass a \
                     copy")
            };
            return Bytes::of(&given).map(Self::Bytes).ok_or_else(detached);
        }
        #[cfg(feature = "write")]
        if let Some(plan) = received(&given)?.and_then(|received| received.downcast::<PlannedFile>().ok()) {
            return Ok(Self::Computed(Computed::new((*plan).clone())));
        }
        let found = source_of(&given, local_files::ENTRY)?;
        let (kind, value) = (found.get(0).as_string().unwrap_or_default(), found.get(1));
        Ok(match kind.as_str() {
            "url" => {
                let url = value.as_string().unwrap_or_default();
                Self::Remote(Box::new(remote_file(&url, RequestOptions::read(options)?, limits)?))
            }
            "blob" => Self::Blob(BlobSource::new(value.unchecked_into())?),
            "stream" => Self::Stream(value.unchecked_into()),
            "response" => match GivenResponse::new(value.unchecked_ref(), options, limits)? {
                GivenResponse::Remote(file) => Self::Remote(file),
                GivenResponse::Body(stream) => Self::Stream(stream),
            },
            _ => {
                let size = found.get(2).as_f64().map(|size| size as u64);
                Self::Custom { object: given, read: value.unchecked_into(), size, signal: RefCell::default() }
            }
        })
    }

    /// A source that another module or thread has handed over: a `Blob`, bytes, or an object with `read`. `undefined` is a stream
    /// that has been read.
    pub fn of_object(given: JsValue, size: Option<u64>) -> Result<Self, Thrown> {
        if given.is_undefined() {
            return Ok(Self::Stream(given.unchecked_into()));
        }
        if let Some(bytes) = Bytes::of(&given) {
            return Ok(Self::Bytes(bytes));
        }
        if given.is_instance_of::<Blob>() {
            return Ok(Self::Blob(BlobSource::new(given.unchecked_into())?));
        }
        match as_object(&given).map(|object| object.function("read")).transpose()?.flatten() {
            Some(read) => Ok(Self::Custom { object: given, read, size, signal: RefCell::default() }),
            None => Err(failure!(InvalidArgument: "the source that was handed over has no method read()")),
        }
    }

    /// Tells that the caller has the header already, so that it is not read.
    pub fn set_has_header(&self) {
        if let Self::Remote(file) = self {
            file.set_has_header();
        }
    }

    /// The object of the caller that is read, if the source is one.
    pub fn custom_object(&self) -> Option<&JsValue> {
        match self {
            Self::Custom { object, .. } => Some(object),
            _ => None,
        }
    }

    /// Reads the header. A custom source gets the caller's own signal.
    pub async fn read_header(&self, header: &mut HeaderReader, caller: Option<JsValue>) -> Result<(), Thrown> {
        header.set_file_size(self.size());
        let read = self.read_into(header, caller).await;
        if let Err(error) = &read {
            keep_head(error, header.beginning());
        }
        read
    }

    async fn read_into(&self, header: &mut HeaderReader, caller: Option<JsValue>) -> Result<(), Thrown> {
        let is_complete = match self {
            Self::Bytes(bytes) => header.take(bytes)?,
            Self::Stream(stream) => read_stream(stream, header).await?,
            Self::Remote(file) => return Ok(file.read_header(header).await?),
            _ => {
                let signal = if let Self::Custom { signal, .. } = self { Some(signal) } else { None };
                signal.map(|signal| signal.replace(caller));
                let read = header.read(self).await;
                signal.map(RefCell::take);
                return Ok(read?);
            }
        };
        match is_complete {
            true => Ok(()),
            false => Ok(header.end_of_file()?),
        }
    }
}

impl io::Source for Source {
    type Buffer = Bytes;
    type Host = EventLoop;

    fn size(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes.byte_length() as u64),
            Self::Blob(blob) => Some(blob.size()),
            Self::Custom { size, .. } => *size,
            Self::Remote(file) => file.size(),
            Self::Computed(file) => file.size(),
            Self::Stream(_) => None,
        }
    }

    async fn read(&self, range: Range<u64>) -> CoreResult<Bytes> {
        let (start, end) = (range.start as f64, range.end as f64);
        let found = match self {
            // A copy: a view would show what the caller later does to the file's bytes.
            Self::Bytes(bytes) => return Ok(bytes.slice(start, end).map_err(|error| read_failed(&error))?),
            Self::Remote(file) => return file.read(range).await,
            Self::Computed(file) => return file.read(range).await,
            Self::Stream(_) => {
                return Err(failure!(NoRanges:
                    "the tensor data cannot be read: the file was opened from a stream, which is read only up to the \
                     end of the header. Open a URL, a Blob or bytes")
                .into());
            }
            Self::Blob(blob) => {
                blobs::read(&blob.content()?, range.start, range.end).await.map_err(blob_source::refused)
            }
            Self::Custom { object, read, signal, .. } => {
                let abort = AbortOnDrop::new()?;
                let options = Object::new().into();
                let signal = signal.borrow().clone();
                set_member(&options, "signal", &signal.unwrap_or_else(|| abort.signal()));
                let found = called(read.call3(object, &start.into(), &end.into(), &options)).await;
                abort.disarm();
                found
            }
        };
        let found = found.map_err(|error| read_failed(&error))?;
        Ok(Bytes::of(&found).ok_or_else(|| {
            failure!(ReadFailed:
                "the source could not be read: read() returned {}, expected a Uint8Array", describe(&found))
        })?)
    }

    async fn learn_size(&self, start: u64) -> CoreResult<()> {
        match self {
            Self::Remote(file) => file.learn_size(start).await,
            _ => Ok(()),
        }
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        match self {
            Self::Computed(file) => file.origin(range),
            _ => (core::ptr::from_ref(self).addr(), range.start),
        }
    }

    fn reads_into_new_memory(&self) -> bool {
        match self {
            Self::Bytes(_) | Self::Blob(_) | Self::Remote(_) => true,
            // Local files of this package promise it. Objects of callers do not.
            Self::Custom { object, .. } => as_object(object)
                .is_some_and(|object| object.get("readsIntoNewMemory").is_ok_and(|promise| promise.is_truthy())),
            _ => false,
        }
    }

    fn bytes_at_once(&self) -> u64 {
        match self {
            Self::Remote(file) => file.bytes_at_once(),
            Self::Computed(file) => file.bytes_at_once(),
            _ => LOCAL_BYTES_AT_ONCE,
        }
    }
}

/// The file of a file handle. Other sources are returned as they are.
async fn file_of(given: JsValue) -> Result<JsValue, Thrown> {
    let get_file = as_object(&given).map(|given| given.function("getFile")).transpose()?.flatten();
    let Some(get_file) = get_file else { return Ok(given) };
    let file = called(get_file.call0(&given)).await.map_err(|error| read_failed(&error))?;
    if file.is_instance_of::<Blob>() {
        return Ok(file);
    }
    Err(failure!(InvalidSource:
        "the file handle cannot be opened: getFile() returned {}, expected a File", describe(&file)))
}

/// Reads a stream until the header is complete (true) or the stream ends (false), and cancels the rest of it.
async fn read_stream(stream: &Stream, header: &mut HeaderReader) -> Result<bool, Thrown> {
    let stream = StreamReader::new(stream)?;
    let mut chunks = ChunkCounter::default();
    while let Some(chunk) = stream.read().await.map_err(|error| read_failed(&error))? {
        let Some(bytes) = Bytes::of(&chunk) else {
            return Err(failure!(ReadFailed:
                "the stream could not be read: a chunk is {}, expected a Uint8Array", describe(&chunk)));
        };
        if header.take(&bytes)? {
            return Ok(true);
        }
        chunks.count().await;
    }
    Ok(false)
}
