//! Rules for tensors in one text: a rule is a line.
//!
//! In an array of [`Rule`], each name is a pointer and a length, which compress badly. The compiler makes the texts of such arrays: the
//! arrays would make the gzipped module 10 kB larger.

use super::rule::{Change, Rule, Suffix};

/// Some rules, in order.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// A line for each rule: the stored name, a sign that tells how the names end, and the new name. [`IS_CHANGED`] follows if the tensor
    /// is changed.
    lines: &'static str,
    /// What is done with the tensors that are changed.
    changes: &'static [Change],
}

/// The sign at the end of a line whose tensor is changed.
const IS_CHANGED: u8 = b'!';

/// Declares rules: `rules![name("norm", "output_norm"), whole("bias", "output.bias")]`.
macro_rules! rules {
    [$($rule:expr),* $(,)?] => {{
        const ROWS: &[$crate::model::families::rule::Rule] = &[$($rule),*];
        const LENGTH: usize = $crate::model::families::rule_text::text_length(ROWS);
        const LINES: &[u8; LENGTH] = &$crate::model::families::rule_text::line_bytes(ROWS);
        const COUNT: usize = $crate::model::families::rule_text::change_count(ROWS);
        const CHANGES: &[$crate::model::families::rule::Change; COUNT] = &$crate::model::families::rule_text::changes(ROWS);
        $crate::model::families::rule_text::Rules::new(LINES, CHANGES)
    }};
}
pub(crate) use rules;

impl Rules {
    pub const fn new(lines: &'static [u8], changes: &'static [Change]) -> Self {
        match str::from_utf8(lines) {
            Ok(lines) => Self { lines, changes },
            Err(_) => panic!("names of tensors are text"),
        }
    }

    /// The rules.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        let mut changes = self.changes.iter().copied();
        self.lines.lines().filter_map(move |line| {
            let (names, change) = match line.strip_suffix(char::from(IS_CHANGED)) {
                Some(names) => (names, changes.next()?),
                None => (line, Change::Keep),
            };
            let (at, suffix) = names.bytes().enumerate().find_map(|(at, byte)| Some((at, suffix(byte)?)))?;
            Some(Rule { source: names.get(..at)?, target: names.get(at + 1..)?, suffix, change })
        })
    }
}

const fn sign(suffix: Suffix) -> u8 {
    match suffix {
        Suffix::WeightOrBias => b'>',
        Suffix::WithLimits => b'~',
        Suffix::Whole => b'=',
    }
}

const fn suffix(sign: u8) -> Option<Suffix> {
    match sign {
        b'>' => Some(Suffix::WeightOrBias),
        b'~' => Some(Suffix::WithLimits),
        b'=' => Some(Suffix::Whole),
        _ => None,
    }
}

const fn is_changed(rule: &Rule) -> bool {
    !matches!(rule.change, Change::Keep)
}

/// The length of the text of some rules, in bytes.
pub(crate) const fn text_length(rules: &[Rule]) -> usize {
    let (mut length, mut i) = (0, 0);
    while i < rules.len() {
        length += rules[i].source.len() + 1 + rules[i].target.len() + is_changed(&rules[i]) as usize + 1;
        i += 1;
    }
    length
}

/// The text of some rules.
pub(crate) const fn line_bytes<const LENGTH: usize>(rules: &[Rule]) -> [u8; LENGTH] {
    let (mut text, mut at, mut i) = ([0; LENGTH], 0, 0);
    while i < rules.len() {
        assert!(is_plain(rules[i].source) && is_plain(rules[i].target), "a name has a sign of the text");
        at = append(&mut text, at, rules[i].source.as_bytes());
        at = append(&mut text, at, &[sign(rules[i].suffix)]);
        at = append(&mut text, at, rules[i].target.as_bytes());
        if is_changed(&rules[i]) {
            at = append(&mut text, at, &[IS_CHANGED]);
        }
        at = append(&mut text, at, b"\n");
        i += 1;
    }
    text
}

/// Whether a name has no sign that the text of rules has.
const fn is_plain(name: &str) -> bool {
    let (bytes, mut i) = (name.as_bytes(), 0);
    while i < bytes.len() {
        if suffix(bytes[i]).is_some() || bytes[i] == IS_CHANGED || bytes[i] == b'\n' {
            return false;
        }
        i += 1;
    }
    true
}

/// Writes bytes into a text, and returns where they end.
const fn append(text: &mut [u8], at: usize, bytes: &[u8]) -> usize {
    let mut i = 0;
    while i < bytes.len() {
        text[at + i] = bytes[i];
        i += 1;
    }
    at + bytes.len()
}

pub(crate) const fn change_count(rules: &[Rule]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < rules.len() {
        count += is_changed(&rules[i]) as usize;
        i += 1;
    }
    count
}

/// What is done with the tensors that are changed.
pub(crate) const fn changes<const COUNT: usize>(rules: &[Rule]) -> [Change; COUNT] {
    let (mut changes, mut at, mut i) = ([Change::Keep; COUNT], 0, 0);
    while i < rules.len() {
        if is_changed(&rules[i]) {
            changes[at] = rules[i].change;
            at += 1;
        }
        i += 1;
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::rule::{dropped, name, whole};
    use super::*;
    use alloc::vec::Vec;

    const RULES: Rules = rules![
        name("norm", "output_norm"),
        whole("layers.#.A_log", "blk.#.ssm_a").with(Change::NegativeExponential),
        Rule { suffix: Suffix::WithLimits, ..name("layers.#.linear", "blk.#.linear") },
        dropped("lm_head.weight"),
    ];

    #[test]
    fn a_text_has_all_rules() {
        let rules: Vec<Rule> = RULES.iter().collect();
        let names: Vec<_> = rules.iter().map(|rule| (rule.source, rule.target, rule.suffix)).collect();
        assert_eq!(
            names,
            [
                ("norm", "output_norm", Suffix::WeightOrBias),
                ("layers.#.A_log", "blk.#.ssm_a", Suffix::Whole),
                ("layers.#.linear", "blk.#.linear", Suffix::WithLimits),
                ("lm_head.weight", "", Suffix::Whole),
            ]
        );
        let changes: Vec<_> = rules.iter().map(|rule| rule.change).collect();
        assert!(matches!(changes[..], [Change::Keep, Change::NegativeExponential, Change::Keep, Change::Drop]));
    }
}
