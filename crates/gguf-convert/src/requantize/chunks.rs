//! A new file, piece by piece: pieces of tensors are read, converted by a host of jobs, and passed on in order.

use alloc::{boxed::Box, collections::VecDeque, rc::Rc, vec::Vec};
use core::cell::RefCell;
use core::future::Future;
use core::mem;
use core::pin::Pin;

use futures_util::stream::{FuturesOrdered, StreamExt};

use super::job::ConvertedRows;
use super::job_host::JobHost;
use super::piece_conversion::convert_piece;
use super::pieces::{Piece, pieces_of};
use super::plan::{Plan, Planned};
use super::quality::{QuantizationError, TensorQuality};
use gguf_declare::result;
use gguf_format::error::{Error, Result, error};
use gguf_format::io::{Buffer, Chunks, Source, Turns};

/// Pieces that are read while others are converted.
const PIECES_AHEAD: usize = 3;

/// The most pieces in memory. With their results, they have at most 96 MiB, which is rows of F32 that keep their size, and 38 MiB if F16
/// becomes Q8_0.
const MOST_PIECES: usize = 12;

/// How much longer converting a byte takes than comparing it.
const WORK_PER_BYTE: u64 = 8;

result! {
    /// How far a conversion is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[open true]
    pub struct ConversionProgress {
        /// Bytes of the new file that have been passed on.
        pub bytes_written: u64,
        /// Bytes of the new file that will be passed on in all.
        pub total_bytes: u64,
        /// Tensors that are complete.
        pub tensors_done: usize,
        /// Tensors that will be complete in the end.
        pub tensor_count: usize,
    }
}

/// A new file, piece by piece. Dropping it ends the work.
pub struct Conversion<S: Source> {
    planned: Rc<Planned<S>>,
    start: Start<S::Buffer>,
    /// The rows of the recipe that have not been divided.
    rows: VecDeque<usize>,
    /// The pieces of the row that is being divided.
    pieces: Box<dyn Iterator<Item = Piece>>,
    in_flight: FuturesOrdered<Converting<S::Buffer>>,
    most_in_flight: usize,
    alignment: u64,
    /// Zeros that come next.
    padding: u64,
    error: QuantizationError,
    quality: Vec<TensorQuality>,
    progress: ConversionProgress,
    turns: Turns<S::Host>,
    failure: Option<Error>,
}

type Converting<B> = Pin<Box<dyn Future<Output = Result<(Piece, ConvertedRows<B>)>>>>;

/// Makes the future of a piece.
type Start<B> = Box<dyn Fn(Piece) -> Converting<B>>;

impl<S: Source> Plan<S> {
    /// Begins to convert a file of the plan. With `from`, it begins with the data of this row of the recipe, at the position that
    /// [`tensors`](Self::tensors) says; otherwise with the header.
    ///
    /// # Errors
    ///
    /// `out-of-range` if there is no such file, or if the file does not have the row.
    pub fn conversion<H: JobHost<S::Buffer>>(
        &self,
        file: usize,
        from: Option<usize>,
        host: Rc<H>,
    ) -> Result<Conversion<S>> {
        let planned = self.planned().clone();
        let Some(output) = planned.recipe.files().get(file) else {
            let count = planned.recipe.files().len();
            return Err(error!(OutOfRange: "there is no file {file}: the conversion makes {count}"));
        };
        let first = from.unwrap_or(output.rows.start);
        if from.is_some() && !output.rows.contains(&first) {
            return Err(error!(OutOfRange:
                "file {file} does not have tensor {first}: expected {:?}", output.rows));
        }
        let begins_at = match from {
            Some(row) => {
                let tensors = self.tensors(file);
                tensors.iter().find(|tensor| tensor.row == row).map_or(output.size, |tensor| tensor.position)
            }
            None => 0,
        };
        let importance = Rc::new(RefCell::new(None));
        let start = {
            let (planned, host) = (planned.clone(), host.clone());
            move |piece: Piece| -> Converting<S::Buffer> {
                Box::pin(convert_piece(planned.clone(), host.clone(), importance.clone(), piece))
            }
        };
        let rows: VecDeque<usize> = (first..output.rows.end).collect();
        let mut conversion = Conversion {
            start: Box::new(start),
            pieces: Box::new(core::iter::empty()),
            in_flight: FuturesOrdered::new(),
            most_in_flight: (host.jobs_at_once().saturating_add(PIECES_AHEAD)).min(MOST_PIECES),
            alignment: output.alignment,
            padding: 0,
            error: QuantizationError::default(),
            quality: Vec::new(),
            progress: ConversionProgress {
                total_bytes: output.size - begins_at,
                tensor_count: rows.len(),
                ..ConversionProgress::default()
            },
            turns: Turns::new(),
            failure: None,
            rows,
            planned: planned.clone(),
        };
        if from.is_none() {
            // The header is passed on first.
            let header = planned.recipe.header(file)?;
            let bytes = S::Buffer::joined(header.len() as u64, core::iter::once(&header[..]))?;
            conversion.in_flight.push_back(Box::pin(async move {
                let piece =
                    Piece { row: usize::MAX, range: 0..0, matrix: 0, new_byte_length: bytes.len(), is_last: false };
                Ok((piece, ConvertedRows::new(Some(bytes), None)))
            }));
        }
        Ok(conversion)
    }
}

