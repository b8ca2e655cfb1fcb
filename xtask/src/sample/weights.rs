//! Values that look trained: normally distributed, on a scale that differs from row to row and
//! from head to head, along a direction that rows have in common, with a few channels that stand
//! out in every tensor.

use super::random::Random;
use super::vocabulary;

/// Where a tensor's values come from.
#[derive(Debug, Clone, Copy)]
pub enum Weights {
    /// A projection; one that writes back to the residual stream has the outstanding channels
    /// among its rows, any other among its columns.
    Matrix { writes_back: bool },
    /// A row for each token: of the frequent ones the longer.
    Embedding,
    /// The scales of a normalisation.
    Norm { mean: f32 },
    /// What the frequencies of rotary positions are divided by: 1 for the fast, 8 for the slow.
    RopeFactors,
}

/// The channels of the residual stream that stand out, and how far.
const CHANNELS: [(usize, f32); 5] = [(17, 4.0), (91, 2.5), (138, 6.0), (139, 2.0), (205, 3.0)];

/// Rows of a head.
const HEAD: usize = super::shape::HEAD as usize;

/// The values of one tensor.
pub struct Source {
    weights: Weights,
    seed: u64,
    /// How large the values of a column are.
    columns: Vec<f32>,
    /// A direction that the rows lean to, more or less.
    direction: Vec<f32>,
}

impl Weights {
    pub fn source(self, seed: u64, columns: usize) -> Source {
        let mut random = Random::part(seed, u64::MAX);
        // Rows of length 1, roughly.
        let deviation = 1.0 / (columns as f32).sqrt();
        let mut scales: Vec<f32> = (0..columns).map(|_| deviation * (1.0 + 0.15 * random.gaussian()).abs()).collect();
        if matches!(self, Weights::Matrix { writes_back: false } | Weights::Embedding) {
            for (channel, factor) in CHANNELS {
                scales[channel] *= factor;
            }
        }
        let direction = scales.iter().map(|scale| scale * random.gaussian()).collect();
        Source { weights: self, seed, columns: scales, direction }
    }
}

impl Source {
    /// Fills in the values of a row.
    pub fn fill(&self, row: usize, values: &mut [f32]) {
        let mut random = Random::part(self.seed, row as u64);
        match self.weights {
            Weights::Matrix { writes_back } => {
                let head = Random::part(self.seed, !(row / HEAD) as u64).gaussian();
                let channel = CHANNELS.iter().find(|(channel, _)| writes_back && *channel == row);
                let scale = (1.0 + 0.3 * head).abs() * channel.map_or(1.0, |(_, factor)| *factor);
                self.fill_leaning(scale, &mut random, values);
            }
            Weights::Embedding => {
                // Bytes are hardly ever trained on, padding never.
                let rarity = row as f32 / vocabulary::SIZE as f32;
                let scale = match row as u32 {
                    vocabulary::UNKNOWN | vocabulary::PADDING => 0.02,
                    3..259 => 0.3,
                    _ => 1.3 - 0.8 * rarity,
                };
                self.fill_leaning(scale, &mut random, values);
            }
            Weights::Norm { mean } => {
                values.fill_with(|| mean * (1.0 + 0.12 * random.gaussian()));
                for (channel, factor) in CHANNELS {
                    values[channel] /= factor;
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

    fn fill_leaning(&self, scale: f32, random: &mut Random, values: &mut [f32]) {
        let scale = scale * (1.0 + 0.1 * random.gaussian());
        let lean = scale * 0.5 * random.gaussian();
        for ((value, column), direction) in values.iter_mut().zip(&self.columns).zip(&self.direction) {
            *value = scale * column * random.gaussian() + lean * direction;
        }
    }
}
