//! The number of parameters of a model, and its size as a text.

use alloc::string::String;

use gguf_format::decimal::fixed;

/// The number of parameters of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParameterCount {
    /// Of all tensors. Negative for an adapter, whose model is larger.
    pub total: i64,
    /// Of the tensors that are no experts.
    pub shared: i64,
    /// Of one expert of each tensor of experts.
    pub expert: i64,
    /// The number of experts. 0 if there are none.
    pub experts: u64,
}

impl ParameterCount {
    /// Counts the parameters of tensors: their names and their dimensions in the order of GGUF, fastest first.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_convert::model::metadata::ParameterCount;
    ///
    /// let tensors = [("output.weight", &[8, 4][..]), ("blk.0.ffn_up_exps.weight", &[8, 2, 4])];
    /// let count = ParameterCount::of(tensors.into_iter());
    /// assert_eq!(count, ParameterCount { total: 96, shared: 32, expert: 16, experts: 4 });
    /// ```
    pub fn of<'a>(tensors: impl Iterator<Item = (&'a str, &'a [u64])>) -> Self {
        let mut count = Self::default();
        let (mut expert_sum, mut expert_tensors) = (0u64, 0u64);
        let mut lora_a: Option<(&str, u64)> = None;
        for (name, dimensions) in tensors {
            if name.ends_with(".lora_a") {
                lora_a = Some((name, dimensions.first().copied().unwrap_or(1)));
                continue;
            }
            let mut size = size_of_dimensions(dimensions);
            if let Some(base) = name.strip_suffix(".lora_b") {
                match lora_a.filter(|(a, _)| a.strip_suffix(".lora_a") == Some(base)) {
                    // The size of the matrix that both make together.
                    Some((_, columns)) => {
                        size =
                            size_of_dimensions(dimensions.get(1..).unwrap_or_default()).saturating_mul(columns as i64);
                    }
                    None => return Self::default(),
                }
            }
            let place = if name.contains(".bias") { 1 } else { 2 };
            let experts = dimensions.get(place).copied().filter(|experts| dimensions.len() >= 3 && *experts > 0);
            match experts.filter(|_| name.contains("_exps.")) {
                Some(experts) => {
                    count.expert = count.expert.saturating_add(size / experts as i64);
                    expert_sum = expert_sum.saturating_add(experts);
                    expert_tensors += 1;
                }
                None => count.shared = count.shared.saturating_add(size),
            }
            count.total = count.total.saturating_add(size);
        }
        count.experts = expert_sum.checked_div(expert_tensors).unwrap_or(0);
        if lora_a.is_some() {
            count.total = -count.total;
        }
        count
    }

    /// The size as a text: `1.1B`, `8x7B`.
    pub(super) fn label(&self) -> String {
        match self.experts {
            0 => rounded(self.total.unsigned_abs()),
            experts => {
                let active = self.shared.unsigned_abs().saturating_add(self.expert.unsigned_abs());
                format!("{experts}x{}", rounded(active))
            }
        }
    }
}

fn size_of_dimensions(dimensions: &[u64]) -> i64 {
    let product = dimensions.iter().try_fold(1u64, |product, dimension| product.checked_mul(*dimension));
    product.and_then(|product| i64::try_from(product).ok()).unwrap_or(i64::MAX)
}

/// A number in thousands, millions and so on, with at least two digits.
fn rounded(count: u64) -> String {
    let (scale, suffix) = match count {
        1_000_000_000_001.. => (1e-12, 'T'),
        1_000_000_001.. => (1e-9, 'B'),
        1_000_001.. => (1e-6, 'M'),
        _ => (1e-3, 'K'),
    };
    let scaled = count as f64 * scale;
    // Python counts the digits of the number rounded to an integer, without zeros at its start.
    let digits = fixed(scaled, 0);
    let missing = 2usize.saturating_sub(digits.trim_start_matches('0').len());
    format!("{}{suffix}", fixed(scaled, missing))
}

#[cfg(test)]
mod tests {
    use super::{ParameterCount, rounded};

    #[test]
    fn sizes_have_two_digits_at_least() {
        for (count, label) in [
            (0, "0.00K"),
            (999, "1.0K"),
            (41_472, "41K"),
            (1_000_000, "1000K"),
            (1_100_048_384, "1.1B"),
            (7_241_732_096, "7.2B"),
        ] {
            assert_eq!(rounded(count), label);
        }
    }

    #[test]
    fn an_adapter_counts_the_matrices_that_its_pairs_make() {
        let pair = [("a.weight.lora_a", &[64, 4][..]), ("a.weight.lora_b", &[4, 32])];
        assert_eq!(ParameterCount::of(pair.into_iter()).total, -64 * 32);
        let other = [("a.weight.lora_a", &[64, 4][..]), ("b.weight.lora_b", &[4, 32])];
        assert_eq!(ParameterCount::of(other.into_iter()), ParameterCount::default());
    }
}
