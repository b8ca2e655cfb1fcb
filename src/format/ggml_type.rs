//! The types of tensor elements: `ggml_type`, in one table.
//!
//! Ids, names and sizes are those of `type_traits` in ggml.c (version 0.21, August 2026). A block is
//! the smallest unit that can be stored: `type_size` bytes that hold `block_size` elements.

use core::fmt;

use crate::tensor::quant::{self, Kernel};

/// What ggml counts elements in: `int64_t`.
pub(crate) const MOST_ELEMENTS: u64 = i64::MAX as u64;

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
#[derive(Clone, Copy, Debug)]
pub struct GgmlTypeInfo {
    /// The number that stands for the type in files.
    pub id: u32,
    /// The enumerator of `ggml_type` without its prefix.
    pub name: &'static str,
    /// Elements in a block; 0 if the type was removed.
    pub block_size: u32,
    /// Bytes in a block; 0 if the type was removed.
    pub type_size: u32,
    /// What of a block is wider than a byte, and so is the other way round in files of the other byte order.
    pub fields: &'static [Field],
    /// Whether what blocks are in a file of the other byte order is defined by more than how ggml's C happens to read
    /// them: plain numbers, and the types that `gguf_convert_endian` of gguf-py (August 2026) converts.
    pub is_convertible: bool,
    kernel: Option<Kernel>,
}

/// Numbers in a block that are wider than a byte: `count` of `width` bytes, the first `offset` bytes from the block's
/// start, each `stride` bytes after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the type's documentation names them all")]
pub struct Field {
    pub offset: u32,
    pub width: u32,
    pub count: u32,
    pub stride: u32,
}

impl Field {
    const fn new(width: u32, offset: u32) -> Self {
        Self { offset, width, count: 1, stride: width }
    }

    const fn times(self, count: u32) -> Self {
        Self { count, ..self }
    }

    const fn every(self, stride: u32) -> Self {
        Self { stride, ..self }
    }
}

macro_rules! ggml_types {
    ($(
        $id:literal $name:ident $block_size:literal $type_size:literal
        $($family:ident::$kernel:ident [$($width:literal at $offset:literal $(times $count:literal $(every $stride:literal)?)?),*])?
        $(, $convertible:ident)?;
    )*) => {
        #[allow(missing_docs, reason = "the table documents each type by its row")]
        impl GgmlType {
            $(pub const $name: Self = Self($id);)*
        }

        /// Every type that ggml has or had, by id.
        pub const GGML_TYPES: &[GgmlTypeInfo] = &[$({
            #[allow(unused_mut, unused_assignments, reason = "types that were removed have none of them")]
            let (mut kernel, mut fields): (Option<Kernel>, &[Field]) = (None, &[]);
            #[allow(unused_mut, unused_assignments, reason = "most types have no such mark")]
            let mut is_convertible = false;
            $(
                stringify!($convertible);
                is_convertible = true;
            )?
            $(
                kernel = Some(quant::$family::$kernel);
                fields = const { &[$(Field::new($width, $offset)$(.times($count)$(.every($stride))?)?),*] };
            )?
            GgmlTypeInfo {
                id: $id,
                name: stringify!($name),
                block_size: $block_size,
                type_size: $type_size,
                fields,
                is_convertible,
                kernel,
            }
        }),*];
    };
}

