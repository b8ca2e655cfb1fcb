//! Tables of texts in one string: a row is a line, and a tab stands between its columns.
//!
//! In an array of structs, each text is a pointer and a length, which compress badly. The tables of keys and of tensor names
//! would make the gzipped module 12 kB larger.

use core::cmp::Ordering;

/// A table whose rows are sorted by their first column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextTable(&'static str);

impl TextTable {
    /// `rows`: ASCII text; each row ends with a line feed.
    pub const fn new(rows: &'static str) -> Self {
        assert!(rows.is_ascii());
        Self(rows)
    }

    /// All rows.
    pub fn rows(self) -> impl Iterator<Item = TextRow> + Clone {
        self.0.lines().map(TextRow)
    }

    /// The row whose first column is a name. Takes time in proportion to the logarithm of the table's size.
    pub fn find(self, name: Name<'_>) -> Option<TextRow> {
        let mut rows = self.0;
        while !rows.is_empty() {
            // Unlike a search in bytes, these two searches in text test several bytes at once.
            let (before, after) = rows.split_at_checked(rows.len() / 2)?;
            let row_start = before.rfind('\n').map_or(0, |at| at + 1);
            let row_end = before.len() + after.find('\n')?;
            let row = TextRow(rows.get(row_start..row_end)?);
            match name.compare(row.name()) {
                Ordering::Equal => return Some(row),
                Ordering::Less => rows = rows.get(..row_start)?,
                Ordering::Greater => rows = rows.get(row_end + 1..)?,
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

    /// The parts in order.
    pub const fn parts(self) -> [&'a [u8]; 3] {
        [self.start, self.placeholder.as_bytes(), self.end]
    }

    /// Compares the name with a text, byte by byte.
    fn compare(self, text: &str) -> Ordering {
        let mut rest = text.as_bytes();
        for part in self.parts() {
            let (compared, after) = rest.split_at(part.len().min(rest.len()));
            match part.cmp(compared) {
                Ordering::Equal => rest = after,
                different => return different,
            }
        }
        if rest.is_empty() { Ordering::Equal } else { Ordering::Less }
    }

    pub fn starts_with(self, prefix: &str) -> bool {
        let mut rest = prefix.as_bytes();
        for part in self.parts() {
            let (compared, after) = rest.split_at(part.len().min(rest.len()));
            if !part.starts_with(compared) {
                return false;
            }
            rest = after;
        }
        rest.is_empty()
    }
}

/// A text that explains a key or a tensor. Without the feature `explanations`, tables have none: 9 kB less in the gzipped editor.
#[cfg(feature = "explanations")]
macro_rules! explanation {
    ($text:literal) => {
        $text
    };
}
#[cfg(not(feature = "explanations"))]
macro_rules! explanation {
    ($text:literal) => {
        ""
    };
}
pub(crate) use explanation;
