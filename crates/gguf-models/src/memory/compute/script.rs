//! Runs the sections that describe a graph. `docs/architectures.md` explains their statements, and `families` has their texts.

use alloc::{format, string::String, vec::Vec};
use core::cell::Cell;

use super::graph::{Graph, Kind, MOST_BYTES};
use crate::architectures::opcodes;
use crate::architectures::table_reader::lists::{
    KEYS, NAMES, NUMBER_COUNT, RESULT_COUNT, SECTIONS, number, result, section,
};
use crate::architectures::table_reader::{TableReader, places_of};
use crate::memory::model::Model;

/// The sections of all architectures.
const TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/graphs.bin"));

/// Runs the sections for a model.
pub(super) struct Script<'a> {
    model: &'a Model<'a>,
    /// The places of the sections of the architecture.
    sections: Vec<u16>,
    pub graph: Graph,
    numbers: [u64; NUMBER_COUNT],
    results: [Option<u32>; RESULT_COUNT],
    /// The block whose tensors and numbers are used.
    block: usize,
    /// What the names of its tensors begin with, after the prefix.
    block_name: String,
    /// What the names of tensors of blocks begin with.
    prefix: &'static str,
    /// Whether the number of the block was used.
    uses_number: Cell<bool>,
}

impl<'a> Script<'a> {
    pub fn new(model: &'a Model<'a>) -> Self {
        let mut sections = SECTIONS.to_vec();
        if let Some((_, place @ 1..)) = places_of(&model.architecture) {
            let mut own = TableReader::at(TABLE, place);
            for _ in 0..own.number() {
                let section = own.number();
                sections[section] = own.number() as u16;
            }
        }
        Self {
            model,
            sections,
            graph: Graph::default(),
            numbers: [0; NUMBER_COUNT],
            results: [None; RESULT_COUNT],
            block: 0,
            block_name: String::from("blk.0."),
            prefix: "",
            uses_number: Cell::new(false),
        }
    }

    /// Uses the tensors and numbers of a block from here on.
    pub fn enter_block(&mut self, block: usize) {
        self.block = block;
        self.block_name = format!("blk.{block}.");
    }

    pub fn set(&mut self, number: u8, value: u64) {
        self.numbers[usize::from(number)] = value;
    }

    pub fn number(&self, number: u8) -> u64 {
        self.numbers[usize::from(number)]
    }

    fn result(&self, result: u8) -> Option<u32> {
        self.results[usize::from(result)]
    }

    /// The result that the next block begins with.
    pub fn output(&self) -> u32 {
        self.result(result::X).unwrap_or(0)
    }

    /// Begins the next block with the output of the last one.
    pub fn take_output(&mut self) {
        let output = self.graph.ends.last().map_or(0, |end| end.output);
        self.results[usize::from(result::X)] = Some(output);
    }

    /// Runs the statements of a block. Blocks with the same `kind` compute the same graph, unless a statement reads the number
    /// of the block.
    pub fn run_block(&mut self, kind: Option<u64>) {
        self.uses_number.set(false);
        self.run(section::BLOCK);
        let kind = kind.filter(|_| !self.uses_number.get());
        self.graph.end_block(self.output(), kind);
    }

    /// Runs the statements of a section.
    pub fn run(&mut self, section: u8) {
        let mut reader = TableReader::at(TABLE, self.sections[usize::from(section)]);
        loop {
            match reader.byte() {
                opcodes::END => return,
                opcodes::SKIP_UNLESS => {
                    let holds = self.value(&mut reader) != 0;
                    let length = reader.number();
                    reader.skip(if holds { 0 } else { length });
                }
                opcodes::SKIP => {
                    let length = reader.number();
                    reader.skip(length);
                }
                opcodes::RUN => self.run(reader.byte()),
                opcodes::LET => {
                    let number = reader.byte();
                    let value = self.value(&mut reader).min(MOST_BYTES);
                    self.set(number, value);
                }
                opcodes::FROM => self.prefix = NAMES[reader.number()],
                code @ (opcodes::NOW | opcodes::STORE | opcodes::OUTPUT) => {
                    let sources = self.sources(&mut reader);
                    self.order(code, &sources);
                }
                code => {
                    let name = reader.byte();
                    self.results[usize::from(name)] = self.compute(code, &mut reader);
                }
            }
        }
    }

    /// Says when results are computed, or that the caller reads them.
    fn order(&mut self, code: u8, results: &[u32]) {
        match code {
            opcodes::NOW => results.iter().for_each(|id| self.graph.compute(*id)),
            opcodes::STORE => {
                let id = self.graph.add(Kind::Outside, 0, 0, results);
                self.graph.compute(id);
            }
            _ => results.iter().for_each(|id| self.graph.nodes[*id as usize].is_output = true),
        }
    }

    /// The results that a list names. Those that do not exist are left out.
    fn sources(&self, reader: &mut TableReader) -> Vec<u32> {
        (0..reader.byte()).filter_map(|_| self.result(reader.byte())).collect()
    }

