//! Options that many methods have.

use js_sys::Function;
use wasm_bindgen::JsValue;

use crate::interop::options::options;

options! {
    /// Options of calls that can be aborted.
    pub interface AbortOptions {
        /// Aborts the call: its promise is rejected, or its stream fails, with the signal's reason.
        signal?: "AbortSignal" => JsValue;
    }
}

options! {
    /// Options of calls that report their progress.
    pub interface ProgressOptions<"Progress"> {
        /// Is called for every part of the work that has been done.
        on_progress?: "((progress: Progress) => void)" => Function;
    }
}
