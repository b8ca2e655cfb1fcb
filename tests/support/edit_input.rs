//! A file and edits of it out of bytes that are random, or that a fuzz target found; and what is to hold of them.
//!
//! Every decision takes the next byte, or as many as the number that is decided has; where there are none left it is 0.
//! First come those for the file ([`choose_file`]), then those for one edit after the other ([`step`]).

use std::collections::BTreeSet;
use std::ops::Range;

use gguf_wasm::encode::OwnedValue;
use gguf_wasm::{
    Change, ChangeId, Edit, EditError, EditState, Endian, EntryId, EntrySelector, Format, GgmlType, Header, HeaderPlan,
    NewValue, Part, Segment, TensorId, TensorSelector, ValueType, WritePlan,
};

use crate::edit_model::{ALIGNMENT, At, Entry, Expected, Model, Old, Refusal, Tensor, Val};
use crate::written::written;

/// Bytes that decide.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn number<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_at(N.min(self.0.len()));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    fn byte(&mut self) -> u8 {
        self.number::<1>()[0]
    }

    fn below(&mut self, end: usize) -> usize {
        match end {
            0..=256 => usize::from(self.byte()) % end.max(1),
            _ => usize::from(u16::from_le_bytes(self.number())) % end,
        }
    }

    /// True once in so many times; never where the choices have run out.
    fn one_in(&mut self, times: u8) -> bool {
        self.byte() % times == times - 1
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn bytes(&mut self, end: usize) -> Vec<u8> {
        (0..self.below(end)).map(|_| self.byte()).collect()
    }
}

const KEYS: &[&[u8]] = &[
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
const NAMES: &[&[u8]] = &[b"a", b"b", b"", b"token_embd.weight", b"\xfe", b"blk.0.attn_q.weight", b"__proto__"];
/// Types of all kinds: first those that have a byte order, then those that have none, removed ones and unknown ones.
const TYPES: &[u32] = &[0, 1, 8, 12, 24, 30, 2, 14, 39, 28, 3, 6, 10, 23, 34, 9, 4, 31, 36, 43, 137];
const ALIGNMENTS: &[u32] = &[32, 64, 8, 128, 16, 256, 1, 2, 4, 24, 3, 0, 4096];

fn choose_key(choices: &mut Choices<'_>) -> Vec<u8> {
    if choices.one_in(8) { choices.bytes(12) } else { choices.of(KEYS).to_vec() }
}

/// A key for an edit: now and then one that must be refused.
fn choose_new_key(choices: &mut Choices<'_>) -> Vec<u8> {
    if choices.one_in(64) { vec![b'k'; 65_530 + choices.below(12)] } else { choose_key(choices) }
}

fn choose_name(choices: &mut Choices<'_>) -> Vec<u8> {
    match choices.byte() % 16 {
        0..=11 => choices.of(NAMES).to_vec(),
        12..=14 => choices.bytes(12),
        _ => vec![b'n'; 60 + choices.below(8)],
    }
}

fn choose_type(choices: &mut Choices<'_>) -> ValueType {
    choices.of(ValueType::ALL)
}

fn choose_value(choices: &mut Choices<'_>, value_type: ValueType, depth: usize) -> Val {
    match value_type {
        ValueType::String if choices.one_in(4) => Val::Text("ä€𝄞\0".into()),
        ValueType::String => Val::Text(choices.bytes(20)),
        ValueType::Array => {
            let element_type = match choose_type(choices) {
                ValueType::Array if depth == 0 => ValueType::String,
                element_type => element_type,
            };
            // On both sides of 64 and 128, where an array's index changes; such a one repeats a few elements, and those in it
            // are short.
            let is_long = choices.one_in(8) && depth > 0;
            let (count, depth) =
                if is_long { (60 + choices.below(75), 0) } else { (choices.below(6), depth.saturating_sub(1)) };
            let some: Vec<Val> = (0..count.min(7)).map(|_| choose_value(choices, element_type, depth)).collect();
            let elements = (0..count).map(|index| some[index * index % 7 % some.len()].clone()).collect();
            Val::List(element_type, elements)
        }
        // Small ones, which fit other types, as often as others.
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
            Val::Number(value_type, bytes)
        }
    }
}

fn choose_any_value(choices: &mut Choices<'_>) -> Val {
    let value_type = if choices.one_in(3) { ValueType::Array } else { choose_type(choices) };
    choose_value(choices, value_type, 2)
}

/// A value for an edit: now and then one that must be refused.
fn choose_new_value(choices: &mut Choices<'_>, key: Option<&[u8]>) -> OwnedValue {
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

fn choose_tensor(choices: &mut Choices<'_>, format: Format, types: &[u32]) -> Tensor {
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
    Tensor { origin: 0, name: choose_name(choices), is_name_new: false, dimensions, ggml_type, offset: 0 }
}

/// Bytes that tell where they come from.
fn filled(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|at| ((at as u32 ^ 0x5bd1).wrapping_mul(0x9e37_79b1) >> 13) as u8 ^ seed).collect()
}

