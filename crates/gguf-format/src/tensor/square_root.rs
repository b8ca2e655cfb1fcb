//! The square root of a number.

/// The square root, by Heron's method: from a value above the root, each step is smaller, until the root is reached.
///
/// `core` has no square root.
#[doc(hidden)]
pub fn square_root(x: f64) -> f64 {
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
    use super::square_root;

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
