//! Where the bytes of a changed file come from.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::edited_entry::{Content, Entry};
use super::edited_header::{Draft, Tensor};
use crate::error::ErrorCode;
use crate::format::header::{Header, TensorInfo};
use crate::tensor::extents::{self, Extents, NoExtent};
use crate::write::checks::check_header_size;
use crate::write::encode::Encoder;
use crate::write::error::{EditError, Result, no_memory};
use crate::write::new_value::NewValue;
use crate::write::plan::{Layout, MOST_BYTES, Segment, WritePlan};

/// The plan of a changed file. Of a file that is not changed it is a copy of the whole, whatever is wrong with it.
pub(super) fn file(header: &Header, draft: &Draft, is_changed: bool, file_size: u64) -> Result<WritePlan> {
    if !is_changed {
        let mut layout = Layout::default();
        layout.copy(0..file_size);
        return Ok(layout.finish(header.header_size(), header.data_offset(), Some((header.header_size(), file_size))));
    }
    check_size(header, file_size)?;
    let alignment = draft.alignment(header);
    let data =
        if is_placed_anew(header, draft) { Some(place(header, draft, alignment, Some(file_size))?) } else { None };
    let mut layout = head(header, draft, data.as_ref())?;
    let header_size = layout.size();
    let data_offset = header_size.next_multiple_of(alignment);
    match data {
        Some(data) => {
            for placed in data.tensors.iter().filter(|placed| placed.segment.byte_length() > 0) {
                pad_to(&mut layout, data_offset.checked_add(placed.offset))?;
                layout.push(placed.segment.clone());
            }
            if data.is_padded {
                let end = layout.size().max(data_offset).checked_next_multiple_of(alignment);
                pad_to(&mut layout, end)?;
            }
            layout.copy(data.trailing);
        }
        // What follows a header without tensors is aligned to nothing, unless all that follows is padding; nor is anything
        // where a file ends before its data section: an alignment of gigabytes would fill it with as many zeros.
        None if header_size == header.header_size()
            || (draft.tensors.is_empty() && header.data_offset() != file_size)
            || header.data_offset() > file_size =>
        {
            layout.copy(header.header_size()..file_size);
        }
        None => {
            pad_to(&mut layout, Some(data_offset))?;
            layout.copy(header.data_offset()..file_size);
        }
    }
    // Tensors that overlap are each placed by themselves.
    if layout.size() > MOST_BYTES {
        let message = format!("the file would have {} bytes: readers take up to {MOST_BYTES}", layout.size());
        return Err(EditError::new(ErrorCode::LimitExceeded, message));
    }
    Ok(layout.finish(header_size, data_offset, Some((header.header_size(), file_size))))
}

/// The plan of a changed header alone. The tensors' offsets are those of the changed file if they can be told.
pub(super) fn header(header: &Header, draft: &Draft, file_size: Option<u64>) -> Result<WritePlan> {
    let alignment = draft.alignment(header);
    let data = if is_placed_anew(header, draft) { place(header, draft, alignment, file_size).ok() } else { None };
    let layout = head(header, draft, data.as_ref())?;
    let header_size = layout.size();
    Ok(layout.finish(header_size, header_size.next_multiple_of(alignment), None))
}

/// Whether the data section cannot stay as it is.
fn is_placed_anew(header: &Header, draft: &Draft) -> bool {
    draft.is_repacked
        || draft.alignment(header) != header.alignment()
        || draft.tensors.len() != header.tensors().len()
        || draft.format.endian != header.format().endian
}

fn pad_to(layout: &mut Layout, position: Option<u64>) -> Result<()> {
    position.map_or(Err(u64::MAX), |position| layout.pad_to(position)).map_err(no_memory)
}

fn head(header: &Header, draft: &Draft, data: Option<&PlacedData>) -> Result<Layout> {
    let (old, new) = (header.format(), draft.format);
    let mut head = Head {
        header,
        is_same_layout: old.endian == new.endian && old.length_size() == new.length_size(),
        layout: Layout::default(),
        pending: Encoder::new(new),
    };
    head.layout.make_room(2 * draft.renamed_count() + data.map_or(0, |data| data.segments));
    if !head.is_same_layout {
        let most = header.header_size() * (new.length_size() / old.length_size());
        head.pending.reserve(most).map_err(|_| no_memory(most))?;
    }
    head.beginning(draft);
    draft.entries.iter().for_each(|entry| head.entry(entry));
    for (index, tensor) in draft.tensors.iter().enumerate() {
        head.tensor_info(tensor, data.map(|data| data.tensors[index].offset));
    }
    head.flush();
    check_header_size(head.layout.size())?;
    Ok(head.layout)
}

