//! The types of the options of `Gguf.open` and `readBytes`.

use crate::web::interop::{AbortOptions, ProgressOptions, options};
use crate::web::source::http::RequestOptions;

options! {
    /// How sources are read.
    pub interface SourceOptions extends RequestOptions {
        /// How much the file may ask for.
        limits?: "Limits";
    }
}

options! {
    /// What `Gguf.open` takes besides the source.
    pub interface OpenOptions extends SourceOptions, ProgressOptions<"OpenProgress"> {
        /// The header, from `headerBytes()` of a `Gguf` of the same file. It is then not read again.
        header?: "Uint8Array";
    }
}

options! {
    /// Which elements of a tensor are read.
    pub interface ReadOptions extends AbortOptions {
        /// The first element; 0 by default.
        start?: "number";
        /// The element after the last; the number of elements by default.
        end?: "number";
    }
}
