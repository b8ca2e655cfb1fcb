//! The statistics of a whole tensor.

use super::{Statistics, Summary};
use crate::error::Result;
use crate::format::header::TensorInfo;
use crate::io::{OnProgress, Source};
use crate::tensor::blocks::Blocks;
use crate::tensor::converter::{Chunk, NumberFormat};
use crate::tensor::opened_file::OpenedFile;
use crate::tensor::read::{process_parts, split};

/// Bytes that are read at once.
const BYTES_AT_ONCE: u64 = 2 << 20;

impl Statistics {
    /// Adds converted numbers. Integers are left out: see [`NumberFormat::exact`].
    pub(crate) fn add(&mut self, chunk: Chunk<'_>) {
        match chunk {
            Chunk::Floats(floats) => self.push(floats),
            Chunk::Doubles(doubles) => self.extend(doubles.iter().copied()),
            Chunk::Integers(_) => {}
        }
    }
}

impl<S: Source> OpenedFile<S> {
    /// Reads a whole tensor part by part and computes its statistics in constant memory.
    ///
    /// # Errors
    ///
    /// `unknown-type`, `unexpected-eof`. Errors of the source are passed on.
    pub async fn statistics(&self, tensor: &TensorInfo<'_>, on_progress: Option<OnProgress<'_>>) -> Result<Summary> {
        let blocks = Blocks::of(self.header(), tensor)?;
        let range = self.blocks(tensor, &blocks, &(0..blocks.element_count))?;
        let format = NumberFormat::exact(blocks.unit.info);
        let mut converter = self.converter(blocks.unit, format).await?;
        let mut statistics = Statistics::new();
        let mut process = |_, bytes: &S::Buffer| converter.convert(bytes, &mut |_, chunk| statistics.add(chunk));
        let total_bytes = range.end - range.start;
        let mut parts = split(range, blocks.round_up(BYTES_AT_ONCE));
        process_parts(self.reader(), &mut parts, total_bytes, &mut process, on_progress).await?;
        Ok(statistics.summary())
    }
}
