//! The language of architectures: from the texts of `crates/gguf-models/src/architectures/families` to a table of bytes. `docs/architectures.md` explains it.
//!
//! The build script calls [`compile`]. A mistake fails the build with its file and line, so the program contains neither texts nor a parser.

// - `lexer` and `parser`: from a text to the parts of `syntax`
// - `rules` and `graphs`: check the parts, and write them as the bytes of the table; `rows`: the rows of the table of architectures

mod graphs;
mod lexer;
#[path = "../../src/architectures/opcodes.rs"]
mod opcodes;
mod parser;
mod rows;
mod rules;
mod sharing;
mod syntax;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use syntax::{Mistake, Part, Word};
use table::Names;

/// A text and its name.
pub struct Source {
    pub name: String,
    pub text: String,
}

/// What the crate contains.
#[derive(Debug)]
pub struct Compiled {
    /// The bytes of rules, and those of graphs.
    pub rules: Vec<u8>,
    pub graphs: Vec<u8>,
    /// The keys that every model needs: `name name:key key\n`. The first line has those of all architectures.
    pub required_keys: String,
    /// The lists of names and places, as a Rust file.
    pub lists: String,
    /// The rows of the table of architectures, as an expression of Rust.
    pub rows: String,
}

/// Compiles texts.
///
/// # Errors
///
/// The mistakes, each with file and line.
pub fn compile(sources: &[Source]) -> Result<Compiled, Vec<String>> {
    let mut mistakes = Vec::new();
    let mut parts = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        match parser::parse(file, &source.text) {
            Ok(own) => parts.extend(own),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let compiled = if mistakes.is_empty() { Some(compile_parts(&parts, &mut mistakes)) } else { None };
    let describe = |Mistake { at, text }: Mistake| format!("{}:{}: {text}", sources[at.file].name, at.line);
    let mistakes: Vec<_> = mistakes.into_iter().map(describe).collect();
    compiled.filter(|_| mistakes.is_empty()).ok_or(mistakes)
}

fn compile_parts(parts: &[Part<'_>], mistakes: &mut Vec<Mistake>) -> Compiled {
    let mut rules = rules::Rules { common: &[], bodies: Vec::new(), groups: BTreeMap::new() };
    let (mut sections, mut numbers, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let (mut rows, mut architectures) = (Vec::new(), BTreeMap::new());
    for part in parts {
        match part {
            Part::Row(row) => rows.push(row),
            Part::Common(statements) => rules.common = statements,
            Part::Rules(names, statements) => {
                for name in names {
                    if architectures.insert(name.text, *name).is_none() {
                        continue;
                    }
                    mistakes.push(name.mistake("the architecture has rules already"));
                }
                rules.bodies.push((names, statements));
            }
            Part::Group(group) => {
                if rules.groups.insert(group.name.text, group).is_some() {
                    mistakes.push(group.name.mistake("the group is there twice"));
                }
            }
            Part::Section(section) => sections.push(section),
            Part::Numbers(words) => numbers.extend(words),
            Part::Results(words) => results.extend(words),
        }
    }
    for name in sections.iter().flat_map(|section| &section.architectures) {
        if !architectures.contains_key(name.text) {
            mistakes.push(name.mistake("there are no rules of such an architecture"));
        }
    }
    let rows = rows::write(&rows, &architectures, mistakes);
    let (mut keys, mut names) = (Names::default(), Names::default());
    let of_rules = rules::encode(&rules, &mut keys, &mut names, mistakes);
    let (mut all_keys, mut tensors) = (of_rules.common.keys.clone(), BTreeSet::new());
    for facts in &of_rules.facts {
        all_keys.extend(&facts.keys);
        tensors.extend(&facts.tensors);
    }
    let graphs = graphs::Graphs {
        sections: &sections,
        numbers: &numbers,
        results: &results,
        keys: &all_keys,
        tensors: &tensors,
    };
    let of_graphs = graphs::encode(&graphs, &mut keys, &mut names, mistakes);
    let line = |names: &[Word<'_>], required: &[String]| {
        let names: Vec<_> = names.iter().map(|name| name.text).collect();
        format!("{}:{}\n", names.join(" "), required.iter().map(|key| format!("{key} ")).collect::<String>())
    };
    let bodies = || rules.bodies.iter().zip(&of_rules.facts);
    let required = bodies().map(|((names, _), facts)| line(names, &facts.required));
    let required_keys = line(&[], &of_rules.common.required) + &required.collect::<String>();

    let mut lists = String::new();
    let mut places = BTreeMap::new();
    for ((names, _), place) in rules.bodies.iter().zip(&of_rules.places) {
        places.extend(names.iter().map(|name| (name.text, (*place, 0))));
    }
    let mut bytes_of_graphs = of_graphs.bytes;
    for (name, sections) in of_graphs.overrides {
        if let Some((_, place)) = places.get_mut(&*name) {
            *place = bytes_of_graphs.len();
        }
        table::push_number(&mut bytes_of_graphs, sections.len());
        for (section, place) in sections {
            table::push_number(&mut bytes_of_graphs, section);
            table::push_number(&mut bytes_of_graphs, place);
        }
    }
    name_list(&mut lists, "The keys, without the name of the architecture.", "KEYS", &keys.0);
    name_list(&mut lists, "The names of tensors, and other texts.", "NAMES", &names.0);
    let names_of_architectures: Vec<_> = places.keys().map(|name| String::from(*name)).collect();
    name_list(&mut lists, "The architectures that have rules, sorted.", "WITH_RULES", &names_of_architectures);
    list(
        &mut lists,
        "The places of the rules of these architectures, and of their own sections. 0 without such sections.",
        "PLACES",
        "(u16, u16)",
        &places.values().map(|place| format!("{place:?}")).collect::<Vec<_>>(),
    );
    let of_sections: Vec<_> = of_graphs.places.iter().map(usize::to_string).collect();
    list(&mut lists, "The places of the sections of all architectures.", "SECTIONS", "u16", &of_sections);
    modules(
        &mut lists,
        &[
            ("definition", "usize", rules::KNOWN_DEFINITIONS.to_vec(), 0),
            ("section", "u8", graphs::KNOWN_SECTIONS.to_vec(), 0),
            ("number", "u8", numbers.iter().map(|word| word.text).collect(), 0),
            ("result", "u8", results.iter().map(|word| word.text).collect(), 1),
        ],
    );
    let _ = writeln!(
        lists,
        "/// How many numbers graphs have.\npub const NUMBER_COUNT: usize = {};",
        of_graphs.number_count
    );
    let _ = writeln!(
        lists,
        "/// How many results graphs have.\npub const RESULT_COUNT: usize = {};",
        of_graphs.result_count
    );
    Compiled { rules: of_rules.bytes, graphs: bytes_of_graphs, required_keys, lists, rows }
}

/// Writes a list of names, of which none contains a space.
fn name_list(file: &mut String, documentation: &str, name: &str, names: &[String]) {
    assert!(names.iter().all(|name| !name.contains(' ')), "{name}");
    let _ = writeln!(file, "/// {documentation}\npub static {name}: NameList = NameList::new({:?});", names.join(" "));
}

/// Writes a list of Rust.
fn list(file: &mut String, documentation: &str, name: &str, item: &str, items: &[String]) {
    let (count, items) = (items.len(), items.join(", "));
    let _ = writeln!(file, "/// {documentation}\npub static {name}: [{item}; {count}] = [{items}];");
}

/// Writes modules of constants.
fn modules(file: &mut String, modules: &[(&str, &str, Vec<&str>, usize)]) {
    for (name, item, constants, first) in modules {
        let _ = writeln!(file, "/// What the program knows by name: each {name}.\npub mod {name} {{");
        for (place, constant) in constants.iter().enumerate() {
            let _ = writeln!(file, "    pub const {}: {item} = {};", constant.to_uppercase(), place + first);
        }
        file.push_str("}\n");
    }
}
