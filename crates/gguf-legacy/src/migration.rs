//! The plan of a model's migration to GGUF: the new file, and what changes in it.

use alloc::{rc::Rc, string::String, sync::Arc, vec::Vec};

use super::conversion::Exactness;
use super::migrated_file::{DataMethod, MigratedFile, copied};
use super::migrated_tensor::MigratedTensor;
use super::notes::Note;
use gguf_declare::result;
use gguf_format::decode::decoder::parse;
use gguf_format::error::Result;
use gguf_format::io::{OnProgress, ReadProgress, Source, Turns};
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::write::plan::{PlanBuilder, Segment};
use gguf_format::write::planned_file::PlannedFile;

/// The plan of a model's migration to GGUF.
///
/// It knows the header, the tensors and the size of the new file before data is read. [`file`](Self::file) reads any range of
/// the new file, [`planned_file`](Self::planned_file) writes it, and [`exactness`](Self::exactness) says what will change.
pub struct Migration<S: Source> {
    pub(super) file: MigratedFile<S>,
    pub(super) tensors: Vec<MigratedTensor>,
    pub(super) notes: Vec<Note>,
}

result! {
    /// What a whole migration does to the values.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[typescript("MigrationExactness")]
    pub struct ExactnessReport {
        /// The figures of each tensor whose values can change.
        pub tensors: Vec<TensorExactness>,
        /// The figures of all these tensors.
        pub total: Exactness,
    }
}

result! {
    /// What a migration does to the values of a tensor.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TensorExactness {
        /// The position among the tensors of the new file.
        pub index: usize,
        /// The name in the new file.
        pub name: String,
        /// How much the values change.
        pub exactness: Exactness,
    }
}

/// Bytes of old data that are compared at once.
const BYTES_AT_ONCE: u64 = 1 << 20;

impl<S: Source> Migration<S> {
    /// The new file, every range of which can be read.
    pub fn file(&self) -> &MigratedFile<S> {
        &self.file
    }

    /// The size of the new file in bytes.
    pub fn size(&self) -> u64 {
        self.file.size().unwrap_or(0)
    }

    /// The tensors of the new file, in order.
    pub fn tensors(&self) -> &[MigratedTensor] {
        &self.tensors
    }

    /// What a person should know before the file is written.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The new file, opened: its header can be checked and its values can be seen without writing it.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn opened(&self) -> Result<OpenedFile<MigratedFile<S>>> {
        Ok(OpenedFile::new(Arc::new(parse(self.file.header_bytes())?), self.file.clone()))
    }

    /// The new file as a plan, which is written like that of an edited file: piece by piece, several reads in flight.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn planned_file(&self) -> Result<PlannedFile<MigratedFile<S>>> {
        let opened = self.opened()?;
        let (header_size, data_offset) = (opened.header().header_size(), opened.header().data_offset());
        let mut plan = PlanBuilder::default();
        plan.push(Segment::Copy { source: 0, range: 0..self.size() });
        Ok(PlannedFile::new(vec![Rc::new(opened)], plan.finish(header_size, data_offset, None)))
    }

    /// Computes how many values change, and by how much at most: reads the data of all tensors whose values can change.
    ///
    /// # Errors
    ///
    /// Errors of the old file's source are passed on.
    pub async fn exactness(&self, on_progress: Option<OnProgress<'_>>) -> Result<ExactnessReport> {
        let is_read = |index: &usize| self.tensors[*index].is_lossy();
        let lengths = (0..self.tensors.len()).filter(is_read).map(|index| {
            let stored = &self.file.tensors()[index].stored;
            stored.end - stored.start
        });
        let total_bytes = lengths.sum();
        let mut bytes_read = 0;
        let mut turns = Turns::<S::Host>::new();
        let mut report = ExactnessReport::default();
        for (index, (migrated, data)) in self.tensors.iter().zip(self.file.tensors()).enumerate() {
            let DataMethod::Convert(conversion) = &data.method else { continue };
            if !migrated.is_lossy() {
                continue;
            }
            let mut found = Exactness::default();
            let (old, new) = conversion.unit_bytes();
            let mut start = data.stored.start;
            while start < data.stored.end {
                let end = data.stored.end.min(start + BYTES_AT_ONCE.next_multiple_of(old));
                let blocks = copied(&self.file.read_stored(start..end).await?)?;
                let mut converted = vec![0; blocks.len() / old as usize * new as usize];
                conversion.convert(&blocks, &mut converted)?;
                conversion.compare(&blocks, &converted, &mut found)?;
                bytes_read += end - start;
                if let Some(on_progress) = on_progress {
                    on_progress(ReadProgress::new(bytes_read, total_bytes))?;
                }
                turns.count(8 * (end - start)).await;
                start = end;
            }
            report.total.extend(&found);
            report.tensors.push(TensorExactness { index, name: migrated.name.clone(), exactness: found });
        }
        Ok(report)
    }
}
