//! The types of elements.

use core::fmt;

use gguf_format::format::ggml_type::GgmlType;

/// Declares the types.
macro_rules! data_types {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $bits:literal, $ggml_type:expr;)*) => {
        /// The type of a tensor's elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[allow(non_camel_case_types, reason = "the names of the format")]
        pub enum DataType {
            $($(#[doc = $doc])* $variant,)*
        }

        impl DataType {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in a header: `BF16`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The size of an element in bits.
            pub const fn bits(self) -> u64 {
                match self {
                    $(Self::$variant => $bits,)*
                }
            }

            /// The type of GGUF with the same elements.
            pub const fn ggml_type(self) -> Option<GgmlType> {
                match self {
                    $(Self::$variant => $ggml_type,)*
                }
            }
        }
    };
}

data_types! {
    /// Truth values, one byte each.
    Bool = "BOOL", 8, None;
    /// Bytes without a sign.
    U8 = "U8", 8, None;
    /// Bytes with a sign.
    I8 = "I8", 8, Some(GgmlType::I8);
    /// Integers of 16 bits without a sign.
    U16 = "U16", 16, None;
    /// Integers of 16 bits.
    I16 = "I16", 16, Some(GgmlType::I16);
    /// Integers of 32 bits without a sign.
    U32 = "U32", 32, None;
    /// Integers of 32 bits.
    I32 = "I32", 32, Some(GgmlType::I32);
    /// Integers of 64 bits without a sign.
    U64 = "U64", 64, None;
    /// Integers of 64 bits.
    I64 = "I64", 64, Some(GgmlType::I64);
    /// Floats with 4 bits of exponent and 3 of mantissa, without infinities.
    F8_E4M3 = "F8_E4M3", 8, None;
    /// Floats with 5 bits of exponent and 2 of mantissa.
    F8_E5M2 = "F8_E5M2", 8, None;
    /// Powers of two.
    F8_E8M0 = "F8_E8M0", 8, None;
    /// Floats with 2 bits of exponent and 1 of mantissa, two in a byte.
    F4 = "F4", 4, None;
    /// Floats of 16 bits with the exponent of `F32`.
    BF16 = "BF16", 16, Some(GgmlType::BF16);
    /// IEEE 754 halves.
    F16 = "F16", 16, Some(GgmlType::F16);
    /// IEEE 754 singles.
    F32 = "F32", 32, Some(GgmlType::F32);
    /// IEEE 754 doubles.
    F64 = "F64", 64, Some(GgmlType::F64);
    /// Pairs of singles.
    C64 = "C64", 64, None;
}

impl DataType {
    /// The type with a name. Names are in capital letters.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|data_type| data_type.name() == name)
    }

    /// The size of some elements in bytes. `None` if they do not fill whole bytes, or if the number overflows.
    pub fn byte_length(self, elements: u64) -> Option<u64> {
        let bits = elements.checked_mul(self.bits())?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
