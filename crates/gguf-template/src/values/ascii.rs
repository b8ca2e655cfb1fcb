//! What llama.cpp's C locale knows of characters: ASCII only.

/// Whether a byte is one of the six blanks.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
