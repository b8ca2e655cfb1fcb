//! The header `Content-Range` of an answer.

/// What a `Content-Range` says.
#[derive(Debug, PartialEq)]
pub(super) struct ContentRange {
    /// The first and the last byte.
    pub bytes: Option<(u64, u64)>,
    /// The size of the file.
    pub size: Option<u64>,
}

impl ContentRange {
    /// Reads `bytes 0-99/1234`, `bytes 0-99/*`, or `bytes */1234`, which has no bytes.
    pub fn parse(text: &str) -> Option<Self> {
        let (bytes, size) = text.strip_prefix("bytes ")?.split_once('/')?;
        let number = |text: &str| text.parse().ok();
        let bytes = match bytes.split_once('-') {
            Some((first, last)) => Some((number(first)?, number(last)?)),
            None if bytes == "*" => None,
            None => return None,
        };
        let size = if size == "*" { None } else { Some(number(size)?) };
        Some(Self { bytes, size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ranges() {
        let read = |text| ContentRange::parse(text).map(|range| (range.bytes, range.size));
        assert_eq!(read("bytes 0-99/1234"), Some((Some((0, 99)), Some(1234))));
        assert_eq!(read("bytes 5-5/*"), Some((Some((5, 5)), None)));
        assert_eq!(read("bytes */7"), Some((None, Some(7))));
        for wrong in ["", "bytes", "bytes 0-1", "items 0-1/2", "bytes 1/2", "bytes -1/2", "bytes a-b/c", "bytes 0-/2"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
