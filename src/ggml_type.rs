//! The types of tensor elements: `ggml_type`, in one table.
//!
//! Ids, names and sizes are those of `type_traits` in ggml.c (version 0.21, August 2026). A block is
//! the smallest unit that can be stored: `type_size` bytes that hold `block_size` elements.

use core::fmt;

/// A tensor type as stored: any number, known or not.
///
/// # Examples
///
/// ```
/// use gguf_wasm::GgmlType;
///
/// let info = GgmlType::Q4_K.info().unwrap();
/// assert_eq!((info.name, info.block_size, info.type_size), ("Q4_K", 256, 144));
/// assert_eq!(GgmlType(137).to_string(), "unknown(137)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GgmlType(pub u32);

/// What is known of a tensor type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GgmlTypeInfo {
    /// The number that stands for the type in files.
    pub id: u32,
    /// The enumerator of `ggml_type` without its prefix.
    pub name: &'static str,
    /// Elements in a block; 0 if the type was removed.
    pub block_size: u32,
    /// Bytes in a block; 0 if the type was removed.
    pub type_size: u32,
}

macro_rules! ggml_types {
    ($($id:literal $name:ident $block_size:literal $type_size:literal;)*) => {
        #[allow(missing_docs, reason = "the table documents each type by its row")]
        impl GgmlType {
            $(pub const $name: Self = Self($id);)*
        }

        /// Every type that ggml has or had, by id.
        pub const GGML_TYPES: &[GgmlTypeInfo] = &[
            $(GgmlTypeInfo { id: $id, name: stringify!($name), block_size: $block_size, type_size: $type_size },)*
        ];
    };
}

// id, name, elements per block, bytes per block: 0 and 0 for types that were removed.
ggml_types! {
     0 F32          1   4;
     1 F16          1   2;
     2 Q4_0        32  18;
     3 Q4_1        32  20;
     4 Q4_2         0   0;
     5 Q4_3         0   0;
     6 Q5_0        32  22;
     7 Q5_1        32  24;
     8 Q8_0        32  34;
     9 Q8_1        32  36;
    10 Q2_K       256  84;
    11 Q3_K       256 110;
    12 Q4_K       256 144;
    13 Q5_K       256 176;
    14 Q6_K       256 210;
    15 Q8_K       256 292;
    16 IQ2_XXS    256  66;
    17 IQ2_XS     256  74;
    18 IQ3_XXS    256  98;
    19 IQ1_S      256  50;
    20 IQ4_NL      32  18;
    21 IQ3_S      256 110;
    22 IQ2_S      256  82;
    23 IQ4_XS     256 136;
    24 I8           1   1;
    25 I16          1   2;
    26 I32          1   4;
    27 I64          1   8;
    28 F64          1   8;
    29 IQ1_M      256  56;
    30 BF16         1   2;
    31 Q4_0_4_4     0   0;
    32 Q4_0_4_8     0   0;
    33 Q4_0_8_8     0   0;
    34 TQ1_0      256  54;
    35 TQ2_0      256  66;
    36 IQ4_NL_4_4   0   0;
    37 IQ4_NL_4_8   0   0;
    38 IQ4_NL_8_8   0   0;
    39 MXFP4       32  17;
    40 NVFP4       64  36;
    41 Q1_0       128  18;
    42 Q2_0        64  18;
}

const _: () = {
    let mut id = 0;
    while id < GGML_TYPES.len() {
        assert!(GGML_TYPES[id].id as usize == id, "a type is looked up by its place in the table");
        id += 1;
    }
};

impl GgmlType {
    /// The row of the type in the table, also of a removed one.
    pub fn info(self) -> Option<&'static GgmlTypeInfo> {
        GGML_TYPES.get(self.0 as usize)
    }

    /// Bytes of `element_count` elements in rows of `row_length`: `None` if the type is unknown or
    /// removed, a row is not made of whole blocks, or the size does not fit.
    pub fn byte_length(self, element_count: u64, row_length: u64) -> Option<u64> {
        let info = self.info().filter(|info| !info.is_removed())?;
        let block_size = u64::from(info.block_size);
        if !row_length.is_multiple_of(block_size) {
            return None;
        }
        (element_count / block_size).checked_mul(info.type_size.into())
    }
}

impl GgmlTypeInfo {
    /// Whether ggml had the type once and gave it up; its layout is then not known here.
    pub const fn is_removed(&self) -> bool {
        self.block_size == 0
    }
}

impl fmt::Display for GgmlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            Some(info) => f.write_str(info.name),
            None => write!(f, "unknown({})", self.0),
        }
    }
}
