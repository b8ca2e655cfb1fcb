//! The texts of the rules.

use alloc::{format, vec::Vec};

use super::groups::GROUPS;
use super::parser::Parser;
use super::row_rules::Rules;

/// The version of llama.cpp whose rules these are.
pub const RULES_VERSION: &str = "llama.cpp of August 2026 (3f545be, 2026-08-22)";

/// The rules of architectures: `== name name` and the statements of these architectures.
const TEXTS: [&str; 8] = [
    include_str!("dense.rules"),
    include_str!("layer_norm.rules"),
    include_str!("experts.rules"),
    include_str!("experts_window.rules"),
    include_str!("latent_attention.rules"),
    include_str!("recurrent.rules"),
    include_str!("encoders.rules"),
    include_str!("other.rules"),
];

/// The rules of all architectures.
const COMMON: &str = include_str!("common.rules");

impl Rules {
    /// The rules of an architecture. `None` if llama.cpp does not load it.
    pub(crate) fn of(architecture: &str) -> Option<Self> {
        Some(Self::of_text(text_of(architecture)?))
    }

    /// The rules of an architecture that llama.cpp names, and does not load: what it reads of every model.
    pub(crate) fn of_every_model() -> Self {
        Self::of_text("")
    }

    fn of_text(text: &'static str) -> Self {
        let mut parser = Parser::new(GROUPS);
        parser.parse(COMMON);
        parser.parse(text);
        let mut rules = parser.finish();
        let place = |name| rules.definitions.iter().position(|(own, _)| *own == name).unwrap_or(0);
        (rules.blocks, rules.all_blocks, rules.experts) = (place("blocks"), place("all_blocks"), place("experts"));
        rules.find_varying();
        rules
    }

    /// The architectures whose rules may need a key: they name it, or those of all architectures need it.
    pub(crate) fn that_may_need(name: &str) -> Vec<&'static str> {
        let is_word = |text: &str, start: usize| {
            let byte = |place: usize| text.as_bytes().get(place).copied().unwrap_or(b' ');
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
            let end = start + name.len();
            let is_of_block = text[end..].starts_with(".i");
            !(start > 0 && is_part(byte(start - 1))) && (is_of_block || !is_part(byte(end)))
        };
        let names = |text: &str| text.match_indices(name).any(|(start, _)| is_word(text, start));
        // A key of every model is needed if it is required, or if a definition is its value.
        let is_common = COMMON.lines().any(|line| match line.split_once(" = ") {
            Some((_, value)) => value == name,
            None => line.split(' ').any(|word| word.strip_prefix(name) == Some(":u")),
        });
        let groups = GROUPS.iter().filter(|(.., text)| names(text)).map(|(group, ..)| *group);
        let groups: Vec<&str> = groups.collect();
        let has_group = |body: &str| groups.iter().any(|group| body.contains(&format!("@{group}")));
        let found = rows().filter(|(_, body)| is_common || names(body) || has_group(body));
        found.flat_map(|(names, _)| names.split(' ')).collect()
    }

    /// Whether the rule of an architecture reads a key in some case.
    pub(crate) fn reads(architecture: &str, name: &str) -> bool {
        let is_key =
            |text: &str| text.match_indices(name).any(|(start, _)| text[start + name.len()..].starts_with(':'));
        is_key(COMMON) || text_of(architecture).is_some_and(is_key)
    }
}

/// The statements of an architecture.
fn text_of(architecture: &str) -> Option<&'static str> {
    let is_it = |(names, _): &(&str, &str)| names.split(' ').any(|name| name == architecture);
    rows().find(is_it).map(|(_, body)| body)
}

/// The names of architectures with the statements of these.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXTS.into_iter().flat_map(|text| text.split("== ").filter_map(|row| row.split_once('\n')))
}