/// The header that is being laid out.
struct Head<'a> {
    header: &'a Header,
    /// Whether what has not changed can be copied.
    is_same_layout: bool,
    layout: Layout,
    /// What has been encoded since the last copy.
    pending: Encoder,
}

impl Head<'_> {
    fn flush(&mut self) {
        let next = Encoder::new(self.pending.format());
        let encoded = core::mem::replace(&mut self.pending, next);
        self.layout.bytes(encoded.into_bytes());
    }

    fn copy(&mut self, range: Range<u64>) {
        if !self.pending.is_empty() {
            self.flush();
        }
        self.layout.copy(range);
    }

    /// Copies what has not changed, if it can be copied: what has not been is to be encoded.
    #[inline(never)]
    fn is_copied(&mut self, is_kept: bool, range: Range<u64>) -> bool {
        let is_copied = is_kept && self.is_same_layout;
        if is_copied {
            self.copy(range);
        }
        is_copied
    }

    /// Magic, version and counts.
    fn beginning(&mut self, draft: &Draft) {
        let (tensor_count, metadata_count) = (draft.tensors.len() as u64, draft.entries.len() as u64);
        let old = self.header;
        let (first, second) = (8 + old.format().length_size(), 8 + 2 * old.format().length_size());
        if !self.is_copied(true, 0..4) {
            self.pending.header(tensor_count, metadata_count);
            return;
        }
        if !self.is_copied(draft.format.version == old.format().version, 4..8) {
            self.pending.u32(draft.format.version);
        }
        if !self.is_copied(tensor_count == old.tensor_count(), 8..first) {
            self.pending.count(tensor_count);
        }
        if !self.is_copied(metadata_count == old.metadata_count(), first..second) {
            self.pending.count(metadata_count);
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let header = self.header;
        let old = entry.old(header);
        let value_type = entry.value_type(header);
        let kept_value = matches!(entry.content, Content::Origin);
        let kept_type = old.is_some_and(|old| old.value_type() == value_type) && (kept_value || entry.key.is_none());
        let (start, value) = old.map_or((0, 0..0), |old| (old.range().start, old.value_range()));
        let type_start = value.start.saturating_sub(4);
        if !self.is_copied(entry.key.is_none(), start..type_start) {
            self.pending.string(&entry.key(header));
        }
        if !self.is_copied(kept_type, type_start..value.start) {
            self.pending.u32(value_type.id());
        }
        match &entry.content {
            Content::Origin => {
                if !self.is_copied(true, value.clone()) {
                    self.pending.recode(&header.storage, value_type, 1, value.start);
                }
            }
            Content::New(value) => self.new_value(value),
            Content::Spliced(spliced) => {
                let (element_type, length) = (spliced.element_type, spliced.len());
                let elements = old.and_then(|old| old.value().as_array());
                let same = elements.filter(|array| array.element_type() == element_type && array.len() == length);
                let start = elements.map_or(0, |array| array.range().start);
                if !self.is_copied(same.is_some(), value.start..start) {
                    self.pending.array(element_type.id(), length);
                }
                for span in &spliced.spans {
                    match elements.filter(|_| span.source.is_none() && self.is_same_layout) {
                        Some(array) => {
                            let offset = |index| array.iter_from(index).offset();
                            self.copy(offset(span.elements.start)..offset(span.elements.end));
                        }
                        None => span.recode(old, &mut self.pending),
                    }
                }
            }
        }
    }

    fn new_value(&mut self, value: &NewValue) {
        let entry = value.entry();
        self.pending.recode(entry.storage(), entry.value_type(), 1, entry.value_range().start);
    }

    fn tensor_info(&mut self, tensor: &Tensor, offset: Option<u64>) {
        let Some(old) = self.header.tensor_at(tensor.origin) else { return };
        let offset = offset.unwrap_or_else(|| old.offset());
        let (range, name) = (old.range(), old.name());
        if !self.is_copied(tensor.name.is_none(), range.start..name.range().end) {
            self.pending.string(&tensor.name(self.header).unwrap_or_default());
        }
        if !self.is_copied(true, name.range().end..range.end - 8) {
            self.pending.u32(old.dimensions().len() as u32);
            old.dimensions().for_each(|extent| _ = self.pending.count(extent));
            self.pending.u32(old.ggml_type().0);
        }
        if !self.is_copied(offset == old.offset(), range.end - 8..range.end) {
            self.pending.u64(offset);
        }
    }
}

