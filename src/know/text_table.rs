//! Tables of texts in one string: a row is a line, and a tab stands between its columns.
//!
//! In an array of structs, each text is a pointer and a length, which compress badly. The tables of keys and of tensor names
//! would make the gzipped module 12 kB larger.

use core::cmp::Ordering;

/// A table whose rows are sorted by their first column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextTable(&'static str);

impl TextTable {
    /// `rows`: each ends with a line feed.
    pub const fn new(rows: &'static str) -> Self {
        Self(rows)
    }

    /// All rows.
    pub fn rows(self) -> impl Iterator<Item = TextRow> + Clone {
        self.0.lines().map(TextRow)
    }

    /// The row whose first column is a name. Takes time in proportion to the logarithm of the table's size.
    pub fn find(self, name: Name<'_>) -> Option<TextRow> {
        let bytes = self.0.as_bytes();
        let (mut start, mut end) = (0, bytes.len());
        while start < end {
            let middle = start + (end - start) / 2;
            let row_start = start + bytes[start..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let row_end = middle + bytes[middle..end].iter().position(|byte| *byte == b'\n').unwrap_or(end - middle);
            let row = TextRow(self.0.get(row_start..row_end)?);
            match row.name().bytes().cmp(name.bytes()) {
                Ordering::Equal => return Some(row),
                Ordering::Less => start = row_end + 1,
                Ordering::Greater => end = row_start,
            }
        }
        None
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextRow(&'static str);

impl TextRow {
    /// The first column.
    pub fn name(self) -> &'static str {
        let [name] = self.columns();
        name
    }

    /// The first columns. A column that the row does not have is empty.
    pub fn columns<const COUNT: usize>(self) -> [&'static str; COUNT] {
        let mut columns = [""; COUNT];
        for (column, text) in columns.iter_mut().zip(self.0.split('\t')) {
            *column = text;
        }
        columns
    }
}

/// A name with a placeholder in the place of one part: `start`, `placeholder` and `end`, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub start: &'a [u8],
    pub placeholder: &'static str,
    pub end: &'a [u8],
}

impl<'a> Name<'a> {
    /// A name without a placeholder.
    pub const fn as_written(name: &'a [u8]) -> Self {
        Self { start: name, placeholder: "", end: b"" }
    }

    pub fn bytes(self) -> impl Iterator<Item = u8> {
        self.start.iter().copied().chain(self.placeholder.bytes()).chain(self.end.iter().copied())
    }

    pub fn starts_with(self, prefix: &str) -> bool {
        self.bytes().take(prefix.len()).eq(prefix.bytes())
    }
}
