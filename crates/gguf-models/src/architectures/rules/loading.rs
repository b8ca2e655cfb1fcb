//! What llama.cpp does with a model: the keys that it reads, and the tensors that it creates.

use alloc::{string::String, vec, vec::Vec};

use super::describe;
use super::evaluate::{Evaluator, MOST_BLOCKS, Stored, as_number};
use super::grammar::{
    BlockRange, BlocksItem, Counts, Element, Expr, Item, KeyForm, KeyItem, TensorItem, TensorName, TensorNeed,
};
use super::row_rules::Rules;
use crate::architectures::table_reader::lists::{KEYS, definition};
use gguf_format::format::header::{Header, MetadataKv, TensorInfo};
use gguf_format::format::value::{Array, Value, ValueType};

/// Why llama.cpp refuses a model, in the order in which it would find out.
#[derive(Clone, Debug)]
pub(crate) enum Problem {
    /// The file lacks a key. Its name has no architecture, or is whole.
    MissingKey { name: &'static str, is_whole: bool },
    /// The entry has a type that llama.cpp does not read.
    KeyType(usize),
    /// The array has another length than this.
    KeyLength { entry: usize, found: u64, expected: i64 },
    /// A condition does not hold. It is written with its numbers. llama.cpp stops with an assertion, or refuses the file.
    Condition { text: String, stops: bool },
    /// llama.cpp divides by zero, or a number does not fit.
    Undecided { text: String },
    /// The file lacks a tensor, of a block or not.
    MissingTensor { name: TensorName, block: i64 },
    /// A dimension of a tensor is not the one that the keys give.
    Shape(Shape),
    /// llama.cpp does not look for the tensor.
    Superfluous(usize),
    /// llama.cpp creates another number of tensors than the file has.
    Count { created: usize, found: usize },
}

/// A dimension that is not the one that the keys give.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) tensor: usize,
    /// The index of the dimension. `None` if the number of elements is compared.
    pub(crate) dimension: Option<usize>,
    pub(crate) found: u64,
    pub(crate) expected: i64,
    /// The number of dimensions that the rule gives.
    pub(crate) wanted: usize,
    /// How the number comes about: `attention.head_count (4) × attention.key_length (16)`. `None` for a fixed number.
    pub(crate) meaning: Option<String>,
    /// The keys that the dimension depends on, and the values with which it would be right.
    pub(crate) candidates: Vec<(usize, i64)>,
}

/// How far a model is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The keys.
    Keys,
    /// The keys and the tensors, as a count of problems.
    Counted,
    /// The keys and the tensors.
    All,
}

/// A model that is loaded.
pub(crate) struct Loading<'r, 'a> {
    pub(crate) evaluator: Evaluator<'r, 'a>,
    architecture: &'a [u8],
    extent: Extent,
    /// Keys that have a value other than in the file.
    assumed: Vec<(usize, i64)>,
    pub(crate) problems: Vec<Problem>,
    /// The number of problems, also of those that are not listed.
    pub(crate) problem_count: usize,
    /// The entries that llama.cpp has read.
    pub(crate) read_entries: Vec<usize>,
    pub(super) is_requested: Vec<bool>,
    pub(super) is_counted: Vec<bool>,
    pub(super) created: usize,
    /// Whether the tensors of the statements are optional.
    is_optional: bool,
}

/// The most elements of an array of `UINT64` (`LLAMA_MAX_PLE_HEADS`).
const MOST_LONG_NUMBERS: u64 = 64;

/// The most problems that are listed.
const MOST_PROBLEMS: usize = 20_000;

impl<'r, 'a> Loading<'r, 'a> {
    /// Loads a model, with keys that have other values than in the file.
    pub(crate) fn run(
        rules: &'r Rules,
        header: &'a Header,
        architecture: &'a [u8],
        assumed: &[(usize, i64)],
        extent: Extent,
    ) -> Self {
        let tensors = if extent == Extent::Keys { 0 } else { header.tensors().len() };
        let mut loading = Self {
            evaluator: Evaluator::new(rules, header, architecture),
            architecture,
            extent,
            assumed: assumed.to_vec(),
            problems: Vec::new(),
            problem_count: 0,
            read_entries: Vec::new(),
            is_requested: vec![false; tensors],
            is_counted: vec![false; tensors],
            created: 0,
            is_optional: false,
        };
        loading.items(&rules.items);
        if extent != Extent::Keys {
            loading.compare_count();
        }
        loading
    }

    pub(super) fn report(&mut self, problem: impl FnOnce(&mut Self) -> Problem) {
        self.problem_count += 1;
        if self.extent != Extent::Counted && self.problems.len() < MOST_PROBLEMS {
            let problem = problem(self);
            self.problems.push(problem);
        }
    }

