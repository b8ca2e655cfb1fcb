//! Why a range did not arrive.

use crate::error::Error;

pub(super) enum Fault {
    /// The file ends before the range.
    End,
    /// The range may arrive if it is requested again.
    Retry(Retryable),
    /// The range will not arrive.
    Final(Error),
}

/// A failure after which the request may be sent again.
pub(super) struct Retryable {
    /// The error to report if there are no retries left.
    pub error: Error,
    /// The wait that the server asks for, in milliseconds.
    pub retry_after: Option<f64>,
    /// Whether there was no response at all.
    pub is_unreachable: bool,
}

impl Fault {
    /// A fault after which the request may be sent again.
    pub fn retry(error: Error) -> Self {
        Self::Retry(Retryable { error, retry_after: None, is_unreachable: false })
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}
