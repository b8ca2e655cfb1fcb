//! The names of encodings, as publishers write them.

use super::words::is_one_of;
use crate::file_types::FILE_TYPES;
use gguf_format::format::ggml_type::GGML_TYPES;

/// Encodings that are neither tensor types nor file types of llama.cpp: other names of plain numbers, and the types of
/// BitNet's fork.
const OTHER_NAMES: &[&str] = &["FP16", "FP32", "FP8", "INT4", "INT8", "I2_S", "TL1", "TL2"];

/// The words after the first word of a quantized type. Sizes of mixtures (`L`), and the types of ik_llama.cpp (`KS`, `R4`).
const LATER_WORDS: &[&str] =
    &["0", "1", "4", "8", "K", "KL", "KS", "KSS", "KT", "L", "M", "NL", "R4", "R8", "S", "XL", "XS", "XXL", "XXS"];

/// The words that publishers write before an encoding, with a dash between them: Unsloth's dynamic mixtures, mradermacher's
/// importance matrix, ubergarm's smaller mixtures.
const PREFIXES: &[&str] = &["UD", "i1", "smol"];

/// The words that publishers write after an encoding: an importance matrix was used.
const SUFFIXES: &[&str] = &["imat", "imatrix"];

/// The most bytes in the name of an encoding. Longer texts need not be compared.
const LONGEST: usize = 24;

/// Whether a text is the name of an encoding, in capital or small letters: `Q4_K_M`, `q4_0`, `IQ4_KS`, `fp16`.
pub(super) fn is_encoding_name(text: &str) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    known_names().any(|name| is_one_of(&[name], text)) || is_one_of(OTHER_NAMES, text) || is_variant(text)
}

/// Whether a text is the first word of encodings: `Q4`, `IQ3`.
pub(super) fn is_encoding_family(text: &str) -> bool {
    let is_quantized = |name: &str| name.starts_with(['Q', 'I', 'T']) && name.contains('Q');
    known_names().filter(|name| is_quantized(name)).any(|name| is_one_of(&[first_word(name)], text))
}

/// Whether a text is the name of a mixture or a fork's type: the first word of a type and words after it, such as
/// `Q4_K_XL` or `IQ2_KS`.
fn is_variant(text: &str) -> bool {
    let Some((family, later)) = text.split_once('_') else { return false };
    later.split('_').all(|word| is_one_of(LATER_WORDS, word)) && is_encoding_family(family)
}

pub(super) fn is_prefix(text: &str) -> bool {
    is_one_of(PREFIXES, text)
}

pub(super) fn is_suffix(text: &str) -> bool {
    is_one_of(SUFFIXES, text)
}

fn known_names() -> impl Iterator<Item = &'static str> {
    GGML_TYPES.iter().map(|info| info.name).chain(FILE_TYPES.iter().map(|info| info.name))
}

fn first_word(name: &str) -> &str {
    name.split_once('_').map_or(name, |(first, _)| first)
}
