//! Answers requests with files of a folder.

use super::range::{self, Answer};
use super::request::Request;
use anyhow::{Context, Result};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A served folder. Files outside of it are never served, even if a path has `..` or a symbolic link leads outside.
pub struct Root(PathBuf);

impl Root {
    pub fn new(path: &Path) -> Result<Self> {
        Ok(Self(path.canonicalize().with_context(|| path.display().to_string())?))
    }

    /// Writes the response to a request: status line, headers and body.
    pub fn answer(&self, request: &Request, headers: &str, out: &mut impl Write) -> io::Result<()> {
        let Some((path, mut file)) = self.open(&request.path) else {
            return write!(
                out,
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 10\r\nConnection: close\r\n\
                 {headers}\r\n{}",
                if request.head_only { "" } else { "not found\n" }
            );
        };
        let metadata = file.metadata()?;
        let (length, etag) = (metadata.len(), etag(&metadata));
        // If the file has changed, the browser must not combine this range with bytes of the old version.
        let same_file = request.header("if-range").is_none_or(|wanted| wanted == etag);
        let asked = request.header("range").filter(|_| same_file);
        let (status, range, content_range) = match range::answer(asked, length) {
            Answer::Whole => ("200 OK", 0..length, String::new()),
            Answer::Part(range) => {
                let line = format!("Content-Range: bytes {}-{}/{length}\r\n", range.start, range.end - 1);
                ("206 Partial Content", range, line)
            }
            Answer::Unsatisfiable => {
                ("416 Range Not Satisfiable", 0..0, format!("Content-Range: bytes */{length}\r\n"))
            }
        };
        write!(
            out,
            "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nAccept-Ranges: bytes\r\nETag: {etag}\r\n\
             {content_range}Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\
             {headers}\r\n",
            content_type(&path),
            range.end - range.start,
        )?;
        if !request.head_only {
            file.seek(SeekFrom::Start(range.start))?;
            io::copy(&mut file.take(range.end - range.start), out)?;
        }
        Ok(())
    }

    fn open(&self, path: &str) -> Option<(PathBuf, File)> {
        let mut path = self.0.join(path.trim_start_matches('/'));
        if path.is_dir() {
            path.push("index.html");
        }
        // Resolve `..` and symbolic links before the path is compared with the served folder.
        let path = path.canonicalize().ok().filter(|path| path.starts_with(&self.0))?;
        let file = fs::metadata(&path).ok()?.is_file().then(|| File::open(&path).ok())??;
        Some((path, file))
    }
}

/// A strong ETag from the length and the time of the last change.
fn etag(metadata: &Metadata) -> String {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!("\"{:x}-{:x}\"", metadata.len(), modified.as_nanos())
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The response to a request. The served folder has `index.html` and `model.gguf` (ten digits). The file `secret` lies
    /// beside the folder and must not be served.
    fn served(name: &str, head: &str) -> String {
        let dir = std::env::temp_dir().join(format!("gguf-wasm-http-{}-{name}", std::process::id()));
        let root = dir.join("root");
        fs::create_dir_all(&root).unwrap();
        fs::write(dir.join("secret"), "secret").unwrap();
        fs::write(root.join("index.html"), "<p>").unwrap();
        fs::write(root.join("model.gguf"), "0123456789").unwrap();
        let request = Request::read(&mut format!("{head}\r\n\r\n").as_bytes()).ok().unwrap();
        let mut out = Vec::new();
        Root::new(&root).unwrap().answer(&request, "X-Test: yes\r\n", &mut out).unwrap();
        fs::remove_dir_all(dir).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_partial_response_states_its_range_and_the_file_length() {
        let answer = served("part", "GET /model.gguf HTTP/1.1\r\nRange: bytes=2-4");
        assert!(answer.starts_with("HTTP/1.1 206 "), "{answer}");
        assert!(answer.contains("\r\nContent-Range: bytes 2-4/10\r\n"));
        assert!(answer.contains("\r\nContent-Length: 3\r\n"));
        assert!(answer.contains("\r\nX-Test: yes\r\n"));
        assert!(answer.ends_with("\r\n\r\n234"));
    }

    #[test]
    fn the_response_to_a_range_past_the_end_states_the_file_length() {
        let answer = served("past", "GET /model.gguf HTTP/1.1\r\nRange: bytes=10-");
        assert!(answer.starts_with("HTTP/1.1 416 "), "{answer}");
        assert!(answer.contains("\r\nContent-Range: bytes */10\r\n"));
        assert!(answer.ends_with("\r\n\r\n"));
    }

    #[test]
    fn a_range_of_another_version_gets_the_whole_file() {
        let answer = served("version", "GET /model.gguf HTTP/1.1\r\nRange: bytes=2-4\r\nIf-Range: \"old\"");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        assert!(answer.ends_with("\r\n\r\n0123456789"));
    }

    #[test]
    fn a_folder_is_answered_with_its_index_html() {
        let answer = served("index", "GET / HTTP/1.1");
        assert!(answer.contains("\r\nContent-Type: text/html; charset=utf-8\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n<p>"));
    }

    #[test]
    fn head_is_get_without_the_body() {
        let answer = served("head", "HEAD /model.gguf HTTP/1.1");
        assert!(answer.contains("\r\nContent-Length: 10\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    }

    #[test]
    fn nothing_outside_of_the_folder_is_served() {
        for (i, path) in ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd", "/missing"].iter().enumerate()
        {
            let answer = served(&format!("outside{i}"), &format!("GET {path} HTTP/1.1"));
            assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
        }
    }
}
