//! What a caller may say besides the source.

use alloc::format;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::limits::Limits;
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{self, Members};
use crate::web::reader::value::LONGEST_STRING;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** How far the header has been read. */
export interface OpenProgress {
  /** Bytes of the header that have arrived. */
  bytesRead: number;
  /** Size of the whole file in bytes, once it is known. */
  fileSize?: number;
  /** HTTP requests made, or reads of a custom source. */
  requests: number;
  /** Metadata entries understood. */
  metadataRead: number;
  /** Metadata entries there are, once the file has said so. */
  metadataCount?: number;
  /** Tensor infos understood. */
  tensorsRead: number;
  /** Tensors there are, once the file has said so. */
  tensorCount?: number;
  /** How many bytes the header is estimated to have in all; exact when it is complete. */
  headerEstimate: number;
}

/** How much a file may ask for before opening it fails with `limit-exceeded`. */
export interface Limits {
  /** Bytes of the header, by default 1 GiB. */
  headerBytes?: number;
  /** Bytes of one string, by default 2^29 - 24: what every engine can hold as a string. */
  stringBytes?: number;
  /** Elements of one array, by default 2^30. */
  arrayLength?: number;
  /** Arrays inside one another, by default 64. */
  arrayDepth?: number;
  /** Metadata entries, by default 2^20. */
  metadataCount?: number;
  /** Tensors, by default 2^20. */
  tensorCount?: number;
  /** Dimensions of one tensor, by default 8. */
  dimensionCount?: number;
}

/** What `Gguf.open` takes besides the source. */
export interface OpenOptions {
  /** Ends the opening: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Is called for every piece of the header that has arrived. */
  onProgress?: (progress: OpenProgress) => void;
  /** Headers of HTTP requests: a token for a gated model. They go to the origin of the given address only. */
  headers?: HeadersInit;
  /** Is used instead of the global `fetch`. With `headers` it is asked not to follow redirects. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Whether a server that cannot be reached is asked once more in the mode `no-cors`, to find out whether CORS is the
   * reason (code `cors`). Only browsers have CORS. By default true without `fetch`, and false with it.
   */
  probeCors?: boolean;
  /** How often in a row a request may fail without getting on by 16 KiB, by default 4 times. */
  retries?: number;
  /** Milliseconds that the server may be silent before the request counts as failed, by default 30,000. */
  timeout?: number;
  /** Milliseconds that one response may take, even if it goes on arriving, by default 600,000. */
  responseTimeout?: number;
  /** How much the file may ask for. */
  limits?: Limits;
  /** The header, from `headerBytes()` of a `Gguf` of the same file: it is not read again. */
  header?: Uint8Array;
}

/** Which elements of a tensor, and until when. */
export interface ReadOptions {
  /** The first element; 0 if it is not given. */
  start?: number;
  /** The element after the last; the number of elements if it is not given. */
  end?: number;
  /** Ends the reading: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Members, typescript_type = "OpenOptions")]
    pub type OpenOptions;
    #[wasm_bindgen(extends = Members, typescript_type = "ReadOptions")]
    pub type ReadOptions;
}

/// How much a file may ask for.
pub(crate) fn limits(options: Option<&OpenOptions>) -> Result<Limits, JsValue> {
    let mut limits = Limits { string_bytes: LONGEST_STRING, ..Limits::default() };
    let given = options.map(|options| options.some("limits")).transpose()?.flatten();
    let Some(given) = given else { return Ok(limits) };
    let wrong = |name: &str| {
        let message = format!("limits {name}: no such limit, or not a number from 0 on");
        failure(Code::InvalidArgument, &message)
    };
    if js::members(&given).is_none() {
        return Err(wrong(""));
    }
    for entry in js::entries(&given)?.iter() {
        let entry: Array = entry.unchecked_into();
        let (name, value) = (entry.get(0).as_string().unwrap_or_default(), entry.get(1));
        if value.is_undefined() {
            continue;
        }
        match limits.by_name(&name).zip(value.as_f64().filter(|value| *value >= 0.0)) {
            Some((limit, value)) => *limit = value as u64,
            None => return Err(wrong(&name)),
        }
    }
    Ok(limits)
}
