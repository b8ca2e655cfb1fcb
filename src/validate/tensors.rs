//! Tensors: their infos one by one, where they lie in the data section, and whether the file is all there.

use alloc::vec::Vec;

use super::check::Check;
use super::findings::{Findings, NONE, TENSORS};
use super::{duplicates, text};
use crate::format::ggml_type::MOST_ELEMENTS;
use crate::format::header::{Header, heap_sort_by};
use crate::format::version::LONGEST_NAME;
use crate::know::keys::KeyTypes;
use crate::tensor::extents;

/// The data that the tensors have, as far as the file's size matters.
struct Data {
    /// The position in the file where it ends, as far as that is known; 0 if there is none.
    end: u64,
    /// Whether a tensor's place or size is not known.
    is_unknown: bool,
    /// The first tensor that is not all there, as a subject.
    incomplete: u64,
}

#[inline(never)]
pub(super) fn check(header: &Header, file_size: Option<u64>, marks: KeyTypes, findings: &mut Findings<'_>) {
    let file_size = file_size.unwrap_or(NONE);
    let length_size = header.format().length_size();
    let mut placed = Vec::new();
    // Without memory for the list, overlaps and gaps are not reported.
    let _ = placed.try_reserve_exact(header.tensors().len());
    let mut data = Data { end: 0, is_unknown: false, incomplete: NONE };
    let mut is_quantized = false;
    let (mut before_start, mut before_end) = (0, 0);
    duplicates::check(header, true, findings);
    for tensor in header.tensors() {
        findings.subject = TENSORS | tensor.index() as u64;
        let (range, name) = (tensor.range(), tensor.name().range());
        match name.end - name.start {
            ..LONGEST_NAME => {}
            LONGEST_NAME => findings.report(Check::LongTensorNameForGgml, range.start, 0, 0),
            length => findings.report(Check::LongTensorName, range.start, length, 0),
        }
        text::check(header.bytes(), name.clone(), findings);

        // Behind the name are the number of dimensions, the dimensions, the type and the offset: 4, n, 4 and 8 bytes.
        let (type_at, offset_at) = (range.end - 12, range.end - 8);
        match tensor.dimensions().len() {
            0 => findings.report(Check::NoDimensions, name.end, 0, 0),
            1..=4 => {}
            count => findings.report(Check::TooManyDimensions, name.end, count as u64, 0),
        }
        let (mut index, mut is_negative, mut row_length) = (0, false, 1);
        for extent in tensor.dimensions() {
            if extent > MOST_ELEMENTS {
                findings.report(Check::NegativeDimension, name.end + 4 + index * length_size, index, extent);
                is_negative = true;
            }
            if index == 0 {
                row_length = extent;
            }
            index += 1;
        }
        let (element_count, byte_length) = (tensor.element_count(), tensor.byte_length());
        if element_count == Some(0) {
            findings.report(Check::ZeroSizedTensor, name.end, 0, 0);
        }
        let mut fits = element_count.is_some_and(|count| count < MOST_ELEMENTS);
        let type_id = u64::from(tensor.ggml_type().0);
        match tensor.ggml_type().info() {
            None => findings.report(Check::UnknownTensorType, type_at, type_id, 0),
            Some(info) if info.is_removed() => findings.report(Check::RemovedTensorType, type_at, type_id, 0),
            Some(info) => {
                let block_size = u64::from(info.block_size);
                is_quantized |= block_size > 1;
                if !row_length.is_multiple_of(block_size) {
                    findings.report(Check::PartialBlock, type_at, row_length, block_size);
                } else {
                    fits &= byte_length.is_some();
                }
            }
        }
        if !fits && !is_negative {
            findings.report(Check::TensorTooLarge, name.end, 0, 0);
        }

        let offset = tensor.offset();
        data.is_unknown |= byte_length.is_none();
        let end = offset.saturating_add(byte_length.unwrap_or(0));
        if header.data_offset().checked_add(end).is_none_or(|end| end == u64::MAX) {
            data.is_unknown = true;
            findings.report(Check::OffsetTooLarge, offset_at, offset, 0);
            continue;
        }
        // A size that is too large is reported already: that the file does not have as many bytes says nothing new.
        let least_end = if fits { extents::least_end(&tensor) } else { tensor.file_offset() };
        let least_end = least_end.unwrap_or(u64::MAX);
        if least_end > file_size {
            data.incomplete = data.incomplete.min(findings.subject);
        }
        data.end = data.end.max(least_end);
        if !offset.is_multiple_of(header.alignment()) {
            findings.report(Check::UnalignedTensor, offset_at, offset, header.alignment());
        }
        // What begins inside the tensor before overlaps it, unless it is empty.
        if offset < before_start || offset == end && offset < before_end {
            findings.report(Check::TensorsOutOfOrder, offset_at, offset, 0);
        }
        (before_start, before_end) = (offset, end);
        if placed.len() < placed.capacity() {
            placed.push(tensor.index() as u64);
        }
    }
    check_places(header, &mut placed, findings);
    findings.subject = NONE;
    if is_quantized && !marks.has_quantization_version() {
        findings.report(Check::NoQuantizationVersion, NONE, 0, 0);
    }
    if file_size != NONE && header.is_whole() {
        check_file_size(header, file_size, &data, findings);
    }
}