/// The data section of the new file.
struct PlacedData {
    /// In the order of the list of tensors.
    tensors: Vec<Placed>,
    /// Whether zeros follow the last tensor, up to the alignment. They would become part of a tensor whose size cannot
    /// be computed, so they do not follow such a tensor.
    is_padded: bool,
    /// The bytes of the old file that follow its last tensor and the padding.
    trailing: Range<u64>,
    /// How many segments the plan has at most for the data and for new offsets.
    segments: usize,
}

/// A tensor's data in the new file.
struct Placed {
    /// From the start of the data section.
    offset: u64,
    segment: Segment,
}

/// An error if the file ends before its header or its tensors do.
fn check_size(header: &Header, file_size: u64) -> Result<()> {
    let header_size = header.header_size();
    if file_size < header_size {
        let message = format!("the file is truncated: it has {file_size} bytes, its header {header_size}");
        return Err(EditError::new(ErrorCode::Truncated, message).at(file_size));
    }
    extents::first_incomplete(header, file_size).map_or(Ok(()), |tensor| Err(truncated(&tensor, Some(file_size))))
}

#[cold]
fn truncated(tensor: &TensorInfo<'_>, file_size: Option<u64>) -> EditError {
    let message = format!("the file is truncated: the data of \"{}\" goes beyond its end", tensor.name());
    EditError::new(ErrorCode::Truncated, message).at(tensor.file_offset().or(file_size).unwrap_or(u64::MAX))
}

/// Places the data of the tensors anew, each at the next multiple of the alignment.
fn place(header: &Header, draft: &Draft, alignment: u64, file_size: Option<u64>) -> Result<PlacedData> {
    let extents = Extents::new(header).map_err(no_memory)?;
    let swaps = draft.format.endian != header.format().endian;
    let (mut tensors, count) = (Vec::new(), draft.tensors.len());
    tensors.try_reserve_exact(count).map_err(|_| no_memory((count * size_of::<Placed>()) as u64))?;
    let (mut offset, mut is_padded) = (0_u64, count > 0);
    let (mut segments, mut copied_end) = (0, 0);
    for tensor in draft.tensors.iter().filter_map(|tensor| header.tensor_at(tensor.origin)) {
        let range = extents.of(&tensor, file_size).map_err(|error| match error {
            NoExtent::Incomplete => truncated(&tensor, file_size),
            NoExtent::FileSizeUnknown => size_unknown(),
        })?;
        if !range.is_empty() {
            is_padded = tensor.byte_length().is_some();
        }
        let length = range.end - range.start;
        let end = offset.checked_add(length).and_then(|end| end.checked_next_multiple_of(alignment));
        // A new offset is a segment between two copies, as padding is.
        segments += if offset == tensor.offset() { 0 } else { 2 };
        segments += if range.start == copied_end && length.is_multiple_of(alignment) { 0 } else { 2 };
        copied_end = range.end;
        let is_swapped = swaps && !range.is_empty();
        let segment = if is_swapped { swapped(&tensor, range)? } else { Segment::Copy { source: 0, range } };
        tensors.push(Placed { offset, segment });
        offset = end.ok_or_else(|| no_memory(u64::MAX))?;
    }
    let trailing = file_size.map_or(0..0, |size| extents.padded_end(header, size)..size);
    Ok(PlacedData { tensors, is_padded, trailing, segments })
}

/// An error that says that a file of unknown size cannot be planned.
pub(super) fn size_unknown() -> EditError {
    EditError::new(ErrorCode::SizeUnknown, "the file's size is not known".into())
}

/// The bytes of a tensor in the other byte order.
fn swapped(tensor: &TensorInfo<'_>, range: Range<u64>) -> Result<Segment> {
    let ggml_type = tensor.ggml_type();
    let info = ggml_type.info().filter(|info| info.is_convertible && tensor.byte_length().is_some());
    match info {
        Some(info) if info.fields.is_empty() => Ok(Segment::Copy { source: 0, range }),
        Some(_) => Ok(Segment::Swap { source: 0, range, ggml_type }),
        None => {
            let name = tensor.name();
            let message = format!("\"{name}\": no tool defines what blocks of {ggml_type} are in the other byte order");
            Err(EditError::new(ErrorCode::NoByteOrder, message).at(tensor.range().start))
        }
    }
}
