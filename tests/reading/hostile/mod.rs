//! Files that were made to break readers. Each is refused with a code and an offset, or read as it is.

mod alignment;
mod counts;
mod lengths;
mod limits;
mod magic_and_version;
mod nesting;
mod tensor_infos;
mod text;
mod value_types;

use std::iter::repeat;

use crate::gguf_bytes::GgufBytes;
use crate::split::{Piece, assert_same};
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, ErrorKind, Format, GgmlType, Header, HeaderResult, Limit, Limits, Value, ValueType};

use crate::sample;
use crate::split;

const STRING: u32 = ValueType::String as u32;
const ARRAY: u32 = ValueType::Array as u32;

/// A file with these counts, followed by what `write` writes.
fn file(format: Format, tensors: u64, entries: u64, write: impl FnOnce(&mut GgufBytes) -> &mut GgufBytes) -> Vec<u8> {
    let mut file = GgufBytes::new(format);
    write(file.header(tensors, entries));
    file.into_bytes()
}

fn v3(tensors: u64, entries: u64, write: impl FnOnce(&mut GgufBytes) -> &mut GgufBytes) -> Vec<u8> {
    file(Format::default(), tensors, entries, write)
}

/// Decodes a file whole and in pieces, asserts that both agree, and visits everything in the header.
fn open(file: &[u8]) -> HeaderResult<Header> {
    open_within(file, &Limits::default())
}

fn open_within(file: &[u8], limits: &Limits) -> HeaderResult<Header> {
    let whole = split::whole(file, limits);
    assert_same(&whole, &split::split(file, limits, repeat(Piece::Commit(1009))));
    if file.len() < 4 << 10 {
        assert_same(&whole, &split::split(file, limits, repeat(Piece::Push(1))));
    }
    whole
}

/// The limit that a file exceeds, the number found, the number allowed, and the offset.
fn excess(file: &[u8]) -> (Limit, u64, u64, u64) {
    excess_within(file, &Limits::default())
}

fn excess_within(file: &[u8], limits: &Limits) -> (Limit, u64, u64, u64) {
    let error = open_within(file, limits).unwrap_err();
    match *error.kind() {
        ErrorKind::LimitExceeded { limit, found, allowed } => (limit, found, allowed, error.offset()),
        _ => panic!("{error}"),
    }
}

fn failure(file: &[u8]) -> (&'static str, u64) {
    let error = open(file).unwrap_err();
    (error.code().name(), error.offset())
}
