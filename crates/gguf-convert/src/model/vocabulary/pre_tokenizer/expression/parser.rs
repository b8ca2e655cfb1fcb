//! Reads an expression.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::iter::Peekable;
use core::str::Chars;

use super::class::{Class, Item, bits, property};
use super::node::{Node, Style};

/// The deepest nesting of groups and classes.
const MOST_DEPTH: u32 = 32;
/// The most repetitions of one part, one after another: `a**`.
const MOST_REPETITIONS: usize = 4;
/// The largest count of a repetition.
const MOST_REPEATS: usize = 1000;

/// The expression that a text describes. `None` if it has a part that is unknown here.
#[doc(hidden)]
pub fn parse(text: &str) -> Option<Node> {
    let mut parser = Parser { rest: text.chars().peekable(), ignores_case: false, depth: 0 };
    let node = parser.alternatives()?;
    parser.rest.next().is_none().then_some(node)
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    ignores_case: bool,
    depth: u32,
}

impl Parser<'_> {
    /// Reads alternatives up to the end of the text, or to the `)` of the group.
    fn alternatives(&mut self) -> Option<Node> {
        let mut all = Vec::new();
        let mut current = Vec::new();
        while let Some(next) = self.rest.peek().copied() {
            match next {
                ')' => break,
                '|' => {
                    self.rest.next();
                    all.push(Node::Sequence(core::mem::take(&mut current)));
                }
                _ => {
                    let node = self.part()?;
                    current.push(self.repeated(node)?);
                }
            }
        }
        all.push(Node::Sequence(current));
        Some(if all.len() == 1 { all.pop()? } else { Node::Alternatives(all) })
    }

    /// Reads a character, a class or a group.
    fn part(&mut self) -> Option<Node> {
        Some(match self.rest.next()? {
            '(' => return self.group(),
            '[' => Node::of_class(self.class()?),
            // Any character but a line feed.
            '.' => Node::of_class(Class::of_character('\n').negated()),
            '^' => Node::LineStart,
            '$' => Node::LineEnd,
            '\\' => match self.rest.peek()? {
                'A' => self.taken(Node::TextStart),
                'z' => self.taken(Node::TextEnd),
                'b' => self.taken(Node::WordBoundary),
                _ => {
                    let class = class_of(self.escape()?);
                    Node::of_class(self.with_case(class))
                }
            },
            '*' | '+' | '?' | '{' | '}' => return None,
            character => Node::of_class(self.with_case(Class::of_character(character))),
        })
    }

    fn taken(&mut self, node: Node) -> Node {
        self.rest.next();
        node
    }

    fn with_case(&self, mut class: Class) -> Class {
        class.ignores_case = self.ignores_case;
        class
    }

    /// Reads a group after its `(`.
    fn group(&mut self) -> Option<Node> {
        self.enter()?;
        let ignored_case = self.ignores_case;
        let mut wrap: fn(Box<Node>) -> Node = |node| *node;
        if self.rest.next_if_eq(&'?').is_some() {
            match self.rest.next()? {
                ':' => {}
                'i' => {
                    // The flag holds for the group, or for the rest of the group around it.
                    self.ignores_case = true;
                    match self.rest.next()? {
                        ':' => {}
                        ')' => {
                            self.depth -= 1;
                            return Some(Node::Sequence(Vec::new()));
                        }
                        _ => return None,
                    }
                }
                '!' => wrap = |node| Node::Ahead { node, is_negated: true },
                '=' => wrap = |node| Node::Ahead { node, is_negated: false },
                '>' => wrap = Node::Atomic,
                _ => return None,
            }
        }
        let node = self.alternatives()?;
        self.rest.next_if_eq(&')')?;
        self.ignores_case = ignored_case;
        self.depth -= 1;
        Some(wrap(Box::new(node)))
    }

    /// Reads how often a part is repeated.
    fn repeated(&mut self, mut node: Node) -> Option<Node> {
        let mut repetitions = 0;
        while let Some(next) = self.rest.peek().copied() {
            let (min, max) = match next {
                '*' => (0, usize::MAX),
                '+' => (1, usize::MAX),
                '?' => (0, 1),
                '{' => (0, 0),
                _ => break,
            };
            self.rest.next();
            repetitions += 1;
            if repetitions > MOST_REPETITIONS {
                return None;
            }
            let (min, max) = if next == '{' { self.counts()? } else { (min, max) };
            let style = match self.rest.peek() {
                Some('?') => Style::Lazy,
                // After counts, `+` repeats the repetition.
                Some('+') if next != '{' => Style::Possessive,
                _ => Style::Greedy,
            };
            if style != Style::Greedy {
                self.rest.next();
            }
            node = Node::Repeat { node: Box::new(node), min, max, style };
        }
        Some(node)
    }

    /// Reads counts after their `{`.
    fn counts(&mut self) -> Option<(usize, usize)> {
        let text: String = core::iter::from_fn(|| self.rest.next_if(|next| *next != '}')).collect();
        self.rest.next_if_eq(&'}')?;
        let number = |text: &str| text.parse().ok().filter(|count| *count <= MOST_REPEATS);
        match text.split_once(',') {
            None => number(&text).map(|count| (count, count)),
            Some(("", max)) => Some((0, number(max)?)),
            Some((min, "")) => Some((number(min)?, usize::MAX)),
            Some((min, max)) => Some((number(min)?, number(max)?)).filter(|(min, max)| min <= max),
        }
    }

    /// Reads a class after its `[`.
    fn class(&mut self) -> Option<Class> {
        self.enter()?;
        let mut class = Class::default();
        class.is_negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            class.add(Item::Range(']', ']'));
        }
        loop {
            let item = match self.rest.next()? {
                ']' => break,
                '[' if self.rest.peek() == Some(&':') => return None,
                '[' => Item::Class(self.class()?),
                '&' if self.rest.next_if_eq(&'&').is_some() => {
                    // The rest of the class is the other set. A class within it is entered without its `[`.
                    if self.rest.peek() == Some(&'^') {
                        return None;
                    }
                    class.and.push(self.class()?);
                    break;
                }
                '\\' => single(self.escape()?),
                character => Item::Range(character, character),
            };
            class.add(self.range_from(item)?);
        }
        self.depth -= 1;
        Some(self.with_case(class.finished()))
    }

    /// Reads the end of a range that begins with an item.
    fn range_from(&mut self, item: Item) -> Option<Item> {
        let Item::Range(first, _) = item else { return Some(item) };
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') || matches!(ahead.next(), Some(']') | None) {
            return Some(item);
        }
        self.rest.next();
        let last = match self.rest.next()? {
            '[' => return None,
            '\\' => match self.escape()? {
                (Item::Range(last, _), false) => last,
                _ => return None,
            },
            last => last,
        };
        (first <= last).then_some(Item::Range(first, last))
    }

    /// Reads a character or a set after its `\`, and whether all others are meant.
    fn escape(&mut self) -> Option<(Item, bool)> {
        let next = self.rest.next()?;
        let character = |character| Item::Range(character, character);
        let item = match next {
            'n' => character('\n'),
            'r' => character('\r'),
            't' => character('\t'),
            'f' => character('\u{C}'),
            'v' => character('\u{B}'),
            's' | 'S' => Item::Space,
            'd' | 'D' => Item::Categories(bits("Nd")),
            'w' | 'W' => Item::Word,
            'p' | 'P' => {
                let (item, is_negated) = self.property()?;
                return Some((item, is_negated != (next == 'P')));
            }
            'u' => character(self.code(4)?),
            'x' => character(match self.rest.next_if_eq(&'{') {
                Some(_) => {
                    let digits: String = core::iter::from_fn(|| self.rest.next_if(char::is_ascii_hexdigit)).collect();
                    self.rest.next_if_eq(&'}')?;
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                None => self.code(2)?,
            }),
            letter if letter.is_ascii_alphanumeric() => return None,
            other => character(other),
        };
        Some((item, matches!(next, 'S' | 'D' | 'W')))
    }

    /// Reads a character that is written with this number of hexadecimal digits.
    fn code(&mut self, digits: usize) -> Option<char> {
        let text: String = (0..digits).map_while(|_| self.rest.next_if(char::is_ascii_hexdigit)).collect();
        let code = (text.len() == digits).then(|| u32::from_str_radix(&text, 16).ok())??;
        char::from_u32(code)
    }

    /// Reads a property after `\p`: `{L}`, `{^L}`. Also whether all other characters are meant.
    fn property(&mut self) -> Option<(Item, bool)> {
        self.rest.next_if_eq(&'{')?;
        let is_negated = self.rest.next_if_eq(&'^').is_some();
        let name: String = core::iter::from_fn(|| self.rest.next_if(|next| *next != '}')).collect();
        self.rest.next_if_eq(&'}')?;
        Some((property(&name)?, is_negated))
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MOST_DEPTH).then_some(())
    }
}

/// The class of a character or a set, or of all others.
fn class_of((item, is_negated): (Item, bool)) -> Class {
    let class = Class::of_item(item);
    if is_negated { class.negated() } else { class }
}

/// A character or a set, or all others, as an item of a class.
fn single((item, is_negated): (Item, bool)) -> Item {
    if is_negated { Item::Class(class_of((item, true))) } else { item }
}
