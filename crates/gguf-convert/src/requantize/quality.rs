//! How far quantized tensors are from their originals.

use alloc::string::String;

use gguf_declare::result;
use gguf_format::format::ggml_type::GgmlType;

/// The squared errors of some rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct QuantizationError {
    /// The sum of the squared differences between the elements and what they were quantized to.
    pub squared_difference: f64,
    /// The sum of the squared elements.
    pub squared_sum: f64,
    /// The sum of the squared differences, each multiplied by the importance of its column. 0 without importance.
    pub weighted_difference: f64,
    /// The sum of the squared elements, each multiplied by the importance of its column. 0 without importance.
    pub weighted_sum: f64,
}

impl QuantizationError {
    /// An error with these sums.
    pub fn new(squared_difference: f64, squared_sum: f64) -> Self {
        Self { squared_difference, squared_sum, ..Self::default() }
    }

    /// The error of whole rows. `importance` has a value for each column.
    pub(super) fn of(elements: &[f32], quantized: &[f32], importance: Option<&[f32]>) -> Self {
        let mut error = Self::default();
        let mut columns = importance.unwrap_or(&[0.0]).iter().cycle();
        for (element, quantized) in elements.iter().zip(quantized) {
            let (element, quantized) = (f64::from(*element), f64::from(*quantized));
            let (difference, square) = ((element - quantized) * (element - quantized), element * element);
            let weight = columns.next().map_or(0.0, |weight| f64::from(*weight));
            error.squared_difference += difference;
            error.squared_sum += square;
            error.weighted_difference += difference * weight;
            error.weighted_sum += square * weight;
        }
        error
    }

    pub(super) fn add(&mut self, other: Self) {
        self.squared_difference += other.squared_difference;
        self.squared_sum += other.squared_sum;
        self.weighted_difference += other.weighted_difference;
        self.weighted_sum += other.weighted_sum;
    }

    /// The normalised mean squared error: 0 if nothing was lost, and about 1 if everything was. 0 if all elements are 0.
    pub fn normalised(&self) -> f64 {
        if self.squared_sum > 0.0 { self.squared_difference / self.squared_sum } else { 0.0 }
    }
}

result! {
    /// How far a converted tensor is from its original.
    #[derive(Clone, Debug)]
    pub struct TensorQuality {
        /// The row of the recipe.
        pub row: usize,
        /// The name of the tensor in the new file.
        pub name: String,
        /// The type in the new file.
        pub ggml_type: GgmlType,
        /// The normalised mean squared error: 0 if nothing was lost, and about 1 if everything was.
        pub normalised_error: f64,
    }
}
