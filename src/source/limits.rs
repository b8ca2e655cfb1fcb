//! The option `limits` of `Gguf.open`.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{LONGEST_STRING, Options, as_object, describe, entries, failure, refused_option};
use gguf_format::limits::Limits;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** How much a file may ask for before opening it fails with `limit-exceeded`. */
export interface Limits {
  /** Bytes of the header, by default 1 GiB. */
  headerBytes?: number | undefined;
  /** Bytes of one string, by default 2^29 - 24: what every engine can hold as a string. */
  stringBytes?: number | undefined;
  /** Elements of one array, by default 2^30. */
  arrayLength?: number | undefined;
  /** Arrays inside one another, by default 64. */
  arrayDepth?: number | undefined;
  /** Metadata entries, by default 2^20. */
  metadataCount?: number | undefined;
  /** Tensors, by default 2^20. */
  tensorCount?: number | undefined;
  /** Dimensions of one tensor, by default 8. */
  dimensionCount?: number | undefined;
}
"#;

/// The limits if the caller sets none.
pub(crate) fn default_limits() -> Limits {
    let mut limits = Limits::default();
    limits.string_bytes = LONGEST_STRING;
    limits
}

/// The limits that a caller sets with an option, and the defaults of all others.
///
/// # Errors
///
/// `invalid-argument` for an unknown limit, and for one that is not a number from 0 on.
pub(crate) fn limits(options: &Options, option: &str) -> Result<Option<Limits>, Thrown> {
    let Some(given) = options.get(option)? else { return Ok(None) };
    if as_object(&given).is_none() {
        return Err(refused_option(option, &given, "an object"));
    }
    let mut limits = default_limits();
    for entry in entries(&given)?.iter() {
        let entry: Array = entry.unchecked_into();
        let (name, value) = (entry.get(0).as_string().unwrap_or_default(), entry.get(1));
        if value.is_undefined() {
            continue;
        }
        let Some(limit) = limits.by_name(&name) else {
            return Err(failure!(InvalidArgument:
                "options.{option}.{name} is not a limit. The type Limits lists the limits that can be set"));
        };
        let Some(number) = value.as_f64().filter(|number| *number >= 0.0) else {
            let found = describe(&value);
            return Err(failure!(InvalidArgument: "options.{option}.{name} is {found}, expected a number from 0 on"));
        };
        *limit = number as u64;
    }
    Ok(Some(limits))
}
