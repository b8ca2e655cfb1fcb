//! The reason why a given value cannot be encoded.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::number::{is_exact, number_of};
use crate::interop::thrown::Thrown;
use crate::interop::{describe, failure};
use gguf_format::format::value::ValueType;
use gguf_format::write::checks::lossy;
use gguf_format::write::new_value::MAX_VALUE_BYTES;

/// The reason why a value, or an element of it, cannot be encoded.
pub(in crate::edit) struct Refusal {
    reason: Reason,
    element: Option<u32>,
}

enum Reason {
    /// The type cannot hold the value. `None`: no type is known to hold it.
    DoesNotFit(JsValue, Option<ValueType>),
    TooLong,
    /// Reading the value has thrown this.
    Thrown(Thrown),
}

impl Refusal {
    pub fn does_not_fit(given: &JsValue, value_type: Option<ValueType>) -> Self {
        Self { reason: Reason::DoesNotFit(given.clone(), value_type), element: None }
    }

    pub fn too_long() -> Self {
        Self { reason: Reason::TooLong, element: None }
    }

    pub fn thrown(error: Thrown) -> Self {
        Self { reason: Reason::Thrown(error), element: None }
    }

    /// The same refusal, of an element of an array.
    pub fn of_element(self, index: u32) -> Self {
        Self { element: Some(index), ..self }
    }

    /// The error for the caller. `key` is the key of the entry, and `first_index` the index that the first given element is to
    /// have in the array.
    #[cold]
    pub fn to_error(&self, key: &[u8], first_index: u64) -> Thrown {
        let key = lossy(key);
        let (given, value_type) = match &self.reason {
            Reason::DoesNotFit(given, value_type) => (given, value_type),
            Reason::TooLong => {
                return failure!(LimitExceeded:
                    "cannot set \"{key}\": the value takes more than {MAX_VALUE_BYTES} bytes, or more memory than \
                     there is");
            }
            Reason::Thrown(error) => return error.clone(),
        };
        let found = describe(given);
        let element =
            self.element.map_or(String::new(), |index| format!(", element {}", first_index + u64::from(index)));
        let message = match value_type {
            None => format!(
                "cannot set \"{key}\"{element}: {found} does not fit any type; name a type or give another value"
            ),
            Some(value_type) if is_rounded(given, *value_type) => format!(
                "cannot set \"{key}\"{element}: {found} may have been rounded; give a bigint, which is exact as {}",
                value_type.name()
            ),
            Some(value_type) => {
                format!("cannot set \"{key}\"{element}: {found} does not fit {}", value_type.name())
            }
        };
        failure!(DoesNotFit: "{message}")
    }
}

fn is_rounded(given: &JsValue, value_type: ValueType) -> bool {
    number_of(given).is_some_and(|number| !is_exact(number, value_type))
}
