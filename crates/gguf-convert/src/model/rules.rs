//! Which rule of a family is for a stored tensor.

use alloc::vec::Vec;

use super::families::Family;
use super::families::rule::{Rule, Suffix};
use super::families::rule_text::Rules;

/// A rule that matches a name.
pub(super) struct Match {
    /// The position of the rule in the family.
    pub position: usize,
    pub rule: Rule,
    pub block: Option<u32>,
    pub expert: Option<u32>,
    pub suffix: &'static str,
}

/// The rules for experts, with their positions, in the order in which the stacked tensors are written: those of a block, or the one at
/// a position.
pub(super) fn expert_rules(family: &'static Family, position: Option<usize>) -> Vec<(usize, Rule)> {
    let rules = family.rules.iter().copied().flat_map(Rules::iter).enumerate();
    let is_wanted = |found: usize, rule: &Rule| match position {
        Some(position) => found == position,
        None => rule.source.contains('#'),
    };
    rules.filter(|(found, rule)| rule.source.contains('@') && is_wanted(*found, rule)).collect()
}

/// How names of tensors end.
const ENDS: &[&str] = &[".weight", ".bias"];

/// How names of the limits end to which the values of a layer are cut.
const LIMITS: &[&str] = &[".input_max", ".input_min", ".output_max", ".output_min"];

/// The rule for a name.
pub(super) fn find_rule(family: &'static Family, name: &str) -> Option<Match> {
    let ended = |ends: &[&'static str]| ends.iter().find_map(|end| Some((name.strip_suffix(end)?, *end)));
    let (known, limit) = (ended(ENDS), ended(LIMITS));
    family.rules.iter().copied().flat_map(Rules::iter).enumerate().find_map(|(position, rule)| {
        let (name, suffix) = match rule.suffix {
            Suffix::Whole => (name, ""),
            Suffix::WeightOrBias => known?,
            Suffix::WithLimits => known.or(limit)?,
        };
        let (block, expert) = matches(rule.source, name)?;
        Some(Match { position, rule, block, expert, suffix })
    })
}

/// Compares a name with a pattern. Returns the numbers of the block and of the expert.
fn matches(pattern: &str, name: &str) -> Option<(Option<u32>, Option<u32>)> {
    if let Some(start) = pattern.strip_suffix('*') {
        return name.starts_with(start).then_some((None, None));
    }
    let (mut block, mut expert) = (None, None);
    let mut segments = name.split('.');
    for expected in pattern.split('.') {
        let segment = segments.next()?;
        match expected {
            "#" => block = Some(number(segment)?),
            "@" => expert = Some(number(segment)?),
            _ if segment == expected => {}
            _ => return None,
        }
    }
    segments.next().is_none().then_some((block, expert))
}

/// A number in its only form: without a sign and without zeros before it.
fn number(text: &str) -> Option<u32> {
    let is_canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_canonical { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whole_names() {
        let pattern = "layers.#.mlp.experts.@.w1";
        assert_eq!(matches(pattern, "layers.3.mlp.experts.12.w1"), Some((Some(3), Some(12))));
        for name in [
            "layers.03.mlp.experts.12.w1",
            "layers.3.mlp.experts.12",
            "layers.3.mlp.experts.12.w1.x",
            "layers.+3.mlp.experts.12.w1",
            "layers..mlp.experts.12.w1",
            "layers.99999999999.mlp.experts.1.w1",
        ] {
            assert_eq!(matches(pattern, name), None, "{name}");
        }
        assert_eq!(matches("cls.predictions*", "cls.predictions.bias"), Some((None, None)));
    }
}
