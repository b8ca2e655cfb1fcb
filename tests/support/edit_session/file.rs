//! Chooses a file.

use gguf_format::{Endian, Format};

use super::choices::{ALIGNMENTS, Choices, TYPES, choose_any_value, choose_key, choose_tensor};
use crate::model::{ALIGNMENT, Entry, Model, OldFile, Tensor};
use crate::model_value::ModelValue;

/// Bytes that differ by seed and position, so that misplaced bytes are noticed.
pub fn filled(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|at| ((at as u32 ^ 0x5bd1).wrapping_mul(0x9e37_79b1) >> 13) as u8 ^ seed).collect()
}

pub fn choose_file(choices: &mut Choices<'_>) -> OldFile {
    let format = Format {
        version: 3 - choices.of(&[0, 0, 1, 2]),
        endian: if choices.one_in(4) { Endian::Big } else { Endian::Little },
    };
    let entries = (0..choices.below(8)).map(|origin| {
        let key = choose_key(choices);
        let value = match &*key {
            ALIGNMENT if !choices.one_in(8) => ModelValue::of(&choices.of(ALIGNMENTS).into()),
            _ => choose_any_value(choices),
        };
        Entry { origin: Some(origin), addition: None, key, value, is_key_new: false, is_value_new: false, new_bytes: 0 }
    });
    let entries = entries.collect();
    let types = if choices.one_in(2) { TYPES } else { &TYPES[..10] };
    let count = choices.below(7);
    let tensors = (0..count).map(|origin| Tensor { origin, ..choose_tensor(choices, format, types) }).collect();
    let mut model = Model { format, entries, tensors, is_repacked: false, changes: 0 };
    let alignment = model.alignment();

    let placing = choices.byte() % 8;
    let mut running = 0_u64;
    let mut lengths = Vec::new();
    for tensor in &mut model.tensors {
        let length = tensor.length().unwrap_or_else(|| choices.below(100) as u64);
        tensor.offset = match placing {
            0..=4 => running,
            5 => running.saturating_add(alignment * choices.below(3) as u64),
            6 => choices.below(900) as u64,
            _ if choices.one_in(16) => u64::from_le_bytes(choices.number()),
            _ => running.saturating_add(choices.below(40) as u64),
        };
        lengths.push(length);
        // Data that is too large for a test is left out, so the file is truncated.
        running = tensor.offset.saturating_add(length).checked_next_multiple_of(alignment).unwrap_or(1 << 40);
    }
    let ends = model.tensors.iter().zip(&lengths).filter_map(|(tensor, length)| tensor.offset.checked_add(*length));
    let end = ends.filter(|end| *end < 1 << 16).max().unwrap_or(0);

    let mut bytes = model.encoded(&model.old_offsets());
    let header_size = bytes.len();
    let data_offset = (header_size as u64).next_multiple_of(alignment);
    let (is_padded, missing) = match choices.byte() % 16 {
        0..=9 => (true, 0),
        10..=12 => (false, 0),
        13 | 14 => (false, choices.below(9)),
        _ => (false, choices.below(3000)),
    };
    if !model.tensors.is_empty() && data_offset < 1 << 17 {
        let end = data_offset + if is_padded { end.next_multiple_of(alignment) } else { end };
        bytes.extend(filled(end as usize - header_size, choices.byte()));
        if !choices.one_in(4) {
            clear_padding(&model, &lengths, data_offset as usize, header_size, &mut bytes);
        }
    }
    bytes.truncate(bytes.len() - missing.min(bytes.len() - header_size));
    if choices.one_in(3) {
        bytes.extend(choices.bytes(20));
    }
    OldFile::new(model, bytes)
}

/// Sets all bytes to 0 that belong to no tensor.
pub fn clear_padding(model: &Model, lengths: &[u64], data_offset: usize, header_size: usize, bytes: &mut [u8]) {
    let mut is_data = vec![false; bytes.len()];
    for (tensor, length) in model.tensors.iter().zip(lengths) {
        let start = data_offset.saturating_add(tensor.offset as usize);
        let end = start.saturating_add(*length as usize);
        if let Some(data) = is_data.get_mut(start..end) {
            data.fill(true);
        }
    }
    for (byte, is_data) in bytes.iter_mut().zip(is_data).skip(header_size) {
        *byte = if is_data { *byte } else { 0 };
    }
}
