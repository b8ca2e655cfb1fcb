//! Kernels of types of other programs give the bits that those programs give.
//!
//! `golden-forks` of the reference corpus has rows of these types, and the elements that the programs make of them. Its
//! `index.json` says how the rows of a type lie.

use std::collections::BTreeSet;

use gguf_format::tensor::{FORK_KERNELS, ForkKernel, RowGroup, fork_kernel};
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::corpus;

/// Rows of a type with the elements that they stand for.
struct Golden {
    name: String,
    file: String,
    kernel: ForkKernel,
    block_size: usize,
    type_size: usize,
    row_head: usize,
    rows_together: usize,
    columns: usize,
    bytes: Vec<u8>,
    elements: Vec<f32>,
}

impl Golden {
    fn all() -> Vec<Self> {
        let Some(folder) = corpus::folder() else { return Vec::new() };
        let folder = folder.join("golden-forks");
        let index = corpus::json(&folder.join("index.json"));
        let read = |entry: &Json| {
            let number = |key: &str| entry[key].as_u64().unwrap() as usize;
            let text = |key: &str| entry[key].as_str().unwrap().to_owned();
            let elements = corpus::read(&folder.join(text("f32")));
            Self {
                name: text("type"),
                file: text("blocks"),
                kernel: fork_kernel(&text("type")).unwrap_or_else(|| panic!("{} has no kernel", entry["type"])),
                block_size: number("block_size"),
                type_size: number("type_size"),
                row_head: number("row_head"),
                rows_together: number("rows_together"),
                columns: number("row_elements"),
                bytes: corpus::read(&folder.join(text("blocks"))),
                elements: elements.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            }
        };
        index["entries"].as_array().unwrap().iter().map(read).collect()
    }

    /// The bytes of a group of rows.
    fn group_bytes(&self, columns: usize) -> usize {
        self.rows_together * (self.row_head + columns / self.block_size * self.type_size)
    }

    /// The first element of converted groups that differs, as a message. Two NaNs are equal.
    fn first_difference(&self, columns: usize, groups: &[u8], expected: &[f32]) -> Option<String> {
        let mut elements = vec![7.0; expected.len()];
        let group = (self.kernel)(columns, groups, &mut elements);
        assert_eq!(
            group,
            Some(RowGroup { rows: self.rows_together, bytes: self.group_bytes(columns) }),
            "{}",
            self.file
        );
        let (i, (found, expected)) = elements.iter().zip(expected).enumerate().find(|(_, (found, expected))| {
            found.to_bits() != expected.to_bits() && !(found.is_nan() && expected.is_nan())
        })?;
        let (row, column) = (i / columns, i % columns);
        Some(format!("{}: row {row}, column {column} is {found:e}, must be {expected:e}", self.file))
    }
}

#[test]
fn kernels_give_the_bits_of_the_other_programs() {
    let golden = Golden::all();
    let mut differences = Vec::new();
    for golden in &golden {
        let groups = golden.elements.len() / golden.columns / golden.rows_together;
        assert_eq!(golden.bytes.len(), groups * golden.group_bytes(golden.columns), "{}", golden.file);
        differences.extend(golden.first_difference(golden.columns, &golden.bytes, &golden.elements));
    }
    assert!(differences.is_empty(), "{} files differ:\n{}", differences.len(), differences.join("\n"));
    let tested: BTreeSet<&str> = golden.iter().map(|golden| golden.name.as_str()).collect();
    // Another name of Q2_0_G128.
    let untested = FORK_KERNELS.iter().map(|(name, _)| *name).filter(|name| !tested.contains(name) && *name != "PQ2_0");
    assert!(golden.is_empty() || untested.count() == 0, "a kernel has no golden elements");
}

/// The rows of the corpus have 512 columns. Here each row of a group is cut to fewer.
#[test]
fn rows_with_fewer_blocks_have_the_first_elements() {
    for golden in Golden::all() {
        let (head, block) = (golden.row_head * golden.rows_together, golden.type_size * golden.rows_together);
        for blocks in 1..golden.columns / golden.block_size {
            let columns = blocks * golden.block_size;
            // Columns of BF16_R16 are stored in pairs.
            if columns % 2 == 1 {
                continue;
            }
            let groups = golden.bytes.chunks(golden.group_bytes(golden.columns));
            let cut: Vec<u8> = groups.flat_map(|group| &group[..head + blocks * block]).copied().collect();
            let rows = golden.elements.chunks(golden.columns);
            let expected: Vec<f32> = rows.flat_map(|row| &row[..columns]).copied().collect();
            assert_eq!(golden.first_difference(columns, &cut, &expected), None, "{columns} columns");
        }
    }
}

#[test]
fn only_the_elements_of_whole_groups_are_written() {
    // A NaN that no kernel writes.
    const UNWRITTEN: u32 = 0x7fc1_2345;
    for golden in Golden::all() {
        let (group, rows) = (golden.group_bytes(golden.columns), golden.rows_together * golden.columns);
        let bytes = golden.bytes[..group].repeat(2);
        let mut out = vec![f32::from_bits(UNWRITTEN); 2 * rows];
        (golden.kernel)(golden.columns, &[], &mut out);
        (golden.kernel)(golden.columns, &bytes[..group - 1], &mut out);
        (golden.kernel)(golden.columns, &bytes, &mut out[..rows - 1]);
        for columns in [0, golden.columns + 1, usize::MAX] {
            assert_eq!((golden.kernel)(columns, &bytes, &mut out), None, "{}: {columns} columns", golden.file);
        }
        assert!(out.iter().all(|element| element.to_bits() == UNWRITTEN), "{}", golden.file);
        (golden.kernel)(golden.columns, &bytes[..2 * group - 1], &mut out);
        let (written, rest) = out.split_at(rows);
        assert!(written.iter().all(|element| element.to_bits() != UNWRITTEN), "{}", golden.file);
        assert!(rest.iter().all(|element| element.to_bits() == UNWRITTEN), "{}", golden.file);
    }
}

#[test]
fn types_without_exact_values_have_no_kernel() {
    for name in ["", "Q4_0", "IQ6_K", "I2_S", "TL1", "TL2", "PTQ1_0", "Q8_K64", "q6_0"] {
        assert!(fork_kernel(name).is_none(), "{name}");
    }
}

proptest! {
    #[test]
    fn wrong_lengths_are_no_error(columns in 0_usize..1200, bytes in 0_usize..9000, elements in 0_usize..9000) {
        let (groups, mut out) = (vec![0x5a; bytes], vec![0.0; elements]);
        for (_, kernel) in FORK_KERNELS {
            kernel(columns, &groups, &mut out);
            kernel(usize::MAX - columns, &groups, &mut out);
        }
    }
}
