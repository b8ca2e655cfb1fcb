//! The headers that a caller gives, and which requests carry them.

use alloc::{string::String, vec::Vec};

use super::origin::same_origin;
use crate::error::add_name;

/// The one header that hosts remove themselves when a redirect leads to another origin.
const AUTHORIZATION: &str = "authorization";

/// The fewest bytes of a secret. Shorter values, such as `1`, occur in every message.
const SHORTEST_SECRET: usize = 4;

/// The headers of one caller, which are meant for one origin and for no other: see [`of_request`](Self::of_request).
#[derive(Clone)]
pub struct CallerHeaders(Vec<(String, String)>);

impl CallerHeaders {
    /// Headers: their names in lower case, and their values. Each value can be a secret.
    pub fn new(headers: Vec<(String, String)>) -> Self {
        Self(headers)
    }

    /// The headers of a request for `url`. `home` is a URL of the origin that they are meant for.
    ///
    /// - A request to another origin gets none.
    /// - If the host follows redirects, the request gets `Authorization` only. The host removes this header at another origin, but would
    ///   send all others to any origin.
    /// - Otherwise the request has all headers.
    pub fn of_request(&self, url: &str, home: &str, follows_redirects: bool) -> Vec<(String, String)> {
        let is_home = same_origin(url, home);
        let is_sent = |name: &str| is_home && (!follows_redirects || name == AUTHORIZATION);
        self.0.iter().filter(|(name, _)| is_sent(name)).cloned().collect()
    }

    /// The names of the headers that a request lacks if the host follows redirects: `x-key, x-other`.
    pub(super) fn withheld(&self) -> Option<String> {
        let mut names = String::new();
        for (name, _) in self.0.iter().filter(|(name, _)| name != AUTHORIZATION) {
            add_name(&mut names, name);
        }
        (!names.is_empty()).then_some(names)
    }

    /// Whether a text of the host quotes the value of a header.
    pub(super) fn are_quoted_in(&self, text: &str) -> bool {
        let mut parts = self.0.iter().flat_map(|(_, value)| value.as_bytes().split(|byte| *byte == b' '));
        // The search of the standard library would add 3 kB to the reader.
        parts
            .any(|part| part.len() >= SHORTEST_SECRET && text.as_bytes().windows(part.len()).any(|bytes| bytes == part))
    }
}
