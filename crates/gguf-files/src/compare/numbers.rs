//! The difference of two lists of numbers, which arrive in pieces.

use gguf_format::tensor::square_root::square_root;

/// How many sums are kept side by side: number `i` is added to sum `i % 4`. This is faster than one sum, and more exact.
const LANES: usize = 4;

/// The difference of the numbers of two tensors, `a` and `b`.
///
/// Pairs in which a number is NaN or infinite are counted, and left out of everything else.
///
/// # Examples
///
/// ```
/// use gguf_files::compare::NumberDifference;
///
/// let mut difference = NumberDifference::default();
/// difference.push(0, &[1.0, 2.0, 2.0], &[1.0, 2.0, 3.0]);
/// assert_eq!(difference.nmse(), 1.0 / 9.0);
/// assert_eq!((difference.largest(), difference.largest_at()), (1.0, Some(2)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct NumberDifference {
    count: u64,
    non_finite: u64,
    squares_a: f64,
    squares_b: f64,
    products: f64,
    /// The sum of the squares of the differences.
    squares: f64,
    largest: f64,
    largest_at: Option<u64>,
}

impl NumberDifference {
    /// Adds numbers of both tensors. The first one of each is element `first` of its tensor.
    ///
    /// # Panics
    ///
    /// If the lists do not have the same length.
    pub fn push<N: Copy + Into<f64>>(&mut self, first: u64, a: &[N], b: &[N]) {
        assert_eq!(a.len(), b.len(), "both lists must have the same length");
        let mut sums = [[0.0; LANES]; 4];
        let (mut largest, mut non_finite) = (self.largest, 0);
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            let (a, b): (f64, f64) = ((*a).into(), (*b).into());
            if !(a.is_finite() && b.is_finite()) {
                non_finite += 1;
                continue;
            }
            let difference = a - b;
            for (sums, term) in sums.iter_mut().zip([a * a, b * b, a * b, difference * difference]) {
                sums[index % LANES] += term;
            }
            if difference.abs() > largest {
                largest = difference.abs();
                self.largest_at = Some(first + index as u64);
            }
        }
        let [squares_a, squares_b, products, squares] = sums.map(|sums| sums.iter().sum::<f64>());
        self.squares_a += squares_a;
        self.squares_b += squares_b;
        self.products += products;
        self.squares += squares;
        self.largest = largest;
        self.non_finite += non_finite;
        self.count += a.len() as u64 - non_finite;
    }

    /// The number of pairs of finite numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of pairs in which a number is NaN or infinite.
    pub fn non_finite(&self) -> u64 {
        self.non_finite
    }

    /// The normalised mean squared error: the sum of (a - b)² divided by the sum of a². 0 if all pairs are equal; infinite if
    /// only `a` consists of zeros. NaN if there are no pairs, or if a square is too large or too small for an `f64`.
    pub fn nmse(&self) -> f64 {
        let has_difference = self.largest > 0.0;
        let is_lost = has_difference && self.squares == 0.0;
        match (self.count, has_difference) {
            (0, _) => f64::NAN,
            (_, false) => 0.0,
            _ if is_lost || !self.squares_a.is_finite() || !self.squares.is_finite() => f64::NAN,
            _ => self.squares / self.squares_a,
        }
    }

    /// The difference with both tensors exchanged.
    #[doc(hidden)]
    pub fn swapped(&self) -> Self {
        Self { squares_a: self.squares_b, squares_b: self.squares_a, ..self.clone() }
    }

    /// The largest distance of two numbers.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// The element where the distance is largest; the first one if there are several. `None` if all pairs are equal.
    pub fn largest_at(&self) -> Option<u64> {
        self.largest_at
    }

    /// The cosine of the angle between both lists as vectors: 1 if they have the same direction. `None` if one of them has only
    /// zeros, or if a square is too large for an `f64`.
    pub fn cosine(&self) -> Option<f64> {
        let cosine = self.products / (square_root(self.squares_a) * square_root(self.squares_b));
        cosine.is_finite().then(|| cosine.clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::NumberDifference;

    #[test]
    fn pieces_of_any_length_give_the_same_figures() {
        let a: [f32; 9] = [1.0, -2.0, 0.5, f32::NAN, 4.0, f32::INFINITY, 0.0, 8.0, 3.0];
        let b: [f32; 9] = [1.5, -2.0, 0.25, 1.0, f32::NEG_INFINITY, f32::INFINITY, 0.0, 6.0, 5.0];
        for cut in 0..=9 {
            let mut difference = NumberDifference::default();
            difference.push(0, &a[..cut], &b[..cut]);
            difference.push(cut as u64, &a[cut..], &b[cut..]);
            assert_eq!((difference.count(), difference.non_finite()), (6, 3));
            assert_eq!((difference.largest(), difference.largest_at()), (2.0, Some(7)));
            assert_eq!(difference.nmse(), 8.3125 / 78.25);
            assert!((difference.cosine().unwrap() - 68.625 / (78.25_f64 * 67.3125).sqrt()).abs() < 1e-15);
        }
    }

    #[test]
    fn exchanged_tensors_have_the_figures_of_the_other_direction() {
        let (mut there, mut back) = (NumberDifference::default(), NumberDifference::default());
        there.push(0, &[1.0, 2.0], &[3.0, 5.0]);
        back.push(0, &[3.0, 5.0], &[1.0, 2.0]);
        assert_eq!((there.swapped().nmse(), there.swapped().cosine()), (back.nmse(), back.cosine()));
    }

    #[test]
    fn zeros_have_no_direction() {
        let difference = |a: &[f64], b: &[f64]| {
            let mut difference = NumberDifference::default();
            difference.push(0, a, b);
            (difference.nmse(), difference.cosine(), difference.largest_at())
        };
        assert_eq!(difference(&[0.0], &[0.0]), (0.0, None, None));
        assert_eq!(difference(&[0.0], &[2.0]), (f64::INFINITY, None, Some(0)));
        assert_eq!(difference(&[2.0], &[0.0]), (1.0, None, Some(0)));
        assert!(difference(&[], &[]).0.is_nan() && difference(&[f64::NAN], &[1.0]).0.is_nan());
        assert_eq!(difference(&[1e300, 1.0], &[1e300, 1.0]), (0.0, None, None));
        // The squares do not fit.
        assert!(difference(&[1e200, 1.0], &[1e200, 2.0]).0.is_nan() && difference(&[1e200], &[-1e200]).0.is_nan());
        assert!(difference(&[1e-200], &[2e-200]).0.is_nan());
        assert_eq!(difference(&[3.0, 4.0], &[3.0, 4.0]), (0.0, Some(1.0), None));
        assert_eq!(difference(&[3.0], &[-3.0]), (4.0, Some(-1.0), Some(0)));
    }
}
