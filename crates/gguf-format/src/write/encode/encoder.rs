//! The encoder of primitives, metadata entries and tensor infos.

use alloc::{collections::TryReserveError, vec::Vec};
use core::mem::size_of_val;

use super::owned_value::OwnedValue;
use crate::format::storage::Storage;
use crate::format::value::{ValueType, stored_type};
use crate::format::version::{Endian, Format, MAGIC};

/// Writes the parts of a header one after the other, in the widths and the byte order of a [`Format`].
///
/// Every method appends, and returns the encoder so that calls can be chained. A part without a method of its own can be
/// written with the methods of its primitives.
///
/// # Examples
///
/// A boolean stored as 2, under a key that is not UTF-8, in a big-endian file:
///
/// ```
/// # use gguf_format::{Endian, Format, ValueType, write::encode::Encoder};
/// let mut file = Encoder::new(Format { version: 3, endian: Endian::Big });
/// file.key(b"\xff", ValueType::Bool as u32).u8(2);
/// assert_eq!(file.as_bytes(), b"\0\0\0\0\0\0\0\x01\xff\0\0\0\x07\x02");
/// ```
#[derive(Debug, Clone)]
pub struct Encoder {
    format: Format,
    out: Vec<u8>,
    /// The most bytes that are kept.
    capacity: usize,
    /// Whether bytes beyond the capacity were discarded.
    is_full: bool,
}

macro_rules! number_writers {
    ($($name:ident, $many:ident: $type:ty, $what:literal;)+) => {$(
        #[doc = concat!("Appends ", $what, ".")]
        pub fn $name(&mut self, value: $type) -> &mut Self {
            match self.format.endian {
                Endian::Little => self.bytes(&value.to_le_bytes()),
                Endian::Big => self.bytes(&value.to_be_bytes()),
            }
        }

        #[doc = concat!("Appends each of `values` as ", $what, ".")]
        pub fn $many(&mut self, values: &[$type]) -> &mut Self {
            self.out.reserve(size_of_val(values).min(self.capacity - self.out.len()));
            for &value in values {
                self.$name(value);
            }
            self
        }
    )+};
}

impl Encoder {
    /// An empty encoder.
    pub fn new(format: Format) -> Self {
        Self::with_capacity(format, usize::MAX)
    }

    /// An encoder that keeps at most `capacity` bytes and discards the rest.
    #[doc(hidden)]
    pub fn with_capacity(format: Format, capacity: usize) -> Self {
        Self { format, out: Vec::new(), capacity, is_full: false }
    }

    /// Whether bytes were discarded.
    #[doc(hidden)]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The version and byte order of the header.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The number of bytes written so far. It is the file offset of the next byte.
    pub fn len(&self) -> u64 {
        self.out.len() as u64
    }

