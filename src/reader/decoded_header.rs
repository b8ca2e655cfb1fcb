//! A decoded header, as JavaScript objects share it.

use alloc::sync::Arc;
use core::ops::{Deref, Range};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, TextDecoder, Uint8Array, utf8_decoder};
use gguf_format::format::header::Header;
use gguf_format::write::plan::WritePlan;

/// A header, and the decoder of its texts.
pub(crate) struct DecodedHeader {
    header: Arc<Header>,
    pub decoder: TextDecoder,
}

impl DecodedHeader {
    pub fn new(header: Arc<Header>) -> Self {
        Self { header, decoder: utf8_decoder() }
    }

    /// Another header with the same text decoder.
    pub fn with_header(&self, header: Arc<Header>) -> Self {
        Self { header, decoder: self.decoder.clone() }
    }

    /// The header of a file that is planned from the file with this header.
    pub fn planned(&self, plan: &WritePlan) -> Result<Self, Thrown> {
        Ok(self.with_header(plan.decoded_header(self.bytes())?.into()))
    }

    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Copies a range of the header into JavaScript's memory.
    pub fn copy_bytes(&self, range: Range<u64>) -> Result<Uint8Array, Thrown> {
        let bytes = Bytes::joined(range.end - range.start, self.bytes().pieces(range))?;
        Ok(bytes.unchecked_into())
    }
}

impl Deref for DecodedHeader {
    type Target = Header;

    fn deref(&self) -> &Header {
        &self.header
    }
}
