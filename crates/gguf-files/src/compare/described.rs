//! Differences with the names and the values of what differs.

use alloc::{borrow::Cow, string::String, string::ToString, vec::Vec};

use super::entries::{EntryChange, EntryDifference};
use super::numbers::NumberDifference;
use super::tensors::{DataComparison, TensorChange, TensorDifference, TensorPair};
use super::value_text::entry_texts;
use gguf_declare::result;
use gguf_format::format::header::{Header, TensorInfo};

result! {
    /// An entry in one of the models.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ComparedEntry {
        /// The position in `Gguf.entries`; of a set, in `GgufSet.merged.entries`.
        pub index: usize,
        /// `UINT32`, `STRING[]`.
        pub r#type: String,
        /// The value as a short text: at most 200 bytes of a text, or 8 elements of an array. Of a longer value that was changed, it
        /// shows the surroundings of the first difference. Bytes that are not UTF-8 are written as `\\xff`.
        pub value: String,
    }
}

result! {
    /// A difference of the metadata.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("EntryDifference")]
    pub struct DescribedEntry {
        /// The key.
        pub key: String,
        /// What happened to it.
        pub change: EntryChange,
        /// Whether its place changed: among the entries that both models have, it comes before or after others than before. It can
        /// be changed too.
        pub is_moved: bool,
        /// The entry in the first model. Not present if it was added.
        pub a: Option<ComparedEntry>,
        /// The entry in the second model. Not present if it was removed.
        pub b: Option<ComparedEntry>,
    }
}

result! {
    /// A tensor in one of the models.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ComparedTensor {
        /// The position in `Gguf.tensors`; of a set, in `GgufSet.merged.tensors`.
        pub index: usize,
        /// The name of the type: `"Q4_K"`; `"unknown(137)"` if nothing is known of it.
        pub r#type: Cow<'static, str>,
        /// The number of elements of each dimension, the fastest first.
        pub dimensions: Vec<u64>,
        /// Bytes of the data, if the type is known.
        pub byte_length: Option<u64>,
    }
}

result! {
    /// The difference of the numbers of two tensors.
    #[derive(Clone, Debug)]
    pub struct ValueDifference {
        /// The number of compared pairs of finite numbers.
        pub count: u64,
        /// The normalised mean squared error: the sum of (a - b)² divided by the sum of a². 0 if all are equal; infinite if only
        /// the first tensor has only zeros; NaN if no pair was compared, or if a square is too large or too small for a double.
        pub nmse: f64,
        /// The largest distance of two numbers, as doubles.
        pub largest_difference: f64,
        /// The element where it is largest. Not present if all are equal.
        pub largest_at: Option<u64>,
        /// The cosine of the angle between both tensors as vectors: 1 if they have the same direction. Not present if one of them
        /// has only zeros.
        pub cosine: Option<f64>,
        /// The number of pairs that were left out, because a number is NaN or infinite.
        pub non_finite: u64,
        /// Whether only a part of the numbers was read.
        pub is_sampled: bool,
    }
}

result! {
    /// What was found about the data of a tensor that both models have.
    #[derive(Clone, Debug)]
    pub struct ComparedPair {
        /// The position in the tensors of the first model.
        pub a: usize,
        /// The position in the tensors of the second model.
        pub b: usize,
        /// What is known about the stored bytes.
        pub data: DataComparison,
        /// With the option `values`: the difference of the numbers.
        pub values: Option<ValueDifference>,
    }
}

result! {
    /// A difference of the tensors.
    #[derive(Clone, Debug)]
    #[typescript("TensorDifference")]
    pub struct DescribedTensor {
        /// The name in the first model. If the tensor was added, in the second one.
        pub name: String,
        /// The name in the second model, if the tensor was renamed.
        pub name_b: Option<String>,
        /// What happened to it.
        pub change: TensorChange,
        /// Whether its place among the tensors that both models have changed. It can be changed too.
        pub is_moved: bool,
        /// The tensor in the first model. Not present if it was added.
        pub a: Option<ComparedTensor>,
        /// The tensor in the second model. Not present if it was removed.
        pub b: Option<ComparedTensor>,
        /// What is known about the stored bytes.
        pub data: DataComparison,
        /// Why the data cannot be read.
        pub problem: Option<String>,
        /// With the option `values`: the difference of the numbers.
        pub values: Option<ValueDifference>,
    }
}

impl DescribedEntry {
    /// `a` and `b` are the headers that were compared.
    pub fn new(difference: &EntryDifference, a: &Header, b: &Header) -> Self {
        let [text_a, text_b] = entry_texts(a, b, difference);
        let side = |index: Option<usize>, text: Option<(String, String)>| {
            let (index, (r#type, value)) = index.zip(text)?;
            Some(ComparedEntry { index, r#type, value })
        };
        let entry = difference.a.and_then(|index| a.metadata_at(index)).or_else(|| b.metadata_at(difference.b?));
        Self {
            key: entry.map_or_else(String::new, |entry| entry.key().to_string_lossy().into_owned()),
            change: difference.change,
            is_moved: difference.is_moved,
            a: side(difference.a, text_a),
            b: side(difference.b, text_b),
        }
    }
}

impl DescribedTensor {
    /// `a` and `b` are the headers that were compared.
    pub fn new(difference: &TensorDifference, a: &Header, b: &Header) -> Self {
        let a = difference.a.and_then(|index| a.tensor_at(index));
        let b = difference.b.and_then(|index| b.tensor_at(index));
        let side = |tensor: TensorInfo<'_>| ComparedTensor {
            index: tensor.index(),
            r#type: tensor.type_name(),
            dimensions: tensor.dimension_iter().collect(),
            byte_length: tensor.byte_length(),
        };
        let name = |tensor: TensorInfo<'_>| tensor.name().to_string_lossy().into_owned();
        Self {
            name: a.or(b).map(name).unwrap_or_default(),
            name_b: b.filter(|_| difference.change == TensorChange::Renamed).map(name),
            change: difference.change,
            is_moved: difference.is_moved,
            a: a.map(side),
            b: b.map(side),
            data: difference.data.clone(),
            problem: match &difference.data {
                DataComparison::Unreadable(problem) => Some(problem.to_string()),
                _ => None,
            },
            values: difference.values.as_ref().map(ValueDifference::new),
        }
    }
}

impl ValueDifference {
    /// Of numbers, and whether only a part of them was read.
    fn new((values, is_sampled): &(NumberDifference, bool)) -> Self {
        Self {
            count: values.count(),
            nmse: values.nmse(),
            largest_difference: values.largest(),
            largest_at: values.largest_at(),
            cosine: values.cosine(),
            non_finite: values.non_finite(),
            is_sampled: *is_sampled,
        }
    }
}

impl ComparedPair {
    pub(super) fn new(TensorPair { a, b, data, values, .. }: &TensorPair) -> Self {
        Self { a: *a, b: *b, data: data.clone(), values: values.as_ref().map(ValueDifference::new) }
    }
}
