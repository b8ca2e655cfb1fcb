//! A large file that takes no memory.

use std::ops::Range;

use gguf_format::Result;
use gguf_format::io::{Blocking, MemoryBuffer, Source};

/// A header, and zeros after it.
pub struct Zeros {
    pub header: Vec<u8>,
    pub size: u64,
}

impl Source for Zeros {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        let mut bytes = vec![0; (range.end.min(self.size) - range.start) as usize];
        if let Some(header) = self.header.get(range.start as usize..) {
            let length = header.len().min(bytes.len());
            bytes[..length].copy_from_slice(&header[..length]);
        }
        Ok(bytes.into())
    }
}
