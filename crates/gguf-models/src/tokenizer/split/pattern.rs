//! Patterns that split text: the part of regular expressions that pre-tokenizers use.
//!
//! ```text
//! pattern      alternatives with `|` between them; the first one that matches counts
//! alternative  characters and classes, each with a repetition or without; then at most one end
//! class        `[…]`, `[^…]`, or `[…--[…]]`: the characters of the first class that are not in the second one
//! in a class   characters, ranges, `\p{L}` `\p{N}` `\p{M}` `\p{P}` `\p{S}` `\p{Han}`, `\s`, `\r`, `\n`, `\t`, `\d`
//! repetition   `?`, `*`, `+`, `{n}`, `{n,m}`: as many characters as the rest of the alternative allows
//! end          `$`: the end of the text; `(?!\S)`: white space or the end of the text follows;
//!              `(?:…)`, `(?:…)?`, `(?:…)*`: a pattern that matches once, at most once, or as often as it can
//! ```

use alloc::{boxed::Box, vec::Vec};
use core::iter::Peekable;
use core::str::Chars;

use super::characters::{Character, kind};

/// A compiled pattern.
#[derive(Default)]
pub(super) struct Pattern {
    pub alternatives: Vec<Alternative>,
}

#[derive(Default)]
pub(super) struct Alternative {
    pub repeats: Vec<Repeat>,
    pub end: End,
}

/// A class of characters with a repetition.
pub(super) struct Repeat {
    pub class: Class,
    pub min: usize,
    pub max: usize,
    /// The number of the repetition in the whole pattern.
    pub index: usize,
}

/// What stands after the last repetition of an alternative.
#[derive(Default)]
pub(super) enum End {
    #[default]
    Nothing,
    /// The end of the text.
    OfText,
    /// White space, or the end of the text.
    BeforeSpace,
    Group {
        pattern: Pattern,
        is_optional: bool,
        is_repeated: bool,
    },
}

/// A set of characters.
#[derive(Default)]
pub(super) struct Class {
    is_negated: bool,
    kinds: u8,
    ranges: Vec<(u32, u32)>,
    except: Option<Box<Class>>,
    /// The characters of ASCII in the class, one bit each.
    ascii: u128,
}

impl Class {
    pub fn contains(&self, character: Character) -> bool {
        if character.code < 128 && character.length == 1 {
            return self.ascii >> character.code & 1 != 0;
        }
        self.lists(character)
    }

    fn lists(&self, character: Character) -> bool {
        let in_range = |(first, last): &(u32, u32)| (*first..=*last).contains(&character.code);
        let is_listed = character.kinds & self.kinds != 0 || self.ranges.iter().any(in_range);
        is_listed != self.is_negated && self.except.as_ref().is_none_or(|except| !except.lists(character))
    }

    /// Fills the table of ASCII, once everything else is known.
    fn complete(mut self, ascii: &[Character]) -> Self {
        self.ascii = ascii.iter().filter(|found| self.lists(**found)).fold(0, |bits, found| bits | 1 << found.code);
        self
    }
}

/// A pattern, and the number of repetitions in it.
pub(super) fn compile(text: &str, ascii: &[Character]) -> (Pattern, usize) {
    let mut parser = Parser { rest: text.chars().peekable(), ascii, repeats: 0 };
    let pattern = parser.pattern();
    (pattern, parser.repeats)
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    /// All characters of ASCII.
    ascii: &'a [Character],
    repeats: usize,
}

impl Parser<'_> {
    /// Reads alternatives up to the end of the text or of the group.
    fn pattern(&mut self) -> Pattern {
        let mut pattern = Pattern::default();
        let mut current = Alternative::default();
        while let Some(character) = self.rest.next() {
            match character {
                ')' => break,
                '|' => pattern.alternatives.push(core::mem::take(&mut current)),
                '$' => current.end = End::OfText,
                '(' => current.end = self.group(),
                _ => {
                    let class = match character {
                        '[' => self.class(),
                        '\\' => {
                            let mut class = Class::default();
                            self.escape(&mut class);
                            class.complete(self.ascii)
                        }
                        _ => Class { ranges: [(character as u32, character as u32)].into(), ..Class::default() }
                            .complete(self.ascii),
                    };
                    let (min, max) = self.repetition();
                    current.repeats.push(Repeat { class, min, max, index: self.repeats });
                    self.repeats += 1;
                }
            }
        }
        pattern.alternatives.push(current);
        pattern
    }

    /// Reads a group after its `(`.
    fn group(&mut self) -> End {
        // All groups begin with `?:` or `?!`.
        self.rest.next();
        let is_negated = self.rest.next() == Some('!');
        let pattern = self.pattern();
        if is_negated {
            return End::BeforeSpace;
        }
        let mut has = |character| self.rest.next_if_eq(&character).is_some();
        let (is_repeated, is_optional) = (has('*'), has('?'));
        End::Group { pattern, is_optional: is_optional || is_repeated, is_repeated }
    }

    /// Reads a class after its `[`.
    fn class(&mut self) -> Class {
        let mut class = Class { is_negated: self.rest.next_if_eq(&'^').is_some(), ..Class::default() };
        while let Some(character) = self.rest.next() {
            match character {
                ']' => break,
                '-' if self.rest.next_if_eq(&'-').is_some() => {
                    self.rest.next();
                    class.except = Some(Box::new(self.class()));
                }
                '\\' => self.escape(&mut class),
                first => {
                    let last = match self.rest.peek() {
                        Some('-') => {
                            let mut ahead = self.rest.clone();
                            ahead.next();
                            ahead.next().filter(|last| *last != ']' && *last != '-')
                        }
                        _ => None,
                    };
                    if last.is_some() {
                        self.rest.nth(1);
                    }
                    class.ranges.push((first as u32, last.unwrap_or(first) as u32));
                }
            }
        }
        class.complete(self.ascii)
    }

    /// Adds what stands after a `\` to a class.
    fn escape(&mut self, class: &mut Class) {
        let one = |character| (character as u32, character as u32);
        match self.rest.next() {
            Some('p') => {
                self.rest.next();
                let first = self.rest.next();
                while self.rest.next().is_some_and(|character| character != '}') {}
                class.kinds |= match first {
                    Some('L') => kind::LETTER,
                    Some('N') => kind::NUMBER,
                    Some('M') => kind::MARK,
                    Some('P') => kind::PUNCTUATION,
                    Some('S') => kind::SYMBOL,
                    _ => kind::HAN,
                };
            }
            Some('s') => class.kinds |= kind::SPACE,
            Some('S') => {}
            Some('d') => class.ranges.push(('0' as u32, '9' as u32)),
            Some('r') => class.ranges.push(one('\r')),
            Some('n') => class.ranges.push(one('\n')),
            Some('t') => class.ranges.push(one('\t')),
            Some(character) => class.ranges.push(one(character)),
            None => {}
        }
    }

    /// Reads a repetition: the fewest and the most characters.
    fn repetition(&mut self) -> (usize, usize) {
        let counts = match self.rest.peek() {
            Some('?') => (0, 1),
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('{') => {
                self.rest.next();
                let min = self.number();
                return (min, if self.rest.next() == Some(',') { self.number_and_end() } else { min });
            }
            _ => return (1, 1),
        };
        self.rest.next();
        counts
    }

    fn number(&mut self) -> usize {
        let mut number = 0;
        while let Some(digit) = self.rest.peek().and_then(|character| character.to_digit(10)) {
            number = number * 10 + digit as usize;
            self.rest.next();
        }
        number
    }

    fn number_and_end(&mut self) -> usize {
        let number = self.number();
        self.rest.next();
        number
    }
}