impl<S: Source> Conversion<S> {
    /// How far the conversion is.
    pub fn progress(&self) -> ConversionProgress {
        self.progress
    }

    /// The errors of the tensors that are complete, in the order of the file, if the plan measures them. The error of a tensor whose
    /// type is kept is 0.
    pub fn quality(&self) -> &[TensorQuality] {
        &self.quality
    }

    /// The next piece of the tensors.
    fn next_piece(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.pieces.next() {
                return Some(piece);
            }
            let row = self.rows.pop_front()?;
            let pieces = pieces_of(row, &self.planned.recipe.rows()[row], self.planned.piece_elements);
            self.pieces = Box::new(pieces);
        }
    }

    /// Notes that a piece has been converted.
    fn end_piece(&mut self, piece: &Piece, converted: &ConvertedRows<S::Buffer>) {
        self.error.add(converted.error.unwrap_or_default());
        let Some(row) = self.planned.recipe.rows().get(piece.row).filter(|_| piece.is_last) else { return };
        self.padding = row.new_byte_length.next_multiple_of(self.alignment) - row.new_byte_length;
        self.progress.tensors_done += 1;
        let error = mem::take(&mut self.error);
        if self.planned.measures_error {
            let (name, ggml_type) = (row.name.clone(), row.new_type);
            let normalised_error = error.normalised();
            self.quality.push(TensorQuality { row: piece.row, name, ggml_type, normalised_error });
        }
    }

    async fn next(&mut self) -> Result<Option<S::Buffer>> {
        loop {
            if self.padding > 0 {
                let zeros = S::Buffer::builder(mem::take(&mut self.padding))?;
                return Ok(Some(gguf_format::io::BufferBuilder::finish(zeros)));
            }
            while self.in_flight.len() < self.most_in_flight {
                let Some(piece) = self.next_piece() else { break };
                let converting = (self.start)(piece);
                self.in_flight.push_back(converting);
            }
            let Some(done) = self.in_flight.next().await else { return Ok(None) };
            let (piece, converted) = done?;
            self.end_piece(&piece, &converted);
            self.turns.count(WORK_PER_BYTE * piece.new_byte_length).await;
            match converted.bytes {
                Some(bytes) if !bytes.is_empty() => return Ok(Some(bytes)),
                _ => {}
            }
        }
    }
}

impl<S: Source> Chunks for Conversion<S> {
    type Buffer = S::Buffer;

    async fn next_chunk(&mut self) -> Result<Option<S::Buffer>> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match self.next().await {
            Ok(Some(bytes)) => {
                self.progress.bytes_written += bytes.len();
                Ok(Some(bytes))
            }
            Ok(None) => Ok(None),
            Err(failure) => {
                self.in_flight = FuturesOrdered::new();
                self.failure = Some(failure.clone());
                Err(failure)
            }
        }
    }
}
