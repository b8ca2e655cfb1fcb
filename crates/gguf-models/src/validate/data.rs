//! The data section: where the data of each tensor lies, and where the file ends.

use alloc::vec::Vec;

use super::audience::Audience;
use super::check::Check;
use super::findings::{Counted, Findings, Subject};
use super::fix::{self, Fix};
use super::tensors::has_countable_size;
use gguf_format::edit::Change;
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::order::sort_by;
use gguf_format::tensor::extents;

pub(super) fn check(header: &Header, file_size: Option<u64>, audience: Audience, findings: &mut Findings) {
    let data = check_offsets(header, file_size, audience, findings);
    check_neighbours(header, data.placed, audience, findings);
    if let Some(file_size) = file_size
        && header.is_complete()
    {
        let incomplete = data.incomplete.map(Subject::Tensor);
        check_end(header, file_size, data.end, incomplete, findings);
    }
}

/// The data of all tensors.
struct Data {
    /// The positions of the tensors whose data lies within 2^64 bytes. Empty if memory for the list cannot be allocated:
    /// then overlaps and gaps are not reported.
    placed: Vec<usize>,
    end: DataEnd,
    /// The first tensor whose data is not completely in the file.
    incomplete: Option<usize>,
}

/// The file offset after the data of all tensors.
struct DataEnd {
    /// The least possible offset; 0 if there is no data.
    least: u64,
    /// Whether the data may go on, because the offset or the size of a tensor is unknown.
    is_open: bool,
}

/// Checks the offset of each tensor.
fn check_offsets(header: &Header, file_size: Option<u64>, audience: Audience, findings: &mut Findings) -> Data {
    let mut data = Data { placed: Vec::new(), end: DataEnd { least: 0, is_open: false }, incomplete: None };
    let can_place = data.placed.try_reserve_exact(header.tensors().len()).is_ok();
    // The data of the tensor before.
    let (mut before_start, mut before_end) = (0, 0);
    for tensor in header.tensors() {
        let (subject, field) = (Some(Subject::Tensor(tensor.index())), Some(tensor.fields().offset));
        let (offset, byte_length) = (tensor.offset(), tensor.byte_length());
        data.end.is_open |= byte_length.is_none();
        let end = offset.saturating_add(byte_length.unwrap_or(0));
        if header.data_offset().checked_add(end).is_none_or(|end| end == u64::MAX) {
            data.end.is_open = true;
            findings.report(
                Check::OffsetTooLarge,
                subject,
                field,
                format_args!("the offset is {offset}, and the data would end beyond 2^64. Download the file again."),
            );
            continue;
        }
        let least_end = least_end(&tensor);
        if file_size.is_some_and(|size| least_end > size) {
            data.incomplete.get_or_insert(tensor.index());
        }
        data.end.least = data.end.least.max(least_end);
        let alignment = header.alignment();
        if !offset.is_multiple_of(alignment) {
            findings.report_with_fix(
                Check::UnalignedTensor,
                subject,
                field,
                format_args!(
                    "the offset is {offset}, expected a multiple of the alignment {alignment}. Repack the data."
                ),
                &|| repack(header),
            );
        }
        // Data that begins inside the data of the tensor before overlaps it, unless it is empty. Other programs read data in any order.
        let is_before = offset < before_start || offset == end && offset < before_end;
        if is_before && audience == Audience::LlamaCpp {
            findings.report_with_fix(
                Check::TensorsOutOfOrder,
                subject,
                field,
                format_args!(
                    "the data lies before that of the previous tensor, and llama.cpp refuses the file. Repack the data."
                ),
                &|| repack(header),
            );
        }
        (before_start, before_end) = (offset, end);
        if can_place {
            data.placed.push(tensor.index());
        }
    }
    data
}

/// The fix for data that lies where llama.cpp does not expect it. `None` if the alignment is wrong, too.
fn repack(header: &Header) -> Option<Fix> {
    let can_be_packed = header.alignment().is_power_of_two() && fix::can_move_data(header);
    can_be_packed.then(|| Fix::safe("Repack the data", Change::Repack))
}

