//! Parses the Range header of a request.

use std::ops::Range;

#[derive(Debug, PartialEq)]
pub enum Answer {
    /// 200: there is no Range header, or RFC 9110 allows to ignore it (another unit, several ranges, bad syntax).
    Whole,
    /// 206: the bytes of the response body.
    Part(Range<u64>),
    /// 416: the range begins at or after the end of the file.
    Unsatisfiable,
}

/// The answer to a request with this Range header, for a file of `length` bytes.
pub fn answer(header: Option<&str>, length: u64) -> Answer {
    let Some((first, last)) = header.and_then(|h| h.strip_prefix("bytes=")).and_then(|h| h.trim().split_once('-'))
    else {
        return Answer::Whole;
    };
    let range = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(length),
        (Some(first), None) if last.is_empty() => first..length,
        (None, Some(suffix)) if first.is_empty() => length.saturating_sub(suffix)..length,
        _ => return Answer::Whole,
    };
    if range.start < range.end { Answer::Part(range) } else { Answer::Unsatisfiable }
}

/// Parses a number of digits only. `u64::from_str` would also accept a sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::Answer::{Part, Unsatisfiable, Whole};
    use super::*;

    #[test]
    fn ranges_are_cut_at_the_end_of_the_file() {
        for (header, expected) in [
            ("bytes=0-0", Part(0..1)),
            ("bytes=0-9", Part(0..10)),
            ("bytes=2-", Part(2..10)),
            ("bytes=9-", Part(9..10)),
            ("bytes=4-99", Part(4..10)),
            ("bytes=0-18446744073709551615", Part(0..10)),
            ("bytes=-3", Part(7..10)),
            ("bytes=-99", Part(0..10)),
        ] {
            assert_eq!(answer(Some(header), 10), expected, "{header}");
        }
    }

    #[test]
    fn a_range_outside_of_the_file_is_unsatisfiable() {
        for header in ["bytes=10-", "bytes=10-20", "bytes=-0"] {
            assert_eq!(answer(Some(header), 10), Unsatisfiable, "{header}");
        }
        assert_eq!(answer(Some("bytes=0-"), 0), Unsatisfiable);
    }

    #[test]
    fn a_header_that_is_not_a_single_byte_range_is_ignored() {
        for header in ["", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=+1-2", "bytes=0-1,3-4", "items=0-1"] {
            assert_eq!(answer(Some(header), 10), Whole, "{header}");
        }
        assert_eq!(answer(None, 10), Whole);
    }
}
