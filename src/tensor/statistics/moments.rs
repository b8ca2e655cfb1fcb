//! The mean and the standard deviation.

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

/// The square root, by Heron's method: from a value above the root, each step is smaller, until the root is reached.
///
/// `core` has no square root.
fn square_root(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let better = |root: f64| (root + x / root) / 2.0;
    let mut root = better(f64::from_bits((x.to_bits() + 1f64.to_bits()) / 2));
    loop {
        let next = better(root);
        if next >= root {
            return root;
        }
        root = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_roots_are_exact_or_the_nearest() {
        for root in [0.0, 1.0, 1.5, 3.0, 1e-150, 1e150] {
            let found = square_root(root * root);
            assert!((found - root).abs() <= root * f64::EPSILON, "{root}: {found}");
        }
        assert!(square_root(f64::NAN).is_nan());
        assert_eq!(square_root(f64::INFINITY), f64::INFINITY);
    }
}
