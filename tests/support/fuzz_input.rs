//! The input of the fuzz target `split_decoding`. The regression tests use the same function.
//!
//! ```text
//! n        u8        low four bits: the number of pieces of the pattern; bit 7: small limits
//! pattern  n bytes   low seven bits: the length of a piece; bit 7: given by `spare` and `commit`
//! file     the rest  given in pieces by the pattern, which repeats
//! ```

use gguf_format::Limits;

use crate::split::{Piece, assert_same, split, whole};

/// Decodes the file of an input in one piece, split by its pattern, and byte by byte. Asserts equal results.
pub fn run(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let (pattern, file) = rest.split_at(usize::from(first & 15).min(rest.len()));
    let limits = if first & 0x80 == 0 { Limits::default() } else { small_limits() };
    let expected = whole(file, &limits);
    let pieces = pattern.iter().map(|&piece| match (piece & 0x80, usize::from(piece & 0x7f)) {
        (0, len) => Piece::Push(len),
        (_, len) => Piece::Commit(len),
    });
    // A pattern of only empty pieces would never end.
    if pattern.iter().any(|piece| piece & 0x7f != 0) {
        assert_same(&expected, &split(file, &limits, pieces.cycle()));
    }
    assert_same(&expected, &split(file, &limits, std::iter::repeat(Piece::Push(1))));
}

/// Limits that small inputs can exceed.
fn small_limits() -> Limits {
    let mut limits = Limits::default();
    limits.header_bytes = 300;
    limits.string_bytes = 32;
    limits.array_length = 70;
    limits.array_depth = 2;
    limits.metadata_count = 8;
    limits.tensor_count = 2;
    limits.dimension_count = 2;
    limits
}
