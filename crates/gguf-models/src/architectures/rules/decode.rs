//! Makes the parts of rules of the bytes of the table.

use alloc::{boxed::Box, vec::Vec};

use super::grammar::{
    BlockRange, BlocksItem, Counts, Element, Expr, Item, KeyForm, KeyItem, Operator, TensorItem, TensorName, TensorNeed,
};
use super::row_rules::Rules;
use crate::architectures::opcodes;
use crate::architectures::table_reader::lists::{self, NAMES};
use crate::architectures::table_reader::{TableReader, places_of};

/// The rules of all architectures, and then those of each.
const TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rules.bin"));

impl Rules {
    /// The rules of an architecture. `None` if llama.cpp does not load it.
    pub(crate) fn of(architecture: &str) -> Option<Self> {
        let (place, _) = places_of(architecture)?;
        let mut rules = Self::default();
        rules.add(TableReader::at(TABLE, 0));
        rules.add(TableReader::at(TABLE, place));
        rules.find_varying();
        Some(rules)
    }

    /// The rules that hold for every model. They are used for an architecture that llama.cpp knows by name but does not load.
    pub(crate) fn of_every_model() -> Self {
        let mut rules = Self::default();
        rules.add(TableReader::at(TABLE, 0));
        rules.find_varying();
        rules
    }

    /// Whether an architecture has a definition of its own.
    pub(crate) fn defines(architecture: &str, definition: usize) -> bool {
        let Some((place, _)) = places_of(architecture) else { return false };
        let mut reader = TableReader::at(TABLE, place);
        (0..reader.number()).any(|_| (reader.number(), expr(&mut reader)).0 == definition)
    }

    /// Adds definitions, which replace earlier ones, and statements.
    fn add(&mut self, mut reader: TableReader) {
        for _ in 0..reader.number() {
            let place = reader.number();
            let definition = expr(&mut reader);
            if place >= self.definitions.len() {
                self.definitions.resize(place + 1, Expr::Number(0));
            }
            self.definitions[place] = definition;
        }
        self.items.extend(items(&mut reader));
    }
}

fn items(reader: &mut TableReader) -> Vec<Item> {
    let mut list = Vec::new();
    loop {
        let code = reader.byte();
        if code == opcodes::AGAIN {
            // Statements that stand elsewhere, one after the other.
            let (place, count) = (reader.number(), reader.number());
            let mut others = TableReader::at(TABLE, place as u16);
            for _ in 0..count {
                let code = others.byte();
                list.extend(item(code, &mut others));
            }
            continue;
        }
        match item(code, reader) {
            Some(item) => list.push(item),
            None => return list,
        }
    }
}

/// The next statement, which begins with a code. `None` at the end of a list.
fn item(code: u8, reader: &mut TableReader) -> Option<Item> {
    Some(match code {
        opcodes::READ_KEY => Item::Key(key(reader)),
        opcodes::TENSOR => Item::Tensor(tensor(reader)),
        opcodes::BRANCH => Item::If(expr(reader), items(reader), items(reader)),
        opcodes::BLOCKS => Item::Blocks(blocks(reader)),
        opcodes::MUST => Item::Must(expr(reader)),
        opcodes::ASSERT => Item::Assert(expr(reader)),
        opcodes::OPTIONAL => Item::Optional(items(reader)),
        _ => return None,
    })
}

fn key(reader: &mut TableReader) -> KeyItem {
    let flags = reader.byte();
    let key = reader.number();
    let element = match flags >> 3 & 7 {
        0 => Element::Uint32,
        1 => Element::Int32,
        2 => Element::Float32,
        3 => Element::Bool,
        4 => Element::String,
        _ => Element::Uint64,
    };
    let form = match flags & 7 {
        0 => KeyForm::Single(element),
        1 => KeyForm::SingleUnlessArray(element),
        2 => KeyForm::SingleOrArray(element, expr(reader)),
        3 => KeyForm::Array(element),
        _ => KeyForm::Length,
    };
    KeyItem { key, form, is_required: flags >> 6 & 1 == 1, is_whole: flags >> 7 == 1 }
}

