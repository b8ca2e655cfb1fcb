//! Widths and byte order of what is on disk.
//!
//! ```text
//! magic     4 bytes   "GGUF", in both byte orders the same
//! version   u32       1, 2 or 3; byte-swapped in a big-endian file
//! ```
//!
//! Version 1 stores lengths, counts and dimensions as `u32`; versions 2 and 3 as `u64`.
//! In a big-endian file every number is big-endian, the tensor data included.

/// The first four bytes of every file.
pub const MAGIC: [u8; 4] = *b"GGUF";

/// The alignment of the data section where `general.alignment` does not say another, in bytes.
pub const DEFAULT_ALIGNMENT: u64 = 32;

/// The key of what the data section is aligned to.
pub(crate) const ALIGNMENT: &str = "general.alignment";

/// The longest key that the specification allows, in bytes.
pub(crate) const LONGEST_KEY: usize = 65_535;

/// The longest name of a tensor that the specification allows, in bytes; ggml's `GGML_MAX_NAME` is the same, with the NUL.
pub(crate) const LONGEST_NAME: u64 = 64;

/// The order of the bytes of every number in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// Least significant byte first: nearly every file there is.
    Little,
    /// Most significant byte first: files for s390x and the like.
    Big,
}

impl Endian {
    /// What the order is called: `little-endian` or `big-endian`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little-endian",
            Self::Big => "big-endian",
        }
    }

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Little => Self::Big,
            Self::Big => Self::Little,
        }
    }

    /// Reads a `u16` stored in this order.
    #[inline]
    pub const fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Reads a `u32` stored in this order.
    #[inline]
    pub const fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    /// Reads a `u64` stored in this order.
    #[inline]
    pub const fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => u64::from_be_bytes(bytes),
        }
    }
}

/// The version and the byte order of a file.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Endian, Format};
///
/// let format = Format::from_version_bytes([0, 0, 0, 3]);
/// assert_eq!(format, Format { version: 3, endian: Endian::Big });
/// assert_eq!(format.length_size(), 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// 1, 2 or 3 in every file that the decoder accepts.
    pub version: u32,
    /// The byte order of every number in the file.
    pub endian: Endian,
}

impl Format {
    /// Interprets the four bytes after the magic. A version whose low 16 bits are zero when read as
    /// little-endian is that of a big-endian file. Whether the version is supported is not checked.
    pub const fn from_version_bytes(bytes: [u8; 4]) -> Self {
        let version = u32::from_le_bytes(bytes);
        if version & 0xffff == 0 {
            Self { version: version.swap_bytes(), endian: Endian::Big }
        } else {
            Self { version, endian: Endian::Little }
        }
    }

    /// Bytes in which a length, a count or a dimension is stored: 4 in version 1, otherwise 8.
    #[inline]
    pub const fn length_size(self) -> u64 {
        if self.version == 1 { 4 } else { 8 }
    }
}

impl Default for Format {
    /// What today's tools write: version 3, little-endian.
    fn default() -> Self {
        Self { version: 3, endian: Endian::Little }
    }
}
