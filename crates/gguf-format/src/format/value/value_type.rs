//! The types of metadata values: `gguf_metadata_value_type`, in one table.

use core::fmt;

use crate::format::storage::Storage;

macro_rules! value_types {
    ($($(#[$doc:meta])* $variant:ident = $id:literal, $name:literal, $size:expr;)*) => {
        /// The type of a metadata value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum ValueType {
            $($(#[$doc])* $variant = $id,)*
        }

        impl ValueType {
            /// All types, by id.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The names of all types, by id.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The type with an id. `None` if no type has it.
            pub const fn from_id(id: u32) -> Option<Self> {
                match id {
                    $($id => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The name in the specification, without its prefix: `UINT8`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The size of a value in bytes; `None` for strings and arrays, whose sizes vary.
            pub const fn size(self) -> Option<u64> {
                match self {
                    $(Self::$variant => $size,)*
                }
            }
        }
    };
}

value_types! {
    /// An 8-bit unsigned integer.
    Uint8 = 0, "UINT8", Some(1);
    /// An 8-bit signed integer.
    Int8 = 1, "INT8", Some(1);
    /// A 16-bit unsigned integer.
    Uint16 = 2, "UINT16", Some(2);
    /// A 16-bit signed integer.
    Int16 = 3, "INT16", Some(2);
    /// A 32-bit unsigned integer.
    Uint32 = 4, "UINT32", Some(4);
    /// A 32-bit signed integer.
    Int32 = 5, "INT32", Some(4);
    /// A 32-bit IEEE 754 number.
    Float32 = 6, "FLOAT32", Some(4);
    /// One byte: 0 is false, 1 is true. Readers take any other value as true.
    Bool = 7, "BOOL", Some(1);
    /// A length and bytes; UTF-8 by the specification.
    String = 8, "STRING", None;
    /// An element type, a length and the elements.
    Array = 9, "ARRAY", None;
    /// A 64-bit unsigned integer.
    Uint64 = 10, "UINT64", Some(8);
    /// A 64-bit signed integer.
    Int64 = 11, "INT64", Some(8);
    /// A 64-bit IEEE 754 number.
    Float64 = 12, "FLOAT64", Some(8);
}

impl ValueType {
    /// The id of the type in files.
    pub const fn id(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value type whose id is stored at a file offset. The decoder has checked that it is known.
#[doc(hidden)]
pub fn stored_type(storage: &Storage, offset: u64) -> ValueType {
    match ValueType::from_id(storage.u32(offset)) {
        Some(value_type) => value_type,
        None => unreachable!("the decoder accepts known types only"),
    }
}
