//! New files of a conversion: as streams, to paths, and to file handles.

use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::cell::{Cell, RefCell};

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::workers::Workforce;
use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, Bytes, Options, ProgressOptions, Values, check_signal, describe, failure, is_position, options,
    plain_object, to_js,
};
use crate::source::gguf_source::Source;
use crate::write::chunk_stream::{Chunk, ChunkStream, Chunks, NextChunk, reported_stream};
use crate::write::to_target::write_to_target;
use gguf_convert::requantize::{Conversion, Plan, TensorQuality};
use gguf_format::io::Chunks as _;

options! {
    /// Options of streaming a new file of a conversion.
    pub interface ConversionStreamOptions extends AbortOptions, ProgressOptions<"ConversionProgress"> as progress {
        /// The number of the file, from 0 on; 0 by default. Only plans with `keepSplit` have several.
        file?: "number" => usize = 0, integer from 0;
        /// The position of the first byte, by default 0. A stream that broke off can be continued by another one. The tensor that has
        /// this position is converted from its beginning: `plan.layout()` tells where tensors begin.
        start?: "number" => JsValue = 0.0.into();
    }
}

options! {
    /// Options of writing a new file of a conversion.
    pub interface ConversionWriteOptions extends AbortOptions, ProgressOptions<"ConversionProgress"> as progress {
        /// The number of the file, from 0 on; 0 by default.
        file?: "number" => usize = 0, integer from 0;
        /// Whether an existing file at the path may be replaced, even if it is the original file. By default false.
        overwrite?: "boolean" => bool = false;
    }
}

plain_object! {
    /// How far the conversion of a file is.
    #[open true]
    struct ConversionProgress {
        /// Bytes of the new file that have been written, or passed on by a stream.
        pub bytes_written: f64,
        /// Bytes of the new file.
        pub total_bytes: f64,
        /// Tensors of the new file that are complete.
        pub tensors_done: usize,
        /// Tensors of the new file.
        pub tensor_count: usize,
        /// The tensors that have become complete since the last report, if their errors are measured: see the option `nmse`. A tensor
        /// whose type is kept has the error 0.
        pub quality: Vec<TensorQuality>,
    }
}

/// A new file of a plan.
pub(super) struct FileChoice {
    pub plan: Plan<Source>,
    pub file: usize,
    /// The position of the first byte, as the caller gives it.
    pub start: JsValue,
}

/// The bytes of a new file as a stream.
pub(super) fn stream(
    choice: FileChoice,
    workforce: Workforce,
    options: Options,
    progress: Values<ProgressOptions>,
) -> Result<ChunkStream, Thrown> {
    let chunks = Rc::new(ConversionChunks::new(choice, workforce)?);
    let (reporting, on_progress) = (chunks.clone(), progress.on_progress);
    let report = move |bytes: f64| {
        let progress = reporting.progress(bytes);
        let Some(on_progress) = &on_progress else { return Ok(()) };
        on_progress.call1(&JsValue::UNDEFINED, &to_js(&progress))?;
        Ok(())
    };
    reported_stream(chunks, options, Rc::new(report))
}

/// Writes a new file to a path or to a file handle.
pub(super) async fn write_to(
    plan: Plan<Source>,
    workforce: Workforce,
    target: JsValue,
    options: Options,
) -> Result<JsValue, Thrown> {
    check_signal(&options)?;
    let given = ConversionWriteOptions::read(&options)?;
    let choice = FileChoice { plan: plan.clone(), file: given.file, start: 0.0.into() };
    let stream = stream(choice, workforce, options.clone(), given.progress)?;
    let sources = plan.files().iter().map(|file| file.reader().source()).collect();
    write_to_target(stream, target, given.overwrite, sources, &Array::new(), &options).await
}