    /// Whether nothing has been written yet.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Allocates memory for `bytes` more bytes.
    #[doc(hidden)]
    pub fn reserve(&mut self, bytes: u64) -> Result<(), TryReserveError> {
        self.out.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// The bytes written so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// The written bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Appends the magic, the version, and both counts.
    pub fn header(&mut self, tensor_count: u64, kv_count: u64) -> &mut Self {
        let Format { version, .. } = self.format;
        self.bytes(&MAGIC).u32(version).count(tensor_count).count(kv_count)
    }

    /// Appends a metadata entry.
    ///
    /// # Examples
    ///
    /// ```
    /// # use gguf_format::{Endian, Format, write::encode::Encoder};
    /// let mut file = Encoder::new(Format { version: 1, endian: Endian::Little });
    /// file.kv(b"llama.block_count", &32u32.into());
    /// assert_eq!(file.as_bytes(), b"\x11\0\0\0llama.block_count\x04\0\0\0\x20\0\0\0");
    /// ```
    pub fn kv(&mut self, key: &[u8], value: &OwnedValue) -> &mut Self {
        self.key(key, value.value_type() as u32).value(value)
    }

    /// Appends the key and the value type of a metadata entry.
    ///
    /// The value can then be written with other methods: a large array without an [`OwnedValue`] in memory, or a value that is
    /// invalid on purpose.
    pub fn key(&mut self, key: &[u8], value_type: u32) -> &mut Self {
        self.string(key).u32(value_type)
    }

    /// Appends a value without its type.
    pub fn value(&mut self, value: &OwnedValue) -> &mut Self {
        match value {
            OwnedValue::Uint8(value) => self.u8(*value),
            OwnedValue::Int8(value) => self.i8(*value),
            OwnedValue::Uint16(value) => self.u16(*value),
            OwnedValue::Int16(value) => self.i16(*value),
            OwnedValue::Uint32(value) => self.u32(*value),
            OwnedValue::Int32(value) => self.i32(*value),
            OwnedValue::Float32(value) => self.f32(*value),
            OwnedValue::Bool(value) => self.u8(u8::from(*value)),
            OwnedValue::String(value) => self.string(value),
            OwnedValue::Array { element_type, elements } => {
                self.array(*element_type as u32, elements.len() as u64);
                for element in elements {
                    self.value(element);
                }
                self
            }
            OwnedValue::Uint64(value) => self.u64(*value),
            OwnedValue::Int64(value) => self.i64(*value),
            OwnedValue::Float64(value) => self.f64(*value),
        }
    }

    /// Copies `count` consecutive values of a header, from `offset` on, and converts their lengths and byte order. Returns the
    /// offset after them. All other bytes stay as they are.
    #[doc(hidden)]
    pub fn copy_values(&mut self, header: &Storage, value_type: ValueType, count: u64, mut offset: u64) -> u64 {
        // The number of values that are left in the array and in the arrays around it. Recursion could overflow the call
        // stack, because a file can nest arrays deeply.
        let mut unfinished = Vec::from([(value_type, count)]);
        while let Some((value_type, count)) = unfinished.pop() {
            if let Some(size) = value_type.size() {
                let end = offset + count * size;
                let start = self.out.len();
                header.bytes.pieces(offset..end).for_each(|piece| _ = self.bytes(piece));
                if header.format.endian != self.format.endian {
                    self.out[start..].chunks_exact_mut(size as usize).for_each(<[u8]>::reverse);
                }
                offset = end;
            } else if count > 0 {
                unfinished.push((value_type, count - 1));
                let length_size = header.format.length_size();
                if value_type == ValueType::String {
                    let end = header.string_end(offset);
                    self.count(header.length(offset));
                    header.bytes.pieces(offset + length_size..end).for_each(|piece| _ = self.bytes(piece));
                    offset = end;
                } else {
                    let (element_type, len) = (stored_type(header, offset), header.length(offset + 4));
                    self.array(element_type.id(), len);
                    unfinished.push((element_type, len));
                    offset += 4 + length_size;
                }
            }
        }
        offset
    }

    /// Appends the element type and the length of an array. The elements follow.
    ///
    /// # Examples
    ///
    /// ```
    /// # use gguf_format::{Format, ValueType, write::encode::Encoder};
    /// let mut file = Encoder::new(Format::default());
    /// file.key(b"tokenizer.ggml.tokens", ValueType::Array as u32)
    ///     .array(ValueType::String as u32, 2)
    ///     .string(b"<s>")
    ///     .string(b"</s>");
    /// ```
    pub fn array(&mut self, element_type: u32, count: u64) -> &mut Self {
        self.u32(element_type).count(count)
    }

    /// Appends a tensor info. `dimensions` are in file order, the fastest first. `offset` counts from the start of the data
    /// section, in bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use gguf_format::{Endian, Format, write::encode::Encoder};
    /// let mut file = Encoder::new(Format { version: 1, endian: Endian::Little });
    /// file.tensor_info(b"t", &[64, 2], 8, 96);
    /// assert_eq!(
    ///     file.as_bytes(),
    ///     b"\x01\0\0\0t\x02\0\0\0\x40\0\0\0\x02\0\0\0\x08\0\0\0\x60\0\0\0\0\0\0\0",
    /// );
    /// ```
    pub fn tensor_info(&mut self, name: &[u8], dimensions: &[u64], ggml_type: u32, offset: u64) -> &mut Self {
        self.string(name).u32(dimensions.len() as u32);
        for &dimension in dimensions {
            self.count(dimension);
        }
        self.u32(ggml_type).u64(offset)
    }

    /// Appends zeros up to the next multiple of `alignment`. An alignment of 0 appends none.
    pub fn pad_to(&mut self, alignment: u64) -> &mut Self {
        let over = self.len().checked_rem(alignment).unwrap_or(0);
        if over != 0 {
            let padded = self.len() + (alignment - over);
            self.out.resize(padded as usize, 0);
        }
        self
    }

    /// Appends a string: its length in bytes, and its bytes.
    pub fn string(&mut self, text: &[u8]) -> &mut Self {
        self.count(text.len() as u64).bytes(text)
    }

    /// Appends a count, a length or a dimension: 4 bytes in version 1, 8 bytes in later versions.
    ///
    /// In version 1 the caller must make sure that the number fits in 32 bits. Higher bits are discarded.
    pub fn count(&mut self, count: u64) -> &mut Self {
        match self.format.version {
            1 => self.u32(count as u32),
            _ => self.u64(count),
        }
    }

    /// Appends bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.is_full |= bytes.len() > self.capacity - self.out.len();
        if !self.is_full {
            self.out.extend_from_slice(bytes);
        }
        self
    }

    number_writers! {
        u8, u8s: u8, "an unsigned byte";
        i8, i8s: i8, "a signed byte";
        u16, u16s: u16, "an unsigned 16-bit integer";
        i16, i16s: i16, "a signed 16-bit integer";
        u32, u32s: u32, "an unsigned 32-bit integer";
        i32, i32s: i32, "a signed 32-bit integer";
        u64, u64s: u64, "an unsigned 64-bit integer";
        i64, i64s: i64, "a signed 64-bit integer";
        f32, f32s: f32, "an IEEE 754 single";
        f64, f64s: f64, "an IEEE 754 double";
    }
}