fn choose_file(choices: &mut Choices<'_>) -> Old {
    let format = Format {
        version: 3 - choices.of(&[0, 0, 1, 2]),
        endian: if choices.one_in(4) { Endian::Big } else { Endian::Little },
    };
    let entries = (0..choices.below(8)).map(|origin| {
        let key = choose_key(choices);
        let value = match &*key {
            ALIGNMENT if !choices.one_in(8) => Val::of(&choices.of(ALIGNMENTS).into()),
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
        // What is too large for a test is missing, and so the file truncated.
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
    Old::new(model, bytes)
}

/// Makes everything 0 that is no tensor's.
fn clear_padding(model: &Model, lengths: &[u64], data_offset: usize, header_size: usize, bytes: &mut [u8]) {
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

/// An edit, the model that it should come to, and what was there before each change.
struct Session<'a> {
    old: &'a Old,
    edit: Edit,
    model: Model,
    /// The models and snapshots before each change.
    before: Vec<(Model, Snapshot)>,
    /// The models and snapshots after each undone change.
    after: Vec<(Model, Snapshot)>,
}

type Plan = Result<WritePlan, EditError>;

/// Everything that undo restores.
#[derive(PartialEq)]
struct Snapshot {
    plan: Plan,
    entries: Vec<(EntryId, EditState)>,
    tensors: Vec<(TensorId, EditState)>,
}

/// Makes a file and edits of it out of `input`, and panics if anything is not as it should be.
pub fn run(input: &[u8]) {
    let mut choices = Choices(input);
    let old = choose_file(&mut choices);
    let header = parse(&old.bytes);
    check_unchanged(&old);
    let model = old.model.clone();
    let mut session = Session { old: &old, edit: Edit::new(header), model, before: Vec::new(), after: Vec::new() };
    let mut count = 0;
    while !choices.0.is_empty() && count < 16 {
        session.step(&mut choices);
        session.check(&mut choices);
        count += 1;
    }
    while session.undo() {}
    assert_eq!(session.edit.changes().len(), 0);
    while session.redo() {}
    check_turned_twice(&old);
}

fn parse(bytes: &[u8]) -> Header {
    gguf_wasm::parse(bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn check_unchanged(old: &Old) {
    let edit = Edit::new(parse(&old.bytes));
    let size = old.size();
    let plan = edit.plan(Some(size)).unwrap();
    assert_eq!(plan.segments(), [Segment::Copy { source: 0, range: 0..size }]);
    assert_eq!(plan.patches(), Some(&[][..]));
    assert_eq!(edit.plan(None).unwrap_err().code(), "size-unknown");
    // Also where less than the header is left of it.
    let cut = edit.plan(Some(old.header_size / 2)).unwrap();
    assert_eq!(cut.segments(), [Segment::Copy { source: 0, range: 0..old.header_size / 2 }]);
}

/// Turned into the other byte order and back, a file is what it is when it is packed anew.
fn check_turned_twice(old: &Old) {
    let other = match old.model.format.endian {
        Endian::Little => Endian::Big,
        Endian::Big => Endian::Little,
    };
    let mut edit = Edit::new(parse(&old.bytes));
    edit.set_byte_order(other);
    let Ok(plan) = edit.plan(Some(old.size())) else { return };
    let turned = written(&plan, &old.bytes);
    let mut edit = Edit::new(parse(&turned));
    edit.set_byte_order(old.model.format.endian);
    let back = written(&edit.plan(Some(turned.len() as u64)).unwrap(), &turned);
    let mut edit = Edit::new(parse(&old.bytes));
    edit.repack();
    let repacked = written(&edit.plan(Some(old.size())).unwrap(), &old.bytes);
    assert!(back == repacked, "not the same when turned twice");
    // Another way round: what is packed already is left as it is.
    let mut model = old.model.clone();
    model.repack();
    let expected = old.expected(&model).unwrap();
    if model.tensors.iter().zip(regular_offsets(old)).all(|(tensor, offset)| tensor.offset == offset)
        && is_padding_clear(old, &expected)
    {
        assert!(back == old.bytes, "turned twice, a regular file is another");
    }
}

fn regular_offsets(old: &Old) -> Vec<u64> {
    let mut running = 0_u64;
    let place = |tensor: &Tensor| {
        let offset = running;
        running = (running + tensor.length().unwrap_or(0)).next_multiple_of(old.model.alignment());
        offset
    };
    old.model.tensors.iter().map(place).collect()
}

/// Whether what is between the parts that are copied is 0 in the old file, which has the same places for them.
fn is_padding_clear(old: &Old, expected: &Expected) -> bool {
    let mut is_copied = vec![false; expected.bytes.len()];
    is_copied[..expected.header_size as usize].fill(true);
    for (start, range) in &expected.copies {
        is_copied[*start as usize..(start + range.end - range.start) as usize].fill(true);
    }
    old.bytes.len() == is_copied.len() && old.bytes.iter().zip(is_copied).all(|(byte, copied)| copied || *byte == 0)
}

/// The bytes of a part of a file.
fn part_bytes(part: &Part<'_>, old: &[u8]) -> Vec<u8> {
    match part {
        Part::Bytes(bytes) => bytes.to_vec(),
        Part::Copy { source: 0, range } => old[range.start as usize..range.end as usize].to_vec(),
        Part::Swap { source: 0, range, first_block, ggml_type } => {
            let info = ggml_type.info().unwrap();
            let block = u64::from(info.type_size);
            let start = first_block + (range.start - first_block) / block * block;
            let end = first_block + (range.end - first_block).next_multiple_of(block);
            let mut blocks = old[start as usize..end as usize].to_vec();
            info.swap_byte_order(&mut blocks);
            blocks[(range.start - start) as usize..(range.end - start) as usize].to_vec()
        }
        other => panic!("{other:?}"),
    }
}

fn as_entry(at: &At) -> EntrySelector<'_> {
    match at {
        At::Name(key) => EntrySelector::Key(key),
        At::Index(index) => EntrySelector::Index(*index),
    }
}

fn as_tensor(at: &At) -> TensorSelector<'_> {
    match at {
        At::Name(name) => TensorSelector::Name(name),
        At::Index(index) => TensorSelector::Index(*index),
    }
}

impl Drop for Session<'_> {
    /// Where something was not as it should be, says of what file and what edits.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (header, old) = (self.edit.header(), self.old);
            let entries: Vec<_> = header.metadata().collect();
            let tensors: Vec<_> = header.tensors().map(|tensor| (tensor, tensor.byte_length())).collect();
            println!("{header:?} data at {} of {}\n{entries:#?}\n{tensors:#?}", old.data_offset, old.size());
            println!("{:#?}", self.edit.changes());
        }
    }
}

