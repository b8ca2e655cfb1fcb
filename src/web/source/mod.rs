//! Where the bytes of a file come from.

mod http;
pub(crate) mod ranges;
pub(crate) mod stream;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::decode::decoder::{Decoder, Progress};
use crate::limits::Limits;
use crate::web::interop::error::{Code, failure, read_failed, too_large};
use crate::web::interop::js::{self, Bytes, Record, Shape, Stream, StreamReader};
use crate::web::interop::timer::Turns;
use crate::web::reader::array;
use crate::web::reader::options::{self, OpenOptions};
use crate::web::source::http::Http;
use crate::write::plan::MAX_FILE_SIZE;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** An object of your own that reads parts of a file. */
export interface CustomSource {
  /**
   * Resolves to the bytes `start..end` of the file; to fewer only where the file ends. Up to six reads are under way at
   * once, and their results are not to share memory.
   */
  read(start: number, end: number, options: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** The size of the file in bytes, if it is known. */
  size?: number;
}

/**
 * What can be opened: an address, a file, bytes, a stream (whose values cannot be read later), a file
 * system handle, or an object of your own.
 */
export type GgufSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | SharedArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | { getFile(): Promise<Blob> }
  | CustomSource;
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "GgufSource")]
    pub type GgufSource;
}

/// Bytes that are asked of a local source at once.
const LOCAL_PIECE: u64 = 256 << 10;

/// The largest position that a JavaScript number holds exactly, plus one.
pub(crate) const POSITION_END: u64 = MAX_FILE_SIZE + 1;

/// Whether a number can be a position, a size or a count: whole, and exact.
pub(crate) fn is_position(number: f64) -> bool {
    (0.0..POSITION_END as f64).contains(&number) && js::is_whole(number)
}

/// Where the bytes of a file come from.
pub(crate) enum Source {
    Bytes(Bytes),
    Blob {
        blob: Blob,
        size: u64,
    },
    Custom {
        object: JsValue,
        read: Function,
        size: Option<u64>,
    },
    Http(Box<Http>),
    /// Read from its beginning once, and only as far as the header goes.
    Stream(Stream),
}

impl Source {
    pub async fn new(given: JsValue, options: Option<&OpenOptions>) -> Result<Self, JsValue> {
        if let Some(url) = given.as_string() {
            return Ok(Self::Http(Box::new(Http::new(url, options)?)));
        }
        if js::is_bytes(&given) {
            let detached = || failure(Code::InvalidSource, "the memory of the bytes has been transferred away");
            return js::bytes(&given).map(Self::Bytes).ok_or_else(detached);
        }
        let Some(members) = js::members(&given) else {
            let message = "a source is a URL, a Blob, bytes, a stream, or an object with read()";
            return Err(failure(Code::InvalidSource, message));
        };
        if given.is_instance_of::<Blob>() {
            return Self::of_blob(given.unchecked_into());
        }
        if let Some(url) = members.get("href")?.as_string() {
            return Ok(Self::Http(Box::new(Http::new(url, options)?)));
        }
        if members.function("getReader")?.is_some() {
            return Ok(Self::Stream(given.unchecked_into()));
        }
        if let Some(get_file) = members.function("getFile")? {
            let file = js::called(get_file.call0(&given)).await.map_err(|error| read_failed(&error))?;
            return Self::of_blob(file.dyn_into().map_err(|_| failure(Code::InvalidSource, "getFile() gave no Blob"))?);
        }
        let Some(read) = members.function("read")? else {
            return Err(failure(Code::InvalidSource, "the object has no read() method"));
        };
        let size = match members.some("size")? {
            None => None,
            Some(size) => match size.as_f64().filter(|size| is_position(*size)) {
                Some(size) => Some(size as u64),
                None => return Err(failure(Code::InvalidSource, "the size is not a number of bytes from 0 to 2^53")),
            },
        };
        Ok(Self::Custom { object: given, read, size })
    }

    fn of_blob(blob: Blob) -> Result<Self, JsValue> {
        Ok(Self::Blob { size: js::blob_size(&blob)? as u64, blob })
    }