    /// Adds a result to the graph. `None` if the result that it is made of does not exist.
    fn compute(&mut self, code: u8, reader: &mut TableReader) -> Option<u32> {
        if matches!(code, opcodes::COPY | opcodes::PRODUCT | opcodes::EXPERTS | opcodes::NORM) {
            let source = self.result(reader.byte());
            let tensor = if code == opcodes::COPY { 0 } else { reader.number() };
            return Some(self.apply(code, source?, tensor));
        }
        let size: [Option<u64>; 3] = if code == opcodes::SAME {
            [None; 3]
        } else {
            let count = reader.byte();
            core::array::from_fn(|place| (place < count.into()).then(|| self.value(reader).min(MOST_BYTES)))
        };
        // A result has the form of its first source, unless its size is given.
        let count = reader.byte();
        let mut places = (0..count).map(|_| self.result(reader.byte()));
        let first = places.next().flatten();
        let sources: Vec<u32> = first.into_iter().chain(places.flatten()).collect();
        if code == opcodes::SAME && first.is_none() || code == opcodes::VIEW && sources.is_empty() {
            return None;
        }
        let (width, bytes) = match (size, sources.first()) {
            ([None, ..], Some(source)) => {
                let node = &self.graph.nodes[*source as usize];
                (node.width, node.bytes)
            }
            ([width, rows, element], _) => {
                let width = width.unwrap_or(0);
                let rows = rows.unwrap_or(self.number(number::T));
                (width, width.saturating_mul(rows).saturating_mul(element.unwrap_or(4)))
            }
        };
        let kind = match code {
            opcodes::SAME => Kind::InPlace,
            opcodes::NEW => Kind::Own,
            opcodes::INPUT => Kind::Input,
            _ => Kind::View,
        };
        Some(self.graph.add(kind, width, bytes, &sources))
    }

    /// The product of a result and a tensor, or a norm; the result itself if there is no such tensor.
    fn apply(&mut self, code: u8, source: u32, tensor: usize) -> u32 {
        let node = &self.graph.nodes[source as usize];
        if code == opcodes::COPY || tensor > 0 && self.dimension(tensor, 0).is_none() {
            return source;
        }
        if code == opcodes::NORM {
            let kind = if self.number(number::RMS) != 0 { Kind::InPlace } else { Kind::Own };
            let (width, bytes) = (node.width, node.bytes);
            return self.graph.add(kind, width, bytes, &[source]);
        }
        let width = self.dimension(tensor, 1).unwrap_or(1);
        let is_experts = code == opcodes::EXPERTS;
        let ids = self.result(result::IDS).filter(|_| is_experts);
        let rows = match is_experts {
            true => self.number(number::USED).saturating_mul(self.rows(ids)).min(MOST_BYTES),
            false => node.rows(),
        };
        let bytes = width.saturating_mul(rows).saturating_mul(4);
        let sources = [source, ids.unwrap_or(source)];
        self.graph.add(Kind::Own, width, bytes, &sources[..1 + usize::from(is_experts)])
    }

    fn rows(&self, result: Option<u32>) -> u64 {
        result.map_or(0, |id| self.graph.nodes[id as usize].rows())
    }

    /// The value of an expression.
    fn value(&self, reader: &mut TableReader) -> u64 {
        match reader.byte() {
            opcodes::NUMBER => reader.number() as u64,
            opcodes::NUMBER_OF_GRAPH => self.number(reader.byte()),
            opcodes::KEY => self.model.number_in_block(KEYS[reader.number()], self.block as u64),
            opcodes::BLOCK => {
                self.uses_number.set(true);
                self.block as u64
            }
            opcodes::ROWS => self.rows(self.result(reader.byte())),
            opcodes::NOT => u64::from(self.value(reader) == 0),
            opcodes::HAS => u64::from(self.dimension(reader.number(), 0).is_some()),
            opcodes::DIMENSION => {
                let tensor = reader.number();
                self.dimension(tensor, reader.byte().into()).unwrap_or(0)
            }
            operator => {
                let left = self.value(reader);
                self.binary(operator, left, reader)
            }
        }
    }

    fn binary(&self, operator: u8, left: u64, reader: &mut TableReader) -> u64 {
        if matches!(operator, opcodes::AND | opcodes::OR_ELSE) {
            let length = reader.number();
            if (left != 0) == (operator == opcodes::OR_ELSE) {
                reader.skip(length);
                return u64::from(left != 0);
            }
            return u64::from(self.value(reader) != 0);
        }
        let right = self.value(reader);
        let compared = left.min(MOST_BYTES).cmp(&right.min(MOST_BYTES));
        match operator {
            opcodes::OR => {
                if left != 0 {
                    left
                } else {
                    right
                }
            }
            opcodes::EQUAL => u64::from(compared.is_eq()),
            opcodes::UNEQUAL => u64::from(compared.is_ne()),
            opcodes::LESS => u64::from(compared.is_lt()),
            opcodes::GREATER => u64::from(compared.is_gt()),
            opcodes::LESS_OR_EQUAL => u64::from(compared.is_le()),
            opcodes::GREATER_OR_EQUAL => u64::from(compared.is_ge()),
            opcodes::ADD => left.saturating_add(right),
            opcodes::SUBTRACT => left.saturating_sub(right),
            opcodes::MULTIPLY => left.saturating_mul(right),
            opcodes::DIVIDE => left / right.max(1),
            _ => left % right.max(1),
        }
    }

    /// A dimension of a tensor of the block or, as the table says, of the whole model. `None` if there is no such tensor.
    fn dimension(&self, tensor: usize, index: usize) -> Option<u64> {
        let (name, is_of_model) = (NAMES[(tensor - 1) >> 1], (tensor - 1) & 1 == 1);
        // An estimate asks for thousands of names. Without `format!` it takes a quarter less time.
        let mut full = String::with_capacity(64);
        if !is_of_model {
            full.push_str(self.prefix);
            full.push_str(&self.block_name);
        }
        full.push_str(name);
        let found = self.model.header.tensor(&full).or_else(|| {
            full.push_str(".weight");
            self.model.header.tensor(&full)
        });
        found.map(|tensor| tensor.dimension_iter().nth(index).unwrap_or(1))
    }
}
