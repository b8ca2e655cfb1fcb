//! Parses the text of rules.
//!
//! The texts are part of the program, and a test parses them all, so a mistake is a panic that names it.

use alloc::{boxed::Box, vec::Vec};

use super::grammar::{
    BlockRange, BlocksItem, Counts, Element, Expr, Item, KeyForm, KeyItem, Operator, TensorItem, TensorName, TensorNeed,
};
use super::row_rules::Rules;
use super::tokens::Tokens;

/// The groups that statements name with `@`: the name, the parameters, and the statements.
pub(super) type Group = (&'static str, &'static [&'static str], &'static str);

pub(super) struct Parser<'a> {
    pub(super) rules: Rules,
    groups: &'a [Group],
}

/// The scope of statements: the parameters of the group with their values, and whether the statements are inside of blocks.
#[derive(Clone, Default)]
struct Scope {
    parameters: Vec<(&'static str, Expr)>,
    is_in_block: bool,
}

/// Operators from the weakest to the strongest.
const OPERATORS: [&[(&str, Operator)]; 5] = [
    &[("||", Operator::OrElse)],
    &[("&&", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

impl<'a> Parser<'a> {
    pub(super) fn new(groups: &'a [Group]) -> Self {
        Self { rules: Rules::default(), groups }
    }

    /// Parses statements, and adds them to the rules.
    #[doc(hidden)]
    pub fn parse(&mut self, text: &'static str) {
        let mut tokens = Tokens::new(text);
        let items = self.items(&mut tokens, &Scope::default());
        assert!(tokens.peek().is_none(), "expected a statement at {:?} of {text}", tokens.peek());
        self.rules.items.extend(items);
    }

    /// Resolves the names of all expressions.
    pub(super) fn finish(mut self) -> Rules {
        let mut definitions = core::mem::take(&mut self.rules.definitions);
        let names: Vec<&'static str> = definitions.iter().map(|(name, _)| *name).collect();
        for (_, definition) in &mut definitions {
            self.resolve(definition, &names);
        }
        let mut items = core::mem::take(&mut self.rules.items);
        self.resolve_items(&mut items, &names);
        self.rules.definitions = definitions;
        self.rules.items = items;
        self.rules
    }

    fn items(&mut self, tokens: &mut Tokens, scope: &Scope) -> Vec<Item> {
        let mut items = Vec::new();
        while tokens.peek().is_some_and(|token| token.text != "}") {
            self.item(tokens, scope, &mut items);
        }
        items
    }

    fn body(&mut self, tokens: &mut Tokens, scope: &Scope) -> Vec<Item> {
        expect(tokens, "{");
        let items = self.items(tokens, scope);
        expect(tokens, "}");
        items
    }

    fn item(&mut self, tokens: &mut Tokens, scope: &Scope, items: &mut Vec<Item>) {
        if tokens.take_if("?") {
            let condition = self.expr(tokens, scope);
            let then = self.body(tokens, scope);
            let otherwise = if tokens.take_if(":") { self.body(tokens, scope) } else { Vec::new() };
            return items.push(Item::If(condition, then, otherwise));
        }
        if tokens.take_if("@") {
            return self.group(tokens, scope, items);
        }
        let is_root = tokens.take_if("/");
        let name = word(tokens);
        match name {
            "each" | "every" | "last" => return items.push(self.blocks(name, tokens, scope)),
            "must" => return items.push(Item::Must(self.argument(tokens, scope))),
            "assert" => return items.push(Item::Assert(self.argument(tokens, scope))),
            _ => {}
        }
        match tokens.take().map(|token| token.text) {
            Some(":") => {
                let (form, is_required) = self.key_form(tokens, scope);
                items.push(Item::Key(KeyItem { key: self.key(name), is_whole: is_root, form, is_required }));
            }
            Some("[") => items.push(self.tensor(name, is_root, tokens, scope)),
            Some("=") => {
                let definition = self.expr(tokens, scope);
                self.rules.definitions.retain(|(own, _)| *own != name);
                self.rules.definitions.push((name, definition));
            }
            other => panic!("expected `:`, `[` or `=` after {name}, found {other:?}"),
        }
    }

    fn group(&mut self, tokens: &mut Tokens, scope: &Scope, items: &mut Vec<Item>) {
        let name = word(tokens);
        let (_, parameters, text) =
            self.groups.iter().find(|(own, ..)| *own == name).unwrap_or_else(|| panic!("there is no group {name}"));
        let arguments = if tokens.next_is("(") { self.arguments(tokens, scope) } else { Vec::new() };
        assert_eq!(parameters.len(), arguments.len(), "the parameters of {name}");
        let inner = Scope { parameters: parameters.iter().copied().zip(arguments).collect(), ..scope.clone() };
        let of_group = self.items(&mut Tokens::new(text), &inner);
        if tokens.take_flag("?") {
            items.push(Item::Optional(of_group));
        } else {
            items.extend(of_group);
        }
    }

    fn blocks(&mut self, name: &str, tokens: &mut Tokens, scope: &Scope) -> Item {
        let range = match name {
            "every" => BlockRange::Every,
            "last" => BlockRange::Last,
            _ if tokens.next_is("(") => BlockRange::First(self.argument(tokens, scope)),
            _ => BlockRange::Each,
        };
        let optional_if = tokens.take_if("?").then(|| self.expr(tokens, scope));
        let items = self.body(tokens, &Scope { is_in_block: true, ..scope.clone() });
        Item::Blocks(BlocksItem { range, optional_if, items })
    }

    fn key_form(&mut self, tokens: &mut Tokens, scope: &Scope) -> (KeyForm, bool) {
        let form = if tokens.take_if("[") {
            let element = element(word(tokens));
            expect(tokens, "]");
            KeyForm::Array(element)
        } else {
            let letter = word(tokens);
            if letter == "n" {
                KeyForm::Length
            } else if tokens.take_flag("|") {
                KeyForm::SingleUnlessArray(element(letter))
            } else if tokens.take_flag("[") {
                let length = self.expr(tokens, scope);
                expect(tokens, "]");
                KeyForm::SingleOrArray(element(letter), length)
            } else {
                KeyForm::Single(element(letter))
            }
        };
        (form, !tokens.take_flag("?"))
    }

    fn tensor(&mut self, name: &'static str, is_root: bool, tokens: &mut Tokens, scope: &Scope) -> Item {
        let mut dimensions = Vec::new();
        while !tokens.take_if("]") {
            dimensions.push(self.expr(tokens, scope));
            tokens.take_if(",");
        }
        let (mut need, mut counts, mut is_reshaped) = (TensorNeed::Required, Counts::Always, false);
        loop {
            if tokens.take_flag("?") {
                let is_conditional = tokens.peek().is_some_and(|token| token.is_adjacent && token.text == "(");
                need = match is_conditional {
                    true => TensorNeed::OptionalIf(self.argument(tokens, scope)),
                    false => TensorNeed::Optional,
                };
            } else if tokens.take_flag("*") {
                counts = Counts::Once;
            } else if tokens.take_flag("=") {
                counts = Counts::Never;
            } else if tokens.take_flag("~") {
                is_reshaped = true;
            } else {
                break;
            }
        }
        let is_in_block = scope.is_in_block && !is_root && !name.contains('#');
        Item::Tensor(TensorItem { name, is_in_block, dimensions, need, counts, is_reshaped })
    }

    fn argument(&mut self, tokens: &mut Tokens, scope: &Scope) -> Expr {
        let mut arguments = self.arguments(tokens, scope);
        assert_eq!(arguments.len(), 1, "expected one argument");
        arguments.remove(0)
    }

    fn arguments(&mut self, tokens: &mut Tokens, scope: &Scope) -> Vec<Expr> {
        expect(tokens, "(");
        let mut arguments = Vec::new();
        while !tokens.take_if(")") {
            arguments.push(self.expr(tokens, scope));
            tokens.take_if(",");
        }
        arguments
    }

    fn expr(&mut self, tokens: &mut Tokens, scope: &Scope) -> Expr {
        let left = self.binary(0, tokens, scope);
        match tokens.take_if("or") {
            true => Expr::Or(Box::new(left), Box::new(self.expr(tokens, scope))),
            false => left,
        }
    }

    fn binary(&mut self, level: usize, tokens: &mut Tokens, scope: &Scope) -> Expr {
        let Some(operators) = OPERATORS.get(level) else { return self.unary(tokens, scope) };
        let mut left = self.binary(level + 1, tokens, scope);
        while let Some((_, operator)) = operators.iter().find(|(text, _)| tokens.next_is(text)) {
            tokens.take();
            let right = self.binary(level + 1, tokens, scope);
            left = Expr::Binary(*operator, Box::new(left), Box::new(right));
        }
        left
    }

    fn unary(&mut self, tokens: &mut Tokens, scope: &Scope) -> Expr {
        if tokens.take_if("!") {
            return Expr::Not(Box::new(self.unary(tokens, scope)));
        }
        if tokens.take_if("(") {
            let inner = self.expr(tokens, scope);
            expect(tokens, ")");
            return inner;
        }
        let name = word(tokens);
        if let Ok(number) = name.parse() {
            return Expr::Number(number);
        }
        if tokens.next_is("(") {
            return self.call(name, tokens, scope);
        }
        match scope.parameters.iter().find(|(own, _)| *own == name) {
            Some((_, value)) => value.clone(),
            None => Expr::Name(name),
        }
    }

    fn call(&mut self, function: &str, tokens: &mut Tokens, scope: &Scope) -> Expr {
        match function {
            "given" | "scalar" | "count" | "distinct" | "least" | "is" => {
                expect(tokens, "(");
                let key = word(tokens);
                let key = self.key(key);
                let result = match function {
                    "given" if tokens.take_if(",") => Expr::GivenOr(key, Box::new(self.expr(tokens, scope))),
                    "given" => Expr::Given(key),
                    "scalar" => Expr::Scalar(key),
                    "count" => Expr::Count(key),
                    "distinct" => Expr::Distinct(key),
                    "least" => Expr::LeastOf(key),
                    _ => {
                        expect(tokens, ",");
                        Expr::Is(key, word(tokens))
                    }
                };
                expect(tokens, ")");
                result
            }
            "has" | "dim" => {
                expect(tokens, "(");
                let name = TensorName { name: word(tokens), is_in_block: scope.is_in_block };
                let result = match function {
                    "has" if tokens.take_if(",") => {
                        let name = TensorName { is_in_block: true, ..name };
                        Expr::HasAt(name, Box::new(self.expr(tokens, scope)))
                    }
                    "has" => Expr::Has(name),
                    _ => {
                        expect(tokens, ",");
                        Expr::Dimension(name, word(tokens).parse().expect("the index of a dimension"))
                    }
                };
                expect(tokens, ")");
                result
            }
            "most" => {
                let argument = self.argument(tokens, scope);
                match argument {
                    Expr::Name(name) if !name.ends_with(".i") => Expr::MostOf(self.key(name)),
                    argument => Expr::MostOfBlocks(Box::new(argument)),
                }
            }
            _ => {
                let mut arguments = self.arguments(tokens, scope).into_iter().map(Box::new);
                let mut next = || arguments.next().unwrap_or_else(|| panic!("{function} needs an argument more"));
                match function {
                    "if" => Expr::If(next(), next(), next()),
                    "max" => Expr::Max(next(), next()),
                    "at" => Expr::At(next(), next()),
                    // False for every `n`-th block; `period0`: for the first of each `n` blocks.
                    "period" => repeated(&next(), false),
                    "period0" => repeated(&next(), true),
                    _ => panic!("there is no function {function}"),
                }
            }
        }
    }

    /// The place of a key in the list of keys.
    pub(super) fn key(&mut self, name: &'static str) -> usize {
        let keys = &mut self.rules.keys;
        keys.iter().position(|own| *own == name).unwrap_or_else(|| {
            keys.push(name);
            keys.len() - 1
        })
    }
}

/// A condition that repeats after `n` blocks. It is false for one block of each `n`, the first or the last, and true for the
/// others. If `n` is 0, it is true for all blocks. It is false for blocks that predict further tokens.
fn repeated(n: &Expr, is_first_left_out: bool) -> Expr {
    let binary = |operator, left, right| Expr::Binary(operator, Box::new(left), Box::new(right));
    let place = || binary(Operator::Remainder, Expr::Block, n.clone());
    let in_pattern = match is_first_left_out {
        true => binary(Operator::Unequal, place(), Expr::Number(0)),
        false => binary(Operator::Less, place(), binary(Operator::Subtract, n.clone(), Expr::Number(1))),
    };
    let all = binary(Operator::Equal, n.clone(), Expr::Number(0));
    let is_own = binary(Operator::Less, Expr::Block, Expr::Name("blocks"));
    binary(Operator::And, is_own, binary(Operator::OrElse, all, in_pattern))
}

fn element(letter: &str) -> Element {
    match letter {
        "u" => Element::Uint32,
        "i" => Element::Int32,
        "f" => Element::Float32,
        "b" => Element::Bool,
        "s" => Element::String,
        _ => panic!("there is no type {letter}"),
    }
}

fn word(tokens: &mut Tokens) -> &'static str {
    tokens.take().map_or("", |token| token.text)
}

fn expect(tokens: &mut Tokens, text: &str) {
    let found = tokens.take();
    assert!(found.is_some_and(|token| token.text == text), "expected {text}, found {found:?}");
}