    fn items(&mut self, items: &'r [Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &'r Item) {
        match item {
            Item::Key(key) => self.read_key(key),
            Item::Tensor(tensor) if self.extent != Extent::Keys => self.create(tensor),
            Item::Tensor(_) => {}
            Item::If(condition, then, otherwise) => match self.evaluator.value(condition) {
                Some(0) => self.items(otherwise),
                Some(_) => self.items(then),
                None => self.report_undecided(condition),
            },
            Item::Blocks(blocks) => self.load_blocks(blocks),
            Item::Must(condition) => self.require(condition, false),
            Item::Assert(condition) => self.require(condition, true),
            Item::Optional(items) => {
                let outer = core::mem::replace(&mut self.is_optional, true);
                self.items(items);
                self.is_optional = outer;
            }
        }
    }

    fn load_blocks(&mut self, blocks: &'r BlocksItem) {
        let mut number = |expr: &Expr| self.evaluator.value(expr).unwrap_or(0).clamp(0, MOST_BLOCKS);
        let (own, all) =
            (number(&Expr::Definition(definition::BLOCKS)), number(&Expr::Definition(definition::ALL_BLOCKS)));
        let range = match &blocks.range {
            BlockRange::Each => 0..own,
            BlockRange::Every => 0..all,
            BlockRange::Last => own..all,
            BlockRange::First(count) => 0..number(count),
        };
        let (outer_block, outer_optional) = (self.evaluator.block, self.is_optional);
        for block in range {
            self.evaluator.block = block;
            let is_optional = blocks.optional_if.as_ref().and_then(|condition| self.evaluator.value(condition));
            self.is_optional = outer_optional || is_optional.is_some_and(|value| value != 0);
            self.items(&blocks.items);
        }
        (self.evaluator.block, self.is_optional) = (outer_block, outer_optional);
    }

    fn require(&mut self, condition: &'r Expr, stops: bool) {
        match self.evaluator.value(condition) {
            Some(0) => self.report(|own| {
                let text = describe::text(&mut own.evaluator, condition);
                Problem::Condition { text, stops }
            }),
            Some(_) => {}
            None => self.report_undecided(condition),
        }
    }

    fn report_undecided(&mut self, expr: &'r Expr) {
        self.report(|own| Problem::Undecided { text: describe::text(&mut own.evaluator, expr) });
    }

    fn read_key(&mut self, item: &'r KeyItem) {
        let name = KEYS[item.key];
        if let Some((_, value)) = self.assumed.iter().find(|(key, _)| *key == item.key) {
            let value = *value;
            return self.evaluator.store(item.key, Stored::One(value));
        }
        let key = match item.is_whole {
            true => name.into(),
            false => [self.architecture, b".", name.as_bytes()].concat(),
        };
        let entry = self.evaluator.header.get(key);
        if let Some(entry) = &entry {
            self.read_entries.push(entry.index());
        }
        let stored = match (entry, &item.form) {
            (None, _) => {
                if item.is_required {
                    self.report(|_| Problem::MissingKey { name, is_whole: item.is_whole });
                }
                Stored::Missing
            }
            (Some(entry), form) => self.read_entry(&entry, form, item.is_required),
        };
        self.evaluator.store(item.key, stored);
    }

