//! The documents of a server that a caller names.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::client::Fetch;
use super::options::http_options;
use crate::io::http::Documents;
use crate::web::interop::options::Options;

/// The time for all documents in milliseconds, unless `options.responseTimeout` says another. A server that is silent is noticed
/// earlier, but one that always sends a little is not.
const WHOLE_TIME: f64 = 180_000.0;

/// The documents of the server of `home`, which is an absolute URL. `retries` replaces the option.
pub(crate) fn documents(home: String, options: &Options, retries: Option<u32>) -> Result<Documents<Fetch>, JsValue> {
    let whole_time = options.number("responseTimeout", 0.0)?.unwrap_or(WHOLE_TIME);
    let (client, mut options) = http_options(options)?;
    options.retries = retries.unwrap_or(options.retries);
    Ok(Documents::new(home, client, options, whole_time))
}