// id, name, elements per block, bytes per block: 0 and 0 for types that were removed; the kernel that makes floats of
// blocks; the fields that are wider than a byte, as ggml's C reads them on a big-endian machine; and whether a tool
// converts it from one byte order into the other.
ggml_types! {
     0 F32          1   4 number::f32 [4 at 0], convertible;
     1 F16          1   2 half::f16 [2 at 0], convertible;
     2 Q4_0        32  18 legacy::q4_0 [2 at 0], convertible;
     3 Q4_1        32  20 legacy::q4_1 [2 at 0 times 2];
     4 Q4_2         0   0;
     5 Q4_3         0   0;
     6 Q5_0        32  22 legacy::q5_0 [2 at 0, 4 at 2];
     7 Q5_1        32  24 legacy::q5_1 [2 at 0 times 2, 4 at 4];
     8 Q8_0        32  34 legacy::q8_0 [2 at 0], convertible;
     9 Q8_1        32  36 legacy::q8_1 [2 at 0 times 2];
    10 Q2_K       256  84 k::q2_k [2 at 80 times 2];
    11 Q3_K       256 110 k::q3_k [2 at 108];
    12 Q4_K       256 144 k::q4_k [2 at 0 times 2], convertible;
    13 Q5_K       256 176 k::q5_k [2 at 0 times 2];
    14 Q6_K       256 210 k::q6_k [2 at 208], convertible;
    15 Q8_K       256 292 k::q8_k [4 at 0, 2 at 260 times 16];
    16 IQ2_XXS    256  66 iq::iq2_xxs [2 at 0, 4 at 6 times 8 every 8];
    17 IQ2_XS     256  74 iq::iq2_xs [2 at 0 times 33];
    18 IQ3_XXS    256  98 iq::iq3_xxs [2 at 0, 4 at 66 times 8];
    19 IQ1_S      256  50 iq1::iq1_s [2 at 0, 2 at 34 times 8];
    20 IQ4_NL      32  18 iq4::iq4_nl [2 at 0];
    21 IQ3_S      256 110 iq::iq3_s [2 at 0];
    22 IQ2_S      256  82 iq::iq2_s [2 at 0];
    23 IQ4_XS     256 136 iq4::iq4_xs [2 at 0 times 2];
    24 I8           1   1 number::i8 [], convertible;
    25 I16          1   2 number::i16 [2 at 0], convertible;
    26 I32          1   4 number::i32 [4 at 0], convertible;
    27 I64          1   8 number::i64 [8 at 0], convertible;
    28 F64          1   8 number::f64 [8 at 0], convertible;
    29 IQ1_M      256  56 iq1::iq1_m [2 at 48 times 4];
    30 BF16         1   2 half::bf16 [2 at 0], convertible;
    31 Q4_0_4_4     0   0;
    32 Q4_0_4_8     0   0;
    33 Q4_0_8_8     0   0;
    34 TQ1_0      256  54 ternary::tq1_0 [2 at 52];
    35 TQ2_0      256  66 ternary::tq2_0 [2 at 64], convertible;
    36 IQ4_NL_4_4   0   0;
    37 IQ4_NL_4_8   0   0;
    38 IQ4_NL_8_8   0   0;
    39 MXFP4       32  17 fp4::mxfp4 [], convertible;
    40 NVFP4       64  36 fp4::nvfp4 [], convertible;
    41 Q1_0       128  18 low_bit::q1_0 [2 at 0], convertible;
    42 Q2_0        64  18 low_bit::q2_0 [2 at 0];
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

    /// Makes floats of whole blocks of a little-endian file: the bits that ggml's C computes, any NaN for NaN. Where
    /// ggml computes none, plain numbers are the nearest `f32`, and elements of Q8_1 are d × q.
    /// `None` if the type was removed. What is left over at the end of the longer slice is not touched.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::GgmlType;
    ///
    /// let to_float = GgmlType::BF16.info().unwrap().to_float().unwrap();
    /// let mut out = [0.0; 2];
    /// to_float(&[0x80, 0x3f, 0x20, 0xc0], &mut out);
    /// assert_eq!(out, [1.0, -2.5]);
    /// ```
    pub const fn to_float(&self) -> Option<Kernel> {
        self.kernel
    }

    /// Makes doubles of the numbers of types that `to_float` rounds, F64, I64 and I32: exactly, but for integers past
    /// 2^53, which are rounded. `None` for other types.
    pub fn to_double(&self) -> Option<Kernel<f64>> {
        match GgmlType(self.id) {
            GgmlType::F64 => Some(quant::wide::f64_to_f64),
            GgmlType::I64 => Some(quant::wide::i64_to_f64),
            GgmlType::I32 => Some(quant::wide::i32_to_f64),
            _ => None,
        }
    }

    /// Widens the integers of the types I8, I16, I32 and I64. `None` for other types.
    pub fn to_integer(&self) -> Option<Kernel<i64>> {
        match GgmlType(self.id) {
            GgmlType::I8 => Some(quant::wide::i8_to_i64),
            GgmlType::I16 => Some(quant::wide::i16_to_i64),
            GgmlType::I32 => Some(quant::wide::i32_to_i64),
            GgmlType::I64 => Some(quant::wide::i64_to_i64),
            _ => None,
        }
    }

    /// Turns whole blocks from one byte order into the other, in place.
    pub fn swap_byte_order(&self, blocks: &mut [u8]) {
        for block in blocks.chunks_exact_mut((self.type_size as usize).max(1)) {
            for field in self.fields {
                for i in 0..field.count {
                    let start = (field.offset + i * field.stride) as usize;
                    block[start..start + field.width as usize].reverse();
                }
            }
        }
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
