//! A module without the source positions of its panics.
//!
//! The crate's panic handler traps and looks at nothing, so that the optimizer drops the calls that would pass positions
//! and paths to it; but what lies in a module's memory it cannot tell to be dead. It is a kilobyte of download.

use anyhow::{Context, Result};
use std::path::Path;
use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, Module};

/// A `core::panic::Location`: address and length of the path, line, column.
const LOCATION: usize = 16;

/// Blanks the positions in the module at `wasm`, and the paths that they name.
pub fn blank(wasm: &Path) -> Result<()> {
    let mut module = Module::from_file(wasm).with_context(|| wasm.display().to_string())?;
    let (ids, mut segments): (Vec<_>, Vec<_>) = module
        .data
        .iter()
        .filter_map(|data| match data.kind {
            DataKind::Active { offset: ConstExpr::Value(Value::I32(offset)), .. } => {
                Some((data.id(), Segment { offset: offset as u32, bytes: data.value.clone() }))
            }
            _ => None,
        })
        .unzip();
    blank_in(&mut segments);
    for (id, segment) in ids.into_iter().zip(segments) {
        module.data.get_mut(id).value = segment.bytes;
    }
    module.emit_wasm_file(wasm)
}

/// Bytes that lie at an address when the module begins.
struct Segment {
    offset: u32,
    bytes: Vec<u8>,
}

/// Blanks positions and their paths; says how many positions there were.
fn blank_in(segments: &mut [Segment]) -> usize {
    let mut found = Vec::new();
    for (i, segment) in segments.iter().enumerate() {
        for at in (0..segment.bytes.len().saturating_sub(LOCATION - 1))
            .filter(|at| (segment.offset + *at as u32).is_multiple_of(4))
        {
            if let Some(path) = path_of(segments, &segment.bytes[at..at + LOCATION]) {
                found.push([(i, at, LOCATION), path]);
            }
        }
    }
    for (segment, at, length) in found.iter().flatten() {
        segments[*segment].bytes[*at..at + length].fill(0);
    }
    found.len()
}

/// Where the path of a position lies, if the bytes are one: a path of Rust's, a line, a column.
fn path_of(segments: &[Segment], bytes: &[u8]) -> Option<(usize, usize, usize)> {
    let word = |i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes"));
    let (address, length, line, column) = (word(0), word(1) as usize, word(2), word(3));
    if !(1..100_000).contains(&line) || !(1..1000).contains(&column) || !(4..300).contains(&length) {
        return None;
    }
    segments.iter().enumerate().find_map(|(i, segment)| {
        let at = address.checked_sub(segment.offset)? as usize;
        let path = segment.bytes.get(at..at.checked_add(length)?)?;
        let is_path = path.ends_with(b".rs") && path.iter().all(u8::is_ascii_graphic);
        is_path.then_some((i, at, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(address: u32, length: u32, line: u32, column: u32) -> Vec<u8> {
        [address, length, line, column].iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn positions_and_their_paths_are_blanked_and_nothing_else() {
        let text = b"keep.rs src/a.rs keep".to_vec();
        let mut segments =
            [Segment { offset: 100, bytes: text }, Segment { offset: 200, bytes: location(108, 8, 12, 5) }];
        segments[1].bytes.extend_from_slice(&7_u32.to_le_bytes());
        assert_eq!(blank_in(&mut segments), 1);
        assert_eq!(segments[0].bytes, b"keep.rs \0\0\0\0\0\0\0\0 keep");
        assert_eq!(segments[1].bytes, [[0; 16].as_slice(), &[7, 0, 0, 0]].concat());
    }

    #[test]
    fn what_only_looks_like_a_position_is_kept() {
        for (address, length, line, column) in
            [(100, 3, 1, 1), (100, 8, 0, 1), (100, 8, 1, 5000), (101, 8, 1, 1), (100, 9, 1, 1), (900, 8, 1, 1)]
        {
            let bytes = location(address, length, line, column);
            let mut segments = [Segment { offset: 100, bytes: b"src/a.rs!".to_vec() }, Segment { offset: 200, bytes }];
            assert_eq!(blank_in(&mut segments), 0, "{address} {length} {line} {column}");
        }
    }
}