impl Session<'_> {
    fn plan(&self) -> Plan {
        self.edit.plan(Some(self.old.size()))
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            plan: self.plan(),
            entries: self.edit.entries().map(|entry| (entry.id(), entry.state())).collect(),
            tensors: self.edit.tensors().map(|tensor| (tensor.id(), tensor.state())).collect(),
        }
    }

    fn change_ids(&self) -> Vec<ChangeId> {
        self.edit.changes().iter().map(|made| made.id).collect()
    }

    fn undo(&mut self) -> bool {
        let Some((model, snapshot)) = self.before.pop() else {
            assert!(!self.edit.can_undo() && !self.edit.undo());
            return false;
        };
        let now = self.snapshot();
        assert!(self.edit.can_undo() && self.edit.undo());
        assert!(self.snapshot() == snapshot, "undo has not restored everything");
        self.after.push((std::mem::replace(&mut self.model, model), now));
        true
    }

    fn redo(&mut self) -> bool {
        let Some((model, snapshot)) = self.after.pop() else {
            assert!(!self.edit.can_redo() && !self.edit.redo());
            return false;
        };
        let now = self.snapshot();
        assert!(self.edit.can_redo() && self.edit.redo());
        assert!(self.snapshot() == snapshot, "redo has not restored everything");
        self.before.push((std::mem::replace(&mut self.model, model), now));
        true
    }

    /// Makes a change, if it is possible, to the file and to the model.
    fn change(
        &mut self,
        edit: impl FnOnce(&mut Edit) -> Result<(), EditError>,
        model: impl FnOnce(&mut Model) -> Result<(), Refusal>,
    ) {
        let (snapshot, before) = (self.snapshot(), self.model.clone());
        let (done, undone) = (self.edit.changes().len(), self.edit.undone().len());
        let result = edit(&mut self.edit);
        match model(&mut self.model) {
            Ok(()) => {
                if let Err(error) = result {
                    panic!("refused with {}: {error}", error.code());
                }
                let count = self.model.changes - before.changes;
                assert_eq!(self.edit.changes().len(), done + count);
                if count > 0 {
                    assert_eq!(self.edit.undone().len(), 0);
                    self.after.clear();
                    self.before.push((before, snapshot));
                } else {
                    assert_eq!(self.edit.undone().len(), undone);
                }
            }
            Err(refusal) => {
                let error = result.expect_err("not refused");
                assert!(refusal.contains(&error.code().name()), "{} ({error}) instead of {refusal:?}", error.code());
                assert!(!error.to_string().is_empty());
                assert_eq!((self.edit.changes().len(), self.edit.undone().len()), (done, undone));
                assert!(self.snapshot() == snapshot, "refused, but changed");
            }
        }
    }

    /// Reverts a change, if it is possible. The model makes all other changes again.
    fn revert(&mut self, position: usize) {
        let snapshot = self.snapshot();
        let changes: Vec<_> = self.edit.changes().iter().map(|made| made.change.clone()).collect();
        let ids = self.change_ids();
        let undone = self.edit.undone().len();
        let expected = without(self.old, &changes, position);
        let error = match (self.edit.revert(position), expected) {
            (Ok(()), Reverted::To(model)) => {
                let left = self.change_ids();
                assert!(left.iter().all(|id| ids.contains(id) && *id != ids[position]));
                self.before.push((std::mem::replace(&mut self.model, *model), snapshot));
                self.after.clear();
                assert_eq!(self.edit.undone().len(), 0);
                return;
            }
            (Ok(()), Reverted::Unknown) => {
                let reverted = self.snapshot();
                assert!(self.edit.undo());
                assert!(self.snapshot() == snapshot, "the undo of a revert has not restored everything");
                assert!(self.edit.redo());
                assert!(self.snapshot() == reverted, "the redo of a revert has not restored everything");
                assert!(self.edit.undo());
                // The undone revert could be redone, which the model cannot follow: it starts anew.
                let mut edit = Edit::new(self.edit.header().clone());
                self.before.clear();
                self.after.clear();
                self.model = self.old.model.clone();
                std::mem::swap(&mut self.edit, &mut edit);
                return;
            }
            (Ok(()), Reverted::Refused(refusal)) => panic!("not refused: {refusal:?}"),
            (Err(error), Reverted::To(_)) => panic!("refused with {}: {error}", error.code()),
            (Err(error), Reverted::Refused(refusal)) => {
                assert!(refusal.contains(&error.code().name()), "{} ({error}) instead of {refusal:?}", error.code());
                error
            }
            (Err(error), Reverted::Unknown) => error,
        };
        assert!(!error.to_string().is_empty());
        assert_eq!((self.change_ids(), self.edit.undone().len()), (ids, undone));
        assert!(self.snapshot() == snapshot, "a revert was refused, but something has changed");
    }

    fn choose_entry(&self, choices: &mut Choices<'_>) -> At {
        let end = self.model.entries.len() + usize::from(choices.one_in(16));
        match choices.byte() % 4 {
            0 => At::Name(choose_key(choices)),
            _ => At::Index(choices.below(end)),
        }
    }

    fn choose_tensor(&self, choices: &mut Choices<'_>) -> At {
        let end = self.model.tensors.len() + usize::from(choices.one_in(16));
        match choices.byte() % 4 {
            0 => At::Name(choose_name(choices)),
            _ => At::Index(choices.below(end)),
        }
    }

    fn key_of(&self, at: &At) -> Option<Vec<u8>> {
        Some(self.model.entries[self.model.find(at)?].key.clone())
    }

    fn list_of(&self, at: &At) -> Option<(ValueType, u64)> {
        match &self.model.entries[self.model.find(at)?].value {
            Val::List(element_type, elements) => Some((*element_type, elements.len() as u64)),
            _ => None,
        }
    }

    /// An entry, an array if there is one, with the type of its elements and their number.
    fn choose_list(&self, choices: &mut Choices<'_>) -> (At, ValueType, u64) {
        let mut at = self.choose_entry(choices);
        if self.list_of(&at).is_none() {
            let lists = (0..self.model.entries.len()).map(At::Index).find(|at| self.list_of(at).is_some());
            at = lists.filter(|_| !choices.one_in(16)).unwrap_or(at);
        }
        let (element_type, length) = self.list_of(&at).unwrap_or((ValueType::Uint8, 0));
        let element_type = if choices.one_in(16) { choose_type(choices) } else { element_type };
        (at, element_type, length)
    }

    fn step(&mut self, choices: &mut Choices<'_>) {
        match choices.byte() % 26 {
            0..=2 => {
                let at = self.choose_entry(choices);
                let value = choose_new_value(choices, self.key_of(&at).as_deref());
                self.change(|edit| edit.set(as_entry(&at), &value), |model| model.set(&at, &Val::of(&value)));
            }
            3 | 4 => {
                let key = choose_new_key(choices);
                let value = choose_new_value(choices, Some(&key));
                let position = choices.below(self.model.entries.len() + 3).checked_sub(1);
                self.change(
                    |edit| edit.add(position, &key, &value),
                    |model| model.add(position, &key, &Val::of(&value)),
                );
            }
            5 => {
                let at = self.choose_entry(choices);
                self.change(|edit| edit.remove(as_entry(&at)), |model| model.remove(&at));
            }
            6 | 7 => {
                let (at, key) = (self.choose_entry(choices), choose_new_key(choices));
                self.change(|edit| edit.rename(as_entry(&at), &key), |model| model.rename(&at, &key));
            }
            8 => {
                let at = self.choose_entry(choices);
                let types: Vec<ValueType> = match self.list_of(&at) {
                    Some(_) if !choices.one_in(8) => vec![ValueType::Array, choose_type(choices), choose_type(choices)],
                    _ => vec![choose_type(choices)],
                };
                // Most arrays are of scalars, whose type is the last.
                let types = match types[..] {
                    [_, element_type, _] if element_type != ValueType::Array => types[..2].to_vec(),
                    _ => types[..choices.below(types.len() + 1).max(types.len().min(1))].to_vec(),
                };
                let found = self.model.find(&at);
                if found.is_some_and(|entry| self.model.entries[entry].value.has_nan()) {
                    return;
                }
                self.change(|edit| edit.retype(as_entry(&at), &types), |model| model.retype(&at, &types));
            }
            9 => {
                let (at, position) = (self.choose_entry(choices), choices.below(self.model.entries.len() + 1));
                self.change(|edit| edit.move_to(as_entry(&at), position), |model| model.move_to(&at, position));
            }
            10 | 11 => {
                let (at, element_type, length) = self.choose_list(choices);
                let index = choices.below(length as usize + 1) as u64;
                let value = choose_value(choices, element_type, 1).to_owned_value();
                let values = Val::List(value.value_type(), vec![Val::of(&value)]);
                self.change(
                    |edit| edit.set_element(as_entry(&at), index, &value),
                    |model| model.splice(&at, index..index + 1, Some(&values)),
                );
            }
            12 => {
                let (at, element_type, length) = self.choose_list(choices);
                let index = choices.below(length as usize + 2) as u64;
                let elements = (0..choices.below(4)).map(|_| choose_value(choices, element_type, 1).to_owned_value());
                let values = OwnedValue::Array { element_type, elements: elements.collect() };
                self.change(
                    |edit| edit.insert_elements(as_entry(&at), index, &values),
                    |model| model.splice(&at, index..index, Some(&Val::of(&values))),
                );
            }
            13 => {
                let (at, _, length) = self.choose_list(choices);
                let range = choose_range(choices, length);
                self.change(
                    |edit| edit.remove_elements(as_entry(&at), range.clone()),
                    |model| model.splice(&at, range.clone(), None),
                );
            }
            14 => {
                let (at, element_type, length) = self.choose_list(choices);
                let range = choose_range(choices, length);
                let values = match choices.byte() % 8 {
                    0 => choose_any_value(choices),
                    _ => {
                        let elements = (0..choices.below(4)).map(|_| choose_value(choices, element_type, 1));
                        Val::List(element_type, elements.collect())
                    }
                };
                let value = values.to_owned_value();
                let values = Val::of(&value);
                self.change(
                    |edit| edit.splice(as_entry(&at), range.clone(), Some(NewValue::new(&value)?)),
                    |model| model.splice(&at, range.clone(), Some(&values)),
                );
            }
            15 | 16 => {
                let (at, name) = (self.choose_tensor(choices), choose_name(choices));
                self.change(|edit| edit.rename_tensor(as_tensor(&at), &name), |model| model.rename_tensor(&at, &name));
            }
            17 => {
                let at = self.choose_tensor(choices);
                self.change(|edit| edit.remove_tensor(as_tensor(&at)), |model| model.remove_tensor(&at));
            }
            18 => self.change(
                |edit| {
                    edit.repack();
                    Ok(())
                },
                |model| {
                    model.repack();
                    Ok(())
                },
            ),
            19 => {
                let alignment = choices.of(ALIGNMENTS);
                self.change(|edit| edit.set_alignment(alignment), |model| model.set_alignment(alignment));
            }
            20 => {
                let version = choices.of(&[3, 3, 3, 2, 1, 0, 4]);
                self.change(|edit| edit.set_version(version), |model| model.set_version(version));
            }
            21 => {
                let endian = choices.of(&[Endian::Big, Endian::Little]);
                self.change(
                    |edit| {
                        edit.set_byte_order(endian);
                        Ok(())
                    },
                    |model| {
                        model.set_byte_order(endian);
                        Ok(())
                    },
                );
            }
            22 => {
                self.undo();
            }
            23 | 24 => {
                let count = self.edit.changes().len() + usize::from(choices.one_in(16));
                self.revert(choices.below(count));
            }
            _ => {
                self.redo();
            }
        }
    }

    fn check(&self, choices: &mut Choices<'_>) {
        self.check_views();
        self.check_identity();
        let plan = self.plan();
        let header = self.edit.plan_header(Some(self.old.size())).unwrap();
        let pieces = |plan: &WritePlan| -> Vec<u8> {
            plan.header_pieces(self.edit.header().bytes(), 0..plan.header_size()).collect::<Vec<_>>().concat()
        };
        let header_bytes =
            |plan: &HeaderPlan| -> Vec<u8> { plan.header_pieces(0..plan.header_size()).collect::<Vec<_>>().concat() };
        match (plan, self.old.expected(&self.model)) {
            (Ok(plan), Ok(expected)) => {
                self.check_plan(&plan, &expected, choices);
                let head = &expected.bytes[..expected.header_size as usize];
                assert!(pieces(&plan) == head, "the header's pieces are others");
                assert!(header_bytes(&header) == head, "the header alone is another");
                assert_eq!((header.header_size(), header.data_offset()), (plan.header_size(), plan.data_offset()));
                assert!(header.has_final_offsets());
                self.check_positions(&header, head);
                if self.model.tensors.iter().all(|tensor| tensor.length().is_some()) {
                    let unsized_header = self.edit.plan_header(None).unwrap();
                    assert!(header_bytes(&unsized_header) == head, "without the size, the header is another");
                    assert!(unsized_header.has_final_offsets());
                    self.check_positions(&unsized_header, head);
                }
            }
            (Err(error), Err(refusal)) => {
                assert!(refusal.contains(&error.code().name()), "{} ({error}) instead of {refusal:?}", error.code());
                self.check_positions(&header, &header_bytes(&header));
            }
            (Ok(_), Err(refusal)) => panic!("not refused: {refusal:?}"),
            (Err(error), Ok(_)) => panic!("refused with {}: {error}", error.code()),
        }
    }

    /// The positions in a planned header are those in the header that its bytes are decoded to.
    fn check_positions(&self, plan: &HeaderPlan, bytes: &[u8]) {
        let decoded = parse(bytes);
        assert_eq!(decoded.metadata().len(), self.model.entries.len());
        for (position, entry) in decoded.metadata().enumerate() {
            assert_eq!(plan.value_range(position), Some(entry.value_range()));
        }
        assert_eq!(plan.value_range(decoded.metadata().len()), None);
        let offsets: Vec<u64> = decoded.tensors().map(|tensor| tensor.offset()).collect();
        assert_eq!(plan.tensor_offsets().collect::<Vec<_>>(), offsets);
        assert_eq!((plan.header_size(), plan.data_offset()), (decoded.header_size(), decoded.data_offset()));
    }

    /// Every entry and tensor has an identifier of its own, by which it is found, and a state.
    fn check_identity(&self) {
        let (edit, model) = (&self.edit, &self.model);
        let mut ids = BTreeSet::new();
        for (position, (entry, expected)) in edit.entries().zip(&model.entries).enumerate() {
            assert!(ids.insert(entry.id()), "two entries have one id");
            assert_eq!(edit.find(entry.id().into()), Ok(position));
            assert_eq!(entry.original().map(|original| original.index()), entry.origin());
            match entry.origin() {
                None => assert_eq!(entry.state(), EditState::Added),
                Some(origin) => {
                    assert_eq!(entry.id(), EntryId(origin));
                    let is_new = expected.is_key_new || expected.is_value_new;
                    assert!(!is_new || entry.state() == EditState::Changed);
                }
            }
        }
        let added = edit.changes().iter().filter(|made| matches!(made.change, Change::Add { .. }));
        let added: BTreeSet<_> = added.map(|made| edit.added_entry(made.id)).collect();
        assert!(edit.entries().all(|entry| entry.origin().is_some() || added.contains(&entry.id())));
        for removed in edit.removed_entries() {
            assert!(ids.insert(removed.id()), "an entry is removed and present");
            let before = (0..removed.id().0).rev().find_map(|origin| edit.find(EntryId(origin).into()).ok());
            assert_eq!(removed.position(), before.map_or(0, |position| position + 1));
        }
        assert!((0..edit.header().metadata().len()).all(|origin| ids.contains(&EntryId(origin))));
        for (position, tensor) in edit.tensors().enumerate() {
            assert_eq!(edit.find_tensor(tensor.id().into()), Ok(position));
            assert_eq!((tensor.id(), edit.tensor_origin(position)), (TensorId(tensor.origin()), Some(tensor.origin())));
        }
        let present = edit.tensors().map(|tensor| tensor.origin());
        let mut all: Vec<_> = present.chain(edit.removed_tensors().map(|tensor| tensor.index())).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..edit.header().tensors().len()));
    }

    /// What the edit says that there will be.
    fn check_views(&self) {
        let (edit, model) = (&self.edit, &self.model);
        assert_eq!((edit.format(), edit.alignment()), (model.format, model.alignment()));
        assert_eq!((edit.entry_count(), edit.tensor_count()), (model.entries.len(), model.tensors.len()));
        for (position, expected) in model.entries.iter().enumerate() {
            let entry = edit.entry(position).unwrap();
            assert_eq!((entry.origin(), &*entry.key()), (expected.origin, &*expected.key));
            assert_eq!(entry.value_type(), expected.value.value_type());
            let found = edit.find(EntrySelector::Key(&expected.key)).ok();
            assert_eq!(found, model.find(&At::Name(expected.key.clone())));
            match entry.value() {
                Some(value) => assert_eq!(Val::read(value), expected.value.seen()),
                None => assert!(matches!(expected.value, Val::List(..))),
            }
            if let Val::List(element_type, elements) = &expected.value {
                assert_eq!(entry.array(), Some((*element_type, elements.len() as u64)));
                for (index, element) in elements.iter().enumerate() {
                    assert_eq!(Val::read(entry.element(index as u64).unwrap()), element.seen());
                }
                assert!(entry.element(elements.len() as u64).is_none());
            } else {
                assert_eq!(entry.array(), None);
            }
        }
        for tensor in &model.tensors {
            let found = edit.find_tensor(TensorSelector::Name(&tensor.name)).ok();
            assert_eq!(found, model.find_tensor(&At::Name(tensor.name.clone())));
        }
        assert!(edit.entry(model.entries.len()).is_none());
        assert!(edit.tensor_origin(model.tensors.len()).is_none());
    }

    fn check_plan(&self, plan: &WritePlan, expected: &Expected, choices: &mut Choices<'_>) {
        let old = &self.old.bytes;
        let bytes = written(plan, old);
        let head = expected.header_size as usize;
        assert!(bytes[..head.min(bytes.len())] == expected.bytes[..head], "another header");
        assert_eq!(bytes.len(), expected.bytes.len(), "of another size");
        assert!(bytes == expected.bytes, "another data section");
        assert_eq!(plan.size(), bytes.len() as u64);
        assert_eq!((plan.header_size(), plan.data_offset()), (expected.header_size, expected.data_offset));
        check_segments(plan);
        for _ in 0..3 {
            let end = bytes.len() + 3;
            let (a, b) = (choices.below(end), choices.below(end));
            let range = a.min(b)..a.max(b);
            let parts = plan.parts(range.start as u64..range.end as u64).map(|part| part_bytes(&part, old));
            assert!(
                parts.collect::<Vec<_>>().concat() == bytes[range.start.min(bytes.len())..range.end.min(bytes.len())],
                "the parts are others"
            );
        }
        for (start, range) in &expected.copies {
            let copied = [Part::Copy { source: 0, range: range.clone() }];
            assert!(plan.parts(*start..start + range.end - range.start).eq(copied), "not copied: {range:?}");
        }
        assert_eq!(plan.patches().is_some(), expected.is_in_place, "{plan:?}");
        self.check_patches(plan, &bytes);
        let header = parse(&bytes);
        assert_eq!((header.format(), header.alignment()), (self.model.format, self.model.alignment()));
        assert_eq!((header.header_size(), header.data_offset()), (plan.header_size(), plan.data_offset()));
        self.check_entries(plan, &header, &bytes);
        self.check_tensors(&header, &bytes);
    }

    fn check_patches(&self, plan: &WritePlan, bytes: &[u8]) {
        let Some(patches) = plan.patches() else { return };
        let mut file = self.old.bytes.clone();
        for patch in patches {
            let pieces = plan.header_pieces(self.edit.header().bytes(), patch.clone());
            file[patch.start as usize..patch.end as usize].copy_from_slice(&pieces.collect::<Vec<_>>().concat());
        }
        assert!(file == bytes, "patched, the file is another");
        let mut in_place = 0;
        let mut position = 0;
        for segment in plan.segments() {
            if matches!(segment, Segment::Copy { range, .. } if range.start == position) {
                in_place += segment.byte_length();
            }
            position += segment.byte_length();
        }
        assert_eq!(patches.iter().map(|patch| patch.end - patch.start).sum::<u64>() + in_place, plan.size());
        assert!(patches.windows(2).all(|pair| pair[0].end < pair[1].start), "{patches:?}");
    }

    /// Entries are what the model says; those that have not been touched, the old ones.
    fn check_entries(&self, plan: &WritePlan, header: &Header, bytes: &[u8]) {
        let (old, new) = (self.old.model.format, self.model.format);
        let is_same_layout = old.endian == new.endian && old.length_size() == new.length_size();
        assert_eq!(header.metadata().len(), self.model.entries.len());
        let mut new_bytes = 24;
        for (entry, expected) in header.metadata().zip(&self.model.entries) {
            assert_eq!(*entry.key().to_bytes(), *expected.key);
            assert_eq!(Val::read(entry.value()), expected.value.seen());
            let Range { start, end } = entry.value_range();
            assert_eq!(bytes[start as usize..end as usize], expected.value.encoded(new));
            new_bytes += expected.new_bytes;
            let old_entry = expected.origin.map(|origin| self.edit.header().metadata_at(origin).unwrap());
            let Some(old_entry) = old_entry.filter(|_| is_same_layout && self.model.changes > 0) else { continue };
            let copied = |new: Range<u64>, old: Range<u64>| {
                let is_copied = plan.parts(new).eq([Part::Copy { source: 0, range: old }]);
                assert!(is_copied, "{entry:?} is not copied");
            };
            match (expected.is_key_new, expected.is_value_new) {
                (false, false) => copied(entry.range(), old_entry.range()),
                (true, false) if !entry.value_range().is_empty() => {
                    copied(entry.value_range(), old_entry.value_range());
                }
                (false, true) => {
                    let without_type = if entry.value_type() == old_entry.value_type() { 0 } else { 4 };
                    let key = |range: Range<u64>, value: Range<u64>| range.start..value.start - without_type;
                    copied(key(entry.range(), entry.value_range()), key(old_entry.range(), old_entry.value_range()));
                }
                _ => {}
            }
        }
        for tensor in &self.model.tensors {
            let name = if tensor.is_name_new { 8 + tensor.name.len() } else { 0 };
            new_bytes += name + if self.old.is_placed_anew(&self.model) { 8 } else { 0 };
        }
        let is_new = |part| if let Part::Bytes(bytes) = part { bytes.len() } else { 0 };
        let found: usize = plan.parts(0..plan.header_size()).map(is_new).sum();
        assert!(!is_same_layout || found <= new_bytes, "{found} new bytes, not up to {new_bytes}");
    }

    fn check_tensors(&self, header: &Header, bytes: &[u8]) {
        assert_eq!(header.tensors().len(), self.model.tensors.len());
        let is_placed_anew = self.old.is_placed_anew(&self.model);
        let mut running = 0_u64;
        for (position, (tensor, expected)) in header.tensors().zip(&self.model.tensors).enumerate() {
            assert_eq!(*tensor.name().to_bytes(), *expected.name);
            assert!(tensor.dimensions().eq(expected.dimensions.iter().copied()));
            assert_eq!(tensor.ggml_type(), GgmlType(expected.ggml_type));
            let origin = self.edit.tensor_origin(position).unwrap();
            assert_eq!(self.old.model.tensors[origin].offset, expected.offset);
            assert_eq!(tensor.offset(), if is_placed_anew { running } else { expected.offset });
            if self.old.is_truncated() {
                continue;
            }
            let extent = self.old.extent(expected);
            running = (running + extent.end - extent.start).next_multiple_of(header.alignment());
            if extent.is_empty() {
                continue;
            }
            let mut data = self.old.bytes[extent.start as usize..extent.end as usize].to_vec();
            if self.model.format.endian != self.old.model.format.endian {
                tensor.ggml_type().info().unwrap().swap_byte_order(&mut data);
            }
            let start = tensor.file_offset().unwrap() as usize;
            assert!(bytes[start..start + data.len()] == data, "{tensor:?} has other bytes");
        }
    }
}

