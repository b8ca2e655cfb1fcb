//! Why a header cannot be changed or written so.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// The result of changing or writing a header.
pub type Result<T> = core::result::Result<T, EditError>;

/// Why a change, an addition or a plan is refused. Nothing has changed then, and nothing been written.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Edit, EditErrorKind};
///
#[doc = include_str!("../doc_example.txt")]
/// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
/// let error = edit.remove("llama.bock_count").unwrap_err();
/// assert_eq!(error.kind(), EditErrorKind::UnknownKey);
/// assert_eq!(error.code(), "unknown-key");
/// assert_eq!(error.to_string(), "there is no entry \"llama.bock_count\"");
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError(Box<Reason>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Reason {
    kind: EditErrorKind,
    message: String,
    offset: Option<u64>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $code:literal;)*) => {
        /// The ways in which a change can be refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum EditErrorKind {
            $($(#[$doc])* $variant,)*
        }

        impl EditErrorKind {
            /// The codes of all kinds.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            /// The stable name of the kind, for programs.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }
        }
    };
}

kinds! {
    /// No entry has the key or the position.
    UnknownKey = "unknown-key";
    /// No tensor has the name or the position.
    UnknownTensor = "unknown-tensor";
    /// Another entry has the key.
    KeyTaken = "key-taken";
    /// Another tensor has the name.
    NameTaken = "name-taken";
    /// A key that is empty, or longer than the specification's 65,535 bytes.
    BadKey = "bad-key";
    /// A tensor's name that ggml cannot hold: of 64 bytes or more, or with a NUL.
    BadName = "bad-name";
    /// A value that its type, or the version of the file, cannot hold; rows that are not whole blocks of a tensor's type.
    DoesNotFit = "does-not-fit";
    /// An alignment that is not a power of two from 8 on, as a UINT32.
    BadAlignment = "bad-alignment";
    /// A position where there is nothing.
    OutOfRange = "out-of-range";
    /// More of something than readers take.
    LimitExceeded = "limit-exceeded";
    /// A change of version other than to 3; a new file of one that is neither 2 nor 3.
    UnsupportedVersion = "unsupported-version";
    /// A tensor's type that ggml does not have, or no longer.
    UnknownType = "unknown-type";
    /// Something that would move the data, or make the header end elsewhere than where the data begins, after that has
    /// been fixed.
    NoRoom = "no-room";
    /// A tensor's type of which no tool defines what it is in the other byte order.
    NoByteOrder = "no-byte-order";
    /// The file's size is not known.
    SizeUnknown = "size-unknown";
    /// The file ends before its tensors do.
    Truncated = "truncated";
    /// The change is not, or no longer, one of the edit's changes.
    UnknownChange = "unknown-change";
    /// The change cannot be reverted, because a later change builds on it.
    Conflict = "conflict";
    /// Memory could not be had.
    TooLarge = "too-large";
}

impl EditError {
    #[cold]
    pub(crate) fn new(kind: EditErrorKind, message: String) -> Self {
        Self(Box::new(Reason { kind, message, offset: None }))
    }

    /// Of an entry or a tensor: why it, of all, is refused.
    #[cold]
    pub(crate) fn of(name: &[u8], kind: EditErrorKind, why: fmt::Arguments<'_>) -> Self {
        Self::new(kind, format!("\"{}\": {why}", String::from_utf8_lossy(name)))
    }

    /// Adds where in the file the reason is.
    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// In which way the change is refused.
    pub fn kind(&self) -> EditErrorKind {
        self.0.kind
    }

    /// The stable name of the kind: `key-taken`.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Where in the old file the reason is, if it is in the file.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }
}

/// There is no entry or tensor with a name or at a position.
#[cold]
pub(crate) fn not_there(kind: EditErrorKind, what: &str, name: core::result::Result<&[u8], usize>) -> EditError {
    let name = match name {
        Ok(name) => format!("\"{}\"", String::from_utf8_lossy(name)),
        Err(index) => format!("{index}"),
    };
    EditError::new(kind, format!("there is no {what} {name}"))
}

/// There is no memory for so many bytes of header or padding.
#[cold]
pub(crate) fn no_memory(bytes: u64) -> EditError {
    EditError::new(EditErrorKind::TooLarge, format!("{bytes} bytes of memory could not be allocated"))
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl core::error::Error for EditError {}
