//! Plain numbers: what they are as `f32`, rounded to the nearest one where there is none.
//!
//! ```text
//! F32 F64            IEEE 754     F32 is its own bits; what F64 has beyond the range of f32 is ±infinity
//! I8 I16 I32 I64     two's complement
//! ```

use super::each;

macro_rules! numbers {
    ($($name:ident)*) => {$(
        pub(crate) fn $name(blocks: &[u8], out: &mut [f32]) {
            each::<{ size_of::<$name>() }, 1>(blocks, out, |bytes, [out]| *out = $name::from_le_bytes(*bytes) as f32);
        }
    )*};
}

numbers! { f32 f64 i8 i16 i32 i64 }
