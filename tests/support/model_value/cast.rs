//! Converts a value to another type: exactly, except that a float may be rounded to a 32-bit float.

use gguf_format::ValueType;

use super::{ModelValue, wide};

impl ModelValue {
    /// The value as other types, or `None` if it does not fit.
    pub fn cast(&self, types: &[ValueType]) -> Option<Self> {
        match (self, types) {
            (Self::List(_, elements), [ValueType::Array, inner @ ..]) => {
                let element_type = *inner.first()?;
                let elements = elements.iter().map(|element| element.cast(inner)).collect::<Option<_>>()?;
                Some(Self::List(element_type, elements))
            }
            (Self::Text(_), [ValueType::String]) => Some(self.clone()),
            (Self::Text(text), [value_type]) => Self::cast_text(text, *value_type),
            (Self::Number(..), [ValueType::String]) => Some(Self::Text(self.text().into_bytes())),
            (Self::Number(..), [value_type]) => self.cast_number(*value_type),
            _ => None,
        }
    }

    /// The number that a text stands for.
    pub fn cast_text(text: &[u8], value_type: ValueType) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.trim_ascii();
        let is_named = !text.bytes().any(|byte| byte.is_ascii_digit());
        let number = |bytes: &[u8]| Some(Self::Number(value_type, bytes.to_vec()));
        match (value_type, text) {
            (ValueType::Bool, "true") => number(&[1]),
            (ValueType::Bool, "false") => number(&[0]),
            (ValueType::Float32, _) => {
                let float: f32 = text.parse().ok()?;
                if float.is_infinite() && !is_named { None } else { number(&float.to_le_bytes()) }
            }
            (ValueType::Float64, _) => {
                let float: f64 = text.parse().ok()?;
                if float.is_infinite() && !is_named { None } else { number(&float.to_le_bytes()) }
            }
            _ => match text.parse::<i64>() {
                Ok(integer) => Self::Number(ValueType::Int64, integer.to_le_bytes().to_vec()).cast_number(value_type),
                Err(_) => match text.parse::<u64>() {
                    Ok(integer) => Self::Number(ValueType::Uint64, integer.to_le_bytes().to_vec()),
                    Err(_) => Self::Number(ValueType::Float64, text.parse::<f64>().ok()?.to_le_bytes().to_vec()),
                }
                .cast_number(value_type),
            },
        }
    }

    /// The text of a number, as JavaScript prints it.
    pub fn text(&self) -> String {
        let with_exponent = |size: f64| size != 0.0 && !(1e-6..1e21).contains(&size);
        let javascript = |positional: String, exponential: String, float: f64| match float {
            _ if float.is_nan() => "NaN".into(),
            _ if float.is_infinite() => if float > 0.0 { "Infinity" } else { "-Infinity" }.into(),
            _ if with_exponent(float.abs()) && float.abs() > 1.0 => exponential.replace('e', "e+"),
            _ if with_exponent(float.abs()) => exponential,
            _ => positional,
        };
        match self {
            Self::Number(ValueType::Bool, bytes) => (bytes[0] != 0).to_string(),
            Self::Number(ValueType::Float32, bytes) => {
                let float = f32::from_bits(wide(bytes) as u32);
                javascript(float.to_string(), format!("{float:e}"), float.into())
            }
            Self::Number(ValueType::Float64, bytes) => {
                let float = f64::from_bits(wide(bytes));
                javascript(float.to_string(), format!("{float:e}"), float)
            }
            other => other.integer().map_or(String::new(), |integer| integer.to_string()),
        }
    }

    pub fn cast_number(&self, value_type: ValueType) -> Option<Self> {
        let number = |bytes: &[u8]| Some(Self::Number(value_type, bytes.to_vec()));
        let flag = |value: &Self| match value {
            Self::Number(ValueType::Bool, bytes) => Some(i128::from(bytes[0] != 0)),
            _ => None,
        };
        let whole = |float: f64| (float.fract() == 0.0).then_some(float as i128);
        let integer = self.integer().or_else(|| flag(self));
        let as_integer = || integer.or_else(|| self.float().and_then(whole));
        match value_type {
            ValueType::Float32 => {
                let nearest = match integer {
                    Some(integer) => (integer as f32 as i128 == integer).then_some(integer as f32)?,
                    None => self.float()? as f32,
                };
                let overflows = nearest.is_infinite() && self.float().is_some_and(f64::is_finite);
                (!overflows).then(|| number(&nearest.to_le_bytes()))?
            }
            ValueType::Float64 => {
                let nearest = match integer {
                    Some(integer) => (integer as f64 as i128 == integer).then_some(integer as f64)?,
                    None => self.float()?,
                };
                number(&nearest.to_le_bytes())
            }
            ValueType::Bool => number(&[u8::try_from(as_integer()?).ok().filter(|byte| *byte < 2)?]),
            ValueType::Uint8 => number(&u8::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int8 => number(&i8::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Uint16 => number(&u16::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int16 => number(&i16::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Uint32 => number(&u32::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int32 => number(&i32::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Uint64 => number(&u64::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::Int64 => number(&i64::try_from(as_integer()?).ok()?.to_le_bytes()),
            ValueType::String | ValueType::Array => None,
        }
    }
}
