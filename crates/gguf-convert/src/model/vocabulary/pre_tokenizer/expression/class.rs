//! Sets of characters.

use alloc::vec::Vec;

use gguf_format::order::sorted;
use gguf_models::categories::{CATEGORIES, category};

/// A set of characters, or all others.
#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    pub is_negated: bool,
    /// Sorted after [`finished`](Self::finished). No two have a character in common.
    ranges: Vec<(char, char)>,
    /// General categories: a bit for each.
    categories: u32,
    has_space: bool,
    has_word: bool,
    has_han: bool,
    classes: Vec<Class>,
    /// Sets that must contain the character, too: `[a&&b]`.
    pub and: Vec<Class>,
    /// Whether the case of letters does not count.
    pub ignores_case: bool,
}

/// A part of a set.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Range(char, char),
    /// General categories: a bit for each.
    Categories(u32),
    Space,
    Word,
    Han,
    Class(Class),
}

impl Class {
    pub fn of_character(character: char) -> Self {
        Self::of_item(Item::Range(character, character))
    }

    pub fn of_item(item: Item) -> Self {
        let mut class = Self::default();
        class.add(item);
        class
    }

    /// Adds a part to the set. Call [`finished`](Self::finished) after the last of several.
    pub fn add(&mut self, item: Item) {
        match item {
            Item::Range(first, last) => self.ranges.push((first, last)),
            Item::Categories(bits) => self.categories |= bits,
            Item::Space => self.has_space = true,
            Item::Word => self.has_word = true,
            Item::Han => self.has_han = true,
            Item::Class(class) => self.classes.push(class),
        }
    }

    /// The set when all its parts were added.
    pub fn finished(self) -> Self {
        let mut ranges = sorted(&self.ranges);
        ranges.dedup_by(|next, previous| {
            let is_joined = next.0 <= previous.1;
            if is_joined {
                previous.1 = previous.1.max(next.1);
            }
            is_joined
        });
        Self { ranges, ..self }
    }

    /// The steps of a search in the set: each class within it is searched.
    pub fn steps(&self) -> u64 {
        1 + self.classes.iter().chain(&self.and).map(Self::steps).sum::<u64>()
    }

    pub fn negated(self) -> Self {
        Self { is_negated: !self.is_negated, ..self }
    }

    pub fn contains(&self, character: char) -> bool {
        let mut within = self.classes.iter().filter(|class| class.ignores_case);
        let mut is_listed = self.lists(character) || within.any(|class| class.contains(character));
        if self.ignores_case && !is_listed {
            let mut others = character.to_lowercase().chain(character.to_uppercase());
            is_listed = others.any(|other| self.lists(other));
        }
        (is_listed && self.and.iter().all(|class| class.contains(character))) != self.is_negated
    }

    /// Whether the character is listed as it is written. Classes that ignore case themselves are left out: three tries for each of several
    /// nested classes would be too many.
    fn lists(&self, character: char) -> bool {
        let place = self.ranges.partition_point(|(first, _)| *first <= character);
        place > 0 && character <= self.ranges[place - 1].1
            || self.categories != 0 && self.categories >> category(character) & 1 != 0
            || self.has_space && character.is_whitespace()
            || self.has_word && is_word(character)
            || self.has_han && is_han(character)
            || self.classes.iter().any(|class| !class.ignores_case && class.contains(character))
    }
}

/// Whether a character is part of words: `\w`.
pub(super) fn is_word(character: char) -> bool {
    let is_joining = || matches!(CATEGORIES[usize::from(category(character))], "Mn" | "Mc" | "Me" | "Nd" | "Pc");
    character.is_alphabetic() || is_joining()
}

/// Whether a character has the script Han.
///
/// Source: `Scripts.txt` of Unicode 15.
fn is_han(character: char) -> bool {
    matches!(u32::from(character),
        0x2E80..=0x2E99 | 0x2E9B..=0x2EF3 | 0x2F00..=0x2FD5 | 0x3005 | 0x3007 | 0x3021..=0x3029 | 0x3038..=0x303B
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFA6D | 0xFA70..=0xFAD9 | 0x16FE2..=0x16FE3 | 0x16FF0..=0x16FF1
        | 0x20000..=0x2A6DF | 0x2A700..=0x2B739 | 0x2B740..=0x2B81D | 0x2B820..=0x2CEA1 | 0x2CEB0..=0x2EBE0
        | 0x2F800..=0x2FA1D | 0x30000..=0x3134A | 0x31350..=0x323AF)
}

/// The set of a property: a general category, the first letter of several, or a script.
pub(super) fn property(name: &str) -> Option<Item> {
    match (name, bits(name)) {
        ("Han", _) => Some(Item::Han),
        ("", _) | (_, 0) => None,
        (_, bits) => Some(Item::Categories(bits)),
    }
}

/// The general categories whose names begin with a text.
pub(super) fn bits(name: &str) -> u32 {
    let matching = (0..).zip(CATEGORIES).filter(|(_, category)| category.starts_with(name));
    matching.fold(0, |bits, (place, _)| bits | 1 << place)
}
