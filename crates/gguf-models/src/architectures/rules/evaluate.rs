//! The values of expressions, for a model.

use alloc::{string::String, vec, vec::Vec};
use core::fmt::Write;

use super::decode::key_named;
use super::grammar::{Expr, Operator, TensorName};
use super::row_rules::Rules;
use crate::architectures::table_reader::lists::{KEYS, definition};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::tokenizer_model::{TokenizerAlgorithm, tokenizer_model};
use gguf_format::format::value::{Array, Str, Value};
use gguf_format::order::sorted;

/// What llama.cpp knows of a key at a point of the loading.
#[derive(Clone)]
pub(super) enum Stored<'a> {
    /// It has not read the key.
    Unread,
    /// The file does not have the key.
    Missing,
    One(i64),
    Text(Str<'a>),
    Many(Array<'a>),
}

/// Evaluates expressions for a model whose keys are read one after the other.
pub(crate) struct Evaluator<'r, 'a> {
    pub(super) rules: &'r Rules,
    pub(super) header: &'a Header,
    pub(super) values: Vec<Stored<'a>>,
    /// The number of the block.
    pub(super) block: i64,
    vocabulary: i64,
    tokens: i64,
    token_types: i64,
    /// The values of definitions that are the same for all blocks, since the last key was read.
    cache: Vec<Option<Option<i64>>>,
}

/// The most blocks that an expression looks at.
pub(super) const MOST_BLOCKS: i64 = crate::architectures::hyperparameters::MOST_BLOCKS as i64;

impl<'r, 'a> Evaluator<'r, 'a> {
    pub(super) fn new(rules: &'r Rules, header: &'a Header, architecture: &[u8]) -> Self {
        let number = |key: &[u8]| header.get(key).and_then(|entry| entry.value().as_u64());
        let list = header.get("tokenizer.ggml.tokens").and_then(|entry| Some(entry.value().as_array()?.len()));
        let name =
            header.get("tokenizer.ggml.model").and_then(|entry| entry.value().as_str().map(|text| text.to_bytes()));
        let algorithm = name.and_then(|name| tokenizer_model(&name)).map(|model| model.algorithm);
        let vocabulary = match algorithm {
            Some(TokenizerAlgorithm::NoVocabulary) => number(&[architecture, b".vocab_size"].concat()),
            // Without the list, llama.cpp stops before it looks at tensors.
            _ => list.or_else(|| header.tensor("token_embd.weight")?.dimension_iter().nth(1)),
        };
        let to_number = |value: Option<u64>| value.and_then(|value| i64::try_from(value).ok()).unwrap_or(0);
        Self {
            rules,
            header,
            values: vec![Stored::Unread; KEYS.len()],
            block: 0,
            vocabulary: to_number(vocabulary),
            tokens: to_number(list),
            token_types: to_number(number(b"tokenizer.ggml.token_type_count")),
            cache: vec![None; rules.definitions.len()],
        }
    }

    pub(super) fn store(&mut self, key: usize, value: Stored<'a>) {
        self.values[key] = value;
        self.cache.fill(None);
    }

    /// The value of an expression. `None` if llama.cpp would divide by zero, or the number does not fit.
    #[doc(hidden)]
    pub fn value(&mut self, expr: &Expr) -> Option<i64> {
        Some(match expr {
            Expr::Number(number) => *number,
            Expr::Definition(index) => return self.definition(*index),
            Expr::Key(key) => self.key(*key, 0),
            Expr::KeyOfBlock(key) => self.key(*key, self.block),
            Expr::Block => self.block,
            Expr::Vocabulary => self.vocabulary,
            Expr::Tokens => self.tokens,
            Expr::TokenTypes => self.token_types,
            Expr::Labels => self.labels(),
            Expr::Not(inner) => i64::from(self.value(inner)? == 0),
            Expr::Binary(operator, left, right) => return self.binary(*operator, left, right),
            Expr::Or(left, right) => match self.value(left)? {
                0 => return self.value(right),
                left => left,
            },
            Expr::If(condition, then, otherwise) => {
                let chosen = if self.value(condition)? != 0 { then } else { otherwise };
                return self.value(chosen);
            }
            Expr::Given(key) => i64::from(self.is_given(*key)),
            Expr::GivenOr(key, default) if !self.is_given(*key) => return self.value(default),
            Expr::GivenOr(key, _) => self.key(*key, 0),
            Expr::Scalar(key) => i64::from(matches!(self.values[*key], Stored::One(_))),
            Expr::Count(key) => self.array(*key).map_or(0, |array| array.len() as i64),
            Expr::MostOf(key) => self.elements(*key).max().unwrap_or(-1),
            Expr::LeastOf(key) => self.elements(*key).min().unwrap_or(0),
            Expr::Distinct(key) => {
                let elements: Vec<i64> = self.elements(*key).filter(|element| *element >= 0).collect();
                let mut elements = sorted(&elements);
                elements.dedup();
                elements.len() as i64
            }
            Expr::Is(key, text) => i64::from(matches!(&self.values[*key], Stored::Text(found) if *found == **text)),
            Expr::MostOfBlocks(inner) => return self.most_of_blocks(inner),
            Expr::Max(left, right) => self.value(left)?.max(self.value(right)?),
            Expr::At(block, inner) => {
                let block = self.value(block)?;
                return self.at(block, |own| own.value(inner));
            }
            Expr::Has(name) => i64::from(self.tensor(*name).is_some()),
            Expr::HasAt(name, block) => {
                let block = self.value(block)?;
                self.at(block, |own| i64::from(own.tensor(*name).is_some()))
            }
            Expr::Dimension(name, index) => {
                let dimension =
                    self.tensor(*name).map(|tensor| tensor.dimension_iter().nth(*index as usize).unwrap_or(1));
                i64::try_from(dimension.unwrap_or(0)).ok()?
            }
        })
    }

    fn definition(&mut self, index: usize) -> Option<i64> {
        if let Some(known) = self.cache[index] {
            return known;
        }
        let rules = self.rules;
        let value = self.value(&rules.definitions[index]);
        if !rules.varies[index] {
            self.cache[index] = Some(value);
        }
        value
    }

    pub(super) fn at<T>(&mut self, block: i64, run: impl FnOnce(&mut Self) -> T) -> T {
        let own = core::mem::replace(&mut self.block, block);
        let result = run(self);
        self.block = own;
        result
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Option<i64> {
        let left = self.value(left)?;
        match operator {
            Operator::And if left == 0 => return Some(0),
            Operator::OrElse if left != 0 => return Some(1),
            _ => {}
        }
        let right = self.value(right)?;
        match operator {
            Operator::And | Operator::OrElse => Some(i64::from(right != 0)),
            Operator::Equal => Some(i64::from(left == right)),
            Operator::Unequal => Some(i64::from(left != right)),
            Operator::Less => Some(i64::from(left < right)),
            Operator::Greater => Some(i64::from(left > right)),
            Operator::LessOrEqual => Some(i64::from(left <= right)),
            Operator::GreaterOrEqual => Some(i64::from(left >= right)),
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
            Operator::Remainder => left.checked_rem(right),
        }
    }

    fn most_of_blocks(&mut self, inner: &Expr) -> Option<i64> {
        let count = self.value(&Expr::Definition(definition::BLOCKS))?.clamp(0, MOST_BLOCKS);
        let mut most = 0;
        for block in 0..count {
            most = most.max(self.at(block, |own| own.value(inner))?);
        }
        Some(most)
    }

    pub(super) fn is_given(&self, key: usize) -> bool {
        !matches!(self.values[key], Stored::Unread | Stored::Missing)
    }

    /// The value of a key for a block. 0 without a value.
    fn key(&self, key: usize, block: i64) -> i64 {
        match &self.values[key] {
            Stored::One(value) => *value,
            Stored::Many(array) => {
                u64::try_from(block).ok().and_then(|block| as_number(&array.get(block)?)).unwrap_or(0)
            }
            Stored::Unread | Stored::Missing | Stored::Text(_) => 0,
        }
    }

    fn array(&self, key: usize) -> Option<&Array<'a>> {
        match &self.values[key] {
            Stored::Many(array) => Some(array),
            _ => None,
        }
    }

    fn elements(&self, key: usize) -> impl Iterator<Item = i64> + use<'_, 'a, 'r> {
        let most = MOST_BLOCKS as usize * 8;
        self.array(key).into_iter().flat_map(move |array| array.iter().take(most).filter_map(|value| as_number(&value)))
    }

    fn labels(&self) -> i64 {
        let count = key_named("classifier.output_labels").and_then(|key| self.array(key)).map_or(0, Array::len);
        i64::try_from(count).unwrap_or(0).max(1)
    }

    pub(super) fn tensor(&self, name: TensorName) -> Option<TensorInfo<'a>> {
        let mut text = String::new();
        write_name(&mut text, name, self.block);
        self.header.tensor(text.as_str())
    }
}