fn choose_range(choices: &mut Choices<'_>, length: u64) -> Range<u64> {
    let mut bound = || choices.below(length as usize + 1) as u64;
    let (a, b) = (bound(), bound());
    match choices.byte() % 16 {
        14 => b..length + 1,
        15 => a.max(b)..a.min(b),
        _ => a.min(b)..a.max(b),
    }
}

fn check_segments(plan: &WritePlan) {
    for pair in plan.segments().windows(2) {
        let could_be_one = match (&pair[0], &pair[1]) {
            (Segment::Bytes(_), Segment::Bytes(_)) => true,
            (Segment::Copy { range: first, .. }, Segment::Copy { range: next, .. }) => first.end == next.start,
            (
                Segment::Swap { range: first, ggml_type, .. },
                Segment::Swap { range: next, ggml_type: next_type, .. },
            ) => first.end == next.start && ggml_type == next_type,
            _ => false,
        };
        assert!(!could_be_one, "{pair:?}");
    }
    assert!(plan.segments().iter().all(|segment| segment.byte_length() > 0));
}

/// What a revert should come to.
enum Reverted {
    To(Box<Model>),
    Refused(Refusal),
    /// The model cannot say: it does not know which elements of an array are the same ones.
    Unknown,
}

/// The file with all changes but one, by the model.
fn without(old: &Old, changes: &[Change], position: usize) -> Reverted {
    let Some(reverted) = changes.get(position) else { return Reverted::Refused(vec!["unknown-change"]) };
    // The models before each change, and the last.
    let mut models = vec![old.model.clone()];
    for (number, change) in changes.iter().enumerate() {
        let mut model = models[number].clone();
        model.changes = number;
        apply(&mut model, change).unwrap();
        models.push(model);
    }
    let name = |model: &Model, entry: usize| (model.entries[entry].origin, model.entries[entry].addition);
    let changed = match reverted {
        Change::Set { entry, .. } | Change::Retype { entry, .. } | Change::Splice { entry, .. } => {
            Some(name(&models[position], *entry))
        }
        _ => None,
    };
    let added = matches!(reverted, Change::Add { .. }).then_some((None, Some(position)));
    let mut model = models[position].clone();
    let mut is_changed = changed.is_some();
    let mut count = position;
    let mut conflict = Refusal::new();
    for (number, change) in changes.iter().enumerate().skip(position + 1) {
        let (before, after) = (&models[number], &models[number + 1]);
        model.changes = number;
        let mut change = change.clone();
        // The first of the entries that follow, and are there without the reverted change.
        let follower = |model: &Model, at: usize| {
            let mut later = (at + 1..after.entries.len()).map(|other| name(after, other));
            later.find_map(|wanted| (0..model.entries.len()).find(|other| name(model, *other) == wanted))
        };
        match &mut change {
            Change::Set { entry, .. }
            | Change::Retype { entry, .. }
            | Change::Splice { entry, .. }
            | Change::Rename { entry, .. }
            | Change::Remove { entry }
            | Change::Move { entry, .. } => {
                let wanted = name(before, *entry);
                if Some(wanted) == added {
                    match change {
                        Change::Remove { .. } => conflict.clear(),
                        Change::Move { .. } => {}
                        _ => conflict.push("conflict"),
                    }
                    continue;
                }
                *entry = (0..model.entries.len()).find(|other| name(&model, *other) == wanted).unwrap();
            }
            Change::RenameTensor { tensor, .. } | Change::RemoveTensor { tensor } => {
                let wanted = before.tensors[*tensor].origin;
                *tensor = model.tensors.iter().position(|other| other.origin == wanted).unwrap();
            }
            _ => {}
        }
        match &mut change {
            Change::Add { position, .. } => {
                *position = follower(&model, *position).unwrap_or(model.entries.len());
            }
            Change::Move { entry, position } => {
                let mut others = model.clone();
                others.entries.remove(*entry);
                *position = follower(&others, *position).unwrap_or(others.entries.len());
            }
            Change::Set { entry, .. } if Some(name(&model, *entry)) == changed => is_changed = false,
            Change::Retype { entry, .. } if model.entries[*entry].value.has_nan() && is_changed => {
                return Reverted::Unknown;
            }
            Change::Splice { entry, .. } if Some(name(&model, *entry)) == changed && is_changed => match reverted {
                Change::Splice { .. } => return Reverted::Unknown,
                _ => return Reverted::Refused(vec!["conflict", "key-taken", "name-taken", "does-not-fit"]),
            },
            _ => {}
        }
        if let Err(refusal) = apply(&mut model, &change) {
            return Reverted::Refused(refusal);
        }
        count += model.changes - number;
    }
    model.changes = count;
    if conflict.is_empty() { Reverted::To(Box::new(model)) } else { Reverted::Refused(conflict) }
}

