//! Plain numbers, converted by Rust's `as`.
//!
//! ```text
//! F32 F64            IEEE 754. F32 keeps its bits. F64 is rounded to f32; beyond the range of f32 it is ±infinity.
//! I8 I16 I32 I64     two's complement. I32 and I64 are rounded to f32, I64 to f64.
//! ```

macro_rules! conversions {
    ($($name:ident: $from:ty => $to:ty;)*) => {
        $(pub(super) fn $name(numbers: &[u8], elements: &mut [$to]) {
            for (number, element) in numbers.as_chunks().0.iter().zip(elements) {
                *element = <$from>::from_le_bytes(*number) as $to;
            }
        })*
    };
}

conversions! {
    f32_to_f32: f32 => f32;
    f64_to_f32: f64 => f32;
    i8_to_f32: i8 => f32;
    i16_to_f32: i16 => f32;
    i32_to_f32: i32 => f32;
    i64_to_f32: i64 => f32;

    f64_to_f64: f64 => f64;
    i32_to_f64: i32 => f64;
    i64_to_f64: i64 => f64;

    i8_to_i64: i8 => i64;
    i16_to_i64: i16 => i64;
    i32_to_i64: i32 => i64;
    i64_to_i64: i64 => i64;
}
