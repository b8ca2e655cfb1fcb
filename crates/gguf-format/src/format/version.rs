//! The version and the byte order of a file.
//!
//! ```text
//! magic     4 bytes   "GGUF", the same in both byte orders
//! version   u32       1, 2 or 3; byte-swapped in a big-endian file
//! ```
//!
//! Version 1 stores lengths, counts and dimensions as `u32`, versions 2 and 3 as `u64`. In a big-endian file all numbers
//! are big-endian, also those of the tensor data.

/// The first four bytes of every file.
pub const MAGIC: [u8; 4] = *b"GGUF";

/// The alignment of the data section in bytes, if there is no `general.alignment`.
pub const DEFAULT_ALIGNMENT: u64 = 32;

/// What the key of the original shape of a tensor begins with: the name of the tensor follows. ComfyUI-GGUF stores some tensors as rows of
/// 256 elements, and notes their shape so.
#[doc(hidden)]
pub const ORIGINAL_SHAPE: &str = "comfy.gguf.orig_shape.";

/// The key of the alignment of the data section.
#[doc(hidden)]
pub const ALIGNMENT: &str = "general.alignment";

/// The longest key that the specification allows, in bytes.
#[doc(hidden)]
pub const LONGEST_KEY: usize = 65_535;

/// The longest tensor name that the specification allows, in bytes. ggml's `GGML_MAX_NAME` is the same number, but counts
/// the NUL at the end.
#[doc(hidden)]
pub const LONGEST_NAME: u64 = 64;

/// The byte order of the numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// The least significant byte first: nearly all files.
    Little,
    /// The most significant byte first: files for s390x and similar machines.
    Big,
}

impl Endian {
    /// The name of the byte order: `little-endian` or `big-endian`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little-endian",
            Self::Big => "big-endian",
        }
    }

    /// The other byte order.
    pub const fn other(self) -> Self {
        match self {
            Self::Little => Self::Big,
            Self::Big => Self::Little,
        }
    }

    /// Reads a `u16` in this byte order.
    #[inline]
    pub const fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Reads a `u32` in this byte order.
    #[inline]
    pub const fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => big_u32(bytes),
        }
    }

    /// Reads a `u64` in this byte order.
    #[inline]
    pub const fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => big_u64(bytes),
        }
    }
}

// WebAssembly needs some twenty instructions to swap the bytes of a number. The compiler would execute them for little-endian files, too,
// and then drop the result. It cannot do so with a function that is not inlined.
#[cold]
#[inline(never)]
const fn big_u32(bytes: [u8; 4]) -> u32 {
    u32::from_be_bytes(bytes)
}

#[cold]
#[inline(never)]
const fn big_u64(bytes: [u8; 8]) -> u64 {
    u64::from_be_bytes(bytes)
}

/// The version and the byte order of a file.
///
/// # Examples
///
/// ```
/// use gguf_format::{Endian, Format};
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
    /// Reads the four bytes after the magic. If the low 16 bits of the version are zero in little-endian, the file is
    /// big-endian. The version can be any number, also one that is not supported.
    pub const fn from_version_bytes(bytes: [u8; 4]) -> Self {
        let version = u32::from_le_bytes(bytes);
        if version & 0xffff == 0 {
            Self { version: version.swap_bytes(), endian: Endian::Big }
        } else {
            Self { version, endian: Endian::Little }
        }
    }

    /// The size of a length, a count or a dimension in bytes: 4 in version 1, otherwise 8.
    #[inline]
    pub const fn length_size(self) -> u64 {
        if self.version == 1 { 4 } else { 8 }
    }
}

impl Default for Format {
    /// Version 3, little-endian: the format that current tools write.
    fn default() -> Self {
        Self { version: 3, endian: Endian::Little }
    }
}
