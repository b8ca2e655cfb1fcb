//! The bytes of the edited header: copies of the original header, and new bytes between them.

use alloc::vec::Vec;
use core::mem::replace;
use core::ops::Range;

use super::data_layout::DataLayout;
use super::edited_array::EditedArray;
use super::edited_entry::{Entry, EntryValue};
use super::edited_header::EditedHeader;
use super::edited_tensor::Tensor;
use crate::error::{Result, no_memory};
use crate::format::header::{Header, MetadataKv};
use crate::write::checks::check_header_size;
use crate::write::encode::Encoder;
use crate::write::plan::PlanBuilder;

/// The layout of the edited header.
pub(super) struct HeaderLayout {
    /// A plan of the header only.
    pub plan: PlanBuilder,
    /// The range of the value of each entry, in bytes from the start of the file.
    pub value_ranges: Vec<Range<u64>>,
}

/// Lays out the edited header. `data` has the new offsets of the tensors, if their data is moved.
pub(super) fn lay_out_header(
    header: &Header,
    edited: &EditedHeader,
    data: Option<&DataLayout>,
) -> Result<HeaderLayout> {
    let (original, new) = (header.format(), edited.format);
    let mut writer = HeaderWriter {
        header,
        is_same_encoding: original.endian == new.endian && original.length_size() == new.length_size(),
        plan: PlanBuilder::default(),
        pending: Encoder::new(new),
    };
    writer.plan.reserve(2 * edited.renamed_count() + data.map_or(0, |data| data.max_segment_count));
    if !writer.is_same_encoding {
        let most = header.header_size() * (new.length_size() / original.length_size());
        writer.pending.reserve(most).map_err(|_| no_memory(most))?;
    }
    writer.write_beginning(edited);
    let value_ranges = edited.entries.iter().map(|entry| writer.write_entry(entry)).collect();
    for (index, tensor) in edited.tensors.iter().enumerate() {
        writer.write_tensor_info(tensor, data.map(|data| data.tensors[index].offset));
    }
    writer.flush();
    check_header_size(writer.plan.size())?;
    Ok(HeaderLayout { plan: writer.plan, value_ranges })
}

/// Appends the parts of the edited header to a plan, each as a copy or as new bytes.
struct HeaderWriter<'a> {
    header: &'a Header,
    /// Whether both headers have the same byte order and the same length size, so that unchanged bytes can be copied.
    is_same_encoding: bool,
    plan: PlanBuilder,
    /// The bytes that were encoded after the last copy, and are not in the plan yet.
    pending: Encoder,
}

impl HeaderWriter<'_> {
    /// The offset of the next byte.
    fn position(&self) -> u64 {
        self.plan.size() + self.pending.len()
    }

    /// Moves the pending bytes to the plan.
    fn flush(&mut self) {
        let next = Encoder::new(self.pending.format());
        self.plan.push_bytes(replace(&mut self.pending, next).into_bytes());
    }

    /// Copies a range of the original header.
    fn copy(&mut self, range: Range<u64>) {
        if !self.pending.is_empty() {
            self.flush();
        }
        self.plan.push_copy(range);
    }

    /// Copies a range of the original header if `is_unchanged` and the encoding is the same. Returns false if it did not
    /// copy; the caller then encodes the bytes.
    fn copy_if(&mut self, is_unchanged: bool, range: Range<u64>) -> bool {
        let is_copied = is_unchanged && self.is_same_encoding;
        if is_copied {
            self.copy(range);
        }
        is_copied
    }

    /// Writes magic, version and counts.
    fn write_beginning(&mut self, edited: &EditedHeader) {
        let (tensor_count, metadata_count) = (edited.tensors.len() as u64, edited.entries.len() as u64);
        let original = self.header;
        let length_size = original.format().length_size();
        let (tensor_count_end, metadata_count_end) = (8 + length_size, 8 + 2 * length_size);
        if !self.copy_if(true, 0..4) {
            self.pending.header(tensor_count, metadata_count);
            return;
        }
        if !self.copy_if(edited.format.version == original.format().version, 4..8) {
            self.pending.u32(edited.format.version);
        }
        if !self.copy_if(tensor_count == original.tensor_count(), 8..tensor_count_end) {
            self.pending.count(tensor_count);
        }
        if !self.copy_if(metadata_count == original.metadata_count(), tensor_count_end..metadata_count_end) {
            self.pending.count(metadata_count);
        }
    }

    /// Writes an entry. Returns the range of its value.
    fn write_entry(&mut self, entry: &Entry) -> Range<u64> {
        let header = self.header;
        let original = entry.original_in(header);
        let value_type = entry.value_type(header);
        let is_value_unchanged = matches!(entry.value, EntryValue::Original);
        let is_same_type = original.is_some_and(|original| original.value_type() == value_type);
        let (start, value) = original.map_or((0, 0..0), |original| (original.range().start, original.value_range()));
        let type_start = value.start.saturating_sub(4);
        if !self.copy_if(entry.key.is_none(), start..type_start) {
            self.pending.string(&entry.key(header));
        }
        // The type is copied only together with the key before it or the value after it. As a copy of its own it would take
        // more memory than 4 new bytes.
        if !self.copy_if(is_same_type && (is_value_unchanged || entry.key.is_none()), type_start..value.start) {
            self.pending.u32(value_type.id());
        }
        let value_start = self.position();
        match &entry.value {
            EntryValue::Original => {
                if !self.copy_if(true, value.clone()) {
                    self.pending.copy_values(&header.storage, value_type, 1, value.start);
                }
            }
            EntryValue::New(new) => {
                let new = new.entry();
                self.pending.copy_values(new.storage(), value_type, 1, new.value_range().start);
            }
            EntryValue::Array(array) => self.write_array(array, original),
        }
        value_start..self.position()
    }

    fn write_array(&mut self, array: &EditedArray, original: Option<MetadataKv<'_>>) {
        let (element_type, length) = (array.element_type, array.len());
        let value_start = original.map_or(0, |original| original.value_range().start);
        let elements = original.and_then(|original| original.value().as_array());
        let same = elements.filter(|array| array.element_type() == element_type && array.len() == length);
        let start = elements.map_or(0, |array| array.range().start);
        if !self.copy_if(same.is_some(), value_start..start) {
            self.pending.array(element_type.id(), length);
        }
        for run in &array.runs {
            match elements.filter(|_| run.source.is_none() && self.is_same_encoding) {
                Some(array) => {
                    let offset = |index| array.iter_from(index).offset();
                    self.copy(offset(run.elements.start)..offset(run.elements.end));
                }
                None => run.encode(original, &mut self.pending),
            }
        }
    }

    fn write_tensor_info(&mut self, tensor: &Tensor, offset: Option<u64>) {
        let Some(original) = self.header.tensor_at(tensor.origin) else { return };
        let offset = offset.unwrap_or_else(|| original.offset());
        let (range, name) = (original.range(), original.name());
        if !self.copy_if(tensor.name.is_none(), range.start..name.range().end) {
            self.pending.string(&tensor.name(self.header).unwrap_or_default());
        }
        if !self.copy_if(true, name.range().end..range.end - 8) {
            self.pending.u32(original.dimension_iter().len() as u32);
            original.dimension_iter().for_each(|extent| _ = self.pending.count(extent));
            self.pending.u32(original.ggml_type().0);
        }
        if !self.copy_if(offset == original.offset(), range.end - 8..range.end) {
            self.pending.u64(offset);
        }
    }
}
