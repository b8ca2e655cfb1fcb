//! Tables of Markdown whose columns are aligned with spaces, as gguf-dump writes them.

use alloc::{string::String, vec::Vec};
use core::fmt::{self, Write};

/// A column of a table.
pub(super) struct Column {
    title: &'static str,
    /// Whether the cells are aligned to the right.
    is_right: bool,
}

impl Column {
    pub const fn left(title: &'static str) -> Self {
        Self { title, is_right: false }
    }

    pub const fn right(title: &'static str) -> Self {
        Self { title, is_right: true }
    }
}

/// The characters of padding that a column may have in all. A longer column is only as wide as this allows: one long cell
/// in a million rows would make gigabytes of spaces.
const MOST_PADDING: usize = 2 << 20;

/// The width up to which each column is aligned, also in very long tables.
const ALIGNED_WIDTH: usize = 256;

/// Writes a table of `count` rows. `row` returns the cells of a row: it is called two times for each, first to measure them.
pub(super) fn write_table(
    out: &mut dyn Write,
    columns: &[Column],
    count: usize,
    row: &dyn Fn(usize) -> Vec<String>,
) -> fmt::Result {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.title.len()).collect();
    for index in 0..count {
        for (width, cell) in widths.iter_mut().zip(row(index)) {
            *width = cell.chars().count().max(*width);
        }
    }
    let most = (MOST_PADDING / (count + 1)).max(ALIGNED_WIDTH);
    for width in &mut widths {
        *width = most.min(*width);
    }
    let titles: Vec<String> = columns.iter().map(|column| column.title.into()).collect();
    write_row(out, columns, &widths, &titles)?;
    for (column, width) in columns.iter().zip(&widths) {
        out.write_str(if column.is_right { "|" } else { "|:" })?;
        repeat(out, "-", width + 1)?;
        out.write_str(if column.is_right { ":" } else { "" })?;
    }
    out.write_str("|\n")?;
    (0..count).try_for_each(|index| write_row(out, columns, &widths, &row(index)))
}

fn write_row(out: &mut dyn Write, columns: &[Column], widths: &[usize], cells: &[String]) -> fmt::Result {
    for ((column, width), cell) in columns.iter().zip(widths).zip(cells) {
        let spaces = (width + 1).saturating_sub(cell.chars().count());
        out.write_str("|")?;
        repeat(out, " ", if column.is_right { spaces } else { 1 })?;
        out.write_str(cell)?;
        repeat(out, " ", if column.is_right { 1 } else { spaces })?;
    }
    out.write_str("|\n")
}

/// Writes a text several times. The formatting of Rust pads to at most 65,535 characters, and keys can be as long.
fn repeat(out: &mut dyn Write, text: &str, count: usize) -> fmt::Result {
    (0..count).try_for_each(|_| out.write_str(text))
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::{Column, write_table};

    const COLUMNS: [Column; 2] = [Column::right("POS"), Column::left("Key")];

    #[test]
    fn cells_are_aligned_by_characters() {
        let mut out = String::new();
        let rows = [["1", "a"], ["1000", "größer"]];
        write_table(&mut out, &COLUMNS, 2, &|row| rows[row].map(ToString::to_string).to_vec()).unwrap();
        assert_eq!(out, "|  POS | Key    |\n|-----:|:-------|\n|    1 | a      |\n| 1000 | größer |\n");
    }

    #[test]
    fn a_long_cell_does_not_pad_a_million_rows() {
        let mut out = String::new();
        let long = "x".repeat(1 << 20);
        let row = |row: usize| vec![row.to_string(), if row == 0 { long.clone() } else { "key".into() }];
        write_table(&mut out, &COLUMNS, 1000, &row).unwrap();
        assert!(out.len() < 4 << 20, "{}", out.len());
        assert!(out.contains(&format!("| {long}|\n")));
    }
}
