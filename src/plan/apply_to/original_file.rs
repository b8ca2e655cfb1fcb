//! Checks that the target is still the original file, and the messages for the case that it is not.

use alloc::vec::Vec;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, failure};
use crate::source::gguf_source::PlannedFile;
use gguf_format::format::header::Header;

/// The error for a target that is not the original file any more.
#[cold]
pub(super) fn changed() -> Thrown {
    failure!(Changed:
        "the file cannot be written: it is not the file that was opened, or it has been changed since; open it again \
         and repeat the changes")
}

/// Whether `size` is the size of the original file.
pub(super) fn has_original_size(file: &PlannedFile, size: f64) -> bool {
    file.original().file_size() == Some(size as u64)
}

/// Whether `bytes` are the bytes of `header`.
pub(super) fn is_header(header: &Header, bytes: &Bytes) -> Result<bool, Thrown> {
    if bytes.byte_length() != header.header_size() as f64 {
        return Ok(false);
    }
    let (mut start, mut found) = (0.0, Vec::new());
    for piece in header.bytes().pieces(0..header.header_size()) {
        let end = start + piece.len() as f64;
        found.resize(piece.len(), 0);
        bytes.subarray(start, end)?.copy_to(&mut found)?;
        if found != piece {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}
