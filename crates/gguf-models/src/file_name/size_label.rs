//! The size label that a file's tensors give, as gguf-py computes it: `GGUFWriter.get_total_parameter_count`, `size_label` and
//! `model_weight_count_rounded_notation` (August 2026).

use alloc::string::{String, ToString};

use gguf_format::format::header::{Header, TensorInfo};

/// The parameters of a file's tensors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ParameterCounts {
    /// All parameters.
    total: u64,
    /// The parameters outside of experts.
    shared: u64,
    /// The parameters of one expert.
    expert: u64,
    /// The mean number of experts of the tensors that hold experts, rounded down.
    experts: u64,
    /// Whether the tensors are those of a LoRA adapter. The parameters are then those of the tensors that it changes.
    pub is_lora: bool,
}

impl ParameterCounts {
    /// Counts the parameters of all tensors. The counts are 0 if the halves of a LoRA adapter are not in the usual order.
    pub fn of(header: &Header) -> Self {
        let mut counts = Self::default();
        let (mut expert_sum, mut expert_tensors) = (0_u64, 0);
        let mut lora_a: Option<TensorInfo> = None;
        for tensor in header.tensors() {
            let name = tensor.name().to_bytes();
            if name.ends_with(b".lora_a") {
                lora_a = Some(tensor);
                counts.is_lora = true;
                continue;
            }
            let mut input = None;
            if let Some(stem) = name.strip_suffix(b"b")
                && stem.ends_with(b".lora_")
            {
                let pair = lora_a.filter(|a| a.name().to_bytes().strip_suffix(b"a") == Some(stem));
                let Some(pair) = pair else { return Self::default() };
                input = pair.dimension_iter().next();
            }
            let extent = |dimension| match input {
                Some(input) if dimension == 0 => Some(input),
                _ => tensor.dimension_iter().nth(dimension),
            };
            let rank = tensor.dimension_iter().len();
            let size = (0..rank).filter_map(extent).fold(1, u64::saturating_mul);
            let expert_count = if contains(&name, b"_exps.") && rank >= 3 {
                extent(if contains(&name, b".bias") { 1 } else { 2 })
            } else {
                None
            };
            match expert_count {
                Some(count) => {
                    counts.expert = counts.expert.saturating_add(size.checked_div(count).unwrap_or(0));
                    expert_sum = expert_sum.saturating_add(count);
                    expert_tensors += 1;
                }
                None => counts.shared = counts.shared.saturating_add(size),
            }
            counts.total = counts.total.saturating_add(size);
        }
        counts.experts = expert_sum.checked_div(expert_tensors).unwrap_or(0);
        counts
    }

    /// The size label. `None` for an adapter, and for a file without parameters.
    pub fn size_label(&self) -> Option<String> {
        if self.is_lora || self.total == 0 {
            return None;
        }
        Some(if self.experts > 0 {
            [&self.experts.to_string(), "x", &rounded(self.shared.saturating_add(self.expert))].concat()
        } else {
            rounded(self.total)
        })
    }
}

/// The size label that a file's tensors give: `8.0B`, `8x13B`.
///
/// A file with experts has the number of experts before the letter `x`. The number after it counts one expert of each block
/// and all other parameters. `None` for a LoRA adapter, and for a file without parameters.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// assert_eq!(gguf_models::file_name::size_label(&header).as_deref(), Some("0.06K"));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn size_label(header: &Header) -> Option<String> {
    ParameterCounts::of(header).size_label()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// A count of parameters with two digits at least and a letter: `0.12K`, `1.5B`, `70B`.
///
/// gguf-py multiplies with a power of ten in floating point and then rounds. The product here is the same, so that counts
/// near the half of a digit are rounded to the same side.
pub(crate) fn rounded(count: u64) -> String {
    let (scale, letter) = match count {
        1_000_000_000_001.. => (1e-12, "T"),
        1_000_000_001.. => (1e-9, "B"),
        1_000_001.. => (1e-6, "M"),
        _ => (1e-3, "K"),
    };
    let scaled = count as f64 * scale;
    let decimals = match rounded_to(scaled, 1) {
        0 => 2,
        1..10 => 1,
        _ => 0,
    };
    let digits = rounded_to(scaled, [1, 10, 100][decimals]).to_string();
    if decimals == 0 {
        return [&digits, letter].concat();
    }
    let zeros = "00".get(..(decimals + 1).saturating_sub(digits.len())).unwrap_or_default();
    let digits = [zeros, &digits].concat();
    let (whole, after_point) = digits.split_at_checked(digits.len() - decimals).unwrap_or_default();
    [whole, ".", after_point, letter].concat()
}

/// A positive number times `factor`, rounded to a whole number. A number that is half way is rounded to the even one.
///
/// Formatting of floats would do it, but takes a large part of the WebAssembly module.
fn rounded_to(number: f64, factor: u64) -> u64 {
    let bits = number.to_bits();
    let exponent = (bits >> 52) as i32;
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52) * u128::from(factor);
    // The number is mantissa / 2^shift. The counts give exponents between that of 0.001 and that of 2^64 / 10^12.
    let shift = (1075 - exponent).clamp(1, 100) as u32;
    let (whole, rest, half) = (mantissa >> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1));
    let is_up = rest > half || rest == half && whole & 1 == 1;
    whole as u64 + u64::from(is_up)
}

#[cfg(test)]
mod tests {
    use super::{rounded, rounded_to};
    use std::format;

    #[test]
    fn counts_are_rounded_as_gguf_py_does() {
        for (count, expected) in [
            (1, "0.00K"),
            (5, "0.01K"),
            (15, "0.01K"),
            (64, "0.06K"),
            (500, "0.50K"),
            (501, "0.5K"),
            (9_499, "9.5K"),
            (9_500, "10K"),
            (1_000_000, "1000K"),
            (1_000_001, "1.0M"),
            (22_713_216, "23M"),
            (1_543_714_304, "1.5B"),
            (8_030_261_248, "8.0B"),
            (70_553_706_560, "71B"),
            (1_000_000_000_000, "1000B"),
            (1_026_470_731_056, "1.0T"),
            (u64::MAX, "18446744T"),
        ] {
            assert_eq!(rounded(count), expected, "{count}");
        }
    }

    #[test]
    fn numbers_are_rounded_as_core_formats_them() {
        let mut count: u64 = 1;
        while count < 1 << 50 {
            for number in [count as f64 * 1e-3, count as f64 * 1e-9 + 0.25] {
                let digits = format!("{number:.2}").replace('.', "");
                assert_eq!(rounded_to(number, 100), digits.parse::<u64>().unwrap(), "{number}");
            }
            count = count * 5 / 4 + 1;
        }
    }
}
