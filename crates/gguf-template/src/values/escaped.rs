//! Escapes of JSON texts.

use crate::error::Outcome;

/// Takes written bytes.
pub(crate) type Out<'a> = &'a mut dyn FnMut(&[u8]) -> Outcome<()>;

/// Writes bytes of a JSON text. Only quotes, backslashes and control characters have escapes.
pub(crate) fn write_escaped(bytes: &[u8], out: Out) -> Outcome<()> {
    let mut plain = 0;
    for (index, byte) in bytes.iter().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            8 => b"\\b",
            12 => b"\\f",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0..0x20 => &[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), hex(byte & 15)],
            _ => continue,
        };
        out(&bytes[plain..index])?;
        out(escape)?;
        plain = index + 1;
    }
    out(&bytes[plain..])
}

/// A digit of a hexadecimal number.
pub(crate) fn hex(digit: u8) -> u8 {
    b"0123456789abcdef"[digit as usize & 15]
}
