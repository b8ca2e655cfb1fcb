//! What makes the next byte's meaning unknowable, and nothing else.
//!
//! Everything that can be read past is kept as it is.

use core::fmt::{self, Write};

use crate::limits::Limit;

/// The result of decoding.
pub type Result<T> = core::result::Result<T, Error>;

/// Why a header cannot be read, and where.
///
/// # Examples
///
/// ```
/// let error = gguf_wasm::parse(b"<!doctype html>").unwrap_err();
/// assert_eq!(error.code(), "bad-magic");
/// assert_eq!(error.offset(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: u64,
}

/// The ways in which a header can be unreadable.
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
        /// The version, in the byte order that its low half implies.
        found: u32,
    },
    /// A metadata value or an array's elements are of a type that is not one of the 13, so its size
    /// is unknown.
    UnknownValueType {
        /// The type id.
        found: u32,
    },
    /// The file asks for more than [`Limits`](crate::Limits) allow.
    LimitExceeded {
        /// Which limit.
        limit: Limit,
        /// What the file asks for; `u64::MAX` if the sum does not fit.
        found: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// The file ends inside the header.
    UnexpectedEof {
        /// What was being read, in the format's words.
        item: &'static str,
        /// Bytes that the item has, from the error's offset.
        needed: u64,
        /// Bytes that there are, from the error's offset.
        available: u64,
    },
    /// Memory for what has arrived could not be had.
    TooLarge {
        /// Bytes that were asked for.
        bytes: u64,
    },
}

macro_rules! codes {
    ($($variant:ident = $code:literal;)*) => {
        impl ErrorKind {
            /// The codes of all kinds of errors.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            /// The stable name of this kind of error, for programs.
            pub const fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)*
                }
            }
        }
    };
}

codes! {
    BadMagic = "bad-magic";
    UnsupportedVersion = "unsupported-version";
    UnknownValueType = "unknown-value-type";
    LimitExceeded = "limit-exceeded";
    UnexpectedEof = "unexpected-eof";
    TooLarge = "too-large";
}

impl Error {
    #[cold]
    pub(crate) const fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// Why the header cannot be read.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The stable name of the error's kind: `unexpected-eof`.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Where the item that cannot be read begins, in bytes from the start of the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic { found } => {
                f.write_str("not a GGUF file: it begins with \"")?;
                for byte in found {
                    f.write_char(if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '\u{b7}' })?;
                }
                f.write_str("\" instead of \"GGUF\"")
            }
            Self::UnsupportedVersion { found } => {
                write!(f, "version {found} of the format is unknown: 1, 2 and 3 can be read")
            }
            Self::UnknownValueType { found } => {
                write!(f, "unknown metadata value type {found}: 0 to 12 exist")
            }
            Self::LimitExceeded { limit, found, allowed } => {
                write!(f, "{found} {limit} exceed the limit of {allowed}")
            }
            Self::UnexpectedEof { item, needed, available } => {
                write!(f, "the file ends inside the header: {item} needs {needed} bytes, {available} are left")
            }
            Self::TooLarge { bytes } => write!(f, "{bytes} bytes of memory could not be allocated"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at offset {:#x})", self.kind, self.offset)
    }
}

impl core::error::Error for Error {}
