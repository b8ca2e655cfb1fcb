//! Differences of how equal things are stored: bytes of truth values, offsets of tensors, and dimensions of 1 at the end.

use alloc::{string::String, string::ToString, vec::Vec};

use gguf_declare::result;
use gguf_format::format::header::MetadataKv;
use gguf_format::format::value::{Value, ValueType};

result! {
    /// A difference of the format of two files. `truthValues`: equal ones are stored as other bytes. `tensorOffsets`: the
    /// alignment and the lists of tensors are the same, but the data lies at other offsets in the data sections.
    /// `dimensionCounts`: one file has dimensions of 1 at the end of a tensor that the other one leaves out, as `split` and `merge` do.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FormatDifference {
        /// What differs.
        #[typescript("\"version\" | \"byteOrder\" | \"alignment\" | \"truthValues\" | \"tensorOffsets\" | \"dimensionCounts\"")]
        pub property: &'static str,
        /// What the first model has.
        pub a: String,
        /// What the second model has.
        pub b: String,
    }
}

/// The property of truth values that are stored as other bytes.
pub(super) const TRUTH_VALUES: &str = "truthValues";

/// The property of tensors whose data has another place.
pub(super) const TENSOR_OFFSETS: &str = "tensorOffsets";

/// The property of tensors of which one file has dimensions of 1 at the end that the other one leaves out.
pub(super) const DIMENSION_COUNTS: &str = "dimensionCounts";

/// The entries with equal truth values that are stored as different bytes.
#[derive(Default)]
pub(super) struct TruthValues {
    /// How many of them have bytes other than 0 and 1, in each file.
    odd: [usize; 2],
}

impl TruthValues {
    /// Looks at two entries whose values are equal.
    pub fn compare(&mut self, a: &MetadataKv<'_>, b: &MetadataKv<'_>) {
        if !has_truth_values(&a.value()) {
            return;
        }
        let bytes = [a, b].map(|entry| {
            let mut bytes = Vec::new();
            push_bytes(entry, &entry.value(), &mut bytes);
            bytes
        });
        if bytes[0] != bytes[1] {
            for (odd, bytes) in self.odd.iter_mut().zip(&bytes) {
                *odd += usize::from(bytes.iter().any(|byte| *byte > 1));
            }
        }
    }

    pub fn difference(&self) -> Option<FormatDifference> {
        let words = |odd| match odd {
            0 => "bytes 0 and 1".to_string(),
            1 => "other bytes than 0 and 1 in 1 entry".to_string(),
            _ => format!("other bytes than 0 and 1 in {odd} entries"),
        };
        let [a, b] = self.odd;
        (a + b > 0).then(|| FormatDifference { property: TRUTH_VALUES, a: words(a), b: words(b) })
    }
}

fn has_truth_values(value: &Value<'_>) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Array(array) if array.element_type() == ValueType::Array => {
            array.iter().any(|inner| has_truth_values(&inner))
        }
        Value::Array(array) => array.element_type() == ValueType::Bool,
        _ => false,
    }
}

/// Adds the bytes of all truth values in the value of an entry.
fn push_bytes(entry: &MetadataKv<'_>, value: &Value<'_>, bytes: &mut Vec<u8>) {
    match value {
        // Only the value of an entry itself can be a single one.
        Value::Bool(_) => bytes.extend(entry.storage().bytes.pieces(entry.value_range()).flatten()),
        Value::Array(array) if array.element_type() == ValueType::Array => {
            array.iter().for_each(|inner| push_bytes(entry, &inner, bytes));
        }
        Value::Array(array) if array.element_type() == ValueType::Bool => bytes.extend(array.little_endian_bytes()),
        _ => {}
    }
}

/// The tensors with the same name of which a number differs that changes no value: the offset in the data section, or how many
/// dimensions are written.
#[derive(Default)]
pub(super) struct StoredNumbers {
    count: usize,
    /// The numbers of the first one.
    first: [u64; 2],
}

impl StoredNumbers {
    /// Looks at the numbers of two tensors with the same name.
    pub fn compare(&mut self, numbers: [u64; 2]) {
        if numbers[0] != numbers[1] {
            if self.count == 0 {
                self.first = numbers;
            }
            self.count += 1;
        }
    }

    /// `None` if all numbers are equal.
    pub fn difference(&self, property: &'static str) -> Option<FormatDifference> {
        let words = |number| match self.count {
            1 => format!("{number}"),
            count => format!("{number} (the first of {count} tensors)"),
        };
        let [a, b] = self.first.map(words);
        (self.count > 0).then_some(FormatDifference { property, a, b })
    }
}
