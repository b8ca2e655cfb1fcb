//! What is left of the data of an original file in the file that has replaced it.

use gguf_format::edit::Edit;
use gguf_format::write::kept_ranges;
use gguf_format::{Endian, Format, Result};

use crate::gguf_bytes::GgufBytes;

/// A file with the data of three tensors: a gap of 16 bytes follows the first one, and 20 bytes of no tensor the last one.
fn file() -> GgufBytes {
    let mut file = GgufBytes::new(Format::default());
    file.header(3, 1).entry(b"name", &"short".into());
    file.tensor(b"a", &[4], 0, 0).tensor(b"b", &[8], 0, 32).tensor(b"c", &[8], 0, 64).pad_to(32);
    let data: Vec<u8> = (1..=116).collect();
    file.bytes(&data);
    file
}

/// Applies changes to the file. Checks that what is said to be kept has the same bytes in the new file. `None` if a tensor is lost.
fn kept_after(change: impl Fn(&mut Edit) -> Result<()>) -> Option<u64> {
    let file = file();
    let header = std::sync::Arc::new(gguf_format::parse(file.as_bytes()).unwrap());
    let mut edit = Edit::new(header.clone());
    change(&mut edit).unwrap();
    let plan = edit.plan(Some(file.len())).unwrap();
    let mut new = Vec::new();
    for part in plan.parts(0..plan.size()) {
        match part {
            gguf_format::write::Part::Bytes(bytes) => new.extend_from_slice(bytes),
            gguf_format::write::Part::Copy { range, .. } => {
                new.extend_from_slice(&file.as_bytes()[range.start as usize..range.end as usize]);
            }
            gguf_format::write::Part::Swap { range, .. } => {
                new.resize(new.len() + (range.end - range.start) as usize, 0)
            }
        }
    }
    let kept = kept_ranges(&plan, &header, file.len())?;
    for kept in &kept {
        let length = (kept.range.end - kept.range.start) as usize;
        let [before, after] =
            [(file.as_bytes(), kept.range.start), (&new, kept.at)].map(|(bytes, at)| &bytes[at as usize..][..length]);
        assert_eq!(before, after);
    }
    Some(kept.iter().map(|kept| kept.range.end - kept.range.start).sum())
}

#[test]
fn data_that_stays_or_moves_is_kept() {
    assert!(kept_after(|edit| edit.set("name", &"other".into())).is_some_and(|bytes| bytes >= 116));
    let long = "a name that is longer than all the padding there can be";
    assert!(kept_after(|edit| edit.set("name", &long.into())).is_some_and(|bytes| bytes >= 80));
    assert!(kept_after(|edit| edit.set_alignment(64)).is_some_and(|bytes| bytes >= 80));
    assert!(kept_after(|edit| edit.rename_tensor("a", b"d")).is_some());
}

#[test]
fn a_tensor_that_is_left_out_or_converted_is_lost() {
    for tensor in ["a", "b", "c"] {
        assert_eq!(kept_after(|edit| edit.remove_tensor(tensor)), None, "{tensor}");
    }
    let swapped = kept_after(|edit| {
        edit.set_byte_order(Endian::Big);
        Ok(())
    });
    assert_eq!(swapped, None);
}
