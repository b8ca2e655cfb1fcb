//! What the model computes, as lines of equal numbers in its matrices.
//!
//! Nobody trained the sample: its weights were thought out. It continues a text that repeats itself, as the induction heads of trained
//! models do, and otherwise prefers words of the kinds that the text has.
//!
//! ```text
//! block 0   each head looks at the token before, and notes its code beside that of the token itself
//! block 1   heads 0 and 2 look for earlier places whose noted code is that of this token, and copy the code that stands there: what
//!           followed then is likely to follow now. If there is no such place, they look at the first token, which has no code.
//!           Heads 1 and 3 look at the token itself, and take its code away
//! block 2 … each head adds the mean of the kinds of the tokens around: in block 2 of some 80 tokens, and then of fewer and fewer
//! all       the feed-forward layers know pairs of kinds: where both are found, both become stronger
//! ```
//!
//! [`embedding`](super::embedding) has the channels.

use super::embedding::{BEGINS_TEXT, CODE, CODE_LENGTH, CONSTANT, KIND, KINDS, NOTED_CODE};
use super::shape::{FEED_FORWARD, HEAD, HEADS, KV_HEADS};

/// The matrices of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Query,
    Key,
    Value,
    Output,
    Gate,
    Up,
    Down,
}

/// Equal numbers in a matrix, from a row and a column on.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    row: usize,
    column: usize,
    count: usize,
    /// How many rows and columns the next number is away.
    step: (usize, usize),
    value: f32,
}

impl Line {
    /// Writes the numbers of a row.
    pub fn fill(&self, row: usize, values: &mut [f32]) {
        let (rows, columns) = self.step;
        for index in (0..self.count).filter(|index| self.row + index * rows == row) {
            values[self.column + index * columns] += self.value;
        }
    }

    /// How far the numbers are from 0.
    pub fn strength(&self) -> f32 {
        self.value.abs()
    }

    /// The same line in the transposed matrix.
    fn transposed(self, value: f32) -> Self {
        let (rows, columns) = self.step;
        Self { row: self.column, column: self.row, step: (columns, rows), value, ..self }
    }
}

/// A line from the upper left to the lower right.
fn diagonal(row: usize, column: usize, count: usize, value: f32) -> Line {
    Line { row, column, count, step: (1, 1), value }
}

fn number(row: usize, column: usize, value: f32) -> Line {
    diagonal(row, column, 1, value)
}

const HEAD_LENGTH: usize = HEAD as usize;
/// How many heads share keys and values.
const GROUP: usize = (HEADS / KV_HEADS) as usize;
/// The part of a code that a head of values carries.
const SHARE: usize = CODE_LENGTH / KV_HEADS as usize;

/// The cosines and sines of the angles by which positions that follow one another turn a pair of numbers: those of the first pairs. A base
/// of 500,000 and heads of 64 numbers give them.
const TURNS: [(f32, f32); 8] = [
    (0.540_302_3, 0.841_471),
    (0.787_779_15, 0.615_957_8),
    (0.904_595_4, 0.426_271_1),
    (0.957_604_47, 0.288_086_3),
    (0.981_255_8, 0.192_709_58),
    (0.991_731_2, 0.128_332_48),
    (0.996_355_9, 0.085_293_34),
    (0.998_394_7, 0.056_639_29),
];

/// The first row, in a head, of pairs that positions hardly turn, and how many of these rows compare codes.
const STILL: usize = 40;
const COMPARED: usize = 22;
/// The row that finds the first token.
const FIRST_TOKEN: usize = 62;

