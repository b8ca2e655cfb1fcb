//! Checks of the plan of an edit.

use std::ops::Range;

use gguf_format::edit::HeaderPlan;
use gguf_format::write::{Part, Segment, WritePlan};
use gguf_format::{GgmlType, Header};

use super::choices::Choices;
use super::{Session, parse};
use crate::model::Expected;
use crate::model_value::ModelValue;
use crate::written::written;

impl Session<'_> {
    pub fn check_plan(&self, plan: &WritePlan, expected: &Expected, choices: &mut Choices<'_>) {
        let old = &self.old.bytes;
        let bytes = written(plan, old);
        let head = expected.header_size as usize;
        assert!(bytes[..head.min(bytes.len())] == expected.bytes[..head], "another header");
        assert_eq!(bytes.len(), expected.bytes.len(), "of another size");
        assert!(bytes == expected.bytes, "another data section");
        assert_eq!(plan.size(), bytes.len() as u64);
        assert_eq!((plan.header_size(), plan.data_offset()), (expected.header_size, expected.data_offset));
        check_segments(plan);
        for _ in 0..3 {
            let end = bytes.len() + 3;
            let (a, b) = (choices.below(end), choices.below(end));
            let range = a.min(b)..a.max(b);
            let parts = plan.parts(range.start as u64..range.end as u64).map(|part| part_bytes(&part, old));
            assert!(
                parts.collect::<Vec<_>>().concat() == bytes[range.start.min(bytes.len())..range.end.min(bytes.len())],
                "the parts are others"
            );
        }
        for (start, range) in &expected.copies {
            let copied = [Part::Copy { source: 0, range: range.clone() }];
            assert!(plan.parts(*start..start + range.end - range.start).eq(copied), "not copied: {range:?}");
        }
        assert_eq!(plan.patches().is_some(), expected.is_in_place, "{plan:?}");
        self.check_patches(plan, &bytes);
        let header = parse(&bytes);
        assert_eq!((header.format(), header.alignment()), (self.model.format, self.model.alignment()));
        assert_eq!((header.header_size(), header.data_offset()), (plan.header_size(), plan.data_offset()));
        self.check_entries(plan, &header, &bytes);
        self.check_tensors(&header, &bytes);
    }

    pub fn check_patches(&self, plan: &WritePlan, bytes: &[u8]) {
        let Some(patches) = plan.patches() else { return };
        let mut file = self.old.bytes.clone();
        for patch in patches {
            let pieces = plan.header_pieces(self.edit.header().bytes(), patch.clone());
            file[patch.start as usize..patch.end as usize].copy_from_slice(&pieces.collect::<Vec<_>>().concat());
        }
        assert!(file == bytes, "patched, the file is another");
        let mut in_place = 0;
        let mut position = 0;
        for segment in plan.segments() {
            if matches!(segment, Segment::Copy { range, .. } if range.start == position) {
                in_place += segment.byte_length();
            }
            position += segment.byte_length();
        }
        assert_eq!(patches.iter().map(|patch| patch.end - patch.start).sum::<u64>() + in_place, plan.size());
        assert!(patches.windows(2).all(|pair| pair[0].end < pair[1].start), "{patches:?}");
    }

    /// The entries equal those of the model. Unchanged entries have the same bytes as in the old file.
    pub fn check_entries(&self, plan: &WritePlan, header: &Header, bytes: &[u8]) {
        let (old, new) = (self.old.model.format, self.model.format);
        let is_same_layout = old.endian == new.endian && old.length_size() == new.length_size();
        assert_eq!(header.metadata().len(), self.model.entries.len());
        let mut new_bytes = 24;
        for (entry, expected) in header.metadata().zip(&self.model.entries) {
            assert_eq!(*entry.key().to_bytes(), *expected.key);
            assert_eq!(ModelValue::read(entry.value()), expected.value.seen());
            let Range { start, end } = entry.value_range();
            assert_eq!(bytes[start as usize..end as usize], expected.value.encoded(new));
            new_bytes += expected.new_bytes;
            let old_entry = expected.origin.map(|origin| self.edit.header().metadata_at(origin).unwrap());
            let Some(old_entry) = old_entry.filter(|_| is_same_layout && self.model.changes > 0) else { continue };
            let copied = |new: Range<u64>, old: Range<u64>| {
                let is_copied = plan.parts(new).eq([Part::Copy { source: 0, range: old }]);
                assert!(is_copied, "{entry:?} is not copied");
            };
            match (expected.is_key_new, expected.is_value_new) {
                (false, false) => copied(entry.range(), old_entry.range()),
                (true, false) if !entry.value_range().is_empty() => {
                    copied(entry.value_range(), old_entry.value_range());
                }
                (false, true) => {
                    let without_type = if entry.value_type() == old_entry.value_type() { 0 } else { 4 };
                    let key = |range: Range<u64>, value: Range<u64>| range.start..value.start - without_type;
                    copied(key(entry.range(), entry.value_range()), key(old_entry.range(), old_entry.value_range()));
                }
                _ => {}
            }
        }
        for tensor in &self.model.tensors {
            let name = if tensor.is_name_new { 8 + tensor.name.len() } else { 0 };
            new_bytes += name + if self.old.is_repacked_by(&self.model) { 8 } else { 0 };
        }
        let is_new = |part| if let Part::Bytes(bytes) = part { bytes.len() } else { 0 };
        let found: usize = plan.parts(0..plan.header_size()).map(is_new).sum();
        assert!(!is_same_layout || found <= new_bytes, "{found} new bytes, not up to {new_bytes}");
    }

    pub fn check_tensors(&self, header: &Header, bytes: &[u8]) {
        assert_eq!(header.tensors().len(), self.model.tensors.len());
        let is_repacked_by = self.old.is_repacked_by(&self.model);
        let mut running = 0_u64;
        for (position, (tensor, expected)) in header.tensors().zip(&self.model.tensors).enumerate() {
            assert_eq!(*tensor.name().to_bytes(), *expected.name);
            assert!(tensor.dimensions().eq(expected.dimensions.iter().copied()));
            assert_eq!(tensor.ggml_type(), GgmlType(expected.ggml_type));
            let origin = self.edit.tensor_origin(position).unwrap();
            assert_eq!(self.old.model.tensors[origin].offset, expected.offset);
            assert_eq!(tensor.offset(), if is_repacked_by { running } else { expected.offset });
            if self.old.is_truncated() {
                continue;
            }
            let extent = self.old.extent(expected);
            running = (running + extent.end - extent.start).next_multiple_of(header.alignment());
            if extent.is_empty() {
                continue;
            }
            let mut data = self.old.bytes[extent.start as usize..extent.end as usize].to_vec();
            if self.model.format.endian != self.old.model.format.endian {
                tensor.ggml_type().info().unwrap().swap_byte_order(&mut data);
            }
            let start = tensor.file_offset().unwrap() as usize;
            assert!(bytes[start..start + data.len()] == data, "{tensor:?} has other bytes");
        }
    }

    /// The positions in a planned header equal the positions in the decoded bytes of that header.
    pub fn check_positions(&self, plan: &HeaderPlan, bytes: &[u8]) {
        let decoded = parse(bytes);
        assert_eq!(decoded.metadata().len(), self.model.entries.len());
        for (position, entry) in decoded.metadata().enumerate() {
            assert_eq!(plan.value_range(position), Some(entry.value_range()));
        }
        assert_eq!(plan.value_range(decoded.metadata().len()), None);
        let offsets: Vec<u64> = decoded.tensors().map(|tensor| tensor.offset()).collect();
        assert_eq!(plan.tensor_offsets().collect::<Vec<_>>(), offsets);
        assert_eq!((plan.header_size(), plan.data_offset()), (decoded.header_size(), decoded.data_offset()));
    }
}

