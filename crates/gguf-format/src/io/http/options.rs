//! How a server is asked.

use super::caller_headers::CallerHeaders;

/// How a server is asked. Times are in milliseconds.
#[derive(Clone)]
pub struct HttpOptions {
    /// The caller's headers. With headers, the host is asked not to follow redirects.
    pub headers: Option<CallerHeaders>,
    /// How often in a row a request is sent again.
    pub retries: u32,
    /// How long the server may be silent.
    pub timeout: f64,
    /// How long one response may take.
    pub response_timeout: f64,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self { headers: None, retries: 4, timeout: 30_000.0, response_timeout: 600_000.0 }
    }
}
