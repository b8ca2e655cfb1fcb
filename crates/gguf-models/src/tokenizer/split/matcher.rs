//! Splits text at the matches of a pattern, in time proportional to its length.

use alloc::vec::Vec;

use super::characters::{Character, kind};
use super::pattern::{Alternative, End, Pattern, Repeat};

/// Splits the pieces of a text further: at the start and at the end of every match in a piece.
///
/// `ends` are the ends of the pieces before, and the result those of the pieces after, as positions in `text`.
#[doc(hidden)]
pub fn split(pattern: &Pattern, repeats: usize, text: &[Character], ends: &[usize]) -> Vec<usize> {
    let mut matcher = Matcher { text, end: 0, runs: vec![Run::default(); repeats] };
    let mut result = Vec::with_capacity(ends.len());
    let mut at = 0;
    for end in ends {
        matcher.end = *end;
        matcher.runs.fill(Run::default());
        let mut piece = at;
        while at < *end {
            match matcher.pattern(pattern, at).filter(|found| *found > at) {
                Some(found) => {
                    if piece < at {
                        result.push(at);
                    }
                    result.push(found);
                    (at, piece) = (found, found);
                }
                None => at += 1,
            }
        }
        if piece < at {
            result.push(at);
        }
    }
    result
}

/// Consecutive characters of the class of a repetition.
///
/// Without this memory, patterns like `\s*\n|\s{4}` would search the end of a long run of spaces from each of them, and then
/// the last line break in it.
#[derive(Clone, Copy, Default)]
struct Run {
    start: usize,
    end: usize,
    /// The last position in the run where the next repetition of the alternative matches. `None` if it is not known.
    last_before_next: Option<Option<usize>>,
}

struct Matcher<'a> {
    text: &'a [Character],
    /// The end of the piece.
    end: usize,
    runs: Vec<Run>,
}

impl Matcher<'_> {
    /// The end of the match at a position.
    fn pattern(&mut self, pattern: &Pattern, at: usize) -> Option<usize> {
        pattern.alternatives.iter().find_map(|alternative| self.repeats(alternative, 0, at))
    }

    /// Matches an alternative from the repetition at `index` on.
    fn repeats(&mut self, alternative: &Alternative, index: usize, at: usize) -> Option<usize> {
        let Some(repeat) = alternative.repeats.get(index) else { return self.end_of_alternative(&alternative.end, at) };
        let run_end = if repeat.max == usize::MAX { self.run(repeat, at).end } else { self.short_run(repeat, at) };
        let shortest = at.checked_add(repeat.min)?;
        let mut end = run_end;
        match alternative.repeats.get(index + 1) {
            Some(next) if next.min > 0 && repeat.max == usize::MAX => {
                end = self.last_before(repeat, next, shortest, run_end)?;
            }
            // Shorter runs do not end where the text ends.
            None if matches!(alternative.end, End::OfText) && run_end < self.end => return None,
            _ => {}
        }
        while end >= shortest {
            if let Some(found) = self.repeats(alternative, index + 1, end) {
                return Some(found);
            }
            end = end.checked_sub(1)?;
        }
        None
    }

    fn end_of_alternative(&mut self, end: &End, mut at: usize) -> Option<usize> {
        match end {
            End::Nothing => Some(at),
            End::OfText => (at == self.end).then_some(at),
            End::BeforeSpace => (at == self.end || self.text[at].kinds & kind::SPACE != 0).then_some(at),
            End::Group { pattern, is_optional, is_repeated } => {
                let mut is_matched = *is_optional;
                while let Some(found) = self.pattern(pattern, at).filter(|found| *found > at) {
                    (at, is_matched) = (found, true);
                    if !is_repeated {
                        break;
                    }
                }
                is_matched.then_some(at)
            }
        }
    }

    fn matches(&self, repeat: &Repeat, at: usize) -> bool {
        at < self.end && repeat.class.contains(self.text[at])
    }

    /// The end of the characters of a class that begin at a position: at most those that the repetition allows.
    fn short_run(&self, repeat: &Repeat, at: usize) -> usize {
        let longest = at.saturating_add(repeat.max).min(self.end);
        let len = self.text[at..longest].iter().take_while(|found| repeat.class.contains(**found)).count();
        at + len
    }

    /// The run of characters of a class that contains a position, or begins and ends there.
    fn run(&mut self, repeat: &Repeat, at: usize) -> Run {
        let known = self.runs[repeat.index];
        if known.start <= at && at < known.end {
            return known;
        }
        let len = self.text[at..self.end].iter().take_while(|found| repeat.class.contains(**found)).count();
        let run = Run { start: at, end: at + len, last_before_next: None };
        self.runs[repeat.index] = run;
        run
    }

    /// The last position of a run, or its end, where the next repetition matches: not before `shortest`.
    fn last_before(&mut self, repeat: &Repeat, next: &Repeat, shortest: usize, run_end: usize) -> Option<usize> {
        let known = self.runs[repeat.index];
        // Positions only grow. If no position after an earlier start matched, none after this one does.
        let last = match known.last_before_next {
            Some(last) if known.end == run_end => last,
            _ => {
                let last = (shortest..=run_end).rev().find(|end| self.matches(next, *end));
                self.runs[repeat.index].last_before_next = Some(last);
                last
            }
        };
        last.filter(|last| *last >= shortest)
    }
}
