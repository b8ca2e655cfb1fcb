//! The forms of words in published names.

use super::forms::is_digits;
use super::scan::Scan;

/// The sidecars of the specification, and the other draft models that llama.cpp finds by their prefix
/// (`common/download.cpp`, August 2026).
const SIDECARS: &[&str] = &["mmproj", "mtp", "eagle3", "dflash", "dspark"];

/// The types of the specification, and the importance matrix.
const TYPES: &[&str] = &["LoRA", "vocab", "imatrix"];

/// Words that say how a model was tuned. They are only looked for where no size label ends the base name.
const FINE_TUNES: &[&str] = &["chat", "instruct", "it", "thinking", "uncensored", "abliterated", "dpo", "sft"];

/// Words that say the file format, and so repeat the extension.
const FORMATS: &[&str] = &["gguf", "gguf2", "ggml", "ggmlv1", "ggmlv2", "ggmlv3"];

/// Whether a text is one of some words, in capital or small letters.
pub(super) fn is_one_of(list: &[&str], text: &str) -> bool {
    list.iter().any(|word| word.eq_ignore_ascii_case(text))
}

pub(super) fn is_sidecar_word(text: &str) -> bool {
    is_one_of(SIDECARS, text)
}

pub(super) fn is_type_word(text: &str) -> bool {
    is_one_of(TYPES, text)
}

pub(super) fn is_fine_tune_word(text: &str) -> bool {
    is_one_of(FINE_TUNES, text)
}

pub(super) fn is_format_word(text: &str) -> bool {
    is_one_of(FORMATS, text)
}

/// Whether a word begins a size label: `7B`, `8x7b`, `1_5b`, `7b1`, `A13B`, `E4B`. A small `k` counts tokens of context, not
/// parameters: `128k`.
pub(super) fn is_size_word(text: &str) -> bool {
    let mut scan = Scan::of(text);
    if scan.one_of(b"AE") {
        return is_number_of(scan, b"BbMm");
    }
    let mut number = scan.after_experts(b"xX");
    // BLOOM writes the decimal after the letter.
    is_number_of(number, b"BbMmTtQK")
        || number.decimal(b"._")
            && number.one_of(b"b")
            && matches!(number.rest(), [decimal] if decimal.is_ascii_digit())
}

/// Whether a word that follows a size continues the size label: `A3B` (parameters used at once), `16E` (experts), `7B` after
/// `1B`, `ContextLength4k`.
pub(super) fn is_later_size_word(text: &str) -> bool {
    let mut scan = Scan::of(text);
    let scales: &[u8] = if scan.letters() { b"BbMmKkT" } else { b"BbEe" };
    is_number_of(scan, scales)
}

/// Whether a word is a number and one of some letters after it.
fn is_number_of(mut scan: Scan<'_>, scales: &[u8]) -> bool {
    scan.decimal(b"._") && scan.one_of(scales) && scan.is_at_end()
}

/// Whether a word is a version with a `v`: `v1.0`, `V2`, `v1_5`, `v01`, `v4j`.
pub(super) fn is_version_word(text: &str) -> bool {
    let mut scan = Scan::of(text);
    let has_numbers = scan.one_of(b"vV") && scan.numbers(b"._") > 0;
    has_numbers && scan.rest().len() <= 2 && scan.rest().iter().all(u8::is_ascii_lowercase)
}

/// Whether a word is a version of whole numbers with points between them: `1.4.1`.
pub(super) fn is_dotted_number(text: &str) -> bool {
    let mut scan = Scan::of(text);
    scan.numbers(b".") > 1 && scan.is_at_end()
}

/// Whether a word is the date of a release: `2507` (July 2025), `0324` (24 March), `20250414`.
pub(super) fn is_date(text: &str) -> bool {
    let Some(Ok(number)) = is_digits(text).then(|| text.parse::<u32>()) else { return false };
    let is_month = |month: u32| (1..=12).contains(&month);
    let is_month_and_day = |date: u32| is_month(date / 100) && (1..=31).contains(&(date % 100));
    match text.len() {
        4 => (20..40).contains(&(number / 100)) && is_month(number % 100) || is_month_and_day(number),
        8 => (2020..2040).contains(&(number / 10_000)) && is_month_and_day(number % 10_000),
        _ => false,
    }
}

/// Whether two words are the month and the year of a release: `08-2024`.
pub(super) fn is_month_and_year(month: &str, year: &str) -> bool {
    let number =
        |text: &str, length| (text.len() == length && is_digits(text)).then(|| text.parse::<u32>().ok()).flatten();
    number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(year, 4).is_some_and(|year| (2020..2040).contains(&year))
}

/// Whether two words are a version whose point is written as a dash: `v3-1`.
pub(super) fn is_dashed_version(first: &str, second: &str) -> bool {
    let mut scan = Scan::of(first);
    scan.one_of(b"vV") && scan.digits() && scan.is_at_end() && second.len() == 1 && is_digits(second)
}
