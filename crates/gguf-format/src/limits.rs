//! Limits of counts and sizes in a file.
//!
//! A header is kept in memory, and its entries and tensors are indexed. So the counts in a file determine how much memory a
//! reader needs. Each default limit is far above any published model.

use core::fmt;

/// The most bytes that a file can have. A JavaScript number holds every position up to here exactly.
#[doc(hidden)]
pub const MAX_FILE_SIZE: u64 = (1 << 53) - 1;

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident: $name:ident = $cap:expr, $what:literal;)*) => {
        /// The largest counts and sizes that the decoder accepts. A file that exceeds one causes
        /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded).
        ///
        /// # Examples
        ///
        /// ```
        /// let mut limits = gguf_format::Limits::default();
        /// limits.header_bytes = 64 << 20;
        /// let decoder = gguf_format::Decoder::with_limits(limits);
        /// # let _ = decoder;
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $($(#[$doc])* pub $field: u64,)*
        }

        impl Limits {
            /// No limits: for a header that was decoded within limits before.
            #[doc(hidden)]
            pub const fn none() -> Self {
                Self { $($field: u64::MAX,)* }
            }

            /// The limit with a name of the JavaScript API: `headerBytes`.
            #[doc(hidden)]
            pub fn by_name(&mut self, name: &str) -> Option<&mut u64> {
                $(if is_camel_case_of(name, stringify!($field)) {
                    return Some(&mut self.$field);
                })*
                None
            }
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $cap,)* }
            }
        }

        /// A field of [`Limits`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Limit {
            $(#[doc = concat!("[`Limits::", stringify!($field), "`].")] $name,)*
        }

        impl fmt::Display for Limit {
            /// The noun of the limit: `bytes of header`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $what,)* })
            }
        }
    };
}

/// Whether `name` is the JavaScript name of a field: `headerBytes` for `header_bytes`.
fn is_camel_case_of(name: &str, field: &str) -> bool {
    let mut words = field.bytes();
    let mut expected = || match words.next() {
        Some(b'_') => words.next().map(|letter| letter.to_ascii_uppercase()),
        letter => letter,
    };
    name.bytes().all(|letter| expected() == Some(letter)) && expected().is_none()
}

limits! {
    /// Bytes of the header, from the start of the file to the end of the tensor infos. The largest published headers have
    /// about 30 MB. 1 GiB leaves room in a wasm memory of 4 GiB.
    header_bytes: HeaderBytes = 1 << 30, "bytes of header";
    /// Bytes of one string. The limit of ggml: `GGUF_MAX_STRING_LENGTH` in gguf.cpp.
    string_bytes: StringBytes = 1 << 30, "bytes of string";
    /// Elements of one array. The limit of ggml: `GGUF_MAX_ARRAY_ELEMENTS` in gguf.cpp.
    array_length: ArrayLength = 1 << 30, "array elements";
    /// Levels of arrays inside arrays. `Debug` and `==` of values recurse as deep. ggml refuses arrays of arrays; files that
    /// tools write have at most 2 levels.
    array_depth: ArrayDepth = 64, "levels of nested arrays";
    /// Metadata entries. Models have 20 to 100. Each becomes a JavaScript object when entries are listed.
    metadata_count: MetadataCount = 1 << 20, "metadata entries";
    /// Tensors. Mixtures of experts with one tensor for each expert have up to about 50,000.
    tensor_count: TensorCount = 1 << 20, "tensors";
    /// Dimensions of one tensor. ggml has at most 4 (`GGML_MAX_DIMS`). Tensors with a few more can still be listed.
    dimension_count: DimensionCount = 8, "dimensions";
}

/// Bytes of the entries from which a tokenizer is made, as the file stores them: tokens, scores, types, merges and the
/// character map. Published vocabularies have at most about 20 MB. A tokenizer takes up to 8 times as many bytes.
#[doc(hidden)]
pub const VOCABULARY_BYTES: u64 = 64 << 20;

/// Bytes of the texts of all tokens. Published vocabularies have at most about 5 MB. The nodes of the trie of a tokenizer
/// have numbers of 24 bits, and a text has at most one node for each byte.
#[doc(hidden)]
pub const TOKEN_TEXT_BYTES: u64 = (1 << 24) - 2;

/// Bytes of the texts that empty tokens get, such as `[EMPTY_5]`, whatever the size of the vocabulary. More are accepted up
/// to an eighth of the vocabulary.
#[doc(hidden)]
pub const EMPTY_TEXT_BYTES: u64 = 1 << 20;
