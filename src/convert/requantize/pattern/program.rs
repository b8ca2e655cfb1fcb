//! The program of a pattern, and how it matches a text.
//!
//! All ways to match are followed at the same time. So the time is at most the length of the text times the number of instructions,
//! for each lookahead that is nested in another. Backreferences (`\1`) cannot be followed in this way.

use alloc::{boxed::Box, vec::Vec};

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

impl Program {
    /// Whether the program matches the text from a position on.
    pub fn matches_at(&self, text: &[u8], start: usize) -> bool {
        let program = &self.0[..];
        let mut current = States::new(program.len());
        let mut next = States::new(program.len());
        if current.follow(program, text, start, 0) {
            return true;
        }
        for (position, byte) in text.iter().enumerate().skip(start) {
            next.clear();
            for state in &current.waiting {
                if let Instruction::Byte(set) = &program[*state]
                    && set.has(*byte)
                    && next.follow(program, text, position + 1, state + 1)
                {
                    return true;
                }
            }
            if next.waiting.is_empty() {
                return false;
            }
            core::mem::swap(&mut current, &mut next);
        }
        false
    }
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

/// The instructions that wait for the next byte.
struct States {
    is_known: Vec<bool>,
    waiting: Vec<usize>,
}

impl States {
    fn new(length: usize) -> Self {
        Self { is_known: vec![false; length], waiting: Vec::new() }
    }

    fn clear(&mut self) {
        self.is_known.fill(false);
        self.waiting.clear();
    }

    /// Follows the instructions from `first` on that consume no byte. Returns whether the program matches here.
    fn follow(&mut self, program: &[Instruction], text: &[u8], position: usize, first: usize) -> bool {
        let mut unfinished = Vec::from([first]);
        while let Some(state) = unfinished.pop() {
            if core::mem::replace(&mut self.is_known[state], true) {
                continue;
            }
            let goes_on = match &program[state] {
                Instruction::Match => return true,
                Instruction::Byte(_) => {
                    self.waiting.push(state);
                    false
                }
                Instruction::Fork(a, b) => {
                    unfinished.extend([*a, *b]);
                    false
                }
                Instruction::Jump(target) => {
                    unfinished.push(*target);
                    false
                }
                Instruction::Start => position == 0,
                Instruction::End => position == text.len(),
                Instruction::WordBoundary { negated } => {
                    let before = position.checked_sub(1).is_some_and(|before| is_word(text[before]));
                    let after = text.get(position).is_some_and(|byte| is_word(*byte));
                    (before != after) != *negated
                }
                Instruction::Lookahead { program, negated } => program.matches_at(text, position) != *negated,
            };
            if goes_on {
                unfinished.push(state + 1);
            }
        }
        false
    }
}
