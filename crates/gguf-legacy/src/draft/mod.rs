//! The draft of GGUF: the layout in the first proposal of the specification, before version 1 was released. No program is known
//! that wrote it, so files are read in this layout only if the caller asks for it. All numbers are little-endian.
//!
//! ```text
//! magic            "GGUF"
//! version          u32: 1
//! tensor count     u32
//! entry count      u32
//! entries          key: u32 length, bytes
//!                  value length u32: the bytes of the value
//!                  value type u32: 0 to 9
//!                  value; a string has a u32 length; an array a u32 length, the type of its elements, and the elements
//! padding          zeros up to a multiple of 64
//! tensors          name: u32 length, bytes
//!                  dimension count u32, dimensions u32 each, fastest first
//!                  element count u32
//!                  type u32
//!                  offset of the data u64, from the start of the file; a multiple of 64
//! data
//! ```
//!
//! Version 1 as released has no value length and no element count, writes the type of an array before its length, has no padding
//! before the tensors, and counts offsets from the start of the data section. The keys of the draft are those of
//! `know::keys` that are marked as deprecated.

mod decoder;
mod item;
mod refusal;
mod tensor;
mod value;

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use self::decoder::Decoder;
use self::refusal::refusal;
use super::conversion::Relation;
use super::migrated_file::{DataMethod, MigratedFile, TensorData};
use super::migrated_tensor::MigratedTensor;
use super::migration::Migration;
use super::notes::notes_of_file;
use super::parts::PartsSource;
use super::read::{read_piece, read_pieces};
use gguf_format::error::{ErrorCode, Result};
use gguf_format::io::Source;
use gguf_format::limits::Limits;

/// Opens a file in the layout of the draft of GGUF, as a GGUF file with the same entries and tensors. Only the header is read.
/// The keys stay: [`validate`](gguf_models::validate) names those that others replaced.
///
/// # Errors
///
/// The reason why the file cannot be read, with the offset. Errors of the source are passed on.
///
/// # Examples
///
/// ```
/// use gguf_format::{Limits, io::{FileSource, block_on}};
/// use gguf_legacy::open_draft;
///
/// # let path = std::env::temp_dir().join("gguf-wasm-draft.gguf");
/// # let mut bytes = b"GGUF".to_vec();
/// # [1, 1, 1, 17].iter().for_each(|number: &u32| bytes.extend(number.to_le_bytes()));
/// # bytes.extend(b"llama.hidden_size");
/// # [4, 4, 2].iter().for_each(|number: &u32| bytes.extend(number.to_le_bytes()));
/// # bytes.resize(bytes.len().next_multiple_of(64), 0);
/// # bytes.extend(b"\x04\0\0\0norm\x01\0\0\0\x02\0\0\0\x02\0\0\0\0\0\0\0");
/// # bytes.extend(128_u64.to_le_bytes());
/// # bytes.resize(128, 0);
/// # bytes.extend([1.0, 2.0_f32].map(f32::to_le_bytes).as_flattened());
/// # std::fs::write(&path, &bytes).unwrap();
/// let migration = block_on(open_draft(FileSource::open(&path)?, &Limits::default()))?;
/// let opened = migration.opened()?;
/// assert_eq!(opened.header().get("llama.hidden_size").unwrap().value().as_u64(), Some(2));
/// let tensor = opened.header().tensor("norm").unwrap();
/// assert_eq!(block_on(opened.read_f32(&tensor, 0..2))?, [1.0, 2.0]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub async fn open_draft<S: Source>(source: S, limits: &Limits) -> Result<Migration<S>> {
    let mut decoder = Decoder::new(limits)?;
    read_pieces(&source, &mut decoder).await?;
    if !decoder.is_complete() {
        return Err(decoder.ends_here());
    }
    let (writer, stored) = decoder.finish();
    check_data(&source, &stored).await?;
    let (mut tensors, mut data) = (Vec::new(), Vec::new());
    for (place, range) in writer.tensors().zip(stored) {
        let name = String::from_utf8_lossy(place.name()).into_owned();
        let (ggml_type, byte_length) = (place.ggml_type(), place.byte_length());
        data.push(TensorData {
            range: place.position()..place.position() + byte_length,
            stored: range,
            method: DataMethod::Copy,
        });
        tensors.push(MigratedTensor {
            old_name: name.clone(),
            name,
            from: place.index(),
            dimensions: place.dimensions().to_vec(),
            old_type: ggml_type.info().map_or("", |info| info.name),
            ggml_type,
            old_byte_length: byte_length,
            byte_length,
            relation: Relation::SameBytes,
        });
    }
    let header = writer.header()?;
    let notes = notes_of_file(&header)?;
    let file = MigratedFile::new(PartsSource::of_one(source), header, data, writer.size());
    Ok(Migration { file, tensors, notes })
}

/// Checks that the file has the data of all tensors. If it does not tell its size, the last byte is read.
async fn check_data<S: Source>(source: &S, data: &[Range<u64>]) -> Result<()> {
    let Some(last) = data.iter().max_by_key(|range| range.end).filter(|range| !range.is_empty()) else { return Ok(()) };
    let is_there = match source.size() {
        Some(size) => last.end <= size,
        None => read_piece(source, last.end - 1..last.end).await?.is_some(),
    };
    match is_there {
        true => Ok(()),
        false => Err(refusal(
            ErrorCode::UnexpectedEof,
            "the data of a tensor",
            last.start,
            last.end,
            "an end inside the file",
        )),
    }
}
