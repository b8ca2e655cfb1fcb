//! Regular expressions of `tokenizer.json`, as Oniguruma matches them: enough to split one short text.
//!
//! A file gives the expression, so everything has a limit: its length, the depth of groups, and the steps of all searches.

mod class;
mod matcher;
mod node;
mod parser;

use alloc::vec::Vec;
use core::ops::Range;

use class::Class;
use node::Node;

use crate::budget::Budget;

/// The most bytes of an expression. Those of models have up to 2,000.
const MOST_BYTES: usize = 1 << 18;

/// The bytes of memory, and the steps, that a byte of an expression takes.
const COST: u64 = 256;

/// Counts the work for an expression. `None` if it is too much.
fn check_length(text: &str, budget: &Budget) -> Option<()> {
    let cost = COST * text.len() as u64;
    (text.len() <= MOST_BYTES && budget.expect(cost).is_ok() && budget.step(COST + cost / 16).is_ok()).then_some(())
}

/// An expression.
#[derive(Debug)]
pub(super) struct Expression(Node);

impl Expression {
    /// Compiles an expression. `None` if it has a part that is unknown here, if it is too long, or if the budget is used up.
    pub fn new(text: &str, budget: &Budget) -> Option<Self> {
        check_length(text, budget)?;
        parser::parse(text).map(Self)
    }

    /// An expression that matches a text. `None` as for [`new`](Self::new).
    pub fn literal(text: &str, budget: &Budget) -> Option<Self> {
        check_length(text, budget)?;
        let nodes = text.chars().map(|character| Node::of_class(Class::of_character(character)));
        Some(Self(Node::Sequence(nodes.collect())))
    }

    /// The places of all matches in a text, from its start on. Matches without characters are left out. `None` if the budget is used
    /// up.
    pub fn matches(&self, text: &[char], budget: &Budget) -> Option<Vec<Range<usize>>> {
        matcher::matches(&self.0, text, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Expression};
    use alloc::{string::String, vec::Vec};

    fn found(expression: &str, text: &str) -> Option<Vec<String>> {
        let text: Vec<char> = text.chars().collect();
        let budget = Budget::default();
        let matches = Expression::new(expression, &budget)?.matches(&text, &budget)?;
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
            assert!(Expression::new(expression, &Budget::default()).is_none(), "{expression}");
        }
        for part in ["(", "[", "[^", "[a&&", "(?=", "(?!", "(?>", "(?i:", "a|(", "(a", "[a"] {
            for count in [1000, 50_000] {
                assert!(Expression::new(&part.repeat(count), &Budget::default()).is_none(), "{part}");
            }
        }
        for repetition in ["*", "+", "?", "{0,1}", "*?", "++"] {
            let text = format!("a{}", repetition.repeat(20_000));
            assert!(Expression::new(&text, &Budget::default()).is_none(), "{repetition}");
        }
        for part in ["a*", "a+?", "a?", "^", "(?=a)", "()", "(a|)"] {
            let many = Expression::new(&part.repeat(20_000), &Budget::default()).unwrap();
            assert_eq!(many.matches(&['a'; 50], &Budget::default()), None, "{part}");
        }
        let hostile = Expression::new("(a*)*b|(a|a)*c", &Budget::default()).unwrap();
        assert_eq!(hostile.matches(&['a'; 2000], &Budget::default()), None);
    }

    /// The number of steps that a search takes. The budget is large enough for it.
    fn steps(expression: &str, text: &str) -> Option<u64> {
        let (text, most): (Vec<char>, u64) = (text.chars().collect(), 1 << 20);
        let budget = Budget::new(0, most);
        let expression = Expression::new(expression, &Budget::default())?;
        expression.matches(&text, &budget)?;
        Some(most - budget.steps_left())
    }

    #[test]
    fn a_search_counts_what_it_does() {
        let list = |count: u32| (0..count).filter_map(|place| char::from_u32(0x1_0000 + 2 * place)).collect::<String>();
        let text = "abcdefgh".repeat(10);
        // A long list of characters takes a binary search, a list of classes a linear one.
        assert_eq!(steps(&format!("[{}]", list(10_000)), &text), steps("[x]", &text));
        assert!(
            steps(&"[x]".repeat(100).replace("][", "] [").replace(' ', "|"), &text)
                > steps("[x]", &text).map(|steps| steps * 50)
        );
        assert!(steps(&format!("[{}]", "[x]".repeat(1000)), &text) > steps("[x]", &text).map(|steps| steps * 50));
        assert_eq!(steps("(?:.|.){19}zz", &text), None);
        // Three tries for each of many nested classes would not end.
        assert!(steps(&format!("(?i){}x{}", "[".repeat(30), "]".repeat(30)), &text).is_some());
    }
}
