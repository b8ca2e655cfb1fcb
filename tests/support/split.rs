//! A file that is given to the decoder in pieces of any size gives the same header, or the same error, as the whole file.
//!
//! The integration tests and the fuzz target share this module. The functions panic if the decoder or its header contradicts
//! its contract.

#![allow(dead_code, reason = "not every test that includes this splits")]

use std::collections::HashMap;

use gguf_format::{Array, Decoder, ErrorKind, Header, HeaderResult, Limits, Progress, TensorInfo, Value};

/// The way in which the next bytes are given to a decoder.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// By `push`, this number of bytes.
    Push(usize),
    /// By `spare` and `commit`, at most this number of bytes.
    Commit(usize),
}

/// Decodes a file in one piece, and visits everything in the header.
pub fn whole(file: &[u8], limits: &Limits) -> HeaderResult<Header> {
    let mut decoder = Decoder::with_limits(limits.clone());
    decoder.push(file)?;
    let header = decoder.into_header()?;
    walk(&header);
    Ok(header)
}

/// Decodes a file in `pieces`, then the rest in one piece. Checks every answer of the decoder against its contract.
pub fn split(file: &[u8], limits: &Limits, pieces: impl IntoIterator<Item = Piece>) -> HeaderResult<Header> {
    let mut decoder = Decoder::with_limits(limits.clone());
    let mut pieces = pieces.into_iter().fuse();
    let mut rest = file;
    // The position that the last `NeedMore` asked for.
    let mut promised = 0;
    while !rest.is_empty() {
        let before = decoder.bytes_read();
        let (given, progress) = match pieces.next().unwrap_or(Piece::Push(rest.len())) {
            Piece::Push(len) => {
                let len = len.min(rest.len());
                (len, decoder.push(&rest[..len]))
            }
            Piece::Commit(len) => {
                let spare = decoder.spare().expect("a decoder that has not failed has room");
                assert!(!spare.is_empty(), "no room although the header is incomplete");
                let len = len.min(spare.len()).min(rest.len());
                spare[..len].copy_from_slice(&rest[..len]);
                (len, decoder.commit(len))
            }
        };
        rest = &rest[given..];
        match progress {
            Ok(Progress::NeedMore { at_least }) => {
                assert_eq!(decoder.bytes_read(), before + given as u64, "bytes went missing");
                assert!(at_least > 0, "needs more, but nothing");
                promised = decoder.bytes_read() + at_least;
            }
            Ok(Progress::Done { consumed }) => {
                assert!(consumed <= given, "consumed {consumed} of {given}");
                assert_eq!(decoder.bytes_read(), before + consumed as u64);
                assert_eq!(decoder.bytes_read(), decoder.header().header_size());
                assert!(promised <= decoder.bytes_read(), "asked for bytes up to {promised}, behind the header");
                assert_done(&mut decoder, rest);
                break;
            }
            Err(error) => {
                assert_failed(&mut decoder, &error);
                return Err(error);
            }
        }
    }
    if let Err(error) = decoder.finish() {
        let ErrorKind::UnexpectedEof { needed, available, .. } = *error.kind() else {
            panic!("finish found {error}");
        };
        assert!(needed > available, "{error}");
        assert_eq!(error.offset() + available, file.len() as u64, "{error}");
        if promised != 0 {
            assert_eq!(error.offset() + needed, promised, "{error}");
        }
        assert_failed(&mut decoder, &error);
    }
    decoder.into_header()
}

/// A decoder that is complete stays complete, whatever bytes follow.
fn assert_done(decoder: &mut Decoder, rest: &[u8]) {
    let done = Ok(Progress::Done { consumed: 0 });
    assert_eq!(decoder.push(rest), done);
    assert_eq!(decoder.push(b"GGUF"), done);
    assert_eq!(decoder.spare().map(|spare| spare.len()), Ok(0));
    assert_eq!(decoder.commit(1), done);
    assert_eq!(decoder.finish(), Ok(()));
}

/// A decoder that has failed returns the same error on every call.
fn assert_failed(decoder: &mut Decoder, error: &gguf_format::HeaderError) {
    assert_eq!(decoder.push(b"GGUF").as_ref(), Err(error));
    assert_eq!(decoder.push(b"").as_ref(), Err(error));
    assert_eq!(decoder.spare().map(|spare| spare.len()).as_ref(), Err(error));
    assert_eq!(decoder.commit(0).as_ref(), Err(error));
    assert_eq!(decoder.finish().as_ref(), Err(error));
}

