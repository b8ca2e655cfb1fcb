//! The host of [`io::http`](crate::io::http): `fetch`, and the options of requests.

mod client;
#[cfg(feature = "files")]
mod documents;
mod given_response;
mod options;
mod remote_file;
mod response;

pub(crate) use client::Fetch;
#[cfg(feature = "files")]
pub(crate) use documents::documents;
#[cfg(feature = "files")]
pub(crate) use given_response::url_of;
pub(crate) use given_response::{GivenResponse, is_response};
pub(crate) use options::RequestOptions;
pub(crate) use remote_file::remote_file;

pub(crate) use crate::io::http::RequestLimits;
#[cfg(feature = "files")]
pub(crate) use crate::io::http::{Connections, FIRST_RANGE};

/// A file at a URL.
pub(crate) type RemoteFile = crate::io::http::RemoteFile<Fetch>;
