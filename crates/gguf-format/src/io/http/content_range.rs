//! The header `Content-Range` of a response.

use super::header_text::split_at;

/// The value of a `Content-Range`.
#[derive(Debug, PartialEq)]
pub(super) struct ContentRange {
    /// The first and the last byte of the body; `None` if no byte of the file was in the requested range.
    pub bytes: Option<(u64, u64)>,
    /// The size of the file; `None` if the server does not tell it.
    pub size: Option<u64>,
}

impl ContentRange {
    /// Parses `bytes 0-99/1234`, `bytes 0-99/*` or `bytes */1234`. The unit may be in upper case.
    ///
    /// Returns `None` if the text has another form, or if the last byte is before the first or beyond the size.
    pub fn parse(text: &str) -> Option<Self> {
        let (unit, range) = split_at(text, b' ')?;
        let (bytes, size) = split_at(range, b'/')?;
        if !unit.eq_ignore_ascii_case("bytes") {
            return None;
        }
        let number = |text: &str| text.parse::<u64>().ok();
        let size = if size == "*" { None } else { Some(number(size)?) };
        if bytes == "*" {
            return Some(Self { bytes: None, size });
        }
        let (first, last) = split_at(bytes, b'-')?;
        let (first, last) = (number(first)?, number(last)?);
        let is_in_file = first <= last && size.is_none_or(|size| last < size);
        is_in_file.then_some(Self { bytes: Some((first, last)), size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last byte of the range, and the size of the file.
    type Parsed = (Option<(u64, u64)>, Option<u64>);

    fn parse(text: &str) -> Option<Parsed> {
        ContentRange::parse(text).map(|range| (range.bytes, range.size))
    }

    #[test]
    fn the_range_and_the_size_are_read() {
        assert_eq!(parse("bytes 0-99/1234"), Some((Some((0, 99)), Some(1234))));
        assert_eq!(parse("bytes 0-99/100"), Some((Some((0, 99)), Some(100))));
        assert_eq!(parse("bytes 5-5/*"), Some((Some((5, 5)), None)));
        assert_eq!(parse("bytes */7"), Some((None, Some(7))));
    }

    #[test]
    fn the_unit_is_compared_without_case() {
        assert_eq!(parse("Bytes 0-99/1234"), Some((Some((0, 99)), Some(1234))));
        assert_eq!(parse("BYTES */7"), Some((None, Some(7))));
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in ["", "bytes", "bytes 0-1", "items 0-1/2", "bytes 1/2", "bytes -1/2", "bytes a-b/c", "bytes 0-/2"] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn ranges_outside_the_file_are_refused() {
        for wrong in ["bytes 5-4/1000", "bytes 5-4/*", "bytes 0-100/100", "bytes 0-1/0", "bytes 100-100/100"] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }
}
