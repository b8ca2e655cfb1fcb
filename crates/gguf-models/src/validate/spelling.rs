//! The number of typing mistakes between two names.

/// Whether one name becomes the other by at most this number of edits: a byte that is added, left out or replaced, or two
/// bytes that are exchanged.
///
/// Bytes that are equal at the start cost nothing, so a few edits take time in proportion to the length of the names.
pub(crate) fn is_within(edits: usize, a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let (Some(after_a), Some(after_b)) = (a.get(1..), b.get(1..)) else { return a.len().max(b.len()) <= edits };
    if edits == 0 || a.len().abs_diff(b.len()) > edits {
        return false;
    }
    let is_exchanged = || match (a, b) {
        ([a0, a1, a @ ..], [b0, b1, b @ ..]) => a0 == b1 && a1 == b0 && is_within(edits - 1, a, b),
        _ => false,
    };
    is_within(edits - 1, after_a, after_b)
        || is_within(edits - 1, after_a, b)
        || is_within(edits - 1, a, after_b)
        || is_exchanged()
}

/// The name that a misspelt one is probably meant for: one that differs only in capital letters, or in two edits and at most a
/// third of its letters.
#[doc(hidden)]
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let is_similar = |edits: usize, known: &&str| {
        name.eq_ignore_ascii_case(known)
            || 3 * edits <= known.len() && is_within(edits, name.as_bytes(), known.as_bytes())
    };
    (0..=2).find_map(|edits| known.iter().find(|known| is_similar(edits, known)).copied())
}

#[cfg(test)]
mod tests {
    use super::is_within;
    use super::nearest;

    #[test]
    fn edits_are_counted() {
        for (a, b, edits) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "ab", 1),
            ("abc", "bc", 1),
            ("abc", "abxc", 1),
            ("abc", "axc", 1),
            ("abc", "acb", 1),
            ("abcd", "badc", 2),
            ("seperator", "separator", 1),
            ("abcdef", "bcdefg", 2),
            ("abc", "xyc", 2),
            ("abc", "xyz", 3),
            ("", "abc", 3),
        ] {
            let least = (0..5).find(|edits| is_within(*edits, a.as_bytes(), b.as_bytes()));
            assert_eq!(least, Some(edits), "{a} {b}");
            let least = (0..5).find(|edits| is_within(*edits, b.as_bytes(), a.as_bytes()));
            assert_eq!(least, Some(edits), "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_name_differs_in_capital_letters_or_in_two_edits() {
        let known = ["signal", "onProgress", "end", "as"];
        for (name, expected) in [
            ("onprogress", Some("onProgress")),
            ("ONPROGRESS", Some("onProgress")),
            ("onprogres", Some("onProgress")),
            ("Progress", Some("onProgress")),
            ("singal", Some("signal")),
            ("ends", Some("end")),
            ("os", None),
            ("timeout", None),
        ] {
            assert_eq!(nearest(name, &known), expected, "{name}");
        }
    }
}
