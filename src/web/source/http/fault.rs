//! Why a range did not arrive.

use wasm_bindgen::prelude::*;

pub(super) enum Fault {
    /// The file ends before the range.
    End,
    /// The range may arrive if it is requested again.
    Retry(Retryable),
    /// The range will not arrive.
    Final(JsValue),
}

/// A failure after which the request may be sent again.
pub(super) struct Retryable {
    /// The error to report if there are no retries left.
    pub error: JsValue,
    /// The wait that the server asks for, in milliseconds.
    pub retry_after: Option<f64>,
    /// Whether there was no response at all.
    pub is_unreachable: bool,
}

impl From<JsValue> for Fault {
    fn from(error: JsValue) -> Self {
        Self::Final(error)
    }
}
