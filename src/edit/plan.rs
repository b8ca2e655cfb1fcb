//! Plans of the edited file, and of the edited header alone.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::data_layout::{check_complete, is_placed_anew, place_data, size_unknown};
use super::header_layout::lay_out_header;
use super::history::Edit;
use crate::error::ErrorCode;
use crate::format::header::Header;
use crate::write::error::{EditError, Result, no_memory};
use crate::write::plan::{MAX_FILE_SIZE, PlanBuilder, WritePlan};

impl Edit {
    /// Plans the edited file. `file_size` is the size of the original file in bytes.
    ///
    /// Without changes the plan is a copy of the whole file, even if the file is broken.
    ///
    /// # Errors
    ///
    /// `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    pub fn plan(&self, file_size: Option<u64>) -> Result<WritePlan> {
        let file_size = file_size.ok_or_else(size_unknown)?;
        let (header, edited) = (&self.header, &self.edited);
        let original = Some((header.header_size(), file_size));
        if self.changes().is_empty() {
            let mut plan = PlanBuilder::default();
            plan.push_copy(0..file_size);
            return Ok(plan.finish(header.header_size(), header.data_offset(), original));
        }
        check_complete(header, file_size)?;
        let alignment = edited.alignment(header);
        let data = match is_placed_anew(header, edited) {
            true => Some(place_data(header, edited, alignment, Some(file_size))?),
            false => None,
        };
        let mut plan = lay_out_header(header, edited, data.as_ref())?.plan;
        let header_size = plan.size();
        let data_offset = header_size.next_multiple_of(alignment);
        match data {
            Some(data) => {
                for placed in data.tensors.iter().filter(|placed| placed.data.byte_length() > 0) {
                    pad_to(&mut plan, data_offset.checked_add(placed.offset))?;
                    plan.push(placed.data.clone());
                }
                if data.is_padded {
                    let end = plan.size().max(data_offset).checked_next_multiple_of(alignment);
                    pad_to(&mut plan, end)?;
                }
                plan.push_copy(data.trailing);
            }
            // Bytes after a header without tensors are not aligned, unless all of them are padding. No padding is added to a
            // file that ends before its data section: a broken alignment could ask for gigabytes of it.
            None if header_size == header.header_size()
                || (edited.tensors.is_empty() && header.data_offset() != file_size)
                || header.data_offset() > file_size =>
            {
                plan.push_copy(header.header_size()..file_size);
            }
            None => {
                pad_to(&mut plan, Some(data_offset))?;
                plan.push_copy(header.data_offset()..file_size);
            }
        }
        // Tensors that overlap in the original file do not overlap here, so the file can grow.
        if plan.size() > MAX_FILE_SIZE {
            let message = format!(
                "cannot plan the edited file: it would have {} bytes; readers accept at most {MAX_FILE_SIZE}",
                plan.size()
            );
            return Err(EditError::new(ErrorCode::LimitExceeded, message));
        }
        Ok(plan.finish(header_size, data_offset, original))
    }

    /// Plans the edited header without the data of the tensors. It also works for files that cannot be planned as a whole:
    /// truncated files, and files of unknown size.
    ///
    /// `file_size` is the size of the original file, if it is known. It is only used if the data must be placed anew and
    /// there is a tensor whose size cannot be computed.
    ///
    /// # Errors
    ///
    /// `limit-exceeded`, `too-large`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::Edit;
    ///
    #[doc = include_str!("../doc_example.txt")]
    /// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
    /// edit.set("general.architecture", &"a longer name".into())?;
    /// let plan = edit.plan_header(None)?;
    /// assert_eq!(plan.header_size(), edit.header().header_size() + 8);
    /// assert_eq!(plan.data_offset() % edit.alignment(), 0);
    /// let header: Vec<u8> = plan.header_pieces(0..plan.header_size()).flatten().copied().collect();
    /// assert_eq!(gguf_wasm::parse(&header)?.metadata().len(), edit.entry_count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_header(&self, file_size: Option<u64>) -> Result<HeaderPlan> {
        let (header, edited) = (&self.header, &self.edited);
        let alignment = edited.alignment(header);
        let is_anew = is_placed_anew(header, edited);
        let data = if is_anew { place_data(header, edited, alignment, file_size).ok() } else { None };
        let layout = lay_out_header(header, edited, data.as_ref())?;
        let header_size = layout.plan.size();
        let offsets = match &data {
            _ if !is_anew => None,
            Some(data) => Some(data.tensors.iter().map(|tensor| tensor.offset).collect()),
            None => Some(self.tensors().map(|tensor| tensor.original().offset()).collect()),
        };
        Ok(HeaderPlan {
            original: header.clone(),
            plan: layout.plan.finish(header_size, header_size.next_multiple_of(alignment), None),
            value_ranges: layout.value_ranges,
            offsets,
            has_final_offsets: !is_anew || data.is_some(),
        })
    }

    /// The size of the edited file for checks of its header. If the original file is truncated, the edited file lacks as
    /// many bytes at its end.
    #[cfg(feature = "web")]
    pub(crate) fn file_size_for_checks(&self, file_size: Option<u64>, header: &HeaderPlan) -> Option<u64> {
        match self.plan(file_size) {
            Ok(plan) => Some(plan.size()),
            Err(_) => Some((file_size? + header.data_offset()).saturating_sub(self.header.data_offset())),
        }
    }
}

fn pad_to(plan: &mut PlanBuilder, position: Option<u64>) -> Result<()> {
    position.map_or(Err(u64::MAX), |position| plan.pad_to(position)).map_err(no_memory)
}

/// The plan of an edited header alone: see [`Edit::plan_header`].
#[derive(Clone, Debug)]
pub struct HeaderPlan {
    original: Arc<Header>,
    plan: WritePlan,
    value_ranges: Vec<Range<u64>>,
    /// The offset of each tensor. `None` if the edited header has the tensors of the original header at the same offsets.
    offsets: Option<Vec<u64>>,
    has_final_offsets: bool,
}

impl HeaderPlan {
    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    pub fn header_size(&self) -> u64 {
        self.plan.header_size()
    }

    /// The offset of the data section, in bytes from the start of the file.
    pub fn data_offset(&self) -> u64 {
        self.plan.data_offset()
    }

    /// The range of the value of the entry at a position, in bytes from the start of the file. It begins after the value
    /// type. A string's range includes its length, an array's its element type and length.
    pub fn value_range(&self, position: usize) -> Option<Range<u64>> {
        self.value_ranges.get(position).cloned()
    }

    /// The offset of the data of the tensor at a position, in bytes from the start of the data section.
    pub fn tensor_offset(&self, position: usize) -> Option<u64> {
        match &self.offsets {
            Some(offsets) => offsets.get(position).copied(),
            None => self.original.tensor_at(position).map(|tensor| tensor.offset()),
        }
    }

    /// The offset of the data of each tensor, in bytes from the start of the data section.
    pub fn tensor_offsets(&self) -> impl Iterator<Item = u64> {
        (0..).map_while(|position| self.tensor_offset(position))
    }

    /// Whether the offsets are those of the edited file. If `false`, the data must be placed anew, but the size of some
    /// data is not known. The header then has the offsets of the original file.
    pub fn has_final_offsets(&self) -> bool {
        self.has_final_offsets
    }

    /// The bytes of a range of the header, as consecutive slices.
    ///
    /// # Panics
    ///
    /// If the range is not within the header.
    pub fn header_pieces(&self, range: Range<u64>) -> impl Iterator<Item = &[u8]> {
        self.plan.header_pieces(self.original.bytes(), range)
    }
}