/// The least file offset after the data of a tensor. A size that is too large has a finding of its own, so only the start
/// of such data counts.
fn least_end(tensor: &TensorInfo<'_>) -> u64 {
    let end = if has_countable_size(tensor) { extents::least_end(tensor) } else { tensor.file_offset() };
    end.unwrap_or(u64::MAX)
}

/// Reports tensors that overlap, and gaps between tensors.
fn check_neighbours(header: &Header, mut placed: Vec<usize>, audience: Audience, findings: &mut Findings) {
    let offset = |index: usize| header.tensor_at(index).map_or(0, |tensor| tensor.offset());
    sort_by(&mut placed, &|a, b| (offset(a), a).cmp(&(offset(b), b)));
    // The end of the data so far, the tensor that it belongs to, and whether the size of the last tensor is unknown.
    let (mut last_end, mut owner, mut is_open) = (0_u64, 0, false);
    for index in placed {
        let Some(tensor) = header.tensor_at(index) else { continue };
        let (subject, field) = (Some(Subject::Tensor(index)), Some(tensor.fields().offset));
        let (offset, byte_length) = (tensor.offset(), tensor.byte_length());
        let end = offset + byte_length.unwrap_or(0);
        let padded = last_end.checked_next_multiple_of(header.alignment()).unwrap_or(u64::MAX);
        if end > offset && offset < last_end {
            let shared = Counted(last_end.min(end) - offset, "byte");
            findings.report(
                Check::OverlappingTensors,
                subject,
                field,
                format_args!(
                    "the data shares its first {shared} with tensor {owner}. Write the file again from its source."
                ),
            );
        } else if offset > padded
            && !is_open
            && offset.is_multiple_of(header.alignment())
            && audience == Audience::LlamaCpp
        {
            let unused = Counted(offset - padded, "unused byte");
            findings.report_with_fix(
                Check::Gap,
                subject,
                field,
                format_args!(
                    "there is a gap of {unused} before the data, and llama.cpp refuses the file. Repack the data."
                ),
                &|| repack(header),
            );
        }
        if byte_length == Some(0) {
            continue;
        }
        is_open = byte_length.is_none();
        if end >= last_end {
            (last_end, owner) = (end, index);
        }
    }
}

/// Compares the size of the file with the end of the data.
fn check_end(header: &Header, file_size: u64, data: DataEnd, incomplete: Option<Subject>, findings: &mut Findings) {
    let (data_offset, has_tensors) = (header.data_offset(), header.tensor_count() > 0);
    // The padding between the header and the data is required only if there is data.
    let required = header.header_size().max(data.least);
    let padded = extents::padded(header, data.least);
    if file_size < required {
        let found = Counted(file_size, "byte");
        findings.report(
            Check::Truncated,
            incomplete,
            Some(file_size),
            format_args!("the file has {found}, but its header and tensors need {required}. Download the file again."),
        );
    } else if file_size < data_offset && has_tensors {
        let missing = Counted(data_offset - file_size, "byte");
        findings.report(
            Check::NoDataSection,
            None,
            Some(file_size),
            format_args!(
                "the file ends {missing} before the data section, and llama.cpp refuses it. Append the padding."
            ),
        );
    } else if data.is_open {
    } else if file_size > padded && has_tensors {
        let trailing = Counted(file_size - padded, "byte");
        findings.report(
            Check::TrailingBytes,
            None,
            Some(padded),
            format_args!(
                "the file has {trailing} after the data of all tensors. Remove them, unless a program needs them."
            ),
        );
    } else if file_size > padded {
        let trailing = Counted(file_size - padded, "byte");
        findings.report(
            Check::BytesWithoutTensors,
            None,
            Some(padded),
            format_args!(
                "the file has {trailing} after a header that announces no tensors. Check the counts in the header."
            ),
        );
    } else if file_size < padded && has_tensors {
        let missing = Counted(padded - file_size, "byte");
        findings.report(
            Check::MissingPadding,
            None,
            Some(file_size),
            format_args!("the file lacks {missing} of padding at the end. Append zeros if a reader refuses the file."),
        );
    }
}
