//! Files that are read over HTTP, by range requests.
//!
//! A header is read by ranges up to its estimated end. At most two requests are in flight: the second starts before the
//! first ends, so that the link is never idle. A response that breaks off is resumed where it stopped. What servers answer,
//! and what follows from it, is in [`evaluate`].
//!
//! Answers of a hub's interface are read whole: see [`documents`].
//!
//! No HEAD, no conditional headers and no suffix ranges: each would cost a CORS preflight.

mod body;
mod caller_headers;
mod connections;
mod content_range;
mod cors;
#[cfg(feature = "files")]
mod documents;
mod evaluate;
mod exchange;
mod fault;
mod fetch;
mod given_response;
mod header;
mod options;
mod origin;
mod read;
mod remote_file;
mod request;
mod response;
mod response_cap;
mod retries;
mod validators;

pub(crate) use connections::RequestLimits;
#[cfg(feature = "files")]
pub(crate) use connections::{Connections, FIRST_RANGE};
#[cfg(feature = "files")]
pub(crate) use documents::{Document, Documents};
#[cfg(feature = "files")]
pub(crate) use given_response::url_of;
pub(crate) use given_response::{GivenResponse, is_response};
pub(crate) use options::RequestOptions;
pub(crate) use remote_file::RemoteFile;
