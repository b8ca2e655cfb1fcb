//! Finds the matches of an expression: it tries one way after another, with a limit.

use alloc::vec::Vec;
use core::ops::Range;

use super::class::is_word;
use super::node::{Node, Style};
use crate::budget::Budget;

/// The steps of a try, in the budget. The expressions of models take about 20 tries for each character.
const TRY: u64 = 4;
/// The deepest nesting of parts, which bounds the stack. Each repetition of a part counts.
const MOST_DEPTH: u32 = 500;

/// The places of all matches.
pub(super) fn matches(node: &Node, text: &[char], budget: &Budget) -> Option<Vec<Range<usize>>> {
    let mut matcher = Matcher { text, budget, depth: 0, has_failed: false };
    let mut places = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let mut end = at;
        let is_match = matcher.matches(node, at, &mut |_, found| {
            end = found;
            true
        });
        if matcher.has_failed {
            return None;
        }
        if is_match && end > at {
            places.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    Some(places)
}

struct Matcher<'a> {
    text: &'a [char],
    budget: &'a Budget,
    depth: u32,
    /// Whether a limit was reached. The result is then meaningless.
    has_failed: bool,
}

/// The continuation of a part: whether the rest of the expression matches from a position on.
type Rest<'r, 'a> = &'r mut dyn FnMut(&mut Matcher<'a>, usize) -> bool;

impl<'a> Matcher<'a> {
    /// Whether a part matches at a position so that the rest matches, too.
    fn matches(&mut self, node: &Node, at: usize, rest: Rest<'_, 'a>) -> bool {
        if !self.has_steps(TRY) || self.depth >= MOST_DEPTH {
            self.has_failed = true;
            return false;
        }
        self.depth += 1;
        let is_match = self.matches_node(node, at, rest);
        self.depth -= 1;
        is_match
    }

    /// Counts steps. False if the search must end.
    fn has_steps(&mut self, steps: u64) -> bool {
        self.has_failed |= self.budget.step(steps).is_err();
        !self.has_failed
    }

    fn matches_node(&mut self, node: &Node, at: usize, rest: Rest<'_, 'a>) -> bool {
        let end = self.text.len();
        match node {
            Node::Class(class, steps) => {
                let character = self.text.get(at).filter(|_| self.has_steps(*steps));
                character.is_some_and(|character| class.contains(*character)) && rest(self, at + 1)
            }
            Node::Sequence(nodes) => self.matches_sequence(nodes, at, rest),
            Node::Alternatives(nodes) => nodes.iter().any(|node| self.matches(node, at, rest)),
            Node::Repeat { node, min, max, style } => match (&**node, style) {
                (_, Style::Possessive) => {
                    let greedy = |matcher: &mut Self, found: &mut usize| {
                        matcher.matches_repeat(node, *min, *max, Style::Greedy, at, &mut |_, end| {
                            *found = end;
                            true
                        })
                    };
                    let mut found = at;
                    greedy(self, &mut found) && rest(self, found)
                }
                (Node::Class(class, steps), Style::Greedy) => {
                    // The usual case, without a call for each character.
                    let most = self.text[at..].iter().take(*max).take_while(|character| class.contains(**character));
                    let most = most.count();
                    self.has_steps((most as u64 + 1) * steps) && (*min..=most).rev().any(|count| rest(self, at + count))
                }
                _ => self.matches_repeat(node, *min, *max, *style, at, rest),
            },
            Node::Ahead { node, is_negated } => {
                self.matches(node, at, &mut |_, _| true) != *is_negated && rest(self, at)
            }
            Node::Atomic(node) => {
                let mut found = at;
                let is_match = self.matches(node, at, &mut |_, end| {
                    found = end;
                    true
                });
                is_match && rest(self, found)
            }
            Node::LineStart => (at == 0 || self.text[at - 1] == '\n') && rest(self, at),
            Node::LineEnd => (at == end || self.text[at] == '\n') && rest(self, at),
            Node::TextStart => at == 0 && rest(self, at),
            Node::TextEnd => at == end && rest(self, at),
            Node::WordBoundary => {
                let is_word = |place: Option<&char>| place.is_some_and(|character| is_word(*character));
                let before = at.checked_sub(1).and_then(|place| self.text.get(place));
                is_word(before) != is_word(self.text.get(at)) && rest(self, at)
            }
        }
    }

    fn matches_sequence(&mut self, nodes: &[Node], at: usize, rest: Rest<'_, 'a>) -> bool {
        match nodes.split_first() {
            None => rest(self, at),
            Some((first, others)) => {
                self.matches(first, at, &mut |matcher, next| matcher.matches_sequence(others, next, rest))
            }
        }
    }

    fn matches_repeat(
        &mut self,
        node: &Node,
        min: usize,
        max: usize,
        style: Style,
        at: usize,
        rest: Rest<'_, 'a>,
    ) -> bool {
        let can_end = min == 0;
        if can_end && style == Style::Lazy && rest(self, at) {
            return true;
        }
        let once_more = max > 0
            && self.matches(node, at, &mut |matcher, next| {
                // A repetition that consumes no character would never end.
                (next > at || min > 0)
                    && matcher.matches_repeat(node, min.saturating_sub(1), max.saturating_sub(1), style, next, rest)
            });
        once_more || can_end && style != Style::Lazy && rest(self, at)
    }
}
