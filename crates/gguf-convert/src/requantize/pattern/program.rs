//! The program of a pattern, and how it matches a text.
//!
//! All ways to match, from all positions of the text, are followed at the same time. So the time is at most the length of the text times
//! the number of instructions, for each lookahead that is nested in another. Backreferences (`\1`) cannot be followed in this way.

use alloc::{boxed::Box, vec::Vec};
use core::mem::{replace, swap};

use super::byte_set::{ByteSet, is_word};

/// The instructions of a pattern.
#[derive(Clone, Debug)]
pub struct Program(pub Vec<Instruction>);

#[derive(Clone, Debug)]
pub enum Instruction {
    /// Consumes a byte of a set.
    Byte(Box<ByteSet>),
    /// Goes on at both places.
    Fork(usize, usize),
    Jump(usize),
    Start,
    End,
    WordBoundary {
        negated: bool,
    },
    Lookahead {
        program: Program,
        negated: bool,
    },
    Match,
}

/// Appends a part, whose positions become those of the whole.
pub fn append(program: &mut Vec<Instruction>, part: Vec<Instruction>) {
    let start = program.len();
    program.extend(part.into_iter().map(|instruction| match instruction {
        Instruction::Fork(a, b) => Instruction::Fork(a + start, b + start),
        Instruction::Jump(target) => Instruction::Jump(target + start),
        other => other,
    }));
}

/// A search of patterns in texts, which counts its steps. A step looks at an instruction at a position.
#[derive(Debug)]
pub struct Search {
    steps: u64,
    /// The number of positions that were looked at.
    positions: u64,
    /// Lists that are used again.
    spare: Vec<States>,
}

/// The instructions that are followed at a position.
#[derive(Debug, Default)]
struct States {
    /// The last position at which each instruction was met, as the number of positions that were looked at.
    met: Vec<u64>,
    /// The threads that wait for the next byte.
    waiting: Vec<usize>,
    unfinished: Vec<usize>,
}

/// A part of a text.
#[derive(Clone, Copy)]
struct Place<'a> {
    text: &'a [u8],
    start: usize,
}

impl Search {
    /// A search of at most this number of steps.
    pub fn new(steps: u64) -> Self {
        Self { steps, positions: 0, spare: Vec::new() }
    }

    /// Whether a program matches a part of the text. `None` if this takes more steps than are left.
    pub fn finds(&mut self, program: &Program, text: &[u8]) -> Option<bool> {
        self.matches(program, Place { text, start: 0 }, true)
    }

    /// Whether a program matches the text from a position on, or from a later one.
    fn matches(&mut self, program: &Program, place: Place<'_>, also_later: bool) -> Option<bool> {
        let mut states = [(); 2].map(|()| self.spare.pop().unwrap_or_default());
        let is_found = self.follow_all(&program.0, place, also_later, &mut states);
        self.spare.extend(states);
        is_found
    }

    fn follow_all(
        &mut self,
        program: &[Instruction],
        place: Place<'_>,
        also_later: bool,
        [current, next]: &mut [States; 2],
    ) -> Option<bool> {
        let text = place.text;
        current.begin(program.len());
        next.begin(program.len());
        let now = self.next_position();
        if self.follow(current, now, program, place, 0)? {
            return Some(true);
        }
        for (position, byte) in text.iter().enumerate().skip(place.start) {
            let after = Place { text, start: position + 1 };
            let now = self.next_position();
            for state in current.waiting.drain(..) {
                self.step()?;
                if let Instruction::Byte(set) = &program[state]
                    && set.has(*byte)
                    && self.follow(next, now, program, after, state + 1)?
                {
                    return Some(true);
                }
            }
            if also_later && self.follow(next, now, program, after, 0)? {
                return Some(true);
            }
            if next.waiting.is_empty() && !also_later {
                break;
            }
            swap(current, next);
        }
        Some(false)
    }

    /// Follows the instructions from `first` on that consume no byte. Returns whether the program matches here.
    fn follow(
        &mut self,
        states: &mut States,
        now: u64,
        program: &[Instruction],
        place: Place<'_>,
        first: usize,
    ) -> Option<bool> {
        let Place { text, start: position } = place;
        states.unfinished.clear();
        states.unfinished.push(first);
        while let Some(state) = states.unfinished.pop() {
            self.step()?;
            if replace(&mut states.met[state], now) == now {
                continue;
            }
            let goes_on = match &program[state] {
                Instruction::Match => return Some(true),
                Instruction::Byte(_) => {
                    states.waiting.push(state);
                    false
                }
                Instruction::Fork(a, b) => {
                    states.unfinished.extend([*a, *b]);
                    false
                }
                Instruction::Jump(target) => {
                    states.unfinished.push(*target);
                    false
                }
                Instruction::Start => position == 0,
                Instruction::End => position == text.len(),
                Instruction::WordBoundary { negated } => {
                    let before = position.checked_sub(1).is_some_and(|before| is_word(text[before]));
                    let after = text.get(position).is_some_and(|byte| is_word(*byte));
                    (before != after) != *negated
                }
                Instruction::Lookahead { program, negated } => self.matches(program, place, false)? != *negated,
            };
            if goes_on {
                states.unfinished.push(state + 1);
            }
        }
        Some(false)
    }

    /// A number that no other position has, in any search.
    fn next_position(&mut self) -> u64 {
        self.positions += 1;
        self.positions
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }
}

impl States {
    /// Prepares the lists for a program.
    fn begin(&mut self, instructions: usize) {
        self.waiting.clear();
        if self.met.len() < instructions {
            self.met.resize(instructions, 0);
        }
    }
}
