//! Random numbers that are the same on every machine, so that generated files are the same, too.

/// A SplitMix64 generator: a counter in steps of the golden ratio, whose bits are mixed.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator of a part. Its numbers do not depend on the other parts.
    pub fn part(seed: u64, part: u64) -> Self {
        Self::new(Self::new(seed).bits() ^ Self::new(!part).bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number in `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// One of `items`.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// True with a probability of `percent` in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A normally distributed number, of mean 0 and standard deviation 1.
    ///
    /// It is approximated by the sum of eight random bytes, which reaches 4.9 deviations. This needs no logarithm and no
    /// cosine, whose last bits differ between platforms.
    pub fn gaussian(&mut self) -> f32 {
        const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
        const ONES: u64 = 0x0001_0001_0001_0001;
        let bits = self.bits();
        let sums = (bits & PAIRS) + ((bits >> 8) & PAIRS);
        let sum = sums.wrapping_mul(ONES) >> 48;
        // Eight uniform bytes: mean 8 × 127.5, variance 8 × (256² − 1) / 12.
        (sum as f32 - 1020.0) * (1.0 / 209.023)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaussian_has_mean_0_and_deviation_1() {
        let mut random = Random::new(1);
        let draws: Vec<f64> = (0..100_000).map(|_| f64::from(random.gaussian())).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.01, "{mean}");
        assert!((variance - 1.0).abs() < 0.02, "{variance}");
    }

    #[test]
    fn below_stays_below() {
        let mut random = Random::new(2);
        let draws: Vec<usize> = (0..1000).map(|_| random.below(7)).collect();
        assert!((0..7).all(|n| draws.contains(&n)));
        assert!(draws.iter().all(|&n| n < 7));
    }
}
