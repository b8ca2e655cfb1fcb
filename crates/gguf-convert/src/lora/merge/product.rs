//! The change of some rows: scale · B · A.

use alloc::vec::Vec;

use gguf_format::error::{Result, no_memory};

/// A matrix of an adapter that is kept in memory: `rank` rows of `columns` numbers.
pub(super) struct Factor {
    pub columns: usize,
    pub numbers: Vec<f32>,
}

impl Factor {
    /// A matrix that is stored with a row of `rank` numbers for each column.
    pub fn transposed(columns: usize, rank: usize, stored: &[f32]) -> Result<Self> {
        let mut numbers = zeros::<f32>(stored.len())?;
        for (column, row) in stored.chunks_exact(rank).enumerate() {
            for (k, number) in row.iter().enumerate() {
                numbers[k * columns + column] = *number;
            }
        }
        Ok(Self { columns, numbers })
    }
}

/// Adds the change of a row to its elements. `coefficients` has a number for each row of the factor, `sums` has room for a row.
///
/// The operations and their order are those of ggml's C code: see the [module](super).
pub(super) fn add_change(elements: &mut [f32], coefficients: &[f32], factor: &Factor, scale: f32, sums: &mut [f64]) {
    sums.fill(0.0);
    for (coefficient, row) in coefficients.iter().zip(factor.numbers.chunks_exact(factor.columns)) {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += f64::from(number * coefficient);
        }
    }
    for (element, sum) in elements.iter_mut().zip(&*sums) {
        *element += *sum as f32 * scale;
    }
}

/// Zeros, if their memory can be allocated.
#[doc(hidden)]
pub fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>> {
    let mut list = gguf_format::allocation::list(count).ok_or_else(|| no_memory((count * size_of::<T>()) as u64))?;
    list.resize(count, T::default());
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_rounded_before_they_are_added_and_sums_after() {
        // 3 · 0.1 as f32 is 0.3 and a little more than in f64. The sum of both terms is exact in f64 only.
        let factor = Factor { columns: 1, numbers: vec![0.1, 1e8] };
        let mut elements = [0.0];
        add_change(&mut elements, &[3.0, 1.0], &factor, 1.0, &mut [0.0]);
        assert_eq!(elements, [(f64::from(3.0_f32 * 0.1) + 1e8) as f32]);
        let mut elements = [1.0];
        add_change(&mut elements, &[3.0, 0.0], &factor, 0.5, &mut [0.0]);
        assert_eq!(elements, [(3.0_f32 * 0.1) * 0.5 + 1.0]);
    }

    #[test]
    fn a_transposed_factor_has_rows_of_columns() {
        let factor = Factor::transposed(3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!(factor.numbers, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    }
}
