//! The same value as another type.

use super::number_text::{text_of, write_number};
use crate::format::value::{Value, ValueType};
use crate::write::encode::Encoder;

/// A number of any of the format's types.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Integer { is_negative: bool, magnitude: u64 },
    Float(f64),
}

impl Number {
    /// The number that a value is, a `BOOL` being 0 or 1: `None` for strings and arrays.
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

    /// Writes the number as a type: exactly, but for floats, of which the nearest is taken. Says whether the type has it.
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
        // The encoder is that of version 3, little-endian.
        encoder.bytes(&bits.to_le_bytes()[..size as usize]);
        true
    }

    /// The two's complement of an integer of up to `max`, or, where there is a sign, down to `-max - 1`.
    fn to_integer(self, is_signed: bool, max: u64) -> Option<u64> {
        let (is_negative, magnitude) = match self {
            Self::Integer { is_negative, magnitude } => (is_negative && magnitude > 0, magnitude),
            Self::Float(float) => {
                let magnitude = float.abs() as u64;
                // What is beyond 2^64 becomes 2^64 - 1, which as a float is 2^64.
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

/// Writes one value that is no array as a type. Returns whether the type can hold it.
type WriteScalar = fn(Value<'_>, ValueType, &mut Encoder) -> bool;

/// Writes a value as the first of `types`, the elements of an array as the next. Returns whether the types can hold the
/// value. Text stays text, and numbers stay numbers.
#[cfg(feature = "web")]
pub(crate) fn write_as(value: Value<'_>, types: &[ValueType], encoder: &mut Encoder) -> bool {
    write_each(value, types, encoder, write_scalar)
}

/// As [`write_as`], but numbers can become text, and text that says a number can become that number.
pub(crate) fn retype_as(value: Value<'_>, types: &[ValueType], encoder: &mut Encoder) -> bool {
    write_each(value, types, encoder, |value, value_type, encoder| match (value, value_type) {
        (Value::String(text), number) if number != ValueType::String => write_number(text, number, encoder),
        (Value::String(_), _) | (_, ValueType::Array) => write_scalar(value, value_type, encoder),
        (_, ValueType::String) => text_of(value).is_some_and(|text| {
            encoder.string(text.as_bytes());
            true
        }),
        _ => write_scalar(value, value_type, encoder),
    })
}

fn write_each(value: Value<'_>, types: &[ValueType], encoder: &mut Encoder, scalar: WriteScalar) -> bool {
    match (value, types) {
        (Value::Array(array), [ValueType::Array, inner @ ..]) => {
            let Some(element_type) = inner.first() else { return false };
            encoder.array(element_type.id(), array.len());
            array.iter().all(|element| write_each(element, inner, encoder, scalar))
        }
        (Value::Array(_), _) => false,
        (value, [value_type]) => scalar(value, *value_type, encoder),
        _ => false,
    }
}

fn write_scalar(value: Value<'_>, value_type: ValueType, encoder: &mut Encoder) -> bool {
    match (value, value_type) {
        (Value::String(text), ValueType::String) => {
            encoder.string(&text.to_bytes());
            true
        }
        _ => Number::of(value).is_some_and(|number| number.write(value_type, encoder)),
    }
}

/// An integer as a float, if its significant bits are no more than `digits`.
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
    fn integers_keep_their_value_or_are_refused() {
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
    fn floats_become_integers_only_if_they_are_whole() {
        assert_eq!(written(Value::Float32(-2.0), ValueType::Int16).unwrap(), b"\xfe\xff");
        assert_eq!(written(Value::Float64(-0.0), ValueType::Uint8).unwrap(), b"\0");
        for float in [0.5, f64::NAN, f64::INFINITY, 18_446_744_073_709_551_616.0, -1.0] {
            assert_eq!(written(Value::Float64(float), ValueType::Uint64), None, "{float}");
        }
    }

    #[test]
    fn floats_become_the_nearest_ones() {
        assert_eq!(written(Value::Float64(0.1), ValueType::Float32).unwrap(), 0.1f32.to_le_bytes());
        assert_eq!(written(Value::Float64(1e39), ValueType::Float32), None);
        assert_eq!(written(Value::Float64(f64::INFINITY), ValueType::Float32).unwrap(), f32::INFINITY.to_le_bytes());
        assert_eq!(written(Value::Int64(-1), ValueType::Float64).unwrap(), (-1f64).to_le_bytes());
        assert_eq!(written(Value::Uint8(0), ValueType::Float32).unwrap(), 0f32.to_le_bytes());
        let high = written(Value::Uint64(1 << 63), ValueType::Float32).unwrap();
        assert_eq!(high, (2f32.powi(63)).to_le_bytes());
    }
}
