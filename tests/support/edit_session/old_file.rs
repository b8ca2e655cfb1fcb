//! Checks of a file before it is edited.

use gguf_format::Endian;
use gguf_format::edit::Edit;
use gguf_format::write::Segment;

use super::parse;
use crate::model::{Expected, OldFile, Tensor};
use crate::written::written;

pub fn check_unchanged(old: &OldFile) {
    let edit = Edit::new(parse(&old.bytes));
    let size = old.size();
    let plan = edit.plan(Some(size)).unwrap();
    assert_eq!(plan.segments(), [Segment::Copy { source: 0, range: 0..size }]);
    assert_eq!(plan.patches(), Some(&[][..]));
    assert_eq!(edit.plan(None).unwrap_err().code(), "size-unknown");
    // Also if the file is shorter than the header.
    let cut = edit.plan(Some(old.header_size / 2)).unwrap();
    assert_eq!(cut.segments(), [Segment::Copy { source: 0, range: 0..old.header_size / 2 }]);
}

/// A file that is converted to the other byte order and back equals the repacked file.
pub fn check_turned_twice(old: &OldFile) {
    let other = match old.model.format.endian {
        Endian::Little => Endian::Big,
        Endian::Big => Endian::Little,
    };
    let mut edit = Edit::new(parse(&old.bytes));
    edit.set_byte_order(other);
    let Ok(plan) = edit.plan(Some(old.size())) else { return };
    let turned = written(&plan, &old.bytes);
    let mut edit = Edit::new(parse(&turned));
    edit.set_byte_order(old.model.format.endian);
    let back = written(&edit.plan(Some(turned.len() as u64)).unwrap(), &turned);
    let mut edit = Edit::new(parse(&old.bytes));
    edit.repack();
    let repacked = written(&edit.plan(Some(old.size())).unwrap(), &old.bytes);
    assert!(back == repacked, "not the same when turned twice");
    // And in the other direction: repacking changes nothing in a file that is already packed.
    let mut model = old.model.clone();
    model.repack();
    let expected = old.expected(&model).unwrap();
    if model.tensors.iter().zip(regular_offsets(old)).all(|(tensor, offset)| tensor.offset == offset)
        && is_padding_clear(old, &expected)
    {
        assert!(back == old.bytes, "turned twice, a regular file is another");
    }
}

pub fn regular_offsets(old: &OldFile) -> Vec<u64> {
    let mut running = 0_u64;
    let place = |tensor: &Tensor| {
        let offset = running;
        running = (running + tensor.length().unwrap_or(0)).next_multiple_of(old.model.alignment());
        offset
    };
    old.model.tensors.iter().map(place).collect()
}

/// Whether all bytes between the copied ranges are 0 in the old file, if the ranges have the same positions there.
pub fn is_padding_clear(old: &OldFile, expected: &Expected) -> bool {
    let mut is_copied = vec![false; expected.bytes.len()];
    is_copied[..expected.header_size as usize].fill(true);
    for (start, range) in &expected.copies {
        is_copied[*start as usize..(start + range.end - range.start) as usize].fill(true);
    }
    old.bytes.len() == is_copied.len() && old.bytes.iter().zip(is_copied).all(|(byte, copied)| copied || *byte == 0)
}
