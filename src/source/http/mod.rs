//! The host of [`io::http`](gguf_format::io::http): `fetch`, and the options of requests.

mod client;
mod given_response;
mod options;
mod remote_file;
mod response;

#[cfg(feature = "hub")]
pub(crate) use client::Fetch;
pub(crate) use given_response::GivenResponse;
#[cfg(feature = "files")]
pub(crate) use given_response::{is_response, url_of};
pub(crate) use options::RequestOptions;
#[cfg(feature = "hub")]
pub(crate) use options::documents;
pub(crate) use remote_file::{RemoteFile, remote_file};

pub(crate) use gguf_format::io::http::RequestLimits;
#[cfg(feature = "files")]
pub(crate) use gguf_format::io::http::{Connections, FIRST_RANGE};
