//! Tensor types of other programs than ggml of October 2026, in one table.
//!
//! An id alone does not name a type, because several programs use the same number. So a type of this table is believed only if the
//! places of the tensors in the file agree with its size: see [`Header::settle_types`](crate::Header::settle_types). Ids, names and
//! layouts were read in the sources of the programs (ik_llama.cpp, Microsoft's bitnet.cpp, llama-cpp-turboquant; August to November
//! 2026), those of PrismML in its pull requests. Id, name and size of `F8_E4M3` stand in the module of the package `@wllama/wllama`
//! 3.13.0; how it encodes its values is not known.

use crate::format::ggml_type::{GgmlTypeInfo, Layout};

const NOVEMBER: &str = "llama.cpp of November 2026";
const IK: &str = "ik_llama.cpp";
const BITNET: &str = "bitnet.cpp";
const PRISM: &str = "PrismML llama.cpp";
const TURBOQUANT: &str = "llama-cpp-turboquant";

macro_rules! fork_types {
    ($($id:literal $name:ident $owner:ident $block_size:literal $type_size:literal $layout:expr;)*) => {
        /// The tensor types of other programs, by id. Types that only the memory of a program has, such as those of a KV cache, are
        /// not here.
        pub static FORK_TYPES: &[GgmlTypeInfo] = &[$(GgmlTypeInfo {
            id: $id,
            name: stringify!($name),
            block_size: $block_size,
            type_size: $type_size,
            fields: &[],
            is_convertible: false,
            own_kernel: None,
            owner: Some($owner),
            layout: $layout,
        }),*];
    };
}

/// Rows with a head of some bytes before the blocks.
const fn head(head: u8) -> Layout {
    Layout::Rows { head, together: 1 }
}

/// Several rows whose blocks are interleaved.
const fn together(together: u8) -> Layout {
    Layout::Rows { head: 0, together }
}

const BLOCKS: Layout = Layout::BLOCKS;

// A row: id, name, owner, elements per block, bytes per block, how the blocks lie. An owner's other names of a type have no row.
fork_types! {
     36 I2_S        BITNET       4   1 Layout::Tail(32);
     38 TL1         BITNET       4   1 Layout::Tail(0);
     39 TL2         BITNET       4   1 Layout::Tl2;
     40 Q1_0        PRISM       32   6 BLOCKS;
     42 TL2         BITNET       4   1 Layout::Tl2;
     42 Q2_0_G128   PRISM      128  34 BLOCKS;
     43 F8_E4M3     NOVEMBER     1   1 BLOCKS;
     45 TQ3_1S      TURBOQUANT  32  16 BLOCKS;
     46 TQ4_1S      TURBOQUANT  32  20 BLOCKS;
    133 Q6_0        IK          32  26 BLOCKS;
    134 IQ1_BN      IK          64  13 head(2);
    135 IQ2_BN      IK          64  16 head(4);
    137 IQ2_K       IK         256  76 BLOCKS;
    138 IQ3_K       IK         256 110 BLOCKS;
    139 IQ4_K       IK         256 144 BLOCKS;
    140 IQ5_K       IK         256 176 BLOCKS;
    141 IQ6_K       IK         256 212 BLOCKS;
    142 PQ2_0       PRISM      128  34 BLOCKS;
    143 PTQ1_0      PRISM      128  28 BLOCKS;
    144 IQ4_KS      IK         256 136 head(4);
    145 IQ2_KS      IK         256  70 head(2);
    146 IQ4_KSS     IK         256 128 head(4);
    151 Q8_KV       IK          32  32 head(8);
    152 IQ5_KS      IK         256 168 head(4);
    153 IQ2_KT      IK         256  68 head(4);
    154 IQ3_KT      IK         256 100 head(4);
    155 IQ4_KT      IK         256 128 head(4);
    156 IQ3_KS      IK         256 102 head(2);
    157 IQ2_KL      IK         256  86 head(2);
    158 IQ1_KT      IK         256  56 head(4);
    202 Q4_0_R8     IK          32  18 together(8);
    206 Q5_0_R4     IK          32  22 together(4);
    208 Q8_0_R8     IK          32  34 together(8);
    210 Q2_K_R4     IK         256  84 together(4);
    211 Q3_K_R4     IK         256 110 together(4);
    212 Q4_K_R4     IK         256 144 together(4);
    213 Q5_K_R4     IK         256 176 together(4);
    214 Q6_K_R4     IK         256 210 together(4);
    216 IQ2_XXS_R4  IK         256  66 together(4);
    217 IQ2_XS_R4   IK         256  74 together(4);
    218 IQ3_XXS_R4  IK         256  98 together(4);
    219 IQ1_S_R4    IK          32   6 Layout::Rows { head: 2, together: 4 };
    220 IQ4_NL_R4   IK          32  18 together(4);
    221 IQ3_S_R4    IK         256 110 together(4);
    222 IQ2_S_R4    IK         256  82 together(4);
    223 IQ4_XS_R8   IK         256 136 together(8);
    229 IQ1_M_R4    IK          32   7 Layout::Rows { head: 2, together: 4 };
    230 BF16_R16    IK           1   2 together(16);
    233 Q6_0_R4     IK          32  26 together(4);
    335 IQ2_BN_R4   IK          64  16 Layout::Rows { head: 4, together: 4 };
    337 IQ2_K_R4    IK         256  76 together(4);
    338 IQ3_K_R4    IK         256 110 together(4);
    339 IQ4_K_R4    IK         256 144 together(4);
    340 IQ5_K_R4    IK         256 176 together(4);
    344 IQ4_KS_R4   IK         256 136 Layout::Rows { head: 4, together: 4 };
    352 IQ5_KS_R4   IK         256 168 Layout::Rows { head: 4, together: 4 };
    353 MXFP4_R8    IK          32  17 together(8);
    397 Q8_K_R16    IK         256 258 together(16);
    398 Q8_KV_R8    IK          32  32 Layout::Rows { head: 4, together: 8 };
    399 Q8_K_R8     IK         256 258 together(8);
}

const _: () = {
    let mut row = 1;
    while row < FORK_TYPES.len() {
        assert!(
            FORK_TYPES[row - 1].id <= FORK_TYPES[row].id,
            "the rows of the types must be in the order of their ids"
        );
        row += 1;
    }
};

/// The types of other programs with an id. None if the crate was built without its feature `fork-types`.
#[doc(hidden)]
pub fn fork_types(id: u32) -> &'static [GgmlTypeInfo] {
    if !cfg!(feature = "fork-types") {
        return &[];
    }
    let first = FORK_TYPES.partition_point(|row| row.id < id);
    let rest = FORK_TYPES.get(first..).unwrap_or_default();
    rest.get(..rest.partition_point(|row| row.id == id)).unwrap_or_default()
}
