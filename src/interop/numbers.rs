//! JavaScript numbers that stand for integers.

use gguf_format::limits::MAX_FILE_SIZE;

/// The least integer beyond those that JavaScript numbers hold exactly: 2^53.
pub(crate) const POSITION_END: u64 = MAX_FILE_SIZE + 1;

/// Whether a number is an integer that `i64` holds.
pub(crate) fn is_integer(number: f64) -> bool {
    number == number as i64 as f64
}

/// Whether a number can be a position, a size or a count: an integer from 0 to 2^53 - 1.
pub(crate) fn is_position(number: f64) -> bool {
    (0.0..POSITION_END as f64).contains(&number) && is_integer(number)
}

/// A position or a count as a JavaScript number, if the number is exact.
pub(crate) fn exact(position: u64) -> Option<f64> {
    (position < POSITION_END).then_some(position as f64)
}
