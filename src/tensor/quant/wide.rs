//! Numbers that `f32` would round, as what holds them.

/// One number after the other, as Rust's `as` converts them.
macro_rules! conversions {
    ($($name:ident: $from:ty => $to:ty;)*) => {
        $(pub(crate) fn $name(numbers: &[u8], out: &mut [$to]) {
            for (number, out) in numbers.as_chunks().0.iter().zip(out) {
                *out = <$from>::from_le_bytes(*number) as $to;
            }
        })*
    };
}

conversions! {
    f64_to_f64: f64 => f64;
    i64_to_f64: i64 => f64;
    i32_to_f64: i32 => f64;
    i8_to_i64: i8 => i64;
    i16_to_i64: i16 => i64;
    i32_to_i64: i32 => i64;
    i64_to_i64: i64 => i64;
}
