//! The host of [`io::http`](gguf_format::io::http): `fetch`, and the options of requests.

mod client;
mod given_response;
mod options;
mod remote_file;
mod response;

pub(crate) use client::Fetch;
pub(crate) use given_response::GivenResponse;
pub(crate) use given_response::{is_response, url_of};
pub(crate) use options::RequestOptions;
pub(crate) use options::documents;
pub(crate) use remote_file::{RemoteFile, remote_file};

pub(crate) use gguf_format::io::http::RequestLimits;
pub(crate) use gguf_format::io::http::{Connections, FIRST_RANGE};