    /// The size of the file in bytes, as far as is known by now.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => Some(bytes.byte_length() as u64),
            Self::Blob { size, .. } => Some(*size),
            Self::Custom { size, .. } => *size,
            Self::Http(http) => http.size(),
            Self::Stream(_) => None,
        }
    }

    /// Says that the caller has the header already, so that it is not read.
    pub fn has_header(&self) {
        if let Self::Http(http) = self {
            http.has_header();
        }
    }

    pub async fn read_header(&self, header: &mut HeaderReader) -> Result<(), JsValue> {
        header.set_size(self.size());
        match self {
            Self::Bytes(bytes) => match header.take(bytes)? {
                true => Ok(()),
                false => header.end_of_file(),
            },
            Self::Http(http) => http.read_header(header).await,
            Self::Stream(stream) => match read_stream(stream, header).await? {
                true => Ok(()),
                false => header.end_of_file(),
            },
            Self::Blob { .. } | Self::Custom { .. } => self.read_header_by_pieces(header).await,
        }
    }

    async fn read_header_by_pieces(&self, header: &mut HeaderReader) -> Result<(), JsValue> {
        let mut turns = Turns::default();
        loop {
            let start = header.bytes_read();
            // Also what a file claims to need is read as fast as it proves to be there.
            let piece = header.at_least().clamp(LOCAL_PIECE, start.max(LOCAL_PIECE));
            let end = (start + piece).min(self.size().unwrap_or(u64::MAX));
            if start >= end {
                return header.end_of_file();
            }
            header.count_request();
            let piece = self.read_piece(start..end, header.signal.as_ref()).await?;
            if header.take(&piece)? {
                return Ok(());
            }
            if piece.byte_length() == 0.0 {
                return match self.size() {
                    None => header.end_of_file(),
                    Some(_) => Err(failure(Code::ReadFailed, &wrong_length(end - start, &piece))),
                };
            }
            turns.after_chunk().await;
        }
    }

    /// Reads a range of the file, all of it.
    pub async fn read(&self, range: Range<u64>, signal: Option<&JsValue>) -> Result<Bytes, JsValue> {
        let wanted = range.end - range.start;
        let bytes = match self {
            Self::Bytes(bytes) => {
                // A copy: a view would show what the caller later does to the file's bytes.
                bytes.slice(range.start as f64, range.end as f64).map_err(|error| read_failed(&error))?
            }
            Self::Http(http) => return http.read(range).await,
            Self::Stream(_) => {
                let message = "a stream is read only as far as the header goes";
                return Err(failure(Code::NoRanges, message));
            }
            Self::Blob { .. } | Self::Custom { .. } => self.read_piece(range, signal).await?,
        };
        if bytes.byte_length() != wanted as f64 {
            return Err(failure(Code::ReadFailed, &wrong_length(wanted, &bytes)));
        }
        Ok(bytes)
    }

    /// Reads what there is of a range of a local file or of a custom source.
    async fn read_piece(&self, range: Range<u64>, signal: Option<&JsValue>) -> Result<Bytes, JsValue> {
        let (start, end) = (range.start as f64, range.end as f64);
        let piece = match self {
            Self::Blob { blob, .. } => {
                js::blob_bytes(blob, range.start, range.end).await.map_err(|error| read_failed(&error))?
            }
            Self::Custom { object, read, .. } => {
                let options = Record::new().value("signal", signal.unwrap_or(&JsValue::UNDEFINED)).done();
                let read = read.call3(object, &start.into(), &end.into(), &options);
                js::called(read).await.map_err(|error| read_failed(&error))?
            }
            _ => JsValue::UNDEFINED,
        };
        let wanted = range.end - range.start;
        match js::bytes(&piece) {
            Some(bytes) if bytes.byte_length() <= end - start => Ok(bytes),
            Some(bytes) => Err(failure(Code::ReadFailed, &wrong_length(wanted, &bytes))),
            None => Err(failure(Code::ReadFailed, "read() gave no bytes")),
        }
    }
}

/// Reads a stream until the header is complete or the stream ends, says which, and then lets go of it.
async fn read_stream(stream: &Stream, header: &mut HeaderReader) -> Result<bool, JsValue> {
    let stream = OpenStream::new(stream)?;
    let mut turns = Turns::default();
    while let Some(chunk) = stream.read().await.map_err(|error| read_failed(&error))? {
        let Some(chunk) = js::bytes(&chunk) else {
            return Err(failure(Code::ReadFailed, "the stream gave no bytes"));
        };
        if header.take(&chunk)? {
            return Ok(true);
        }
        turns.after_chunk().await;
    }
    Ok(false)
}

/// A stream that is being read; dropping it cancels and releases it.
pub(crate) struct OpenStream(StreamReader);

impl OpenStream {
    pub fn new(stream: &Stream) -> Result<Self, JsValue> {
        Ok(Self(stream.get_reader().map_err(|error| read_failed(&error))?))
    }

    /// The next piece: `None` at the end.
    pub async fn read(&self) -> Result<Option<JsValue>, JsValue> {
        let result = js::called(self.0.read()).await?;
        match js::members(&result) {
            Some(result) => Ok(if result.get("done")?.is_truthy() { None } else { Some(result.get("value")?) }),
            None => Err(failure(Code::ReadFailed, "read() of the stream gave no object")),
        }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        js::ignore(self.0.cancel());
        let _ = self.0.release_lock();
    }
}

