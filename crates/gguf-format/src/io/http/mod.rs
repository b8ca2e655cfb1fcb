//! Files and documents that are read over HTTP.
//!
//! A [`RemoteFile`] is a [`Source`](crate::io::Source) that is read by range requests. Its header is read by ranges up to its
//! estimated end. At most two requests are in flight: the second starts before the first ends, so that the link is never idle. A
//! response that breaks off is resumed where it stopped. What servers answer, and what follows from it, is in `evaluate`.
//!
//! [`Documents`] are read whole. Both use one `exchange`: redirects, time-outs, retries and bodies. Which request carries which
//! headers of the caller is decided in one place: [`CallerHeaders::of_request`].
//!
//! The host is a [`Client`]. It sends requests and has timers, and decides nothing.
//!
//! No HEAD, no conditional headers and no suffix ranges: each would cost a CORS preflight.

mod caller_headers;
mod client;
mod connections;
mod content_range;
mod documents;
mod evaluate;
mod exchange;
mod fault;
mod given_response;
mod header;
mod header_text;
mod options;
mod origin;
mod range_request;
mod read;
mod remote_file;
mod response_cap;
mod retries;
mod validators;

pub use caller_headers::CallerHeaders;
pub use client::{Client, Failure, Probe, Request, Response, Sending};
pub use connections::{Connections, FIRST_RANGE, RequestLimits};
pub use documents::{Document, Documents};
#[doc(hidden)]
pub use exchange::limit;
pub use given_response::{end_of_given, unusable};
pub use options::HttpOptions;
pub use origin::origin;
pub use remote_file::RemoteFile;
