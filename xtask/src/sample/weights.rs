//! Values that look trained.
//!
//! They are normally distributed. Their scale differs between rows and between heads. The rows have a common direction, and
//! a few channels have large values in every tensor.

use super::random::Random;
use super::vocabulary;

/// The role of a tensor, which determines its values.
#[derive(Debug, Clone, Copy)]
pub enum Weights {
    /// A projection. The large channels are rows if it writes to the residual stream, and columns if it reads from it.
    Matrix { writes_back: bool },
    /// One row for each token. The rows of frequent tokens are longer.
    Embedding,
    /// The scales of a normalisation.
    Norm { mean: f32 },
    /// The divisors of the frequencies of rotary positions: 1 for fast frequencies, 8 for slow ones.
    RopeFactors,
}

/// The channels of the residual stream that have large values, and the factors.
const CHANNELS: [(usize, f32); 5] = [(17, 4.0), (91, 2.5), (138, 6.0), (139, 2.0), (205, 3.0)];

/// The number of rows of a head.
const HEAD: usize = super::shape::HEAD as usize;

/// The values of one tensor.
pub struct Source {
    weights: Weights,
    seed: u64,
    /// The scale of each column.
    columns: Vec<f32>,
    /// The common direction of the rows.
    direction: Vec<f32>,
}

impl Weights {
    pub fn source(self, seed: u64, columns: usize) -> Source {
        let mut random = Random::part(seed, u64::MAX);
        // The rows have a length of about 1.
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
    /// Writes the values of a row.
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
                // Tokens of bytes are rarely trained, and padding is never trained.
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
