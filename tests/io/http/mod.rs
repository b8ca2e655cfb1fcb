//! Files and documents over HTTP, from servers in memory.

mod documents;
mod files;
mod server;

use gguf_format::io::http::{CallerHeaders, HttpOptions};

/// Options with headers of the caller: a token, and a header that hosts do not know.
fn with_headers() -> HttpOptions {
    let headers = [("authorization", "Bearer token"), ("x-key", "a secret")];
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_string()));
    HttpOptions { headers: Some(CallerHeaders::new(headers.into())), ..HttpOptions::default() }
}
