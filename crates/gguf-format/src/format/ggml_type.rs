//! The types of tensor elements: `ggml_type`, in one table.
//!
//! Ids, names and sizes come from `type_traits` in ggml.c (version 0.21, August 2026). A block is the smallest unit that can be
//! stored: `type_size` bytes that hold `block_size` elements.

use core::fmt;

use gguf_declare::{result, shown_as_text};

/// The most elements that ggml can count: it counts in `int64_t`.
#[doc(hidden)]
pub const MOST_ELEMENTS: u64 = i64::MAX as u64;

/// A tensor type as stored in files. It can be any number, also one that ggml does not know.
///
/// # Examples
///
/// ```
/// use gguf_format::GgmlType;
///
/// let info = GgmlType::Q4_K.info().unwrap();
/// assert_eq!((info.name, info.block_size, info.type_size), ("Q4_K", 256, 144));
/// assert_eq!(GgmlType(137).to_string(), "unknown(137)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GgmlType(pub u32);

shown_as_text!(GgmlType, "string");

result! {
    /// A type of tensors: a row of ggml's table.
    #[derive(Clone, Copy, Debug)]
    pub struct GgmlTypeInfo {
        /// The number that stands for the type in files.
        pub id: u32,
        /// The enumerator of `ggml_type` without its prefix.
        pub name: &'static str,
        /// Elements in a block; 0 if ggml has removed the type.
        pub block_size: u32,
        /// Bytes in a block; 0 if ggml has removed the type.
        pub type_size: u32,
        /// The numbers in a block that are wider than a byte. Files of the other byte order store their bytes in reverse.
        #[rust]
        pub fields: &'static [Field],
        /// Whether a tool defines the blocks of the type in the other byte order. This is so for plain numbers, and for the
        /// types that `gguf_convert_endian` of gguf-py (August 2026) converts.
        #[rust]
        pub is_convertible: bool,
        /// The kernel of a type that no GGUF file has: blocks of a format before GGUF. It converts the bytes of whole blocks to
        /// elements. `None` for the types of [`GGML_TYPES`], whose kernels `tensor::kernels` names.
        #[rust]
        pub own_kernel: Option<OwnKernel>,
        /// The program whose type it is, if it is another one than ggml: see [`FORK_TYPES`](crate::format::FORK_TYPES).
        #[rust]
        pub owner: Option<&'static str>,
        /// How the blocks of a tensor lie.
        #[rust]
        pub layout: Layout,
    }
}

/// How the blocks of a tensor lie. Only types of other programs than ggml have another layout than [`Layout::BLOCKS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row after row.
    Rows {
        /// The bytes of a row before its blocks.
        head: u32,
        /// The rows that form a group: first come their heads, then for each column of blocks one block with the numbers of all
        /// these rows. The number of rows is a multiple of it.
        together: u32,
    },
    /// All blocks of the tensor, and then this number of bytes.
    Tail(u32),
    /// BitNet's TL2: `floor(floor((columns - 256) * rows / 3) * 5 / 8) + 64 * rows` bytes.
    Tl2,
}

impl Layout {
    /// The blocks of all rows, one after the other.
    pub const BLOCKS: Self = Self::Rows { head: 0, together: 1 };
}

/// Converts the bytes of whole blocks to elements.
pub type OwnKernel = fn(&[u8], &mut [f32]);

/// Numbers of equal width in a block: `count` numbers of `width` bytes. The first one is `offset` bytes from the start of
/// the block, and each is `stride` bytes after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the type's documentation names them all")]
pub struct Field {
    pub offset: u32,
    pub width: u32,
    pub count: u32,
    pub stride: u32,
}

impl Field {
    pub(crate) const fn new(width: u32, offset: u32) -> Self {
        Self { offset, width, count: 1, stride: width }
    }

    pub(crate) const fn times(self, count: u32) -> Self {
        Self { count, ..self }
    }

    const fn every(self, stride: u32) -> Self {
        Self { stride, ..self }
    }
}

macro_rules! ggml_types {
    ($(
        $id:literal $name:ident $block_size:literal $type_size:literal
        $([$($width:literal at $offset:literal $(times $count:literal $(every $stride:literal)?)?),*])?
        $(, $convertible:ident)?;
    )*) => {
        #[allow(missing_docs, reason = "the table documents each type by its row")]
        impl GgmlType {
            $(pub const $name: Self = Self($id);)*
        }

        /// Every type that ggml has or had, by id.
        pub const GGML_TYPES: &[GgmlTypeInfo] = &[$(GgmlTypeInfo {
            id: $id,
            name: stringify!($name),
            block_size: $block_size,
            type_size: $type_size,
            fields: const { &[$($(Field::new($width, $offset)$(.times($count)$(.every($stride))?)?),*)?] },
            is_convertible: !stringify!($($convertible)?).is_empty(),
            own_kernel: None,
            owner: None,
            layout: Layout::BLOCKS,
        }),*];
    };
}