fn wrong_length(wanted: u64, received: &Bytes) -> String {
    format!("asked for {wanted} bytes, received {}", received.byte_length() as u64)
}

/// A decoder that takes JavaScript's bytes and tells how far it is.
pub(crate) struct HeaderReader {
    decoder: Decoder,
    limits: Limits,
    at_least: u64,
    /// Bytes at the end of the last piece that do not belong to the header.
    unused: f64,
    size: Option<u64>,
    requests: u32,
    on_progress: Option<Function>,
    progress: Shape,
    pub signal: Option<JsValue>,
}

impl HeaderReader {
    pub fn new(options: Option<&OpenOptions>, signal: Option<JsValue>) -> Result<Self, JsValue> {
        let limits = options::limits(options)?;
        let on_progress = options.map(|options| options.function("onProgress")).transpose()?.flatten();
        Ok(Self {
            decoder: Decoder::with_limits(limits.clone()),
            limits,
            at_least: 1,
            unused: 0.0,
            size: None,
            requests: 0,
            on_progress,
            progress: Shape::new(&[
                "bytesRead",
                "fileSize",
                "requests",
                "metadataRead",
                "metadataCount",
                "tensorsRead",
                "tensorCount",
                "headerEstimate",
            ]),
            signal,
        })
    }

    /// Takes the next bytes of the file; says whether the header is complete.
    pub fn take(&mut self, chunk: &Bytes) -> Result<bool, JsValue> {
        let mut rest = chunk.byte_length();
        let mut complete = false;
        while rest > 0.0 && !complete {
            let start = chunk.byte_length() - rest;
            let spare = self.decoder.spare()?;
            let taken = rest.min(spare.len() as f64);
            chunk.subarray(start, start + taken)?.copy_to(&mut spare[..taken as usize])?;
            match self.decoder.commit(taken as usize)? {
                Progress::Done { consumed } => {
                    complete = true;
                    self.unused = rest - consumed as f64;
                }
                Progress::NeedMore { at_least } => self.at_least = at_least,
            }
            rest -= taken;
        }
        self.report()?;
        Ok(complete)
    }

    /// Forgets everything: the next bytes are the first of the file.
    pub fn restart(&mut self) {
        self.decoder = Decoder::with_limits(self.limits.clone());
        (self.at_least, self.unused) = (1, 0.0);
    }

    /// Says that there are no more bytes: an error, unless the header is complete.
    pub fn end_of_file(&mut self) -> Result<(), JsValue> {
        Ok(self.decoder.finish()?)
    }

    pub fn into_header(self) -> Result<crate::Header, JsValue> {
        Ok(self.decoder.into_header()?)
    }

    pub fn bytes_read(&self) -> u64 {
        self.decoder.bytes_read()
    }

    /// Bytes that are at least still missing.
    pub fn at_least(&self) -> u64 {
        self.at_least
    }

    /// Estimates the size of the whole header.
    pub fn estimated_size(&self) -> u64 {
        self.decoder.estimated_size()
    }

    /// What of the last piece does not belong to the header.
    pub fn rest_of(&self, piece: &Bytes) -> Result<Bytes, JsValue> {
        piece.subarray(piece.byte_length() - self.unused, piece.byte_length())
    }

    /// Copies the header to the beginning of `bytes`.
    pub fn copy_to(&self, bytes: &Bytes) -> Result<(), JsValue> {
        array::copy_to(bytes, self.decoder.header(), 0..self.bytes_read())
    }

    pub fn set_size(&mut self, size: Option<u64>) {
        self.size = size;
    }

    pub fn count_request(&mut self) {
        self.requests += 1;
    }

    fn report(&self) -> Result<(), JsValue> {
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let header = self.decoder.header();
        let counted = |count: u64| if header.header_size() > 0 { Some(count) } else { None };
        let members = [
            Some(self.bytes_read()),
            self.size,
            Some(self.requests.into()),
            Some(header.metadata().len() as u64),
            counted(header.metadata_count()),
            Some(header.tensors().len() as u64),
            counted(header.tensor_count()),
            Some(self.estimated_size()),
        ];
        let progress = self.progress.object(&members.map(|member| match member {
            Some(count) => JsValue::from_f64(count as f64),
            None => JsValue::UNDEFINED,
        }));
        on_progress.call1(&JsValue::UNDEFINED, &progress)?;
        Ok(())
    }
}

/// A new byte array of JavaScript's, if there is memory for it.
pub(crate) fn new_bytes(length: u64) -> Result<Bytes, JsValue> {
    Bytes::with_length(length as f64).map_err(|_| no_memory(length))
}

pub(crate) fn no_memory(length: u64) -> JsValue {
    too_large(&format!("{length} bytes of memory could not be allocated"))
}
