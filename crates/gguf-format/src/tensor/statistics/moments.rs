//! The mean and the standard deviation.

use crate::tensor::square_root::square_root;

/// The sums that the mean and the deviation are computed from.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    count: f64,
    sum: f64,
    /// The rounding error of the sum.
    error: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    pub fn is_empty(&self) -> bool {
        self.count == 0.0
    }

    /// Adds a block: its count, its sum, and the sum of the squared distances from its own mean.
    ///
    /// The distance between the two means is added to the squares (Chan, Golub, LeVeque 1979). So no large numbers are
    /// subtracted, however far from zero they are.
    pub fn add(&mut self, count: usize, sum: f64, squares: f64) {
        let count = count as f64;
        self.squares += squares;
        if self.count > 0.0 {
            let distance = sum / count - self.mean();
            self.squares += distance * distance * (count * self.count / (count + self.count));
        }
        self.count += count;
        // Neumaier's compensated sum.
        let (large, small) = if self.sum.abs() > sum.abs() { (self.sum, sum) } else { (sum, self.sum) };
        self.sum = large + small;
        self.error += large - self.sum + small;
    }

    pub fn mean(&self) -> f64 {
        (self.sum + self.error) / self.count
    }

    pub fn deviation(&self) -> f64 {
        square_root(self.squares / self.count)
    }
}
