//! What differs, in one sentence.

use alloc::string::{String, ToString};

use super::comparison::{Comparison, DataCoverage};
use super::entries::EntryChange;
use super::storage::{DIMENSION_COUNTS, TENSOR_OFFSETS, TRUTH_VALUES};
use super::tensors::{TensorDifference, have_same_dimensions};
use gguf_format::format::header::Header;

/// Groups of keys, and what is said if all differences are in one group. A name that ends with a dot stands for all keys that
/// begin with it.
const KEY_GROUPS: &[(&str, &[&str])] = &[
    ("other name", &["general.name", "general.basename"]),
    ("other chat template", &["tokenizer.chat_template", "tokenizer.chat_templates", "tokenizer.chat_template."]),
    ("other tokenizer", &["tokenizer."]),
    ("other keys about the quantization", &["general.quantization_version", "general.file_type", "quantize."]),
    ("other keys about shards", &["split."]),
    ("other architecture", &["general.architecture"]),
    ("other general information", &["general."]),
];

impl Comparison {
    /// What differs, in one sentence: "Same weights, other chat template." `a` and `b` are the headers that were compared.
    pub fn summary(&self, a: &Header, b: &Header) -> String {
        summary(self, a, b)
    }
}

fn summary(comparison: &Comparison, a: &Header, b: &Header) -> String {
    if comparison.is_equal() {
        let sentence = match comparison.coverage() {
            _ if a.tensors().len() == 0 => "The models are equal.",
            DataCoverage::Whole => "The models are equal.",
            DataCoverage::Sampled => "No difference was found; only a part of the tensor data was compared.",
            DataCoverage::None => "The headers are equal; the tensor data was not compared.",
        };
        return sentence.to_string();
    }
    let tensors = tensor_words(comparison, a, b);
    let mut sentence = match (tensors, entry_words(comparison, a, b)) {
        (Some(tensors), Some(entries)) => format!("{tensors}, {entries}"),
        (Some(words), None) | (None, Some(words)) => words,
        (None, None) => String::new(),
    };
    if !comparison.format().is_empty() {
        let separator = if sentence.is_empty() { "" } else { ", " };
        sentence = format!("{sentence}{separator}{}", format_words(comparison));
    }
    sentence.push('.');
    // It begins with a word of this file, or with a number. `to_uppercase` has a table, 5 kB of a module.
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// What is said about the tensors. `None` if neither file has tensors.
fn tensor_words(comparison: &Comparison, a: &Header, b: &Header) -> Option<String> {
    let counts = comparison.counts().tensors;
    let (count_a, count_b) = (a.tensors().len(), b.tensors().len());
    if count_a == 0 && count_b == 0 {
        return None;
    }
    let is_only_moved = counts.added + counts.removed + counts.renamed + counts.changed + counts.unknown == 0;
    let same = match comparison.coverage() {
        DataCoverage::Whole => "same weights",
        DataCoverage::Sampled => "same weights as far as they were compared",
        DataCoverage::None => "same tensors (their data was not compared)",
    };
    if is_only_moved {
        let order = if counts.moved > 0 { " in another order" } else { "" };
        return Some(format!("{same}{order}"));
    }
    let common = count_a - counts.removed;
    if common == 0 && count_a > 0 && count_b > 0 {
        return Some("no tensor in common".to_string());
    }
    let mut words = String::new();
    let mut say = |text: String| {
        words.push_str(if words.is_empty() { "" } else { ", " });
        words.push_str(&text);
    };
    if counts.changed > 0 {
        let has = |differs: fn(&Header, &Header, &TensorDifference) -> bool| {
            comparison.tensors().iter().filter(|tensor| differs(a, b, tensor)).count()
        };
        let (retyped, reshaped) = (has(types_differ), has(dimensions_differ));
        if retyped > 0 {
            say(format!("other types of {retyped} of {}", tensors(common)));
        }
        if reshaped > 0 {
            say(format!("other dimensions of {reshaped} of {}", tensors(common)));
        }
        let other_data = has(|a, b, tensor| {
            tensor.change == super::tensors::TensorChange::Changed
                && !types_differ(a, b, tensor)
                && !dimensions_differ(a, b, tensor)
        });
        if other_data > 0 {
            say(format!("other weights in {other_data} of {}", tensors(common)));
        }
    }
    if counts.renamed > 0 {
        let renamed = counted(counts.renamed, "tensor is renamed", "tensors are renamed");
        let is_only_renamed = counts.changed + counts.added + counts.removed + counts.unknown == 0;
        say(if is_only_renamed { format!("{same}, but {renamed}") } else { renamed });
    }
    if counts.removed > 0 {
        say(format!("{} only in A", tensors(counts.removed)));
    }
    if counts.added > 0 {
        say(format!("{} only in B", tensors(counts.added)));
    }
    if counts.unknown > 0 {
        say(format!("{} cannot be read", tensors(counts.unknown)));
    }
    Some(words)
}

fn types_differ(a: &Header, b: &Header, tensor: &TensorDifference) -> bool {
    let found = |header: &'_ Header, index: Option<usize>| Some(header.tensor_at(index?)?.type_name());
    found(a, tensor.a).zip(found(b, tensor.b)).is_some_and(|(a, b)| a != b)
}

fn dimensions_differ(a: &Header, b: &Header, tensor: &TensorDifference) -> bool {
    let tensors = tensor.a.and_then(|index| a.tensor_at(index)).zip(tensor.b.and_then(|index| b.tensor_at(index)));
    tensors.is_some_and(|(a, b)| !have_same_dimensions(&a, &b))
}

/// What is said about the metadata. `None` if neither file has entries.
fn entry_words(comparison: &Comparison, a: &Header, b: &Header) -> Option<String> {
    if a.metadata().len() == 0 && b.metadata().len() == 0 {
        return None;
    }
    let is_moved_only = |change| change == EntryChange::Moved;
    let real = || comparison.entries().iter().filter(|entry| !is_moved_only(entry.change));
    let count = real().count();
    if count == 0 {
        let order = if comparison.entries().is_empty() { "" } else { " in another order" };
        return Some(format!("same metadata{order}"));
    }
    let keys = || {
        real().filter_map(|entry| {
            let of = |header: &Header, index: Option<usize>| {
                Some(header.metadata_at(index?)?.key().to_string_lossy().into_owned())
            };
            of(a, entry.a).or_else(|| of(b, entry.b))
        })
    };
    for (words, names) in KEY_GROUPS {
        if keys().all(|key| names.iter().any(|name| key == *name || (name.ends_with('.') && key.starts_with(name)))) {
            return Some((*words).to_string());
        }
    }
    Some(counted(count, "entry of the metadata differs", "entries of the metadata differ"))
}

fn format_words(comparison: &Comparison) -> String {
    let mut words = String::new();
    for (index, difference) in comparison.format().iter().enumerate() {
        words.push_str(if index > 0 { ", " } else { "" });
        words.push_str(match difference.property {
            "version" => "other version of the format",
            "byteOrder" => "other byte order",
            TRUTH_VALUES => "truth values stored as other bytes",
            TENSOR_OFFSETS => "tensor data at other offsets",
            DIMENSION_COUNTS => "dimensions of 1 at the end left out",
            _ => "other alignment",
        });
    }
    words
}

fn tensors(count: usize) -> String {
    counted(count, "tensor", "tensors")
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
