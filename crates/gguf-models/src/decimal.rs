//! Numbers in names.

/// Splits a decimal number from the start of a text. As the number is one that programs write, it has no leading zeros.
/// `None` if the text does not start with such a number, or if the number does not fit in a `u32`.
pub(super) fn split_decimal(text: &[u8]) -> Option<(u32, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    if digits.len() > 1 && digits[0] == b'0' {
        return None;
    }
    let number = core::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::split_decimal;

    #[test]
    fn numbers_are_those_that_programs_write() {
        assert_eq!(split_decimal(b"0"), Some((0, &b""[..])));
        assert_eq!(split_decimal(b"12.attn_q"), Some((12, &b".attn_q"[..])));
        assert_eq!(split_decimal(b"4294967295x"), Some((u32::MAX, &b"x"[..])));
        for text in ["", "x1", "00", "012.x", "-1", "+1", "4294967296", "99999999999999999999999"] {
            assert_eq!(split_decimal(text.as_bytes()), None, "{text}");
        }
    }
}
