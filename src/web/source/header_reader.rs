//! Decoding a header from chunks of JavaScript's memory, with progress for the caller.

use alloc::boxed::Box;

use wasm_bindgen::prelude::*;

use crate::decode::decoder::{Decoder, Progress};
use crate::format::header::Header;
use crate::limits::Limits;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::options::Options;
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::source::limits;

plain_object! {
    /// How far the header has been read.
    #[open true]
    pub(crate) struct OpenProgress {
        /// Bytes of the header that have arrived.
        pub bytes_read: f64,
        /// Size of the whole file in bytes, once it is known.
        pub file_size: Option<f64>,
        /// HTTP requests made, or reads of a custom source.
        pub requests: u32,
        /// Metadata entries decoded.
        pub metadata_read: f64,
        /// Metadata entries in the file, once the file has told it.
        pub metadata_count: Option<f64>,
        /// Tensor infos decoded.
        pub tensors_read: f64,
        /// Tensors in the file, once the file has told it.
        pub tensor_count: Option<f64>,
        /// The estimated size of the whole header in bytes; exact when it is complete.
        pub header_estimate: f64,
    }
}

/// Is told how far the header has been read, after each chunk.
pub(crate) type OnProgress = Box<dyn Fn(OpenProgress) -> Result<(), JsValue>>;

pub(crate) struct HeaderReader {
    decoder: Decoder,
    limits: Limits,
    at_least: u64,
    /// Bytes at the end of the last chunk that are not part of the header.
    unused: f64,
    file_size: Option<u64>,
    requests: u32,
    on_progress: Option<OnProgress>,
    pub signal: Option<JsValue>,
}

impl HeaderReader {
    /// A reader that tells the caller's `onProgress` how far it is.
    pub fn new(options: &Options, signal: Option<JsValue>) -> Result<Self, JsValue> {
        let on_progress = options.function("onProgress")?.map(|function| -> OnProgress {
            Box::new(move |progress| function.call1(&JsValue::UNDEFINED, &to_js(&progress)).map(|_| ()))
        });
        Self::with_progress(options, signal, on_progress)
    }

    pub fn with_progress(
        options: &Options,
        signal: Option<JsValue>,
        on_progress: Option<OnProgress>,
    ) -> Result<Self, JsValue> {
        let limits = limits::limits(options)?;
        Ok(Self {
            decoder: Decoder::with_limits(limits.clone()),
            limits,
            at_least: 1,
            unused: 0.0,
            file_size: None,
            requests: 0,
            on_progress,
            signal,
        })
    }

    /// Decodes the next bytes of the file. Returns whether the header is complete.
    pub fn take(&mut self, chunk: &Bytes) -> Result<bool, JsValue> {
        let mut rest = chunk.byte_length();
        let mut is_complete = false;
        while rest > 0.0 && !is_complete {
            let start = chunk.byte_length() - rest;
            let spare = self.decoder.spare()?;
            let taken = rest.min(spare.len() as f64);
            chunk.subarray(start, start + taken)?.copy_to(&mut spare[..taken as usize])?;
            match self.decoder.commit(taken as usize)? {
                Progress::Done { consumed } => {
                    is_complete = true;
                    self.unused = rest - consumed as f64;
                }
                Progress::NeedMore { at_least } => self.at_least = at_least,
            }
            rest -= taken;
        }
        self.report()?;
        Ok(is_complete)
    }

    /// Forgets all bytes. The next bytes are the first of the file.
    pub fn restart(&mut self) {
        self.decoder = Decoder::with_limits(self.limits.clone());
        (self.at_least, self.unused) = (1, 0.0);
    }

    /// Tells that the file has no more bytes. Fails unless the header is complete.
    pub fn end_of_file(&mut self) -> Result<(), JsValue> {
        Ok(self.decoder.finish()?)
    }

    pub fn into_header(self) -> Result<Header, JsValue> {
        Ok(self.decoder.into_header()?)
    }

    pub fn bytes_read(&self) -> u64 {
        self.decoder.bytes_read()
    }

    /// The least number of bytes that are still missing.
    pub fn at_least(&self) -> u64 {
        self.at_least
    }

    /// Estimates the size of the whole header in bytes.
    pub fn estimated_size(&self) -> u64 {
        self.decoder.estimated_size()
    }

    /// The part of the last chunk that is not part of the header.
    pub fn unused_part(&self, last_chunk: &Bytes) -> Result<Bytes, JsValue> {
        last_chunk.subarray(last_chunk.byte_length() - self.unused, last_chunk.byte_length())
    }

    /// Copies the header to the beginning of `bytes`.
    pub fn copy_to(&self, bytes: &Bytes) -> Result<(), JsValue> {
        bytes.set_pieces(self.decoder.header().bytes().pieces(0..self.bytes_read()))
    }

    pub fn set_file_size(&mut self, size: Option<u64>) {
        self.file_size = size;
    }

    pub fn count_request(&mut self) {
        self.requests += 1;
    }

    fn report(&self) -> Result<(), JsValue> {
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let header = self.decoder.header();
        // The counts stand at the beginning of the header.
        let count = |count: u64| (header.header_size() > 0).then_some(count as f64);
        let progress = OpenProgress {
            bytes_read: self.bytes_read() as f64,
            file_size: self.file_size.map(|size| size as f64),
            requests: self.requests,
            metadata_read: header.metadata().len() as f64,
            metadata_count: count(header.metadata_count()),
            tensors_read: header.tensors().len() as f64,
            tensor_count: count(header.tensor_count()),
            header_estimate: self.estimated_size() as f64,
        };
        on_progress(progress)
    }
}
