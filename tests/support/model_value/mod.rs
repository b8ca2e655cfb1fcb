//! Metadata values of the model. Numbers are kept as bytes.

#![allow(dead_code, reason = "not every test uses all of it")]

mod cast;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format, Value, ValueType};

use crate::gguf_bytes::GgufBytes;

/// A metadata value.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelValue {
    /// The bytes of a number or a BOOL in a little-endian file. A BOOL may be any byte.
    Number(ValueType, Vec<u8>),
    Text(Vec<u8>),
    List(ValueType, Vec<ModelValue>),
}

impl ModelValue {
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::Number(value_type, _) => *value_type,
            Self::Text(_) => ValueType::String,
            Self::List(..) => ValueType::Array,
        }
    }

    pub fn of(value: &OwnedValue) -> Self {
        let number = |bytes: &[u8]| Self::Number(value.value_type(), bytes.to_vec());
        match value {
            OwnedValue::Uint8(n) => number(&n.to_le_bytes()),
            OwnedValue::Int8(n) => number(&n.to_le_bytes()),
            OwnedValue::Uint16(n) => number(&n.to_le_bytes()),
            OwnedValue::Int16(n) => number(&n.to_le_bytes()),
            OwnedValue::Uint32(n) => number(&n.to_le_bytes()),
            OwnedValue::Int32(n) => number(&n.to_le_bytes()),
            OwnedValue::Float32(n) => number(&n.to_le_bytes()),
            OwnedValue::Bool(flag) => number(&[u8::from(*flag)]),
            OwnedValue::String(text) => Self::Text(text.clone()),
            OwnedValue::Array { element_type, elements } => {
                Self::List(*element_type, elements.iter().map(Self::of).collect())
            }
            OwnedValue::Uint64(n) => number(&n.to_le_bytes()),
            OwnedValue::Int64(n) => number(&n.to_le_bytes()),
            OwnedValue::Float64(n) => number(&n.to_le_bytes()),
        }
    }

    /// The value that a reader returns. It does not show the byte of a BOOL.
    pub fn read(value: Value<'_>) -> Self {
        let number = |bytes: &[u8]| Self::Number(value.value_type(), bytes.to_vec());
        match value {
            Value::Uint8(n) => number(&n.to_le_bytes()),
            Value::Int8(n) => number(&n.to_le_bytes()),
            Value::Uint16(n) => number(&n.to_le_bytes()),
            Value::Int16(n) => number(&n.to_le_bytes()),
            Value::Uint32(n) => number(&n.to_le_bytes()),
            Value::Int32(n) => number(&n.to_le_bytes()),
            Value::Float32(n) => number(&n.to_le_bytes()),
            Value::Bool(flag) => number(&[u8::from(flag)]),
            Value::String(text) => Self::Text(text.to_bytes().into_owned()),
            Value::Array(array) => Self::List(array.element_type(), array.iter().map(Self::read).collect()),
            Value::Uint64(n) => number(&n.to_le_bytes()),
            Value::Int64(n) => number(&n.to_le_bytes()),
            Value::Float64(n) => number(&n.to_le_bytes()),
        }
    }

    /// The value as a reader returns it.
    pub fn seen(&self) -> Self {
        match self {
            Self::Number(ValueType::Bool, bytes) => Self::Number(ValueType::Bool, vec![u8::from(bytes[0] != 0)]),
            Self::List(element_type, elements) => Self::List(*element_type, elements.iter().map(Self::seen).collect()),
            other => other.clone(),
        }
    }

    pub fn to_owned_value(&self) -> OwnedValue {
        match self {
            Self::Text(text) => OwnedValue::String(text.clone()),
            Self::List(element_type, elements) => OwnedValue::Array {
                element_type: *element_type,
                elements: elements.iter().map(Self::to_owned_value).collect(),
            },
            Self::Number(value_type, bytes) => {
                let wide = wide(bytes);
                match value_type {
                    ValueType::Uint8 => OwnedValue::Uint8(wide as u8),
                    ValueType::Int8 => OwnedValue::Int8(wide as i8),
                    ValueType::Uint16 => OwnedValue::Uint16(wide as u16),
                    ValueType::Int16 => OwnedValue::Int16(wide as i16),
                    ValueType::Uint32 => OwnedValue::Uint32(wide as u32),
                    ValueType::Int32 => OwnedValue::Int32(wide as i32),
                    ValueType::Float32 => OwnedValue::Float32(f32::from_bits(wide as u32)),
                    ValueType::Bool => OwnedValue::Bool(wide != 0),
                    ValueType::Uint64 => OwnedValue::Uint64(wide),
                    ValueType::Int64 => OwnedValue::Int64(wide as i64),
                    ValueType::Float64 => OwnedValue::Float64(f64::from_bits(wide)),
                    ValueType::String | ValueType::Array => unreachable!("no number"),
                }
            }
        }
    }

    /// The value of an integer.
    pub fn integer(&self) -> Option<i128> {
        let Self::Number(value_type, bytes) = self else { return None };
        let wide = wide(bytes);
        Some(match value_type {
            ValueType::Int8 => (wide as i8).into(),
            ValueType::Int16 => (wide as i16).into(),
            ValueType::Int32 => (wide as i32).into(),
            ValueType::Int64 => (wide as i64).into(),
            ValueType::Float32 | ValueType::Float64 | ValueType::Bool => return None,
            _ => wide.into(),
        })
    }

    pub fn float(&self) -> Option<f64> {
        match self {
            Self::Number(ValueType::Float32, bytes) => Some(f32::from_bits(wide(bytes) as u32).into()),
            Self::Number(ValueType::Float64, bytes) => Some(f64::from_bits(wide(bytes))),
            _ => None,
        }
    }

    /// Whether the value contains a NaN. The bits of a NaN in another type are not specified.
    pub fn has_nan(&self) -> bool {
        match self {
            Self::List(_, elements) => elements.iter().any(Self::has_nan),
            other => other.float().is_some_and(f64::is_nan),
        }
    }

    /// The number of nested arrays.
    pub fn depth(&self) -> usize {
        match self {
            Self::List(_, elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether every element has the type that its array declares.
    pub fn is_uniform(&self) -> bool {
        match self {
            Self::List(element_type, elements) => {
                elements.iter().all(|element| element.value_type() == *element_type && element.is_uniform())
            }
            _ => true,
        }
    }

    /// Whether the value contains a type that version 1 does not have.
    pub fn needs_version_2(&self) -> bool {
        let is_new = |value_type: ValueType| value_type.id() > 9;
        match self {
            Self::List(element_type, elements) => is_new(*element_type) || elements.iter().any(Self::needs_version_2),
            other => is_new(other.value_type()),
        }
    }

    /// The size in bytes in a file of version 3.
    pub fn size(&self) -> usize {
        self.encoded(Format { version: 3, endian: Endian::Little }).len()
    }

    /// The bytes in a file, after the type.
    pub fn encoded(&self, format: Format) -> Vec<u8> {
        let mut bytes = GgufBytes::new(format);
        self.write(&mut bytes);
        bytes.into_bytes()
    }

    pub fn write(&self, bytes: &mut GgufBytes) {
        match self {
            Self::Number(_, number) => _ = bytes.number(number),
            Self::Text(text) => _ = bytes.string(text),
            Self::List(element_type, elements) => {
                bytes.array(element_type.id(), elements.len() as u64);
                elements.iter().for_each(|element| element.write(bytes));
            }
        }
    }
}

pub fn wide(little_endian: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..little_endian.len()].copy_from_slice(little_endian);
    u64::from_le_bytes(bytes)
}