/// The bytes of one part of a file.
pub fn part_bytes(part: &Part<'_>, old: &[u8]) -> Vec<u8> {
    match part {
        Part::Bytes(bytes) => bytes.to_vec(),
        Part::Copy { source: 0, range } => old[range.start as usize..range.end as usize].to_vec(),
        Part::Swap { source: 0, range, first_block, ggml_type } => {
            let info = ggml_type.info().unwrap();
            let block = u64::from(info.type_size);
            let start = first_block + (range.start - first_block) / block * block;
            let end = first_block + (range.end - first_block).next_multiple_of(block);
            let mut blocks = old[start as usize..end as usize].to_vec();
            info.swap_byte_order(&mut blocks);
            blocks[(range.start - start) as usize..(range.end - start) as usize].to_vec()
        }
        other => panic!("{other:?}"),
    }
}

pub fn check_segments(plan: &WritePlan) {
    for pair in plan.segments().windows(2) {
        let could_be_one = match (&pair[0], &pair[1]) {
            (Segment::Bytes(_), Segment::Bytes(_)) => true,
            (Segment::Copy { range: first, .. }, Segment::Copy { range: next, .. }) => first.end == next.start,
            (
                Segment::Swap { range: first, ggml_type, .. },
                Segment::Swap { range: next, ggml_type: next_type, .. },
            ) => first.end == next.start && ggml_type == next_type,
            _ => false,
        };
        assert!(!could_be_one, "{pair:?}");
    }
    assert!(plan.segments().iter().all(|segment| segment.byte_length() > 0));
}