fn tensor(reader: &mut TableReader) -> TensorItem {
    let flags = reader.byte();
    let name = name(reader);
    let dimensions = (0..flags >> 5).map(|_| expr(reader)).collect();
    let need = match flags & 3 {
        0 => TensorNeed::Required,
        1 => TensorNeed::Optional,
        _ => TensorNeed::OptionalIf(expr(reader)),
    };
    let counts = match flags >> 2 & 3 {
        0 => Counts::Always,
        1 => Counts::Once,
        _ => Counts::Never,
    };
    TensorItem { name, dimensions, need, counts, is_reshaped: flags >> 4 & 1 == 1 }
}

fn blocks(reader: &mut TableReader) -> BlocksItem {
    let flags = reader.byte();
    let range = match flags & 3 {
        0 => BlockRange::Each,
        1 => BlockRange::Every,
        2 => BlockRange::Last,
        _ => BlockRange::First(expr(reader)),
    };
    let optional_if = (flags >> 2 == 1).then(|| expr(reader));
    BlocksItem { range, optional_if, items: items(reader) }
}

fn name(reader: &mut TableReader) -> TensorName {
    let number = reader.number();
    TensorName { name: NAMES[number >> 1], is_in_block: number & 1 == 1 }
}

fn expr(reader: &mut TableReader) -> Expr {
    let code = reader.byte();
    let mut inner = || Box::new(expr(reader));
    let operator = match code {
        opcodes::OR_ELSE => Operator::OrElse,
        opcodes::AND => Operator::And,
        opcodes::EQUAL => Operator::Equal,
        opcodes::UNEQUAL => Operator::Unequal,
        opcodes::LESS => Operator::Less,
        opcodes::GREATER => Operator::Greater,
        opcodes::LESS_OR_EQUAL => Operator::LessOrEqual,
        opcodes::GREATER_OR_EQUAL => Operator::GreaterOrEqual,
        opcodes::ADD => Operator::Add,
        opcodes::SUBTRACT => Operator::Subtract,
        opcodes::MULTIPLY => Operator::Multiply,
        opcodes::DIVIDE => Operator::Divide,
        opcodes::REMAINDER => Operator::Remainder,
        opcodes::NOT => return Expr::Not(inner()),
        opcodes::OR => return Expr::Or(inner(), inner()),
        opcodes::IF => return Expr::If(inner(), inner(), inner()),
        opcodes::MAX => return Expr::Max(inner(), inner()),
        opcodes::AT => return Expr::At(inner(), inner()),
        opcodes::MOST_OF_BLOCKS => return Expr::MostOfBlocks(inner()),
        _ => return operand(code, reader),
    };
    Expr::Binary(operator, inner(), inner())
}

fn operand(code: u8, reader: &mut TableReader) -> Expr {
    match code {
        opcodes::BLOCK => Expr::Block,
        opcodes::VOCABULARY => Expr::Vocabulary,
        opcodes::TOKENS => Expr::Tokens,
        opcodes::TOKEN_TYPES => Expr::TokenTypes,
        opcodes::LABELS => Expr::Labels,
        opcodes::HAS => Expr::Has(name(reader)),
        opcodes::HAS_AT => Expr::HasAt(name(reader), Box::new(expr(reader))),
        opcodes::DIMENSION => Expr::Dimension(name(reader), reader.byte().into()),
        _ => {
            let number = reader.number();
            match code {
                opcodes::DEFINITION => Expr::Definition(number),
                opcodes::KEY => Expr::Key(number),
                opcodes::KEY_OF_BLOCK => Expr::KeyOfBlock(number),
                opcodes::GIVEN => Expr::Given(number),
                opcodes::GIVEN_OR => Expr::GivenOr(number, Box::new(expr(reader))),
                opcodes::SCALAR => Expr::Scalar(number),
                opcodes::COUNT => Expr::Count(number),
                opcodes::MOST_OF => Expr::MostOf(number),
                opcodes::LEAST_OF => Expr::LeastOf(number),
                opcodes::DISTINCT => Expr::Distinct(number),
                opcodes::IS => Expr::Is(number, NAMES[reader.number()]),
                _ => Expr::Number(number as i64),
            }
        }
    }
}

/// The place of a key in the list of keys.
pub(crate) fn key_named(name: &str) -> Option<usize> {
    lists::KEYS.iter().position(|own| *own == name)
}
