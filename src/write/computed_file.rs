//! New files that are computed when they are read: reading a range of them, streaming them, and writing them.

use alloc::vec::Vec;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, Bytes, NumberArgument, Options, Promise, abortable, argument_type, arguments, check_signal, describe,
    failure, is_integer, options,
};
use crate::source::gguf_source::Source;
use crate::write::chunk_stream::{self, ChunkStream, MadeChunks, WriteOptions};
use crate::write::to_target::write_to_target;
use gguf_format::io::{self, SourceChunks};

argument_type!(NewFileTarget: "string | URL | ReplaceableFile");

options! {
    /// Options of streaming a new file.
    pub interface NewFileStreamOptions extends WriteOptions {
        /// The position of the first byte, by default 0. A stream that broke off can be continued by another one.
        start?: "number" => JsValue = 0.0.into();
    }
}

options! {
    /// Options of writing a new file.
    pub interface NewFileWriteOptions extends WriteOptions {
        /// Whether an existing file at the path may be replaced. By default false. A file that the new one is made from is not
        /// replaced.
        overwrite?: "boolean" => bool = false;
    }
}

/// A new file that is computed when it is read. Its size is known.
pub(crate) trait ComputedFile: io::Source<Buffer = Bytes> + Clone {
    /// What the file is computed from.
    fn originals(&self) -> Vec<&Source>;
}

/// Reads the bytes of a file from `start` up to, but not including, `end`.
pub(crate) fn read(
    file: impl ComputedFile,
    start: NumberArgument,
    end: NumberArgument,
    options: Option<AbortOptions>,
) -> Promise {
    abortable(Options::checked(options), async move { Ok(file.read(arguments::range(&start, &end)?).await?.into()) })
}

/// The bytes of a file as a stream.
pub(crate) fn stream(file: &impl ComputedFile, options: Option<NewFileStreamOptions>) -> Result<JsValue, Thrown> {
    let options = Options::checked(options);
    let given = NewFileStreamOptions::read(&options)?.start;
    let size = size_of(file);
    let start = given.as_f64().filter(|start| (0.0..=size as f64).contains(start) && is_integer(*start));
    let Some(start) = start else {
        return Err(failure!(OutOfRange:
            "options.start is {}, expected a whole number from 0 to {size}", describe(&given)));
    };
    Ok(stream_from(file, options, start)?.into())
}

/// Writes a file to a path or to a file handle. It does not replace its originals, nor the files of `kept`, which are sources as callers
/// give them.
pub(crate) fn write_to(
    file: impl ComputedFile,
    kept: &Array,
    target: NewFileTarget,
    options: Option<NewFileWriteOptions>,
) -> Promise {
    let (options, target, kept) = (Options::checked(options), JsValue::from(target), kept.clone());
    abortable(Options::default(), async move {
        check_signal(&options)?;
        let overwrite = NewFileWriteOptions::read(&options)?.overwrite;
        let stream = stream_from(&file, options.clone(), 0.0)?;
        let originals = file.originals();
        let kept: Array =
            kept.iter().chain(originals.iter().filter_map(|source| source.custom_object()).cloned()).collect();
        write_to_target(stream, target, overwrite, originals, &kept, &options).await
    })
}

fn stream_from(file: &impl ComputedFile, options: Options, start: f64) -> Result<ChunkStream, Thrown> {
    let size = size_of(file);
    let chunks = MadeChunks::new(SourceChunks::new(file.clone(), size, start as u64));
    chunk_stream::stream(chunks, options, start, size)
}

fn size_of(file: &impl ComputedFile) -> u64 {
    file.size().unwrap_or(0)
}
