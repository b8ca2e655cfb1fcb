//! Parts of the texts of headers.
//!
//! Only ASCII characters separate them. The searches of the standard library are for all characters, and would add 1 kB to the
//! reader.

/// The texts before and after the first of an ASCII character. `None` if the text does not have it.
pub(super) fn split_at(text: &str, separator: u8) -> Option<(&str, &str)> {
    let index = text.bytes().position(|byte| byte == separator)?;
    text.get(..index).zip(text.get(index + 1..))
}
