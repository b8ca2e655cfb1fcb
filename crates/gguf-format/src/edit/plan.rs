//! Plans of the edited file, and of the edited header alone.

use super::data_layout::{check_complete, must_move_data, place_data, size_unknown};
use super::header_layout::lay_out_header;
use super::header_plan::HeaderPlan;
use super::history::Edit;
use crate::error::{Result, error, no_memory};
use crate::limits::MAX_FILE_SIZE;
use crate::write::plan::{PlanBuilder, WritePlan};

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
        let data = match must_move_data(header, edited) {
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
            // The bytes after the original header follow the edited header without new padding in three cases. (1) The size of
            // the header is unchanged. (2) There are no tensors, and the file has more than padding after the header. (3) The
            // file ends before its data section: a broken alignment could then ask for gigabytes of padding.
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
            return Err(error!(LimitExceeded:
                "cannot plan the edited file: it would have {} bytes; readers accept at most {MAX_FILE_SIZE}",
                plan.size()));
        }
        Ok(plan.finish(header_size, data_offset, original))
    }

    /// Plans the edited header without the data of the tensors. It also works for files that cannot be planned as a whole:
    /// truncated files, and files of unknown size.
    ///
    /// `file_size` is the size of the original file in bytes, if it is known. It is used only if the data must be moved and
    /// the size of some tensor cannot be computed.
    ///
    /// # Errors
    ///
    /// `limit-exceeded`, `too-large`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::edit::Edit;
    ///
    /// # let file = gguf_format::example_file();
    /// let mut edit = Edit::new(gguf_format::parse(&file)?);
    /// edit.set("general.architecture", &"a longer name".into())?;
    /// let plan = edit.plan_header(None)?;
    /// assert_eq!(plan.header_size(), edit.header().header_size() + 8);
    /// assert_eq!(plan.data_offset() % edit.alignment(), 0);
    /// let header: Vec<u8> = plan.header_pieces(0..plan.header_size()).flatten().copied().collect();
    /// assert_eq!(gguf_format::parse(&header)?.metadata().len(), edit.entry_count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_header(&self, file_size: Option<u64>) -> Result<HeaderPlan> {
        let (header, edited) = (&self.header, &self.edited);
        let alignment = edited.alignment(header);
        let is_moved = must_move_data(header, edited);
        let data = if is_moved { place_data(header, edited, alignment, file_size).ok() } else { None };
        let layout = lay_out_header(header, edited, data.as_ref())?;
        let header_size = layout.plan.size();
        let offsets = match &data {
            _ if !is_moved => None,
            Some(data) => Some(data.tensors.iter().map(|tensor| tensor.offset).collect()),
            None => Some(self.tensors().map(|tensor| tensor.original().offset()).collect()),
        };
        Ok(HeaderPlan {
            original: header.clone(),
            plan: layout.plan.finish(header_size, header_size.next_multiple_of(alignment), None),
            value_ranges: layout.value_ranges,
            offsets,
            has_final_offsets: !is_moved || data.is_some(),
        })
    }

    /// The size of the edited file for checks of its header. If the original file is truncated, the edited file lacks as
    /// many bytes at its end.
    #[doc(hidden)]
    pub fn file_size_for_checks(&self, file_size: Option<u64>, header: &HeaderPlan) -> Option<u64> {
        match self.plan(file_size) {
            Ok(plan) => Some(plan.size()),
            Err(_) => Some((file_size? + header.data_offset()).saturating_sub(self.header.data_offset())),
        }
    }
}

/// Appends zeros up to a position. `None` is a position that does not fit in 64 bits.
fn pad_to(plan: &mut PlanBuilder, position: Option<u64>) -> Result<()> {
    position.map_or(Err(u64::MAX), |position| plan.pad_to(position)).map_err(no_memory)
}
