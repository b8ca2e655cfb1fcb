//! Checks the sections of graphs, and writes them into the table.

use std::collections::{BTreeMap, BTreeSet};

use super::opcodes;
use super::rules::expect_arguments;
use super::syntax::{Expr, Mistake, Section, Statement, Word};
use super::table::{Names, push_number};

type Result<T> = core::result::Result<T, Mistake>;

/// The sections that the program runs.
pub const KNOWN_SECTIONS: [&str; 3] = ["start", "block", "finish"];

/// The result that never is there.
const NONE: &str = "none";

/// Sections and what they may name.
pub struct Graphs<'t, 'a> {
    pub sections: &'t [&'t Section<'a>],
    /// The numbers and the results that the program knows.
    pub numbers: &'t [Word<'a>],
    pub results: &'t [Word<'a>],
    /// The keys that some rules read, and the tensors that they create.
    pub keys: &'t BTreeSet<&'a str>,
    pub tensors: &'t BTreeSet<&'a str>,
}

/// The sections as bytes.
#[derive(Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    /// The place of the statements of each section that hold for all architectures. 0 without such statements.
    pub places: Vec<usize>,
    /// The sections of an architecture, and their places.
    pub overrides: BTreeMap<String, Vec<(usize, usize)>>,
    pub number_count: usize,
    pub result_count: usize,
}

pub fn encode<'a>(
    graphs: &Graphs<'_, 'a>,
    keys: &mut Names,
    names: &mut Names,
    mistakes: &mut Vec<Mistake>,
) -> Encoded {
    check_titles(graphs.sections, mistakes);
    check_circles(graphs.sections, mistakes);
    let (mut numbers, mut results) = (Names::default(), Names::default());
    results.number(NONE);
    let mut set = Vec::new();
    graphs.sections.iter().for_each(|section| assigned(&section.statements, &mut set));
    let of_program =
        graphs.numbers.iter().map(|name| (*name, true)).chain(graphs.results.iter().map(|name| (*name, false)));
    for (name, is_number) in of_program.chain(set.iter().copied()) {
        (if is_number { &mut numbers } else { &mut results }).number(name.text);
    }
    let known: BTreeSet<&str> = graphs.numbers.iter().chain(graphs.results).map(|name| name.text).collect();
    let mut encoder =
        Encoder { graphs, keys, names, numbers, results, slots: Vec::new(), read: known, bytes: Vec::new() };
    for name in KNOWN_SECTIONS {
        encoder.slot(name, "");
    }
    // Place 0 is that of no statements.
    encoder.bytes.push(opcodes::END);
    let mut encoded = Encoded::default();
    let mut run = BTreeSet::new();
    let mut slot = 0;
    while let Some((name, part)) = encoder.slots.get(slot).cloned() {
        encoded.places.push(0);
        for section in graphs.sections.iter().filter(|section| section.name.text == name) {
            run.insert(section.name.text);
            let place = encoder.bytes.len();
            mistakes.extend(encoder.statements(&section.statements, &part).err());
            encoder.bytes.push(opcodes::END);
            for architecture in &section.architectures {
                encoded.overrides.entry(architecture.text.to_owned()).or_default().push((slot, place));
            }
            if section.architectures.is_empty() {
                encoded.places[slot] = place;
            }
        }
        slot += 1;
    }
    for section in graphs.sections.iter().filter(|section| !run.contains(section.name.text)) {
        mistakes.push(section.name.mistake("the section is not used"));
    }
    let mut reported = BTreeSet::new();
    for (name, is_number) in set {
        if !encoder.read.contains(name.text) && reported.insert(name.text) {
            let what = if is_number { "the number is not used" } else { "the result is not used" };
            mistakes.push(name.mistake(what));
        }
    }
    encoded.bytes = encoder.bytes;
    encoded.number_count = encoder.numbers.0.len();
    encoded.result_count = encoder.results.0.len();
    let most = encoded.number_count.max(encoded.result_count).max(encoder.slots.len());
    assert!(most <= 256, "numbers, results and sections have one byte in the table");
    encoded
}