/// The lines of a matrix of a block.
pub fn lines(block: usize, part: Part) -> Vec<Line> {
    match (part, block) {
        (Part::Gate, _) => kinds_of_gates(),
        (Part::Up, _) => kinds_of_ups(),
        (Part::Down, _) => {
            let both = kinds_of_gates().into_iter().chain(kinds_of_ups());
            both.map(|line| line.transposed(0.02)).collect()
        }
        (Part::Query, 0) => (0..HEADS as usize).flat_map(|head| constants(head, 0..TURNS.len(), 1.0)).collect(),
        (Part::Key, 0) => (0..KV_HEADS as usize).flat_map(before).collect(),
        (Part::Value, 0 | 1) => (0..KV_HEADS as usize).map(|head| codes_of_values(head, 0.82)).collect(),
        (Part::Output, 0) => {
            let noted = |head: usize| {
                let row = NOTED_CODE + head / GROUP * SHARE;
                diagonal(row, head * HEAD_LENGTH, SHARE, 1.0 / GROUP as f32)
            };
            (0..HEADS as usize).map(noted).collect()
        }
        (Part::Query, 1) => (0..HEADS as usize).flat_map(query_of_repetition).collect(),
        (Part::Key, 1) => (0..KV_HEADS as usize).flat_map(key_of_repetition).collect(),
        (Part::Output, 1) => (0..HEADS as usize).map(output_of_repetition).collect(),
        (Part::Query, _) => (0..HEADS as usize).flat_map(|head| around(head, block)).collect(),
        (Part::Key, _) => (0..KV_HEADS as usize).flat_map(|head| around(head, block)).collect(),
        (Part::Value, _) => (0..KV_HEADS as usize).map(|head| diagonal(head * HEAD_LENGTH, KIND, KINDS, 0.5)).collect(),
        (Part::Output, _) => {
            let share = 1.0 / HEADS as f32;
            (0..HEADS as usize).map(|head| diagonal(KIND, head * HEAD_LENGTH, KINDS, share)).collect()
        }
    }
}

/// Rows of a head that have the same number for each token: positions alone decide what the head looks at.
fn constants(head: usize, pairs: std::ops::Range<usize>, value: f32) -> impl Iterator<Item = Line> {
    pairs.map(move |pair| number(head * HEAD_LENGTH + 2 * pair, CONSTANT, value))
}

/// Keys that are turned one position further, so that each token finds the one before.
fn before(head: usize) -> impl Iterator<Item = Line> {
    let row = head * HEAD_LENGTH;
    TURNS.iter().enumerate().flat_map(move |(pair, &(cosine, sine))| {
        [number(row + 2 * pair, CONSTANT, cosine), number(row + 2 * pair + 1, CONSTANT, sine)]
    })
}

/// What looks at the tokens around: the slower the pairs turn, the more tokens these are.
fn around(head: usize, block: usize) -> impl Iterator<Item = Line> {
    let first = 12 - 2 * block;
    constants(head, first..first + 4, 0.5)
}

fn codes_of_values(head: usize, value: f32) -> Line {
    diagonal(head * HEAD_LENGTH, CODE + head * SHARE, SHARE, value)
}

fn query_of_repetition(head: usize) -> Vec<Line> {
    let row = head * HEAD_LENGTH;
    if !head.is_multiple_of(GROUP) {
        return constants(head, 0..TURNS.len(), 1.0).collect();
    }
    let code = CODE + head / GROUP * SHARE;
    vec![diagonal(row + STILL, code, COMPARED, 2.8), number(row + FIRST_TOKEN, CONSTANT, 2.4)]
}

fn key_of_repetition(head: usize) -> Vec<Line> {
    let row = head * HEAD_LENGTH;
    let mut lines: Vec<_> = constants(head, 0..TURNS.len(), 1.0).collect();
    lines.push(diagonal(row + STILL, NOTED_CODE + head * SHARE, COMPARED, 2.8));
    lines.push(number(row + FIRST_TOKEN, BEGINS_TEXT, 0.5));
    lines
}

fn output_of_repetition(head: usize) -> Line {
    let value = if head.is_multiple_of(GROUP) { 3.0 } else { -1.2 };
    diagonal(CODE + head / GROUP * SHARE, head * HEAD_LENGTH, SHARE, value)
}

/// Unit `n` asks for kind `n` modulo the number of kinds.
fn kinds_of_gates() -> Vec<Line> {
    (0..FEED_FORWARD as usize)
        .step_by(KINDS)
        .map(|row| diagonal(row, KIND, KINDS.min(FEED_FORWARD as usize - row), 2.0))
        .collect()
}

/// Several units in turn ask for the same second kind.
fn kinds_of_ups() -> Vec<Line> {
    let count = FEED_FORWARD as usize / KINDS;
    (0..KINDS).map(|kind| Line { row: kind * count, column: KIND + kind, count, step: (1, 0), value: 2.0 }).collect()
}