    fn read_entry(&mut self, entry: &MetadataKv<'a>, form: &'r KeyForm, is_required: bool) -> Stored<'a> {
        let index = entry.index();
        let has_type = match (entry.value(), form) {
            (Value::Array(_), KeyForm::SingleUnlessArray(_)) if !is_required => {
                self.read_entries.pop();
                return Stored::Missing;
            }
            (Value::Array(array), KeyForm::SingleOrArray(element, length)) => {
                let expected = self.evaluator.value(length).unwrap_or(0);
                if i64::try_from(array.len()).ok() != Some(expected) {
                    let found = array.len();
                    self.report(|_| Problem::KeyLength { entry: index, found, expected });
                }
                is_array_of(&array, *element)
            }
            // llama.cpp reads signed integers and texts into lists of any length, other elements into one for each block.
            (Value::Array(array), KeyForm::Array(Element::Int32)) => {
                matches!(array.element_type(), ValueType::Uint32 | ValueType::Int32)
            }
            (Value::Array(array), KeyForm::Array(element)) => {
                let most = match element {
                    Element::String => u64::MAX,
                    Element::Uint64 => MOST_LONG_NUMBERS,
                    _ => MOST_BLOCKS as u64,
                };
                is_array_of(&array, *element) && array.len() <= most
            }
            (Value::Array(_), KeyForm::Length) => true,
            // llama.cpp ignores one value where it looks for an optional array.
            (_, KeyForm::Array(_)) if !is_required => {
                self.read_entries.pop();
                return Stored::Missing;
            }
            (
                value,
                KeyForm::Single(element) | KeyForm::SingleUnlessArray(element) | KeyForm::SingleOrArray(element, _),
            ) => value.value_type() == single(*element),
            _ => false,
        };
        if !has_type {
            self.report(|_| Problem::KeyType(index));
        }
        match entry.value() {
            Value::Array(array) => Stored::Many(array),
            Value::String(text) => Stored::Text(text),
            value => Stored::One(as_number(&value).unwrap_or(0)),
        }
    }

    fn create(&mut self, item: &'r TensorItem) {
        // The tensor itself is created elsewhere.
        if item.counts == Counts::Never {
            return;
        }
        let name = item.name;
        let Some(tensor) = self.evaluator.tensor(name) else {
            let is_optional = match &item.need {
                TensorNeed::Required => self.is_optional,
                TensorNeed::Optional => true,
                TensorNeed::OptionalIf(condition) => {
                    self.is_optional || self.evaluator.value(condition).is_some_and(|value| value != 0)
                }
            };
            if !is_optional {
                let block = self.evaluator.block;
                self.report(|_| Problem::MissingTensor { name, block });
            }
            return;
        };
        let index = tensor.index();
        let is_first = !core::mem::replace(&mut self.is_requested[index], true);
        let counts = match item.counts {
            Counts::Always | Counts::Never => true,
            Counts::Once => !self.is_counted[index],
        };
        if counts {
            self.is_counted[index] = true;
            self.created += 1;
        }
        // A tensor that all blocks share has the same shape in all.
        if is_first || item.counts == Counts::Always {
            self.compare_shape(item, &tensor);
        }
    }

    fn compare_shape(&mut self, item: &'r TensorItem, tensor: &TensorInfo<'a>) {
        let found: Vec<u64> = tensor.dimension_iter().collect();
        let of = |found: &[u64], index: usize| found.get(index).copied().unwrap_or(1);
        if item.is_reshaped {
            let mut expected = Some(1i64);
            for dimension in &item.dimensions {
                let value = self.evaluator.value(dimension);
                expected = expected.zip(value).and_then(|(product, value)| product.checked_mul(value));
            }
            let elements =
                found.iter().try_fold(1u64, |product, length| product.checked_mul(*length)).unwrap_or(u64::MAX);
            if expected.and_then(|expected| u64::try_from(expected).ok()) != Some(elements) {
                let (tensor, expected) = (tensor.index(), expected.unwrap_or(0));
                self.report(|_| {
                    let (dimension, found) = (None, elements);
                    let (meaning, candidates) = (None, Vec::new());
                    Problem::Shape(Shape { tensor, dimension, found, expected, wanted: 0, meaning, candidates })
                });
            }
            return;
        }
        for index in 0..found.len().max(item.dimensions.len()) {
            let found = of(&found, index);
            let Some(dimension) = item.dimensions.get(index) else {
                if found != 1 {
                    return self.report_shape(tensor, index, item.dimensions.len(), found, 1, None);
                }
                continue;
            };
            match self.evaluator.value(dimension) {
                None => return self.report_undecided(dimension),
                Some(expected) if u64::try_from(expected).ok() != Some(found) => {
                    return self.report_shape(tensor, index, item.dimensions.len(), found, expected, Some(dimension));
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn report_shape(
        &mut self,
        tensor: &TensorInfo<'a>,
        index: usize,
        wanted: usize,
        found: u64,
        expected: i64,
        dimension: Option<&'r Expr>,
    ) {
        let tensor = tensor.index();
        self.report(|own| {
            let is_fixed = matches!(dimension, None | Some(Expr::Number(_)));
            let meaning = dimension.filter(|_| !is_fixed).map(|expr| describe::text(&mut own.evaluator, expr));
            let candidates = match (dimension, i64::try_from(found)) {
                (Some(expr), Ok(found)) => describe::candidates(&mut own.evaluator, expr, found),
                _ => Vec::new(),
            };
            Problem::Shape(Shape { tensor, dimension: Some(index), found, expected, wanted, meaning, candidates })
        });
    }
}

fn single(element: Element) -> ValueType {
    match element {
        Element::Uint32 => ValueType::Uint32,
        Element::Int32 => ValueType::Int32,
        Element::Float32 => ValueType::Float32,
        Element::Bool => ValueType::Bool,
        Element::String => ValueType::String,
        Element::Uint64 => ValueType::Uint64,
    }
}

/// Whether llama.cpp reads an array as one of these elements. Both kinds of integers are the same to it.
fn is_array_of(array: &Array<'_>, element: Element) -> bool {
    match element {
        Element::Uint32 => {
            matches!(array.element_type(), ValueType::Uint32 | ValueType::Int32 | ValueType::Bool)
        }
        Element::Int32 => matches!(array.element_type(), ValueType::Uint32 | ValueType::Int32 | ValueType::Bool),
        other => array.element_type() == single(other),
    }
}
