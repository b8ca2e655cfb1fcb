//! The wire format of protobuf: fields with numbers, one after another.
//!
//! Source: "Encoding" in the documentation of Protocol Buffers.

use gguf_format::error::{Error, Result, error};

/// The fields of a message: a part of a file.
#[derive(Clone, Copy)]
pub(super) struct Message<'a> {
    file: &'a [u8],
    at: usize,
    end: usize,
}

/// A field of a message.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    /// The number that names the field.
    pub number: u32,
    pub value: FieldValue<'a>,
    /// The offset of the field in the file.
    pub offset: u64,
}

/// The value of a field, as its wire type stores it.
#[derive(Clone, Copy)]
pub(super) enum FieldValue<'a> {
    /// A number of up to 64 bits, or a bool.
    Varint(u64),
    /// Eight bytes.
    Fixed64,
    /// A string, bytes, or a message.
    Bytes(Message<'a>),
    /// Four bytes.
    Fixed32([u8; 4]),
}

impl<'a> Message<'a> {
    /// A file that is one message.
    pub fn of_file(file: &'a [u8]) -> Self {
        Self { file, at: 0, end: file.len() }
    }

    /// The bytes of the message.
    pub fn bytes(self) -> &'a [u8] {
        &self.file[self.at..self.end]
    }

    /// The fields in order. The list ends after an error.
    pub fn fields(mut self) -> impl Iterator<Item = Result<Field<'a>>> {
        core::iter::from_fn(move || {
            if self.at >= self.end {
                return None;
            }
            let field = self.field();
            if field.is_err() {
                self.at = self.end;
            }
            Some(field)
        })
    }

    fn field(&mut self) -> Result<Field<'a>> {
        let offset = self.at;
        let key = self.varint()?;
        let number = u32::try_from(key >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        let number = number.ok_or_else(|| damaged(offset, format_args!("a field has the number {}", key >> 3)))?;
        let value = match key & 7 {
            0 => FieldValue::Varint(self.varint()?),
            1 => {
                self.take(8)?;
                FieldValue::Fixed64
            }
            2 => {
                let length = self.varint()?;
                FieldValue::Bytes(self.take(length)?)
            }
            5 => {
                let bytes = self.take(4)?.bytes();
                FieldValue::Fixed32([bytes[0], bytes[1], bytes[2], bytes[3]])
            }
            other => return Err(damaged(offset, format_args!("field {number} has the wire type {other}"))),
        };
        Ok(Field { number, value, offset: offset as u64 })
    }

    fn varint(&mut self) -> Result<u64> {
        let offset = self.at;
        let mut value = 0;
        for (place, byte) in self.bytes().iter().take(10).enumerate() {
            // The tenth byte has room for one bit.
            if place == 9 && *byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7F) << (7 * place);
            if byte & 0x80 == 0 {
                self.at += place + 1;
                return Ok(value);
            }
        }
        Err(damaged(offset, format_args!("a number does not end within its message, or has more than 64 bits")))
    }

    fn take(&mut self, length: u64) -> Result<Self> {
        let start = self.at;
        let left = self.end - start;
        let length = usize::try_from(length).ok().filter(|length| *length <= left).ok_or_else(|| {
            damaged(start, format_args!("a field has {length} bytes, but its message has {left} bytes left"))
        })?;
        self.at += length;
        Ok(Self { file: self.file, at: start, end: self.at })
    }
}

/// The error of a file that is no message.
#[cold]
fn damaged(offset: usize, what: core::fmt::Arguments<'_>) -> Error {
    error!(BadVocabulary: "the SentencePiece model is damaged at offset {offset}: {what}. Download the file again.")
        .at(offset as u64)
}
