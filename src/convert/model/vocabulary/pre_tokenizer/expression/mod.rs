//! Regular expressions of `tokenizer.json`, as Oniguruma matches them: enough to split one short text.
//!
//! A file gives the expression, so everything has a limit: the depth of groups, and the steps of a search.

mod class;
mod matcher;
mod node;
mod parser;

use alloc::vec::Vec;
use core::ops::Range;

use class::Class;
use node::Node;

/// An expression.
#[derive(Debug)]
pub(super) struct Expression(Node);

impl Expression {
    /// Compiles an expression. `None` if it has a part that is unknown here.
    pub fn new(text: &str) -> Option<Self> {
        parser::parse(text).map(Self)
    }

    /// An expression that matches a text.
    pub fn literal(text: &str) -> Self {
        Self(Node::Sequence(text.chars().map(|character| Node::Class(Class::of_character(character))).collect()))
    }

    /// The places of all matches in a text, from its start on. Matches without characters are left out. `None` if the search takes
    /// too many steps.
    pub fn matches(&self, text: &[char]) -> Option<Vec<Range<usize>>> {
        matcher::matches(&self.0, text)
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;
    use alloc::{string::String, vec::Vec};

    fn found(expression: &str, text: &str) -> Option<Vec<String>> {
        let text: Vec<char> = text.chars().collect();
        let matches = Expression::new(expression)?.matches(&text)?;
        Some(matches.into_iter().map(|place| text[place].iter().collect()).collect())
    }

    #[test]
    fn parts_of_expressions_match_as_in_oniguruma() {
        for (expression, text, expected) in [
            (r"'s|'t| ?\p{L}+| ?\p{N}+|\s+(?!\S)|\s+", "it's  a 12", &["it", "'s", " ", " a", " 12"][..]),
            (r"(?i:'s|'ll)", "'S 'lL 's", &["'S", "'lL", "'s"]),
            (r"\p{N}{1,3}", "12345", &["123", "45"]),
            (r"[^\S\n]+", "a \t\n b", &[" \t", " "]),
            (r"[\p{Lu}&&[^A]]+", "ABCabcD", &["BC", "D"]),
            (r"a++b|a", "aaab a", &["aaab", "a"]),
            (r"a+?", "aaa", &["a", "a", "a"]),
            (r"(?>a|ab)c|.", "abc", &["a", "b", "c"]),
            (r"(?:ab)*c", "ababc", &["ababc"]),
            (r"\P{L}", "a1", &["1"]),
            (r"a$|^b", "a\nb a", &["a", "b", "a"]),
            (r"(a|b)(?=c)", "acbd", &["a"]),
            (r"x{,2}y", "xxxy", &["xxy"]),
            ("[一-龥]+", "a在b", &["在"]),
            (r"[]a]", "]", &["]"]),
            (r"\d{1,3}(?=(?:\d{3})*\b)", "12345 6", &["12", "345", "6"]),
        ] {
            assert_eq!(found(expression, text).unwrap(), expected, "{expression}");
        }
    }

    #[test]
    fn unknown_and_hostile_expressions_are_refused() {
        for expression in [r"\1", r"(?<=a)b", r"[[:alpha:]]", r"\p{Thai}", "(a", "a)", "[a", "*", r"a{3,2}", r"\"] {
            assert!(Expression::new(expression).is_none(), "{expression}");
        }
        assert!(Expression::new(&"(".repeat(100_000)).is_none());
        let hostile = Expression::new("(a*)*b|(a|a)*c").unwrap();
        assert_eq!(hostile.matches(&['a'; 2000]), None);
    }
}