/// Asserts that two decodings of the same file have the same result.
pub fn assert_same(whole: &HeaderResult<Header>, split: &HeaderResult<Header>) {
    match (whole, split) {
        (Ok(whole), Ok(split)) => assert_same_header(whole, split),
        (Err(whole), Err(split)) => assert_eq!(whole, split),
        (whole, split) => panic!("whole: {whole:?}, split: {split:?}"),
    }
}

fn assert_same_header(whole: &Header, split: &Header) {
    assert_eq!(whole.format(), split.format());
    assert_eq!(whole.alignment(), split.alignment());
    assert_eq!(whole.header_size(), split.header_size());
    assert_eq!(whole.metadata_count(), split.metadata_count());
    assert_eq!(whole.tensor_count(), split.tensor_count());
    assert_eq!(whole.bytes().len(), split.bytes().len());
    assert!(whole.bytes().pieces(0..whole.header_size()).eq(split.bytes().pieces(0..split.header_size())));
    // The bytes are equal, so only the positions of the views must be compared.
    assert_eq!(whole.metadata().len(), split.metadata().len());
    for (whole_kv, split_kv) in whole.metadata().zip(split.metadata()) {
        assert_eq!(whole_kv.range(), split_kv.range());
        assert_eq!(whole_kv.key().range(), split_kv.key().range());
        assert_eq!(whole_kv.value_range(), split_kv.value_range());
        assert_same_value(&whole_kv.value(), &split_kv.value());
        let index = |header: &Header| header.get(whole_kv.key().to_bytes()).map(|kv| kv.index());
        assert_eq!(index(whole), index(split));
    }
    assert_eq!(whole.tensors().len(), split.tensors().len());
    for (whole_tensor, split_tensor) in whole.tensors().zip(split.tensors()) {
        assert_eq!(whole_tensor.range(), split_tensor.range());
        assert_eq!(whole_tensor.name().range(), split_tensor.name().range());
        assert!(whole_tensor.dimensions().eq(split_tensor.dimensions()));
        assert_eq!(whole_tensor.ggml_type(), split_tensor.ggml_type());
        assert_eq!(whole_tensor.offset(), split_tensor.offset());
        assert_eq!(whole_tensor.file_offset(), split_tensor.file_offset());
        let index = |header: &Header| header.tensor(whole_tensor.name().to_bytes()).map(|tensor| tensor.index());
        assert_eq!(index(whole), index(split));
    }
}

fn assert_same_value(whole: &Value<'_>, split: &Value<'_>) {
    match (whole, split) {
        (Value::Array(whole), Value::Array(split)) => {
            assert_eq!(whole.range(), split.range());
            assert_eq!(whole.len(), split.len());
            for index in sample(whole.len()) {
                assert_eq!(whole.get(index).map(place), split.get(index).map(place));
            }
            if whole.element_type().size().is_none() {
                whole.iter().zip(split.iter()).for_each(|(whole, split)| assert_same_value(&whole, &split));
            }
        }
        (whole, split) => assert_eq!(place(*whole), place(*split)),
    }
}

/// Indices at both ends, and around the elements whose offsets the index stores.
fn sample(len: u64) -> impl Iterator<Item = u64> {
    let around = |at: u64| [at.wrapping_sub(1), at, at + 1];
    [0, 64, 128, len / 2, len].into_iter().flat_map(around).filter(move |&index| index <= len)
}

/// The position of a value, in numbers that can be compared exactly.
#[derive(Debug, PartialEq)]
enum Place {
    Bits(u64),
    Range(std::ops::Range<u64>),
}

fn place(value: Value<'_>) -> Place {
    match value {
        Value::String(text) => Place::Range(text.range()),
        Value::Array(array) => Place::Range(array.range()),
        Value::Float32(number) => Place::Bits(number.to_bits().into()),
        Value::Float64(number) => Place::Bits(number.to_bits()),
        Value::Bool(truth) => Place::Bits(truth.into()),
        Value::Uint64(number) => Place::Bits(number),
        integer => Place::Bits(integer.as_i64().expect("an integer").cast_unsigned()),
    }
}

