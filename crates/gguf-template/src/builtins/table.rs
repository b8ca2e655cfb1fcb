//! Tables of functions.

use crate::values::value::Native;

/// Names and what they do.
pub(crate) type Table = [(&'static str, Native)];

/// The function with a name in a table.
pub(crate) fn find_in(table: &'static Table, name: &str) -> Option<(&'static str, Native)> {
    table.iter().find(|(other, _)| *other == name).copied()
}
