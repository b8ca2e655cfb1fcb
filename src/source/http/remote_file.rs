//! A file at a URL that a caller gives.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::client::Fetch;
use super::options::{RequestOptions, http_options};
use crate::interop::Values;
use crate::interop::thrown::Thrown;
use crate::source::local_files;
use gguf_format::io::http::{self, RequestLimits};

/// A file at a URL.
pub(crate) type RemoteFile = http::RemoteFile<Fetch>;

#[wasm_bindgen(raw_module = "glue/sources.js")]
extern "C" {
    /// The address that a request of a text has. Fails if the text cannot be requested. `is_of_caller` says that the caller's own
    /// `fetch` gets it, `has_paths` whether paths can be opened, and `entry` names the entry of this module where they can.
    #[wasm_bindgen(catch, js_name = addressOf)]
    fn address_of(text: &str, is_of_caller: bool, has_paths: bool, entry: &str) -> Result<String, Thrown>;
}

/// The file at a URL, which may be relative to that of the page.
pub(crate) fn remote_file(
    url: &str,
    options: Values<RequestOptions>,
    limits: RequestLimits,
) -> Result<RemoteFile, Thrown> {
    let (client, options) = http_options(options);
    let url = address_of(url, client.of_caller.is_some(), local_files::are_plugged_in(), local_files::ENTRY)?;
    Ok(RemoteFile::new(url, client, options, limits))
}
