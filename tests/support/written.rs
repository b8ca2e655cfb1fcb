//! Writes the file of a plan.

#![allow(dead_code, reason = "not every test has several files")]

use gguf_format::write::{Segment, WritePlan};

/// The bytes of the new file. `old` is the original file.
pub fn written(plan: &WritePlan, old: &[u8]) -> Vec<u8> {
    written_from(plan, &[old])
}

/// The bytes of a new file that is put together from several files.
pub fn written_from(plan: &WritePlan, sources: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for segment in plan.segments() {
        let start = bytes.len();
        match segment {
            Segment::Bytes(new) => bytes.extend(new),
            Segment::Copy { source, range } => {
                bytes.extend(&sources[*source][range.start as usize..range.end as usize])
            }
            Segment::Swap { source, range, ggml_type } => {
                let info = ggml_type.info().unwrap();
                assert!((range.end - range.start).is_multiple_of(info.type_size.into()), "no whole blocks");
                bytes.extend(&sources[*source][range.start as usize..range.end as usize]);
                info.swap_byte_order(&mut bytes[start..]);
            }
        }
        assert_eq!(segment.byte_length(), (bytes.len() - start) as u64);
    }
    bytes
}
