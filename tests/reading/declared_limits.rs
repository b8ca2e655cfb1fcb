//! The limits that the JavaScript API documents equal those of the crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gguf_format::Limits;

/// The limits by name, as `Debug` prints them: `Limits { header_bytes: 1073741824, … }`.
fn limits() -> BTreeMap<String, u64> {
    let printed = format!("{:?}", Limits::default());
    let fields = printed.strip_prefix("Limits { ").unwrap().strip_suffix(" }").unwrap();
    let field = |field: &str| {
        let (name, number) = field.split_once(": ").unwrap();
        (name.to_owned(), number.parse().unwrap())
    };
    fields.split(", ").map(field).collect()
}

/// The limits in the TypeScript of `src/source/limits.rs`, with the defaults that their comments name.
fn declared() -> BTreeMap<String, u64> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/source/limits.rs");
    let source = fs::read_to_string(source).unwrap();
    let (_, interface) = source.split_once("export interface Limits {\n").unwrap();
    let (members, _) = interface.split_once("\n}").unwrap();
    let member = |member: &str| {
        let (comment, declaration) = member.rsplit_once("*/").unwrap();
        let name = declaration.trim().strip_suffix("?: number | undefined").unwrap();
        let (_, default) = comment.split_once("by default ").unwrap_or_else(|| panic!("{name} has no default"));
        (snake_case(name), number(default.split([':', '.', ',']).next().unwrap().trim()))
    };
    members.split_terminator(';').map(member).collect()
}

fn snake_case(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_uppercase() { format!("_{}", c.to_ascii_lowercase()) } else { c.to_string() };
    name.chars().map(letter).collect()
}

/// A number in the notation of comments: `8`, `2^20`, `2^29 - 24`, `1 GiB`.
fn number(text: &str) -> u64 {
    if let Some((all, less)) = text.split_once(" - ") {
        number(all) - number(less)
    } else if let Some(exponent) = text.strip_prefix("2^") {
        1 << number(exponent)
    } else if let Some(count) = text.strip_suffix(" GiB") {
        number(count) << 30
    } else {
        text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
    }
}

#[test]
fn the_typescript_documents_every_limit_and_its_default() {
    let mut expected = limits();
    // Strings of JavaScript engines have a lower limit.
    expected.insert("string_bytes".to_owned(), (1 << 29) - 24);
    assert_eq!(declared(), expected);
}

#[test]
fn numbers_in_comments_are_parsed() {
    assert_eq!(["8", "2^20", "2^29 - 24", "3 GiB"].map(number), [8, 1_048_576, 536_870_888, 3_221_225_472]);
}
