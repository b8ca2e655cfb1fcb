//! A file whose first response the caller has already.

use super::client::Response;
use super::content_range::ContentRange;
use crate::error::{Error, Result, error};
use crate::limits::MAX_FILE_SIZE;

/// The end of the range that a response brings. It must have the first bytes of a file.
///
/// # Errors
///
/// `invalid-source`.
pub fn end_of_given(response: &impl Response) -> Result<u64> {
    let status = response.status();
    if status == 0 {
        return Err(unusable("its status and body are hidden (status 0). Fetch it without the mode \"no-cors\""));
    }
    let range = response.header("Content-Range").as_deref().and_then(ContentRange::parse);
    match range.and_then(|range| range.bytes).filter(|_| status == 206) {
        Some((0, last)) => Ok(last + 1),
        Some(_) => Err(unusable("it does not have the first bytes of the file. Pass its URL instead")),
        None => Ok(MAX_FILE_SIZE + 1),
    }
}

/// The error of a response that cannot be read.
#[cold]
pub fn unusable(why: &str) -> Error {
    error!(InvalidSource: "the Response cannot be opened: {why}")
}
