//! The values of the tensors: the lines of `circuits`, the rows of `embedding`, and a little noise.

use super::circuits::{self, Line, Part};
use super::embedding::{self, CONSTANT};
use super::random::Random;

/// The role of a tensor, which determines its values.
#[derive(Debug, Clone, Copy)]
pub enum Weights<'a> {
    /// A projection of a block.
    Matrix { block: usize, part: Part },
    /// One row for each token.
    Embedding { tokens: &'a [String] },
    /// The scales of a normalisation. That of the output leaves little of what all tokens have in common.
    Norm { is_output: bool },
    /// The divisors of the frequencies of rotary positions: 1 for fast frequencies, 8 for slow ones.
    RopeFactors,
}

/// The deviation of the noise, for lines of 1.
const NOISE: f32 = 0.01;

/// The values of one tensor.
pub struct Source<'a> {
    weights: Weights<'a>,
    seed: u64,
    lines: Vec<Line>,
    /// The deviation of the noise.
    noise: f32,
}

impl<'a> Weights<'a> {
    pub fn source(self, seed: u64) -> Source<'a> {
        let lines = match self {
            Weights::Matrix { block, part } => circuits::lines(block, part),
            _ => Vec::new(),
        };
        let strength = lines.iter().map(Line::strength).reduce(f32::max).unwrap_or(1.0);
        Source { weights: self, seed, lines, noise: NOISE * strength }
    }
}

impl Source<'_> {
    /// Writes the values of a row.
    pub fn fill(&self, row: usize, values: &mut [f32]) {
        let mut random = Random::part(self.seed, row as u64);
        values.fill_with(|| self.noise * random.gaussian());
        match self.weights {
            Weights::Matrix { .. } => self.lines.iter().for_each(|line| line.fill(row, values)),
            Weights::Embedding { tokens } => embedding::fill(row, &tokens[row], values, &mut random),
            Weights::Norm { is_output } => {
                values.iter_mut().for_each(|value| *value += 1.0);
                if is_output {
                    values[CONSTANT] = 0.1;
                }
            }
            Weights::RopeFactors => {
                let middle = values.len() as f32 / 2.0;
                for (i, value) in values.iter_mut().enumerate() {
                    *value = ((i as f32 - middle) * 1.5).clamp(1.0, 8.0);
                }
            }
        }
    }
}
