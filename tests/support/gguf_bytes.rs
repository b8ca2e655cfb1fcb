//! Writes the bytes of GGUF files for tests.
//!
//! The writer checks nothing, so that a test can write a broken file. It shares no code with the crate's encoder, so that a
//! test can compare the bytes that the crate writes with these.

#![allow(dead_code, reason = "not every test writes everything")]

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format};

/// The bytes of a file, appended part by part in the widths and the byte order of a format.
#[derive(Clone, Debug)]
pub struct GgufBytes {
    format: Format,
    bytes: Vec<u8>,
}

impl GgufBytes {
    pub fn new(format: Format) -> Self {
        Self { format, bytes: Vec::new() }
    }

    /// The number of bytes so far, which is the file offset of the next byte.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Magic, version and counts.
    pub fn header(&mut self, tensor_count: u64, entry_count: u64) -> &mut Self {
        let version = self.format.version;
        self.bytes(b"GGUF").u32(version).count(tensor_count).count(entry_count)
    }

    /// A metadata entry.
    pub fn entry(&mut self, key: &[u8], value: &OwnedValue) -> &mut Self {
        self.key(key, value.value_type().id()).value(value)
    }

    /// Key and value type of an entry. The value follows.
    pub fn key(&mut self, key: &[u8], value_type: u32) -> &mut Self {
        self.string(key).u32(value_type)
    }

    /// A value without its type.
    pub fn value(&mut self, value: &OwnedValue) -> &mut Self {
        match value {
            OwnedValue::Uint8(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Int8(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Uint16(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Int16(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Uint32(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Int32(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Float32(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Bool(value) => self.bytes(&[u8::from(*value)]),
            OwnedValue::String(value) => self.string(value),
            OwnedValue::Array { element_type, elements } => {
                self.array(element_type.id(), elements.len() as u64);
                elements.iter().for_each(|element| _ = self.value(element));
                self
            }
            OwnedValue::Uint64(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Int64(value) => self.number(&value.to_le_bytes()),
            OwnedValue::Float64(value) => self.number(&value.to_le_bytes()),
        }
    }

    /// Element type and length of an array. The elements follow.
    pub fn array(&mut self, element_type: u32, length: u64) -> &mut Self {
        self.u32(element_type).count(length)
    }

    pub fn tensor(&mut self, name: &[u8], dimensions: &[u64], ggml_type: u32, offset: u64) -> &mut Self {
        self.string(name).u32(dimensions.len() as u32);
        dimensions.iter().for_each(|extent| _ = self.count(*extent));
        self.u32(ggml_type).u64(offset)
    }

    /// Zeros up to the next multiple of `alignment`.
    pub fn pad_to(&mut self, alignment: u64) -> &mut Self {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment as usize), 0);
        self
    }

    pub fn string(&mut self, text: &[u8]) -> &mut Self {
        self.count(text.len() as u64).bytes(text)
    }

    /// A count, length or dimension: 4 bytes in version 1, where higher bits are lost; 8 bytes in later versions.
    pub fn count(&mut self, count: u64) -> &mut Self {
        match self.format.version {
            1 => self.u32(count as u32),
            _ => self.u64(count),
        }
    }

    pub fn u32(&mut self, number: u32) -> &mut Self {
        self.number(&number.to_le_bytes())
    }

    pub fn u64(&mut self, number: u64) -> &mut Self {
        self.number(&number.to_le_bytes())
    }

    /// A number, given by its little-endian bytes.
    pub fn number(&mut self, little_endian: &[u8]) -> &mut Self {
        match self.format.endian {
            Endian::Little => self.bytes.extend(little_endian),
            Endian::Big => self.bytes.extend(little_endian.iter().rev()),
        }
        self
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend(bytes);
        self
    }
}