/// Reports a section that is there twice for an architecture.
fn check_titles(sections: &[&Section<'_>], mistakes: &mut Vec<Mistake>) {
    let mut seen = BTreeSet::new();
    for section in sections {
        let name = &section.name;
        if section.architectures.is_empty() && !seen.insert((name.text, "")) {
            mistakes.push(name.mistake("the section is there twice"));
        }
        for architecture in &section.architectures {
            if !seen.insert((name.text, architecture.text)) {
                mistakes.push(architecture.mistake(&format!("the section {} is there twice", name.text)));
            }
        }
    }
}

/// Reports sections that run themselves whatever the model is.
fn check_circles(sections: &[&Section<'_>], mistakes: &mut Vec<Mistake>) {
    for section in sections {
        let mut reached = vec![section.name.text];
        let mut next = 0;
        while next < reached.len() {
            let bodies = sections.iter().filter(|other| other.name.text == reached[next]);
            let run = bodies.flat_map(|body| &body.statements).filter_map(|statement| match statement {
                Statement::Run { name, .. } => Some(name.text),
                _ => None,
            });
            let run: Vec<_> = run.collect();
            if run.contains(&section.name.text) {
                mistakes.push(section.name.mistake("the section runs itself without a condition"));
                break;
            }
            reached.extend(run.into_iter().filter(|name| !reached.contains(name)).collect::<BTreeSet<_>>());
            next += 1;
        }
    }
}

/// The names that statements set, and whether they are numbers.
fn assigned<'a>(statements: &[Statement<'a>], set: &mut Vec<(Word<'a>, bool)>) {
    for statement in statements {
        match statement {
            Statement::Let(name, _) => set.push((*name, true)),
            Statement::Set(name, _) => set.push((*name, false)),
            Statement::If(_, then, otherwise) => {
                assigned(then, set);
                assigned(otherwise, set);
            }
            _ => {}
        }
    }
}

struct Encoder<'e, 't, 'a> {
    graphs: &'e Graphs<'t, 'a>,
    keys: &'e mut Names,
    names: &'e mut Names,
    numbers: Names,
    results: Names,
    /// The names and arguments of the sections that are run.
    slots: Vec<(String, String)>,
    /// The numbers and results that are read.
    read: BTreeSet<&'a str>,
    bytes: Vec<u8>,
}