/// Reports tensors that overlap, and gaps between tensors.
fn check_places(header: &Header, placed: &mut [u64], findings: &mut Findings<'_>) {
    let offset = |index: u64| header.tensor_at(index as usize).map_or(0, |tensor| tensor.offset());
    // In most files the offsets are in order already.
    if !placed.is_sorted_by_key(|index| offset(*index)) {
        heap_sort_by(placed, &|a, b| (offset(a), a) < (offset(b), b));
    }
    // Of the tensors with data so far: where the last one ends, which one that is, and whether its size is not known.
    let (mut last, mut owner, mut is_unknown) = (0_u64, 0, false);
    for index in placed {
        let Some(tensor) = header.tensor_at(*index as usize) else { continue };
        let (offset, byte_length, offset_at) = (tensor.offset(), tensor.byte_length(), tensor.range().end - 8);
        let end = offset + byte_length.unwrap_or(0);
        findings.subject = TENSORS | *index;
        let next = last.checked_next_multiple_of(header.alignment()).unwrap_or(u64::MAX);
        if end > offset && offset < last {
            findings.report(Check::OverlappingTensors, offset_at, last.min(end) - offset, owner);
        } else if offset > next && !is_unknown && offset.is_multiple_of(header.alignment()) {
            findings.report(Check::Gap, offset_at, offset - next, 0);
        }
        if byte_length == Some(0) {
            continue;
        }
        is_unknown = byte_length.is_none();
        if end >= last {
            (last, owner) = (end, *index);
        }
    }
}

/// Reports what the file lacks; and what it has too much, if it is known where all data ends.
fn check_file_size(header: &Header, file_size: u64, data: &Data, findings: &mut Findings<'_>) {
    let data_offset = header.data_offset();
    // The padding between header and data is needed only if there is data.
    let needed = header.header_size().max(data.end);
    let padded = extents::padded(header, data.end);
    if file_size < needed {
        findings.subject = data.incomplete;
        findings.report(Check::Truncated, file_size, file_size, needed);
    } else if file_size < data_offset && header.tensor_count() > 0 {
        findings.report(Check::NoDataSection, file_size, data_offset - file_size, 0);
    } else if data.is_unknown {
    } else if file_size > padded {
        let check = if header.tensor_count() == 0 { Check::BytesWithoutTensors } else { Check::TrailingBytes };
        findings.report(check, padded, file_size - padded, 0);
    } else if file_size < padded && header.tensor_count() > 0 {
        findings.report(Check::MissingPadding, file_size, padded - file_size, 0);
    }
}
