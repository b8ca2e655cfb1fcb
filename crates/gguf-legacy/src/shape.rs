//! Shapes in messages.

use core::fmt;

/// A shape as a message shows it: `[64, 100]`.
pub(super) struct Shape<'a>(pub &'a [u64]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, length) in self.0.iter().enumerate() {
            write!(f, "{}{length}", if index == 0 { "[" } else { ", " })?;
        }
        f.write_str("]")
    }
}
