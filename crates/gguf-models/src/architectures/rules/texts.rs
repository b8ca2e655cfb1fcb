//! The texts of the rules.

use super::groups::GROUPS;
use super::parser::Parser;
use super::row_rules::Rules;

/// The version of llama.cpp whose rules these are.
pub const RULES_VERSION: &str = "llama.cpp of August 2026 (3f545be, 2026-08-22)";

/// The rules of architectures: `== name name` and the statements of these architectures.
#[doc(hidden)]
pub const TEXTS: [&str; 8] = [
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
pub(super) const COMMON: &str = include_str!("common.rules");

impl Rules {
    /// The rules of an architecture. `None` if llama.cpp does not load it.
    pub(crate) fn of(architecture: &str) -> Option<Self> {
        Some(Self::of_text(text_of(architecture)?))
    }

    /// The rules that hold for every model. They are used for an architecture that llama.cpp knows by name but does not load.
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