/// The number that llama.cpp takes for a value: that of a `BOOL` is 0 or 1, and of a floating-point number only the sign is
/// asked for.
pub(super) fn as_number(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Int32(value) => Some((*value).into()),
        Value::Float32(value) if *value > 0.0 => Some(1),
        Value::Float32(value) if *value < 0.0 => Some(-1),
        Value::Float32(_) => Some(0),
        value => value.as_u64().and_then(|value| i64::try_from(value).ok()),
    }
}

/// Writes the whole name of a tensor.
pub(crate) fn write_name(text: &mut String, name: TensorName, block: i64) {
    if name.is_in_block {
        // Writing to a string does not fail.
        let _ = write!(text, "blk.{block}.");
    }
    match name.name.split_once('#') {
        Some((before, after)) => {
            let _ = write!(text, "{before}{block}{after}");
        }
        None => text.push_str(name.name),
    }
    match text.strip_suffix('.') {
        Some(_) => {
            text.pop();
        }
        None if !has_suffix(name.name) => text.push_str(".weight"),
        None => {}
    }
}

/// Whether a name in a rule has a suffix such as `.bias`. A name without a suffix means `.weight`.
pub(super) fn has_suffix(name: &str) -> bool {
    const SUFFIXES: [&str; 8] = [".", ".weight", ".bias", ".scale", ".scales", ".input_scale", ".lora_a", ".lora_b"];
    SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}
