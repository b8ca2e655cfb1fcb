//! Writes the file of a plan.

use gguf_wasm::{Segment, WritePlan};

/// The bytes of the new file. `old` is the original file.
pub fn written(plan: &WritePlan, old: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for segment in plan.segments() {
        let start = bytes.len();
        match segment {
            Segment::Bytes(new) => bytes.extend(new),
            Segment::Copy { source: 0, range } => bytes.extend(&old[range.start as usize..range.end as usize]),
            Segment::Swap { source: 0, range, ggml_type } => {
                let info = ggml_type.info().unwrap();
                assert!((range.end - range.start).is_multiple_of(info.type_size.into()), "no whole blocks");
                bytes.extend(&old[range.start as usize..range.end as usize]);
                info.swap_byte_order(&mut bytes[start..]);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(segment.byte_length(), (bytes.len() - start) as u64);
    }
    bytes
}
