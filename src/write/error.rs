//! Errors of editing, planning and writing.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// The result of editing, planning or writing.
pub type Result<T> = core::result::Result<T, EditError>;

/// The reason why a change or a plan is refused. Nothing was changed or written.
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
/// assert!(error.to_string().contains("no entry with the key \"llama.bock_count\""));
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
        /// The reasons why a change or a plan can be refused.
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
    /// No entry has the key, the position or the identifier.
    UnknownKey = "unknown-key";
    /// No tensor has the name, the position or the identifier.
    UnknownTensor = "unknown-tensor";
    /// Another entry has the key.
    KeyTaken = "key-taken";
    /// Another tensor has the name.
    NameTaken = "name-taken";
    /// A key has no bytes, or more than the 65,535 that the specification allows.
    BadKey = "bad-key";
    /// ggml cannot hold the name of a tensor: it has 64 bytes or more, or a NUL byte.
    BadName = "bad-name";
    /// The type or the version of the file cannot hold a value. The rows of a tensor are not whole blocks of its type.
    DoesNotFit = "does-not-fit";
    /// An alignment is not a UINT32 and a power of two from 8 on.
    BadAlignment = "bad-alignment";
    /// A position or an index is out of range.
    OutOfRange = "out-of-range";
    /// Something is larger, longer or deeper than readers accept.
    LimitExceeded = "limit-exceeded";
    /// A file can only be converted to version 3. A new file can only have version 2 or 3.
    UnsupportedVersion = "unsupported-version";
    /// ggml does not have the type of a tensor, or has removed it.
    UnknownType = "unknown-type";
    /// The header does not fit before the data section, whose offset is fixed.
    NoRoom = "no-room";
    /// No tool defines the byte order of the blocks of a tensor.
    NoByteOrder = "no-byte-order";
    /// The size of the file is not known.
    SizeUnknown = "size-unknown";
    /// The file ends before the data of its tensors does.
    Truncated = "truncated";
    /// The change is not one of the changes of the edit.
    UnknownChange = "unknown-change";
    /// The change cannot be reverted, because a later change depends on it.
    Conflict = "conflict";
    /// Memory could not be allocated.
    TooLarge = "too-large";
}

impl EditError {
    #[cold]
    pub(crate) fn new(kind: EditErrorKind, message: String) -> Self {
        Self(Box::new(Reason { kind, message, offset: None }))
    }

    /// Sets the offset in the original file.
    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The reason, for programs.
    pub fn kind(&self) -> EditErrorKind {
        self.0.kind
    }

    /// The stable name of the kind: `key-taken`.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// The offset in the original file, in bytes, of what caused the error.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }
}

#[cold]
pub(crate) fn no_memory(bytes: u64) -> EditError {
    EditError::new(EditErrorKind::TooLarge, format!("cannot allocate {bytes} bytes of memory"))
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl core::error::Error for EditError {}
