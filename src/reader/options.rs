//! The types of the options of `Gguf.open` and `readBytes`.

use wasm_bindgen::JsValue;

use crate::interop::{AbortOptions, Bytes, Function, ProgressOptions, options};
use crate::source::http::RequestOptions;
use crate::source::limits::{default_limits, limits};
use gguf_format::limits::Limits;

options! {
    /// How sources are read.
    pub interface SourceOptions extends RequestOptions {
        /// How much the file may ask for.
        limits?: "Limits" => Limits = default_limits(), by limits;
    }
}

options! {
    /// What `Gguf.open` takes besides the source.
    pub interface OpenOptions extends SourceOptions as source, ProgressOptions<"OpenProgress"> as progress {
        /// The header, from `headerBytes()` of a `Gguf` of the same file. It is then not read again.
        header?: "Uint8Array" => Bytes;
        /// Is called with the entries and tensors of the header as they arrive. If the header is cut off or broken, it is called with
        /// those before the error. An error that it throws ends the opening. A promise that it returns is not awaited, so an `async`
        /// function must handle its own errors. The signal is checked before each read of the source: an abort in the last call, or in
        /// any call if the source is bytes in memory, does not end the opening.
        on_header?: "((part: HeaderPart) => void)" => Function;
    }
}

options! {
    /// Which elements of a tensor are read.
    pub interface ReadOptions extends AbortOptions {
        /// The first element; 0 by default.
        start?: "number" => JsValue;
        /// The element after the last; the number of elements by default.
        end?: "number" => JsValue;
    }
}