/// The chunks of a new file.
struct ConversionChunks {
    choice: FileChoice,
    workforce: Workforce,
    start: u64,
    /// The row of the tensor in which the stream begins. `None` for the header.
    from: Option<usize>,
    /// The bytes that the conversion makes before the stream begins.
    skipped: Cell<u64>,
    state: RefCell<State>,
    written: Cell<f64>,
    tensors: Cell<usize>,
    /// The tensors before the first one.
    tensors_before: usize,
    quality: RefCell<Vec<TensorQuality>>,
    quality_taken: Cell<usize>,
}

enum State {
    /// The workers have not been started.
    New,
    Running(Box<Conversion<Source>>),
    /// A chunk is made, or the stream has ended.
    Away,
}

impl ConversionChunks {
    fn new(choice: FileChoice, workforce: Workforce) -> Result<Self, Thrown> {
        let recipe = choice.plan.recipe();
        let Some(file) = recipe.files().get(choice.file) else {
            let (number, count) = (choice.file, recipe.files().len());
            return Err(failure!(OutOfRange: "there is no file {number}: the conversion makes {count}"));
        };
        let size = file.size;
        let start = choice.start.as_f64().filter(|start| is_position(*start) && *start <= size as f64);
        let Some(start) = start.map(|start| start as u64) else {
            return Err(failure!(OutOfRange:
                "options.start is {}, expected a whole number from 0 to {size}", describe(&choice.start)));
        };
        let tensors = recipe.tensors(choice.file);
        let tensors_before = tensors.partition_point(|tensor| tensor.position <= start).saturating_sub(1);
        let first = tensors.get(tensors_before).filter(|tensor| tensor.position <= start);
        Ok(Self {
            start,
            from: first.map(|tensor| tensor.row),
            skipped: Cell::new(start - first.map_or(0, |tensor| tensor.position)),
            tensors_before,
            written: Cell::new(start as f64),
            tensors: Cell::new(tensors_before),
            state: RefCell::new(State::New),
            quality: RefCell::default(),
            quality_taken: Cell::new(0),
            choice,
            workforce,
        })
    }

    /// The progress after a chunk of some bytes has been passed on.
    fn progress(&self, bytes: f64) -> ConversionProgress {
        self.written.set(self.written.get() + bytes);
        let file = &self.choice.plan.recipe().files()[self.choice.file];
        ConversionProgress {
            bytes_written: self.written.get(),
            total_bytes: file.size as f64,
            tensors_done: self.tensors.get(),
            tensor_count: file.rows.len(),
            quality: self.quality.take(),
        }
    }

    /// The next chunk, without the bytes before the first one of the stream.
    async fn next(&self, conversion: &mut Conversion<Source>) -> Result<Option<Bytes>, Thrown> {
        loop {
            let Some(bytes) = conversion.next_chunk().await? else { return Ok(None) };
            self.tensors.set(self.tensors_before + conversion.progress().tensors_done);
            let quality = conversion.quality();
            self.quality.borrow_mut().extend_from_slice(&quality[self.quality_taken.replace(quality.len())..]);
            let length = bytes.byte_length();
            let skipped = self.skipped.get().min(length as u64);
            self.skipped.set(self.skipped.get() - skipped);
            if (skipped as f64) < length {
                return Ok(Some(if skipped == 0 { bytes } else { bytes.slice(skipped as f64, length)? }));
            }
        }
    }
}

impl Chunks for ConversionChunks {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        let state = self.state.replace(State::Away);
        Box::pin(async move {
            let mut conversion = match state {
                State::Running(conversion) => conversion,
                State::Away => return Ok(None),
                State::New => {
                    if self.start == self.choice.plan.recipe().files()[self.choice.file].size {
                        return Ok(None);
                    }
                    let host = Rc::new(self.workforce.start().await?);
                    Box::new(self.choice.plan.conversion(self.choice.file, self.from, host)?)
                }
            };
            let chunk = self.next(&mut conversion).await?;
            if chunk.is_some() {
                self.state.replace(State::Running(conversion));
            }
            Ok(chunk.map(Chunk::from))
        })
    }

    fn stop(&self) {
        self.state.replace(State::Away);
    }
}
