//! Telling callers how far work is.

use alloc::boxed::Box;

use wasm_bindgen::prelude::*;

use crate::error::Result as CoreResult;
use crate::io;
use crate::web::interop::{Options, plain_object, to_js};

plain_object! {
    /// How much of the data has been read.
    #[open true]
    pub(crate) struct ReadProgress {
        /// Bytes that have been read and processed.
        pub bytes_read: f64,
        /// Bytes that will be read in all.
        pub total_bytes: f64,
    }
}

plain_object! {
    /// How far the header has been read.
    #[open true]
    pub(crate) struct OpenProgress {
        /// Bytes of the header that have arrived.
        pub bytes_read: f64,
        /// Size of the whole file in bytes, once it is known.
        pub file_size: Option<f64>,
        /// HTTP requests made, or reads of a custom source.
        pub requests: u32,
        /// Metadata entries decoded.
        pub metadata_read: f64,
        /// Metadata entries in the file, once the file has told it.
        pub metadata_count: Option<f64>,
        /// Tensor infos decoded.
        pub tensors_read: f64,
        /// Tensors in the file, once the file has told it.
        pub tensor_count: Option<f64>,
        /// The estimated size of the whole header in bytes; exact when it is complete.
        pub header_estimate: f64,
    }
}

/// Is told how much of the data has been read.
type OnRead = Box<dyn Fn(io::ReadProgress) -> CoreResult<()>>;

/// The function of the option `onProgress` for reading data, if the caller gives one.
pub(crate) fn on_read(options: &Options) -> Result<Option<OnRead>, JsValue> {
    let function = options.function("onProgress")?;
    Ok(function.map(|function| -> OnRead {
        Box::new(move |io::ReadProgress { bytes_read, total_bytes }| {
            let progress = ReadProgress { bytes_read: bytes_read as f64, total_bytes: total_bytes as f64 };
            function.call1(&JsValue::UNDEFINED, &to_js(&progress))?;
            Ok(())
        })
    }))
}

/// The function of the option `onProgress` for reading a header, if the caller gives one.
pub(crate) fn on_open(options: &Options) -> Result<Option<io::OnHeaderProgress>, JsValue> {
    let function = options.function("onProgress")?;
    Ok(function.map(|function| -> io::OnHeaderProgress {
        Box::new(move |progress| {
            let progress = OpenProgress {
                bytes_read: progress.bytes_read as f64,
                file_size: progress.file_size.map(|size| size as f64),
                requests: progress.requests,
                metadata_read: progress.metadata_read as f64,
                metadata_count: progress.metadata_count.map(|count| count as f64),
                tensors_read: progress.tensors_read as f64,
                tensor_count: progress.tensor_count.map(|count| count as f64),
                header_estimate: progress.header_estimate as f64,
            };
            function.call1(&JsValue::UNDEFINED, &to_js(&progress))?;
            Ok(())
        })
    }))
}
