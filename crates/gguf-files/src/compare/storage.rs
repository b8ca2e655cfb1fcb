//! Differences of how equal things are stored: bytes of truth values, and offsets of tensors.

use alloc::{string::String, string::ToString, vec::Vec};

use gguf_declare::result;
use gguf_format::format::header::{MetadataKv, TensorInfo};
use gguf_format::format::value::{Value, ValueType};

result! {
    /// A difference of the format of two files. `truthValues`: equal ones are stored as other bytes. `tensorOffsets`: the
    /// alignment and the lists of tensors are the same, but the data lies at other offsets in the data sections.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FormatDifference {
        /// What differs.
        #[typescript("\"version\" | \"byteOrder\" | \"alignment\" | \"truthValues\" | \"tensorOffsets\"")]
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

/// The tensors with the same name whose data has different offsets in the data sections.
#[derive(Default)]
pub(super) struct TensorOffsets {
    count: usize,
    /// The offsets of the first one.
    first: [u64; 2],
}

impl TensorOffsets {
    /// Looks at two tensors with the same name.
    pub fn compare(&mut self, a: &TensorInfo<'_>, b: &TensorInfo<'_>) {
        let offsets = [a.offset(), b.offset()];
        if offsets[0] != offsets[1] {
            if self.count == 0 {
                self.first = offsets;
            }
            self.count += 1;
        }
    }

    /// `None` if all offsets are equal.
    pub fn difference(&self) -> Option<FormatDifference> {
        let words = |offset| match self.count {
            1 => format!("{offset}"),
            count => format!("{offset} (the first of {count} tensors)"),
        };
        let [a, b] = self.first.map(words);
        (self.count > 0).then_some(FormatDifference { property: TENSOR_OFFSETS, a, b })
    }
}
