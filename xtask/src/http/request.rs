//! Parses the request line and the headers of an HTTP request.

use std::io::{BufRead, Read};

/// The most bytes that the request line and the headers may have. No browser sends more.
const HEAD_LIMIT: u64 = 64 * 1024;

pub struct Request {
    /// Whether the method is HEAD instead of GET.
    pub head_only: bool,
    /// The percent-decoded path, without the query.
    pub path: String,
    headers: Vec<(String, String)>,
}

impl Request {
    /// Reads a request up to the empty line after the headers.
    ///
    /// # Errors
    ///
    /// The HTTP status to answer with, if the request is malformed or its method is neither GET nor HEAD.
    pub fn read(stream: &mut impl BufRead) -> Result<Self, &'static str> {
        let mut lines = stream.take(HEAD_LIMIT).lines();
        let mut next = || lines.next().and_then(|line| line.ok()).ok_or("400 Bad Request");
        let first = next()?;
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let mut headers = Vec::new();
        loop {
            let line = next()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or("400 Bad Request")?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let head_only = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return Err("405 Method Not Allowed"),
        };
        let path = target.split(['?', '#']).next().unwrap_or("");
        let path = percent_decoded(path).filter(|path| path.starts_with('/')).ok_or("400 Bad Request")?;
        Ok(Self { head_only, path, headers })
    }

    /// The value of a header. `name` must be in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| &**value)
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(head: &str) -> Result<Request, &'static str> {
        Request::read(&mut head.as_bytes())
    }

    #[test]
    fn a_request_has_a_decoded_path_and_headers_of_any_case() {
        let request = read("GET /a%20b.gguf?x=1 HTTP/1.1\r\nHost: h\r\nRANGE: bytes=0-1\r\n\r\n").unwrap();
        assert_eq!(request.path, "/a b.gguf");
        assert_eq!(request.header("range"), Some("bytes=0-1"));
        assert!(!request.head_only);
    }

    #[test]
    fn malformed_requests_and_other_methods_are_refused_with_a_status() {
        assert_eq!(read("POST / HTTP/1.1\r\n\r\n").err(), Some("405 Method Not Allowed"));
        for bad in
            ["", "GET / HTTP/1.1\r\n", "GET /%zz HTTP/1.1\r\n\r\n", "GET x HTTP/1.1\r\n\r\n", "GET /\r\nx\r\n\r\n"]
        {
            assert_eq!(read(bad).err(), Some("400 Bad Request"), "{bad:?}");
        }
    }
}