impl<'a> Encoder<'_, '_, 'a> {
    /// The bytes that a function writes.
    fn apart(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<Vec<u8>> {
        let before = std::mem::take(&mut self.bytes);
        let result = write(self);
        let own = std::mem::replace(&mut self.bytes, before);
        result.map(|()| own)
    }

    fn slot(&mut self, name: &str, part: &str) -> usize {
        let known = self.slots.iter().position(|(own, own_part)| own == name && own_part == part);
        known.unwrap_or_else(|| {
            self.slots.push((name.to_owned(), part.to_owned()));
            self.slots.len() - 1
        })
    }

    fn statements(&mut self, statements: &[Statement<'a>], part: &str) -> Result<()> {
        statements.iter().try_for_each(|statement| self.statement(statement, part))
    }

    fn statement(&mut self, statement: &Statement<'a>, part: &str) -> Result<()> {
        match statement {
            Statement::If(condition, then, otherwise) => {
                self.bytes.push(opcodes::SKIP_UNLESS);
                self.number(condition, part)?;
                let mut first = self.apart(|own| own.statements(then, part))?;
                let second = self.apart(|own| own.statements(otherwise, part))?;
                if !second.is_empty() {
                    first.push(opcodes::SKIP);
                    push_number(&mut first, second.len());
                }
                push_number(&mut self.bytes, first.len());
                self.bytes.extend(first);
                self.bytes.extend(second);
            }
            Statement::Run { name, arguments, is_optional } => self.run(name, arguments, *is_optional)?,
            Statement::Let(name, value) => {
                self.bytes.extend([opcodes::LET, self.numbers.number(name.text) as u8]);
                self.number(value, part)?;
            }
            Statement::Set(name, value) => self.result(name, value, part)?,
            Statement::Call(name, arguments) if name.text == "from" => {
                let [Expr::Name(prefix, false)] = expect_arguments(name, arguments)? else {
                    return Err(name.mistake("expected the beginning of a name"));
                };
                self.bytes.push(opcodes::FROM);
                push_number(&mut self.bytes, self.names.number(prefix.text));
            }
            Statement::Call(name, arguments) => {
                self.bytes.push(match name.text {
                    "now" => opcodes::NOW,
                    "store" => opcodes::STORE,
                    "output" => opcodes::OUTPUT,
                    _ => return Err(name.mistake("there is no such statement of graphs: now, store, output or from")),
                });
                self.sources(name, arguments, 1)?;
            }
            Statement::Key(key) => return Err(key.name.mistake("a graph reads no keys")),
            Statement::Tensor(tensor) => return Err(tensor.name.mistake("a graph creates no tensors")),
            Statement::Blocks(blocks) => return Err(blocks.name.mistake("a graph has no loops over blocks")),
        }
        Ok(())
    }

    fn run(&mut self, name: &Word<'a>, arguments: &[Expr<'a>], is_optional: bool) -> Result<()> {
        if is_optional {
            return Err(name.mistake("a section has no ?"));
        }
        let argument = match arguments {
            [] => "",
            [Expr::Name(argument, false)] => argument.text,
            _ => return Err(name.mistake("a section has one argument, a part of a name, or none")),
        };
        if !self.graphs.sections.iter().any(|section| section.name.text == name.text) {
            return Err(name.mistake("there is no such section"));
        }
        let slot = self.slot(name.text, argument) as u8;
        self.bytes.extend([opcodes::RUN, slot]);
        Ok(())
    }

    /// Writes the results from which another one is computed.
    fn sources(&mut self, of: &Word<'a>, sources: &[Expr<'a>], least: usize) -> Result<()> {
        if sources.len() < least {
            return Err(of.mistake(&format!("{} arguments, expected at least {least}", sources.len())));
        }
        self.bytes.push(sources.len() as u8);
        sources.iter().try_for_each(|source| self.source(of, source))
    }

    fn source(&mut self, of: &Word<'a>, source: &Expr<'a>) -> Result<()> {
        let Expr::Name(name, false) = source else { return Err(of.mistake("expected the name of a result")) };
        let Some(place) = self.results.0.iter().position(|own| own == name.text) else {
            return Err(name.mistake("there is no such result"));
        };
        self.read.insert(name.text);
        self.bytes.push(place as u8);
        Ok(())
    }

    /// Writes how a result is computed.
    fn result(&mut self, name: &Word<'a>, value: &Expr<'a>, part: &str) -> Result<()> {
        let own = self.results.number(name.text) as u8;
        if name.text == NONE {
            return Err(name.mistake("this name stands for no result"));
        }
        let Expr::Call(operation, size, arguments) = value else {
            self.bytes.extend([opcodes::COPY, own]);
            return self.source(name, value);
        };
        let code = match operation.text {
            "mm" => opcodes::PRODUCT,
            "id" => opcodes::EXPERTS,
            "norm" => opcodes::NORM,
            "same" => opcodes::SAME,
            "new" => opcodes::NEW,
            "input" => opcodes::INPUT,
            "view" => opcodes::VIEW,
            _ => return Err(operation.mistake("there is no such operation of graphs")),
        };
        self.bytes.extend([code, own]);
        let has_size = matches!(code, opcodes::NEW | opcodes::INPUT | opcodes::VIEW);
        if size.len() > 3 || !size.is_empty() && !has_size {
            return Err(operation.mistake("a size has a width, rows, and bytes of an element"));
        }
        if has_size {
            self.bytes.push(size.len() as u8);
            size.iter().try_for_each(|number| self.number(number, part))?;
        }
        match (code, arguments.as_slice()) {
            (opcodes::NORM, [source]) => {
                self.source(operation, source)?;
                self.bytes.push(0);
            }
            (opcodes::PRODUCT | opcodes::EXPERTS | opcodes::NORM, _) => {
                let [source, tensor] = expect_arguments(operation, arguments)?;
                self.source(operation, source)?;
                self.tensor(operation, tensor, part)?;
            }
            (opcodes::INPUT, [_, ..]) => return Err(operation.mistake("an input is not computed from results")),
            // A result without a size has that of its first source.
            (opcodes::SAME | opcodes::VIEW, _) => self.sources(operation, arguments, 1)?,
            _ => self.sources(operation, arguments, usize::from(size.is_empty()))?,
        }
        Ok(())
    }

