//! A file that is put together from the entries and tensors of other files.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use gguf_format::error::{Error, Result, error, no_memory};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::version::Format;
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::write::checks::check_header_size;
use gguf_format::write::encode::Encoder;
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::plan::{PlanBuilder, Segment, WritePlan};
use gguf_models::kind::{FileKind, kind_of};

/// The entries and tensors of a new file. Source 0 has the entries that are copied.
pub(super) struct AssembledFile<'a> {
    pub format: Format,
    pub alignment: u64,
    /// The range of each entry that is copied, in source 0.
    pub copied_entries: Vec<Range<u64>>,
    /// The entries that follow the copied ones.
    pub new_entries: Vec<(&'static str, OwnedValue)>,
    pub tensors: Vec<SourceTensor<'a>>,
    /// Whether dimensions of 1 at the end are stored. llama.cpp does not store them.
    pub keeps_dimensions: bool,
}

/// A tensor of another file.
pub(super) struct SourceTensor<'a> {
    pub info: TensorInfo<'a>,
    /// The file that has the tensor.
    pub source: usize,
    /// The range of the data in that file.
    pub data: Range<u64>,
    /// What follows the tensor, if the new one is several tensors of that file, one after the other.
    pub joined: Option<Box<Joined>>,
}

/// The tensors that follow the first one of a new tensor, which has one more dimension: their number.
pub(super) struct Joined {
    /// The name of the new tensor.
    pub name: Vec<u8>,
    /// The data of the further tensors, as long as that of the first one.
    pub more: Vec<Range<u64>>,
}

impl SourceTensor<'_> {
    /// The ranges of the data after the first one.
    fn more(&self) -> &[Range<u64>] {
        self.joined.as_ref().map_or(&[], |joined| &joined.more)
    }
}

impl AssembledFile<'_> {
    /// Plans the file. The data of each tensor begins at a multiple of the alignment, in the order of the tensors, as
    /// llama.cpp demands. Names are copied as they are stored.
    ///
    /// # Errors
    ///
    /// `limit-exceeded`, `too-large`, `does-not-fit`.
    pub fn plan(self) -> Result<WritePlan> {
        let mut plan = PlanBuilder::default();
        plan.reserve(self.copied_entries.len().min(8) + 2 * self.tensors.len());
        let entry_count = self.copied_entries.len() + self.new_entries.len();
        let mut encoder = Encoder::new(self.format);
        encoder.header(self.tensors.len() as u64, entry_count as u64);
        plan.push_bytes(encoder.into_bytes());
        for range in &self.copied_entries {
            plan.push_copy(range.clone());
        }
        plan.push_bytes(self.encode_new_part()?);

        let header_size = plan.size();
        check_header_size(header_size)?;
        let data_offset = header_size.checked_next_multiple_of(self.alignment).ok_or_else(too_long)?;
        let pad_to = |plan: &mut PlanBuilder, position| plan.pad_to(position).map_err(|_| self.too_much_padding());
        pad_to(&mut plan, data_offset)?;
        for tensor in &self.tensors {
            let start = plan.size().checked_next_multiple_of(self.alignment).ok_or_else(too_long)?;
            pad_to(&mut plan, start)?;
            for range in core::iter::once(&tensor.data).chain(tensor.more()) {
                plan.push(Segment::Copy { source: tensor.source, range: range.clone() });
            }
        }
        // Zeros after data of unknown size would become part of that data.
        let last = self.tensors.iter().rfind(|tensor| !tensor.data.is_empty());
        if last.is_none_or(|tensor| tensor.info.byte_length().is_some()) {
            let end = plan.size().checked_next_multiple_of(self.alignment).ok_or_else(too_long)?;
            pad_to(&mut plan, end)?;
        }
        if plan.size() > MAX_FILE_SIZE {
            return Err(too_long());
        }
        Ok(plan.finish(header_size, data_offset, None))
    }

    #[cold]
    fn too_much_padding(&self) -> Error {
        error!(TooLarge:
            "cannot plan the file: the alignment is {} bytes, and the padding of {} tensors would take more memory \
             than there is; change the alignment of the model first", self.alignment, self.tensors.len())
    }

    /// Encodes the new entries and the tensor infos.
    fn encode_new_part(&self) -> Result<Vec<u8>> {
        let mut encoder = Encoder::new(self.format);
        let infos: u64 =
            self.tensors.iter().map(|tensor| tensor.info.range()).map(|range| range.end - range.start).sum();
        encoder.reserve(infos).map_err(|_| no_memory(infos))?;
        for (key, value) in &self.new_entries {
            encoder.kv(key.as_bytes(), value);
        }
        let (mut offset, mut dimensions) = (0_u64, Vec::new());
        for tensor in &self.tensors {
            let SourceTensor { info, joined, .. } = tensor;
            dimensions.clear();
            dimensions.extend(info.dimension_iter());
            while !self.keeps_dimensions && dimensions.len() > 1 && dimensions.last() == Some(&1) {
                dimensions.pop();
            }
            dimensions.extend(joined.as_ref().map(|joined| joined.more.len() as u64 + 1));
            if self.format.version == 1 && dimensions.iter().any(|extent| *extent > u32::MAX.into()) {
                return Err(error!(DoesNotFit:
                    "cannot plan the file: tensor \"{}\" has a dimension of more than 32 bits, which version 1 does \
                     not have; convert the file that decides the version to version 3 first", info.name()));
            }
            let name = joined.as_ref().map_or_else(|| info.name().to_bytes(), |joined| (&joined.name[..]).into());
            encoder.tensor_info(&name, &dimensions, info.ggml_type().0, offset);
            let length = (tensor.data.end - tensor.data.start).checked_mul(tensor.more().len() as u64 + 1);
            let end = length.and_then(|length| offset.checked_add(length));
            offset = end.and_then(|end| end.checked_next_multiple_of(self.alignment)).ok_or_else(too_long)?;
        }
        Ok(encoder.into_bytes())
    }
}

/// Whether the programs that read a file tell a matrix from one with a further dimension of 1: those for image models, which give
/// each tensor the shape of the original one.
pub(super) fn has_exact_shapes(header: &Header) -> bool {
    matches!(kind_of(header), FileKind::ImageDiffusion | FileKind::Vae | FileKind::TextEncoder)
}

#[cold]
fn too_long() -> Error {
    error!(LimitExceeded: "cannot plan the file: it would have more than {MAX_FILE_SIZE} bytes, which readers refuse")
}
