//! Why a range did not arrive.

use wasm_bindgen::prelude::*;

use crate::web::interop::objects::set_member;

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

impl Fault {
    /// A fault after which the request may be sent again.
    pub fn retry(error: JsValue) -> Self {
        Self::Retry(Retryable { error, retry_after: None, is_unreachable: false })
    }

    /// The fault of a server that could not be reached.
    pub fn unreachable(error: JsValue) -> Self {
        Self::Retry(Retryable { error, retry_after: None, is_unreachable: true })
    }

    /// The same fault, whose error names `cause`, if there is one.
    pub fn because_of(self, cause: Option<JsValue>) -> Self {
        if let (Self::Retry(Retryable { error, .. }) | Self::Final(error), Some(cause)) = (&self, cause) {
            set_member(error, "cause", &cause);
        }
        self
    }
}

impl From<JsValue> for Fault {
    fn from(error: JsValue) -> Self {
        Self::Final(error)
    }
}
