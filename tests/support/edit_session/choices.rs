//! Choices from the bytes of an input. Each choice takes the next bytes, or 0 after the end of the input.

use std::ops::Range;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, GgmlType, ValueType};

use crate::model::{ALIGNMENT, Tensor};
use crate::model_value::ModelValue;

/// The bytes of the input that are left.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn number<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_at(N.min(self.0.len()));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    pub fn byte(&mut self) -> u8 {
        self.number::<1>()[0]
    }

    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0..=256 => usize::from(self.byte()) % end.max(1),
            _ => usize::from(u16::from_le_bytes(self.number())) % end,
        }
    }

    /// True once in `times` on average. False after the end of the input.
    pub fn one_in(&mut self, times: u8) -> bool {
        self.byte() % times == times - 1
    }

    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub fn bytes(&mut self, end: usize) -> Vec<u8> {
        (0..self.below(end)).map(|_| self.byte()).collect()
    }
}

pub const KEYS: &[&[u8]] = &[
    b"a",
    ALIGNMENT,
    b"b",
    b"general.name",
    b"__proto__",
    b"\xff\xc3(",
    b"tokenizer.ggml.tokens",
    b"tokenizer.chat_template",
    b"a",
    b"nul\0",
];

pub const NAMES: &[&[u8]] = &[b"a", b"b", b"", b"token_embd.weight", b"\xfe", b"blk.0.attn_q.weight", b"__proto__"];

/// Tensor types of all kinds: types with a byte order, types without one, removed types and unknown types.
pub const TYPES: &[u32] = &[0, 1, 8, 12, 24, 30, 2, 14, 39, 28, 3, 6, 10, 23, 34, 9, 4, 31, 36, 137, 1 << 31];

pub const ALIGNMENTS: &[u32] = &[32, 64, 8, 128, 16, 256, 1, 2, 4, 24, 3, 0, 4096];

pub fn choose_key(choices: &mut Choices<'_>) -> Vec<u8> {
    if choices.one_in(8) { choices.bytes(12) } else { choices.of(KEYS).to_vec() }
}

/// A key for a change, sometimes an invalid one.
pub fn choose_new_key(choices: &mut Choices<'_>) -> Vec<u8> {
    if choices.one_in(64) { vec![b'k'; 65_530 + choices.below(12)] } else { choose_key(choices) }
}

pub fn choose_name(choices: &mut Choices<'_>) -> Vec<u8> {
    match choices.byte() % 16 {
        0..=11 => choices.of(NAMES).to_vec(),
        12..=14 => choices.bytes(12),
        _ => vec![b'n'; 60 + choices.below(8)],
    }
}

pub fn choose_type(choices: &mut Choices<'_>) -> ValueType {
    choices.of(ValueType::ALL)
}

pub fn choose_value(choices: &mut Choices<'_>, value_type: ValueType, depth: usize) -> ModelValue {
    match value_type {
        ValueType::String if choices.one_in(4) => ModelValue::Text("ä€𝄞\0".into()),
        ValueType::String => ModelValue::Text(choices.bytes(20)),
        ValueType::Array => {
            let element_type = match choose_type(choices) {
                ValueType::Array if depth == 0 => ValueType::String,
                element_type => element_type,
            };
            // Lengths around 64 and 128, where the index of an array changes. Long arrays repeat a few short elements.
            let is_long = choices.one_in(8) && depth > 0;
            let (count, depth) =
                if is_long { (60 + choices.below(75), 0) } else { (choices.below(6), depth.saturating_sub(1)) };
            let some: Vec<ModelValue> = (0..count.min(7)).map(|_| choose_value(choices, element_type, depth)).collect();
            let elements = (0..count).map(|index| some[index * index % 7 % some.len()].clone()).collect();
            ModelValue::List(element_type, elements)
        }
        // Half of the numbers are small, so that they also fit other types.
        _ => {
            let size = value_type.size().unwrap() as usize;
            let is_float = matches!(value_type, ValueType::Float32 | ValueType::Float64);
            let bytes = match (choices.byte() % 3, is_float) {
                (0, true) => {
                    let float = f32::from(choices.byte() as i8) / 2.0;
                    if size == 4 { float.to_le_bytes().to_vec() } else { f64::from(float).to_le_bytes().to_vec() }
                }
                (0, false) => i64::from(choices.byte() as i8).to_le_bytes()[..size].to_vec(),
                (1, false) => u64::from(choices.of(ALIGNMENTS)).to_le_bytes()[..size].to_vec(),
                _ => choices.number::<8>()[..size].to_vec(),
            };
            ModelValue::Number(value_type, bytes)
        }
    }
}

pub fn choose_any_value(choices: &mut Choices<'_>) -> ModelValue {
    let value_type = if choices.one_in(3) { ValueType::Array } else { choose_type(choices) };
    choose_value(choices, value_type, 2)
}

/// A value for a change, sometimes an invalid one.
pub fn choose_new_value(choices: &mut Choices<'_>, key: Option<&[u8]>) -> OwnedValue {
    if key == Some(ALIGNMENT) && !choices.one_in(4) {
        return choices.of(ALIGNMENTS).into();
    }
    let mut value = choose_any_value(choices).to_owned_value();
    if choices.one_in(16)
        && let OwnedValue::Array { elements, .. } = &mut value
    {
        elements.push(choose_any_value(choices).to_owned_value());
    }
    if choices.one_in(32) {
        for _ in 0..62 + choices.below(4) {
            value = OwnedValue::Array { element_type: value.value_type(), elements: vec![value] };
        }
    }
    value
}

pub fn choose_tensor(choices: &mut Choices<'_>, format: Format, types: &[u32]) -> Tensor {
    let is_any = types.len() == TYPES.len() && choices.one_in(16);
    let ggml_type = if is_any { u32::from_le_bytes(choices.number()) } else { choices.of(types) };
    let block_size = GgmlType(ggml_type).info().map_or(1, |info| u64::from(info.block_size).max(1));
    let count = if choices.one_in(32) { 8 } else { choices.below(5) };
    let mut dimensions: Vec<u64> = (0..count).map(|_| 1 + choices.below(3) as u64).collect();
    if let Some(first) = dimensions.first_mut() {
        *first *= if choices.one_in(16) { 7 } else { block_size };
        if choices.one_in(8) {
            *first = 0;
        } else if choices.one_in(64) {
            *first = u64::MAX >> choices.below(64);
        }
        if format.version == 1 {
            *first &= u64::from(u32::MAX);
        }
    }
    let meaning = GgmlType(ggml_type).info();
    Tensor { origin: 0, name: choose_name(choices), is_name_new: false, dimensions, ggml_type, meaning, offset: 0 }
}

pub fn choose_range(choices: &mut Choices<'_>, length: u64) -> Range<u64> {
    let mut bound = || choices.below(length as usize + 1) as u64;
    let (a, b) = (bound(), bound());
    match choices.byte() % 16 {
        14 => b..length + 1,
        15 => a.max(b)..a.min(b),
        _ => a.min(b)..a.max(b),
    }
}
