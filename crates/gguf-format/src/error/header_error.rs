//! The error of a header that cannot be decoded.

use core::fmt::{self, Write};

use super::code::ErrorCode;
use crate::limits::Limit;

/// The result of decoding a header.
pub type HeaderResult<T> = core::result::Result<T, HeaderError>;

/// The reason why a header cannot be decoded, and the offset in the file.
///
/// # Examples
///
/// ```
/// let error = gguf_format::parse(b"<!doctype html>").unwrap_err();
/// assert_eq!(error.code(), "bad-magic");
/// assert_eq!(error.offset(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderError {
    kind: ErrorKind,
    offset: u64,
}

/// The reason why a header cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file does not begin with `GGUF`.
    BadMagic {
        /// The first four bytes.
        found: [u8; 4],
    },
    /// The version is not 1, 2 or 3.
    UnsupportedVersion {
        /// The version, read in the byte order of the file.
        found: u32,
    },
    /// The type of a metadata value or of an array's elements is not one of the 13 types, so its size is unknown.
    UnknownValueType {
        /// The type id.
        found: u32,
    },
    /// A count or a size in the file exceeds one of the [`Limits`](crate::Limits).
    LimitExceeded {
        /// The limit that is exceeded.
        limit: Limit,
        /// The count or size in the file; `u64::MAX` if the sum does not fit.
        found: u64,
        /// The limit's value.
        allowed: u64,
    },
    /// The file ends inside the header.
    UnexpectedEof {
        /// The item that is incomplete, in the format's words.
        item: &'static str,
        /// The size of the item in bytes, from the error's offset.
        needed: u64,
        /// The bytes of the file from the error's offset.
        available: u64,
    },
    /// Memory for the header could not be allocated.
    TooLarge {
        /// The size of the failed allocation in bytes.
        bytes: u64,
    },
}

impl ErrorKind {
    /// The stable code of this kind of error.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::BadMagic { .. } => ErrorCode::BadMagic,
            Self::UnsupportedVersion { .. } => ErrorCode::UnsupportedVersion,
            Self::UnknownValueType { .. } => ErrorCode::UnknownValueType,
            Self::LimitExceeded { .. } => ErrorCode::LimitExceeded,
            Self::UnexpectedEof { .. } => ErrorCode::UnexpectedEof,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
        }
    }
}

impl HeaderError {
    #[cold]
    pub(crate) const fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// The reason, with its details.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The stable code of the reason: `unexpected-eof`.
    pub const fn code(&self) -> ErrorCode {
        self.kind.code()
    }

    /// The offset of the item that cannot be read, in bytes from the start of the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic { found } => {
                f.write_str("the file begins with \"")?;
                for byte in found {
                    f.write_char(if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '\u{b7}' })?;
                }
                f.write_str("\" instead of \"GGUF\". ")?;
                // Servers answer a wrong address with a page, also with the status of success.
                f.write_str(match found[0] {
                    b'<' => "It looks like a web page: check the address, and open it in a browser.",
                    _ => "Check that it is a GGUF file.",
                })
            }
            Self::UnsupportedVersion { found } => {
                write!(f, "the version is {found}, expected 1, 2 or 3. Look for a newer version of this reader.")
            }
            Self::UnknownValueType { found } => {
                write!(f, "the value type is {found}, expected 0 to 12. Download the file again, or write it again.")
            }
            Self::LimitExceeded { limit, found, allowed } => {
                write!(f, "{found} {limit}, at most {allowed} are allowed. Raise the limit if you trust the file.")
            }
            Self::UnexpectedEof { item, needed, available } => {
                write!(
                    f,
                    "{item} needs {needed} bytes, but the file has only {available} more. Download the file again."
                )
            }
            Self::TooLarge { bytes } => {
                write!(f, "{bytes} bytes of memory could not be allocated. Close other programs or tabs.")
            }
        }
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the header at offset {:#x}: {}", self.offset, self.kind)
    }
}

impl core::error::Error for HeaderError {}
