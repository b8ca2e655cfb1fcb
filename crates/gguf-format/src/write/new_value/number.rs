//! Numbers of any type of the format, and their conversion to another type.

use crate::format::value::{Value, ValueType};
use crate::write::encode::Encoder;

/// A number of any of the format's types.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Number {
    Integer { is_negative: bool, magnitude: u64 },
    Float(f64),
}

impl Number {
    /// The number that a value is. A `BOOL` is 0 or 1. `None` for strings and arrays.
    pub fn of(value: Value<'_>) -> Option<Self> {
        let integer = |is_negative, magnitude| Self::Integer { is_negative, magnitude };
        Some(match (value.as_u64(), value.as_i64(), value.as_f64(), value.as_bool()) {
            (Some(positive), ..) => integer(false, positive),
            (_, Some(negative), ..) => integer(true, negative.unsigned_abs()),
            (_, _, Some(float), _) => Self::Float(float),
            (.., Some(flag)) => integer(false, flag.into()),
            _ => return None,
        })
    }

    /// Writes the number as a type. Integers must be exact; floats are rounded to the nearest. Returns whether the type can
    /// hold the number; nothing is written otherwise.
    pub fn write(self, value_type: ValueType, encoder: &mut Encoder) -> bool {
        let Some(size) = value_type.size() else { return false };
        let is_signed = matches!(value_type, ValueType::Int8 | ValueType::Int16 | ValueType::Int32 | ValueType::Int64);
        let bits = match value_type {
            ValueType::Float32 => self.to_f32().map(|float| float.to_bits().into()),
            ValueType::Float64 => self.to_f64().map(f64::to_bits),
            ValueType::Bool => self.to_integer(false, 1),
            _ => self.to_integer(is_signed, u64::MAX >> (64 - 8 * size + u64::from(is_signed))),
        };
        let Some(bits) = bits else { return false };
        // New values are always encoded in little-endian order.
        encoder.bytes(&bits.to_le_bytes()[..size as usize]);
        true
    }

    /// The bits of an integer of at most `max`, and of at least `-max - 1` if the type is signed.
    fn to_integer(self, is_signed: bool, max: u64) -> Option<u64> {
        let (is_negative, magnitude) = match self {
            Self::Integer { is_negative, magnitude } => (is_negative && magnitude > 0, magnitude),
            Self::Float(float) => {
                let magnitude = float.abs() as u64;
                // Floats of 2^64 and above saturate at 2^64 - 1, which converts back to 2^64.
                if magnitude as f64 != float.abs() || magnitude == u64::MAX {
                    return None;
                }
                (float < 0.0, magnitude)
            }
        };
        let fits = if is_negative { is_signed && magnitude <= max + 1 } else { magnitude <= max };
        fits.then(|| if is_negative { magnitude.wrapping_neg() } else { magnitude })
    }

    fn to_f64(self) -> Option<f64> {
        match self {
            Self::Float(float) => Some(float),
            Self::Integer { is_negative, magnitude } => {
                let float = exact(magnitude, f64::MANTISSA_DIGITS)?;
                Some(if is_negative { -float } else { float })
            }
        }
    }

    fn to_f32(self) -> Option<f32> {
        if let Self::Integer { magnitude, .. } = self {
            exact(magnitude, f32::MANTISSA_DIGITS)?;
        }
        let float = self.to_f64()?;
        let nearest = float as f32;
        (nearest.is_finite() || !float.is_finite()).then_some(nearest)
    }
}

/// An integer as a float, if it has at most `digits` significant bits.
fn exact(magnitude: u64, digits: u32) -> Option<f64> {
    let significant = magnitude >> magnitude.trailing_zeros().min(u64::BITS - 1);
    (significant >> digits == 0).then_some(magnitude as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::version::Format;
    use alloc::vec::Vec;

    fn written(value: Value<'_>, value_type: ValueType) -> Option<Vec<u8>> {
        let mut encoder = Encoder::new(Format::default());
        Number::of(value)?.write(value_type, &mut encoder).then(|| encoder.into_bytes())
    }

    #[test]
    fn integers_are_exact_or_refused() {
        let cases: [(Value<'_>, ValueType, Option<&[u8]>); 16] = [
            (Value::Uint64(255), ValueType::Uint8, Some(b"\xff")),
            (Value::Uint64(256), ValueType::Uint8, None),
            (Value::Int64(-1), ValueType::Uint64, None),
            (Value::Int64(-128), ValueType::Int8, Some(b"\x80")),
            (Value::Int64(-129), ValueType::Int8, None),
            (Value::Int64(128), ValueType::Int8, None),
            (Value::Int8(-1), ValueType::Int64, Some(b"\xff\xff\xff\xff\xff\xff\xff\xff")),
            (Value::Int64(i64::MIN), ValueType::Int64, Some(b"\0\0\0\0\0\0\0\x80")),
            (Value::Uint64(1 << 63), ValueType::Int64, None),
            (Value::Uint64(u64::MAX), ValueType::Uint64, Some(b"\xff\xff\xff\xff\xff\xff\xff\xff")),
            (Value::Bool(true), ValueType::Uint16, Some(b"\x01\0")),
            (Value::Uint8(1), ValueType::Bool, Some(b"\x01")),
            (Value::Uint8(2), ValueType::Bool, None),
            (Value::Uint32(1 << 24), ValueType::Float32, Some(b"\0\0\x80\x4b")),
            (Value::Uint32((1 << 24) + 1), ValueType::Float32, None),
            (Value::Uint64((1 << 53) + 1), ValueType::Float64, None),
        ];
        for (value, value_type, expected) in cases {
            assert_eq!(written(value, value_type).as_deref(), expected, "{value:?} as {value_type}");
        }
    }

    #[test]
    fn only_whole_floats_become_integers() {
        assert_eq!(written(Value::Float32(-2.0), ValueType::Int16).unwrap(), b"\xfe\xff");
        assert_eq!(written(Value::Float64(-0.0), ValueType::Uint8).unwrap(), b"\0");
        for float in [0.5, f64::NAN, f64::INFINITY, 18_446_744_073_709_551_616.0, -1.0] {
            assert_eq!(written(Value::Float64(float), ValueType::Uint64), None, "{float}");
        }
    }

    #[test]
    fn floats_are_rounded_to_the_nearest_float_of_the_type() {
        assert_eq!(written(Value::Float64(0.1), ValueType::Float32).unwrap(), 0.1f32.to_le_bytes());
        assert_eq!(written(Value::Float64(1e39), ValueType::Float32), None);
        assert_eq!(written(Value::Float64(f64::INFINITY), ValueType::Float32).unwrap(), f32::INFINITY.to_le_bytes());
        assert_eq!(written(Value::Int64(-1), ValueType::Float64).unwrap(), (-1f64).to_le_bytes());
        assert_eq!(written(Value::Uint8(0), ValueType::Float32).unwrap(), 0f32.to_le_bytes());
        let high = written(Value::Uint64(1 << 63), ValueType::Float32).unwrap();
        assert_eq!(high, (2f32.powi(63)).to_le_bytes());
    }
}
