//! How much a file may ask for.
//!
//! A header is retained in memory and its items are indexed, so whoever decides how many items it
//! has decides how much memory it takes. Each cap is far above any published model.

use core::fmt;

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident: $name:ident = $cap:expr, $what:literal;)*) => {
        /// How much a file may ask for before the decoder gives up with
        /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded).
        ///
        /// # Examples
        ///
        /// ```
        /// let mut limits = gguf_wasm::Limits::default();
        /// limits.header_bytes = 64 << 20;
        /// let decoder = gguf_wasm::Decoder::with_limits(limits);
        /// # let _ = decoder;
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $($(#[$doc])* pub $field: u64,)*
        }

        impl Limits {
            /// No limits: for what has been read once.
            #[cfg(any(feature = "web", test))]
            pub(crate) const fn none() -> Self {
                Self { $($field: u64::MAX,)* }
            }

            /// The limit with a field's name as JavaScript has it: `headerBytes`.
            #[cfg(feature = "web")]
            pub(crate) fn by_name(&mut self, name: &str) -> Option<&mut u64> {
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

        /// Which of the [`Limits`] was exceeded.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Limit {
            $(#[doc = concat!("[`Limits::", stringify!($field), "`].")] $name,)*
        }

        impl fmt::Display for Limit {
            /// What is counted, in words: `bytes of header`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $what,)* })
            }
        }
    };
}

/// Whether `name` is what JavaScript calls the field: `headerBytes` for `header_bytes`.
#[cfg(feature = "web")]
fn is_camel_case_of(name: &str, field: &str) -> bool {
    let mut words = field.bytes();
    let mut expected = || match words.next() {
        Some(b'_') => words.next().map(|letter| letter.to_ascii_uppercase()),
        letter => letter,
    };
    name.bytes().all(|letter| expected() == Some(letter)) && expected().is_none()
}

limits! {
    /// Bytes of the header: all up to the end of the tensor infos. The largest published are
    /// around 30 MB; 1 GiB leaves room in a 4 GiB wasm memory.
    header_bytes: HeaderBytes = 1 << 30, "bytes of header";
    /// Bytes of one string. ggml's own cap: gguf.cpp `GGUF_MAX_STRING_LENGTH`.
    string_bytes: StringBytes = 1 << 30, "bytes of string";
    /// Elements of one array. ggml's own cap: gguf.cpp `GGUF_MAX_ARRAY_ELEMENTS`.
    array_length: ArrayLength = 1 << 30, "array elements";
    /// Arrays inside one another. `Debug` and `==` of values go as deep on the call stack. ggml refuses any; the deepest ever seen in a file that a tool
    /// wrote is 2.
    array_depth: ArrayDepth = 64, "levels of nested arrays";
    /// Metadata entries. Models have 20 to 100; each becomes a JavaScript object when listed.
    metadata_count: MetadataCount = 1 << 20, "metadata entries";
    /// Tensors. Mixtures of experts stored one tensor an expert reach about 50,000.
    tensor_count: TensorCount = 1 << 20, "tensors";
    /// Dimensions of one tensor. ggml has at most 4 (`GGML_MAX_DIMS`); a file with a few more can
    /// still be listed.
    dimension_count: DimensionCount = 8, "dimensions";
}
