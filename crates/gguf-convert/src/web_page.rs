//! Web pages that servers send in place of files.

/// Whether a text is a web page. Servers of web apps send one for every address that they do not know, with the status 200.
pub fn is_web_page(text: &[u8]) -> bool {
    let mut rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    // Comments before the page.
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        let Some(end) = comment.windows(3).position(|bytes| bytes == b"-->") else { return false };
        rest = comment[end + 3..].trim_ascii_start();
    }
    let begins_with = |start: &[u8]| rest.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
    begins_with(b"<!doctype html") || begins_with(b"<html")
}

#[cfg(test)]
mod tests {
    use super::is_web_page;

    #[test]
    fn pages_and_other_texts() {
        for page in
            ["<!doctype html><p>", " \n<!DOCTYPE HTML>", "\u{feff}<html lang=en>", "<!-- a --> <!-- b -->\n<html>"]
        {
            assert!(is_web_page(page.as_bytes()), "{page}");
        }
        for other in ["", "{}", "<h1>A model</h1>", "<!-- a", "<!-- a --># Model", "<!doctype xml>", "a <html>"] {
            assert!(!is_web_page(other.as_bytes()), "{other}");
        }
    }
}
