//! The data section: where the tensors lie, and whether the file is all there.

use core::fmt::{self, Display};

use super::check::Check;
use super::findings::{Findings, Place};
use super::order::{self, Keyed};
use super::text::Quoted;
use crate::header::{Header, TensorInfo};

/// How many of the tensors that are incomplete are named.
const NAMED: usize = 3;

pub(super) fn check(header: &Header, file_size: Option<u64>, findings: &mut Findings) {
    let Some(mut placed) = order::list(header.tensors().len()) else { return };
    // Of the tensor before, where there is one.
    let mut before = None;
    for tensor in header.tensors() {
        let offset = tensor.offset();
        let place = offset_place(&tensor);
        let Some(end) = end(header, &tensor) else {
            findings.report(Check::OffsetTooLarge, place, &[&offset]);
            continue;
        };
        if !offset.is_multiple_of(header.alignment()) {
            findings.report(Check::UnalignedTensor, place, &[&offset, &header.alignment()]);
        }
        // What begins inside the tensor before overlaps it, unless it is empty.
        if before.is_some_and(|(start, before_end)| offset < start || offset == end && offset < before_end) {
            findings.report(Check::TensorsOutOfOrder, place, &[&offset]);
        }
        before = Some((offset, end));
        placed.push((offset, tensor.index() as u32));
    }
    order::sort(&mut placed, &|a, b| a < b);
    let last = check_places(header, &placed, findings);
    if let Some(file_size) = file_size.filter(|_| header.is_whole()) {
        let is_sized = |tensor: TensorInfo<'_>| tensor.byte_length().is_some() && end(header, &tensor).is_some();
        let is_known = header.tensors().all(is_sized);
        check_file_size(header, file_size, last, is_known, findings);
    }
}

fn offset_place(tensor: &TensorInfo<'_>) -> Place {
    Place::tensor(tensor, tensor.range().end - 8)
}

/// Where the data ends in the data section; where it begins if its size is unknown. `None` if the place in the file does not fit in
/// 64 bits.
fn end(header: &Header, tensor: &TensorInfo<'_>) -> Option<u64> {
    let end = tensor.offset().checked_add(tensor.byte_length().unwrap_or(0))?;
    header.data_offset().checked_add(end)?;
    Some(end)
}

/// Reports what overlaps and what lies between, and returns where the last byte of data is in the data section.
fn check_places(header: &Header, placed: &[Keyed], findings: &mut Findings) -> u64 {
    // Of the tensors so far: where the last one ends, which one that is, and whether that is known.
    let (mut last, mut owner, mut known) = (0u64, None, true);
    for (offset, index) in placed {
        let Some(tensor) = header.tensor_at(*index as usize) else { continue };
        let Some(end) = end(header, &tensor) else { continue };
        let place = offset_place(&tensor);
        let padded = last.checked_next_multiple_of(header.alignment()).unwrap_or(u64::MAX);
        if end > *offset
            && *offset < last
            && let Some(owner) = owner.and_then(|index| header.tensor_at(index))
        {
            let common = last.min(end) - offset;
            findings.report(Check::OverlappingTensors, place, &[&common, &Quoted(owner.name())]);
        } else if *offset > padded && known && offset.is_multiple_of(header.alignment()) {
            findings.report(Check::Gap, place, &[&(offset - padded)]);
        }
        known = tensor.byte_length().is_some();
        if end >= last {
            (last, owner) = (end, Some(tensor.index()));
        }
    }
    last
}

/// Reports what the file lacks; and what it has too much, if it `is_known` where all data ends.
fn check_file_size(header: &Header, file_size: u64, last: u64, is_known: bool, findings: &mut Findings) {
    let place = Place::file(file_size);
    // Padding is not needed where nothing follows.
    let needed = if last == 0 { header.header_size() } else { header.data_offset().saturating_add(last) };
    if file_size < needed {
        let incomplete = Incomplete { header, file_size };
        let place = incomplete.tensors().next().map_or(place, |tensor| Place::tensor(&tensor, file_size));
        findings.report(Check::Truncated, place, &[&file_size, &needed, &(needed - file_size), &incomplete]);
    } else if file_size < header.data_offset() && header.tensor_count() > 0 {
        findings.report(Check::NoDataSection, place, &[&(header.data_offset() - file_size)]);
    } else if is_known {
        let padded =
            header.data_offset().saturating_add(last.checked_next_multiple_of(header.alignment()).unwrap_or(last));
        if file_size > padded {
            findings.report(Check::TrailingBytes, Place::file(padded), &[&(file_size - padded)]);
        } else if file_size < padded && header.tensors().len() > 0 {
            findings.report(Check::MissingPadding, place, &[&(padded - file_size)]);
        }
    }
}

/// The tensors whose data is not all in the file: the names of the first, and how many more there are.
struct Incomplete<'a> {
    header: &'a Header,
    file_size: u64,
}

impl<'a> Incomplete<'a> {
    fn tensors(&self) -> impl Iterator<Item = TensorInfo<'a>> {
        let (header, file_size) = (self.header, self.file_size);
        header.tensors().filter(move |tensor| {
            let end = end(header, tensor).and_then(|end| header.data_offset().checked_add(end));
            tensor.byte_length() != Some(0) && end.is_some_and(|end| end > file_size)
        })
    }
}

impl Display for Incomplete<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = ", of ";
        let mut tensors = self.tensors();
        for tensor in tensors.by_ref().take(NAMED) {
            write!(f, "{before}{}", Quoted(tensor.name()))?;
            before = ", ";
        }
        match tensors.count() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