// A row: id, name, elements per block, bytes per block (both 0 if ggml removed the type), the fields that are wider than
// a byte (as ggml's C reads them on a big-endian machine), and whether a tool converts the type between byte orders.
ggml_types! {
     0 F32          1   4 [4 at 0], convertible;
     1 F16          1   2 [2 at 0], convertible;
     2 Q4_0        32  18 [2 at 0], convertible;
     3 Q4_1        32  20 [2 at 0 times 2];
     4 Q4_2         0   0;
     5 Q4_3         0   0;
     6 Q5_0        32  22 [2 at 0, 4 at 2];
     7 Q5_1        32  24 [2 at 0 times 2, 4 at 4];
     8 Q8_0        32  34 [2 at 0], convertible;
     9 Q8_1        32  36 [2 at 0 times 2];
    10 Q2_K       256  84 [2 at 80 times 2];
    11 Q3_K       256 110 [2 at 108];
    12 Q4_K       256 144 [2 at 0 times 2], convertible;
    13 Q5_K       256 176 [2 at 0 times 2];
    14 Q6_K       256 210 [2 at 208], convertible;
    15 Q8_K       256 292 [4 at 0, 2 at 260 times 16];
    16 IQ2_XXS    256  66 [2 at 0, 4 at 6 times 8 every 8];
    17 IQ2_XS     256  74 [2 at 0 times 33];
    18 IQ3_XXS    256  98 [2 at 0, 4 at 66 times 8];
    19 IQ1_S      256  50 [2 at 0, 2 at 34 times 8];
    20 IQ4_NL      32  18 [2 at 0];
    21 IQ3_S      256 110 [2 at 0];
    22 IQ2_S      256  82 [2 at 0];
    23 IQ4_XS     256 136 [2 at 0 times 2];
    24 I8           1   1 [], convertible;
    25 I16          1   2 [2 at 0], convertible;
    26 I32          1   4 [4 at 0], convertible;
    27 I64          1   8 [8 at 0], convertible;
    28 F64          1   8 [8 at 0], convertible;
    29 IQ1_M      256  56 [2 at 48 times 4];
    30 BF16         1   2 [2 at 0], convertible;
    31 Q4_0_4_4     0   0;
    32 Q4_0_4_8     0   0;
    33 Q4_0_8_8     0   0;
    34 TQ1_0      256  54 [2 at 52];
    35 TQ2_0      256  66 [2 at 64], convertible;
    36 IQ4_NL_4_4   0   0;
    37 IQ4_NL_4_8   0   0;
    38 IQ4_NL_8_8   0   0;
    39 MXFP4       32  17 [], convertible;
    40 NVFP4       64  36 [], convertible;
    41 Q1_0       128  18 [2 at 0], convertible;
    42 Q2_0        64  18 [2 at 0];
}

const _: () = {
    let mut row = 1;
    while row < GGML_TYPES.len() {
        assert!(GGML_TYPES[row - 1].id < GGML_TYPES[row].id, "the rows of the types must be in the order of their ids");
        row += 1;
    }
};

impl GgmlType {
    /// The row of the type in the table, also of a removed one.
    pub fn info(self) -> Option<&'static GgmlTypeInfo> {
        GGML_TYPES.get(self.row_index()?)
    }

    /// The position of the type's row in [`GGML_TYPES`].
    #[doc(hidden)]
    pub fn row_index(self) -> Option<usize> {
        // The ids of ggml have no gaps, so a row stands at its id. Only an id far above them has to be searched.
        let index = self.0 as usize;
        if GGML_TYPES.get(index).is_some_and(|row| row.id == self.0) {
            return Some(index);
        }
        GGML_TYPES.binary_search_by_key(&self.0, |row| row.id).ok()
    }

    /// The size in bytes of `element_count` elements in rows of `row_length` elements. `None` if the type is unknown or
    /// removed, if a row is not made of whole blocks, or if the size does not fit in 64 bits.
    pub fn byte_length(self, element_count: u64, row_length: u64) -> Option<u64> {
        self.info()?.byte_length(element_count, row_length)
    }
}

impl GgmlTypeInfo {
    /// The size in bytes of `element_count` elements in rows of `row_length` elements. `None` if the type is removed, if a row
    /// is not made of whole blocks, or if the size does not fit in 64 bits.
    pub fn byte_length(&self, element_count: u64, row_length: u64) -> Option<u64> {
        let block_size = u64::from(self.block_size);
        if self.is_removed() || !row_length.is_multiple_of(block_size) {
            return None;
        }
        let blocks = (element_count / block_size).checked_mul(self.type_size.into())?;
        if self.layout == Layout::BLOCKS || element_count == 0 {
            return Some(blocks);
        }
        let rows = element_count / row_length;
        match self.layout {
            Layout::Rows { head, together } => {
                let heads = rows.checked_mul(head.into())?;
                rows.is_multiple_of(together.into()).then(|| blocks.checked_add(heads))?
            }
            Layout::Tail(bytes) => blocks.checked_add(bytes.into()),
            Layout::Tl2 => {
                let threes = row_length.saturating_sub(256).checked_mul(rows)? / 3;
                (threes.checked_mul(5)? / 8).checked_add(rows.checked_mul(64)?)
            }
        }
    }

    /// Whether ggml removed the type. The layout of its blocks is then unknown.
    pub const fn is_removed(&self) -> bool {
        self.block_size == 0
    }

    /// Converts whole blocks from one byte order to the other, in place.
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