    /// Writes a tensor as a number that is not 0.
    fn tensor(&mut self, of: &Word<'a>, tensor: &Expr<'a>, part: &str) -> Result<()> {
        let Expr::Name(name, is_root) = tensor else { return Err(of.mistake("expected the name of a tensor")) };
        let whole = name.text.replace('$', part);
        let is_it = |known: &&str| {
            let own = known.rsplit_once('#').map_or(*known, |(_, own)| own.trim_start_matches('.'));
            own.strip_suffix('.').unwrap_or(own) == whole
        };
        if !self.graphs.tensors.iter().any(is_it) {
            return Err(name.mistake(&format!("no rules create the tensor {whole}")));
        }
        push_number(&mut self.bytes, (self.names.number(&whole) << 1 | usize::from(*is_root)) + 1);
        Ok(())
    }

    fn number(&mut self, expr: &Expr<'a>, part: &str) -> Result<()> {
        match expr {
            Expr::Number(number) => {
                self.bytes.push(opcodes::NUMBER);
                push_number(&mut self.bytes, *number as usize);
            }
            Expr::Name(name, true) => return Err(name.mistake("a tensor is no number")),
            Expr::Name(name, false) if name.text == "i" => self.bytes.push(opcodes::BLOCK),
            Expr::Name(name, false) => match self.numbers.0.iter().position(|own| own == name.text) {
                Some(place) => {
                    self.read.insert(name.text);
                    self.bytes.extend([opcodes::NUMBER_OF_GRAPH, place as u8]);
                }
                None if self.graphs.keys.contains(name.text) => {
                    self.bytes.push(opcodes::KEY);
                    push_number(&mut self.bytes, self.keys.number(name.text));
                }
                None => return Err(name.mistake("there is no such number, and no rules read such a key")),
            },
            Expr::Not(inner) => {
                self.bytes.push(opcodes::NOT);
                self.number(inner, part)?;
            }
            Expr::Binary(operator, left, right) => {
                self.bytes.push(*operator);
                self.number(left, part)?;
                let second = self.apart(|own| own.number(right, part))?;
                if matches!(*operator, opcodes::AND | opcodes::OR_ELSE) {
                    push_number(&mut self.bytes, second.len());
                }
                self.bytes.extend(second);
            }
            Expr::Call(function, size, arguments) => match (function.text, size.as_slice()) {
                ("has", []) => {
                    let [tensor] = expect_arguments(function, arguments)?;
                    self.bytes.push(opcodes::HAS);
                    self.tensor(function, tensor, part)?;
                }
                ("dim", []) => {
                    let [tensor, index] = expect_arguments(function, arguments)?;
                    self.bytes.push(opcodes::DIMENSION);
                    self.tensor(function, tensor, part)?;
                    let Expr::Number(index @ 0..=3) = index else {
                        return Err(function.mistake("expected a dimension"));
                    };
                    self.bytes.push(*index as u8);
                }
                ("rows", []) => {
                    let [result] = expect_arguments(function, arguments)?;
                    self.bytes.push(opcodes::ROWS);
                    self.source(function, result)?;
                }
                _ => return Err(function.mistake("there is no such function of numbers in graphs")),
            },
        }
        Ok(())
    }
}