/// Visits everything in a complete header, in every possible way.
pub fn walk(header: &Header) {
    let size = header.header_size();
    assert_eq!(header.bytes().len(), size);
    assert!((1..1 << 32).contains(&header.alignment()));
    assert!((size..size + header.alignment()).contains(&header.data_offset()));
    assert!(header.data_offset().is_multiple_of(header.alignment()));
    assert_eq!(header.metadata().len() as u64, header.metadata_count());
    assert_eq!(header.tensors().len() as u64, header.tensor_count());

    let mut position = 8 + 2 * header.format().length_size();
    let mut first = HashMap::new();
    for (index, kv) in header.metadata().enumerate() {
        assert_eq!(kv.index(), index);
        assert_eq!(kv.range().start, position, "entries follow one another");
        position = kv.range().end;
        let key = kv.key().to_bytes().into_owned();
        assert_eq!(kv.key().byte_length(), key.len() as u64);
        assert_eq!(kv.key().range().end + 4, kv.value_range().start);
        assert_eq!(kv.value_range().end, position);
        assert_eq!(kv.value().value_type(), kv.value_type());
        assert_eq!(walk_value(header, kv.value(), kv.value_range().start), position, "a value ends with its entry");
        assert_eq!(header.metadata_at(index).map(|kv| kv.range()), Some(kv.range()));
        let first_index = *first.entry(key).or_insert(index);
        assert_eq!(header.get(kv.key().to_bytes()).map(|kv| kv.index()), Some(first_index));
        let _ = format!("{kv:?}");
    }
    assert!(header.metadata_at(header.metadata().len()).is_none());

    let mut first = HashMap::new();
    for (index, tensor) in header.tensors().enumerate() {
        assert_eq!(tensor.index(), index);
        assert_eq!(tensor.range().start, position, "tensor infos follow one another");
        position = tensor.range().end;
        let name = tensor.name().to_bytes().into_owned();
        assert_eq!(header.tensor_at(index).map(|tensor| tensor.range()), Some(tensor.range()));
        let first_index = *first.entry(name).or_insert(index);
        assert_eq!(header.tensor(tensor.name().to_bytes()).map(|tensor| tensor.index()), Some(first_index));
        walk_tensor(header, &tensor);
    }
    assert!(header.tensor_at(header.tensors().len()).is_none());
    assert_eq!(position, size, "the header ends where its last item ends");
    let _ = (format!("{header:?}"), header.parameter_count());
}

fn walk_tensor(header: &Header, tensor: &TensorInfo<'_>) {
    let product = tensor.dimensions().map(u128::from).try_fold(1, u128::checked_mul);
    let product = if tensor.dimensions().any(|extent| extent == 0) { Some(0) } else { product };
    let element_count = product.and_then(|product| u64::try_from(product).ok());
    assert_eq!(tensor.element_count(), element_count);
    if let Some(byte_length) = tensor.byte_length() {
        let info = tensor.ggml_type().info().expect("a size means a known type");
        assert!(!info.is_removed());
        let (block_size, type_size) = (u128::from(info.block_size), u128::from(info.type_size));
        assert_eq!(u128::from(byte_length) * block_size, u128::from(element_count.unwrap()) * type_size);
        assert!(tensor.dimensions().next().unwrap_or(1).is_multiple_of(block_size as u64));
    }
    let file_offset = u128::from(header.data_offset()) + u128::from(tensor.offset());
    assert_eq!(tensor.file_offset(), u64::try_from(file_offset).ok());
    let _ = (format!("{tensor:?}"), tensor.name().to_string_lossy(), tensor.name().to_str().is_ok());
}

/// Visits the value at the position `start`, and returns the position after it.
fn walk_value(header: &Header, value: Value<'_>, start: u64) -> u64 {
    let length_size = header.format().length_size();
    match value {
        Value::String(text) => {
            let bytes = text.to_bytes();
            assert_eq!(text.range(), start + length_size..start + length_size + bytes.len() as u64);
            assert_eq!(text.byte_length(), bytes.len() as u64);
            assert_eq!(text.to_str().ok(), std::str::from_utf8(&bytes).ok().map(Into::into));
            assert_eq!(text.to_string_lossy(), String::from_utf8_lossy(&bytes));
            assert!(text == *bytes);
            text.range().end
        }
        Value::Array(array) => {
            assert_eq!(array.range().start, start + 4 + length_size);
            walk_array(header, array)
        }
        scalar => {
            let _ = (scalar.as_u64(), scalar.as_f64(), scalar.as_bool());
            start + scalar.value_type().size().expect("a scalar has a size")
        }
    }
}

fn walk_array(header: &Header, array: Array<'_>) -> u64 {
    assert_eq!(array.iter().len() as u64, array.len());
    assert_eq!(array.is_empty(), array.iter().next().is_none());
    assert_eq!(array.to_bytes().len() as u64, array.range().end - array.range().start);
    let mut position = array.range().start;
    for value in array.iter() {
        assert_eq!(value.value_type(), array.element_type());
        position = walk_value(header, value, position);
    }
    assert_eq!(position, array.range().end, "an array ends where its last element ends");
    for index in sample(array.len()) {
        let element = array.get(index);
        assert_eq!(element.is_some(), index < array.len());
        assert_eq!(element.map(place), array.iter().nth(index as usize).map(place));
        assert_eq!(array.iter_from(index).len() as u64, array.len() - index);
    }
    assert!(array.get(u64::MAX).is_none());
    position
}
