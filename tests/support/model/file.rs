//! A file with its model, and the file that a changed model must become.

use std::ops::Range;

use super::{Model, Refusal, Tensor};

/// The most padding that a plan may hold, in bytes.
const MOST_PADDING: u64 = 1 << 26;

/// A file and its model.
pub struct OldFile {
    pub bytes: Vec<u8>,
    pub model: Model,
    pub header_size: u64,
    pub data_offset: u64,
}

/// The file that a plan must make.
pub struct Expected {
    pub bytes: Vec<u8>,
    pub header_size: u64,
    pub data_offset: u64,
    /// The ranges after the header that are copied unchanged: the new start, and the range in the old file.
    pub copies: Vec<(u64, Range<u64>)>,
    /// Whether the data section keeps its place.
    pub is_in_place: bool,
}

impl OldFile {
    pub fn new(mut model: Model, bytes: Vec<u8>) -> Self {
        if let Ok(header) = gguf_format::parse(&bytes) {
            for (tensor, stored) in model.tensors.iter_mut().zip(header.tensors()) {
                tensor.meaning = stored.type_info();
            }
        }
        let header_size = model.encoded(&model.old_offsets()).len() as u64;
        let data_offset = header_size.next_multiple_of(model.alignment());
        Self { bytes, header_size, data_offset, model }
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether the file ends before its header or the data of a tensor ends.
    pub fn is_truncated(&self) -> bool {
        let ends_after = |tensor: &Tensor| {
            let least = tensor.length().unwrap_or(1);
            let end = u128::from(self.data_offset) + u128::from(tensor.offset) + u128::from(least);
            least > 0 && end > self.size().into()
        };
        self.size() < self.header_size || self.model.tensors.iter().any(ends_after)
    }

    /// The range of the data of a tensor in a file that is not truncated. Data of unknown size ends at the next tensor.
    pub fn extent(&self, tensor: &Tensor) -> Range<u64> {
        if tensor.length() == Some(0) {
            return 0..0;
        }
        let start = self.data_offset + tensor.offset;
        if let Some(length) = tensor.length() {
            return start..start + length;
        }
        let with_bytes = self.model.tensors.iter().filter(|tensor| tensor.length() != Some(0));
        let offsets = with_bytes.map(|tensor| tensor.offset);
        let next = offsets.filter(|offset| *offset > tensor.offset).min();
        let end = next.and_then(|next| next.checked_add(self.data_offset)).unwrap_or(u64::MAX);
        start..end.min(self.size())
    }

    /// The range after the last tensor and its padding.
    pub fn trailing(&self) -> Range<u64> {
        let first = if self.model.tensors.is_empty() { self.header_size } else { self.data_offset };
        let ends = self.model.tensors.iter().map(|tensor| self.extent(tensor).end);
        let end = ends.max().unwrap_or(first).max(first);
        let alignment = if self.model.tensors.is_empty() { 1 } else { self.model.alignment() };
        end.next_multiple_of(alignment).min(self.size())..self.size()
    }

    /// The errors of a plan.
    pub fn refusal(&self, model: &Model) -> Refusal {
        let mut refusal = Refusal::new();
        if model.changes > 0 && self.is_truncated() {
            refusal.push("truncated");
        }
        let swaps = model.format.endian != self.model.format.endian;
        let has_no_order = |tensor: &Tensor| tensor.length() != Some(0) && !tensor.is_convertible();
        if swaps && model.tensors.iter().any(has_no_order) {
            refusal.push("no-byte-order");
        }
        refusal
    }

    /// Whether tensors are placed anew, so that the data section changes.
    pub fn is_repacked_by(&self, model: &Model) -> bool {
        model.is_repacked
            || model.alignment() != self.model.alignment()
            || model.tensors.len() != self.model.tensors.len()
            || model.format.endian != self.model.format.endian
    }

    /// The file for a changed model.
    pub fn expected(&self, model: &Model) -> Result<Expected, Refusal> {
        let refusal = self.refusal(model);
        if !refusal.is_empty() {
            return Err(refusal);
        }
        if model.changes == 0 {
            return Ok(Expected {
                bytes: self.bytes.clone(),
                header_size: self.header_size,
                data_offset: self.data_offset,
                copies: Vec::new(),
                is_in_place: true,
            });
        }
        let alignment = model.alignment();
        let mut offsets = model.old_offsets();
        let (mut running, mut length) = (0_u64, 0);
        if self.is_repacked_by(model) {
            for (offset, tensor) in offsets.iter_mut().zip(&model.tensors) {
                *offset = running;
                let extent = self.extent(tensor);
                length += extent.end - extent.start;
                running = (running + extent.end - extent.start).next_multiple_of(alignment);
            }
        }
        let mut bytes = model.encoded(&offsets);
        let header_size = bytes.len() as u64;
        let data_offset = header_size.next_multiple_of(alignment);
        let is_padded = self.is_repacked_by(model) && !model.tensors.is_empty();
        if is_padded && data_offset - header_size + running - length > MOST_PADDING {
            return Err(vec!["too-large"]);
        }
        let mut copies = Vec::new();
        let mut copy = |bytes: &mut Vec<u8>, range: Range<u64>| {
            if !range.is_empty() {
                copies.push((bytes.len() as u64, range.clone()));
                bytes.extend(&self.bytes[range.start as usize..range.end as usize]);
            }
        };
        if self.is_repacked_by(model) {
            let swaps = model.format.endian != self.model.format.endian;
            // Padding would become part of a tensor of unknown size.
            let mut may_be_padded = !model.tensors.is_empty();
            for (tensor, offset) in model.tensors.iter().zip(offsets) {
                let extent = self.extent(tensor);
                if extent.is_empty() {
                    continue;
                }
                may_be_padded = tensor.length().is_some();
                bytes.resize((data_offset + offset) as usize, 0);
                let info = tensor.meaning;
                match info.filter(|info| swaps && !info.fields.is_empty()) {
                    None => copy(&mut bytes, extent),
                    Some(info) => {
                        let start = bytes.len();
                        bytes.extend(&self.bytes[extent.start as usize..extent.end as usize]);
                        info.swap_byte_order(&mut bytes[start..]);
                    }
                }
            }
            if may_be_padded {
                let end = bytes.len().max(data_offset as usize);
                bytes.resize(end.next_multiple_of(alignment as usize), 0);
            }
            copy(&mut bytes, self.trailing());
        } else if header_size == self.header_size
            || (model.tensors.is_empty() && self.data_offset != self.size())
            || self.data_offset > self.size()
        {
            copy(&mut bytes, self.header_size..self.size());
        } else {
            bytes.resize(data_offset as usize, 0);
            copy(&mut bytes, self.data_offset..self.size());
        }
        let is_in_place = bytes.len() == self.bytes.len()
            && copies.iter().all(|(new, old)| *new == old.start)
            && covered(&copies) >= (bytes.len() as u64).saturating_sub(data_offset.max(header_size));
        Ok(Expected { bytes, header_size, data_offset, copies, is_in_place })
    }
}

fn covered(copies: &[(u64, Range<u64>)]) -> u64 {
    copies.iter().map(|(_, range)| range.end - range.start).sum()
}