/// Makes a change whose positions are those in the model.
fn apply(model: &mut Model, change: &Change) -> Result<(), Refusal> {
    let at = |entry: &usize| At::Index(*entry);
    match change {
        Change::Set { entry, value } => model.set(&at(entry), &Val::read(value.value())),
        Change::Retype { entry, types, .. } => model.retype(&at(entry), types),
        Change::Add { position, key, value } => model.add(Some(*position), key, &Val::read(value.value())),
        Change::Remove { entry } => model.remove(&at(entry)),
        Change::Rename { entry, key } => model.rename(&at(entry), key),
        Change::Move { entry, position } => model.move_to(&at(entry), *position),
        Change::Splice { entry, elements, inserted } => {
            let inserted = inserted.as_ref().map(|inserted| Val::read(inserted.value()));
            model.splice(&at(entry), elements.clone(), inserted.as_ref())
        }
        Change::RenameTensor { tensor, name } => model.rename_tensor(&At::Index(*tensor), name),
        Change::RemoveTensor { tensor } => model.remove_tensor(&At::Index(*tensor)),
        Change::Repack => {
            model.repack();
            Ok(())
        }
        Change::Version(version) => model.set_version(*version),
        Change::ByteOrder(endian) => {
            model.set_byte_order(*endian);
            Ok(())
        }
        other => panic!("{other:?}"),
    }
}
