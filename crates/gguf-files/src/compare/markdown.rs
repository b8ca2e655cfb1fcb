//! A comparison as Markdown.

use alloc::{string::String, string::ToString, vec::Vec};

use super::comparison::{Comparison, DataCoverage};
use super::details::ValueDetails;
use super::entries::EntryChange;
use super::tensors::TensorDifference;
use super::value_text::entry_texts;
use crate::markdown_text::{cell, inline_code};
use gguf_format::decimal::{fixed, scientific};
use gguf_format::error::shown::ShownUpTo;
use gguf_format::format::header::{Header, TensorInfo};

/// The most bytes of a key, a name or a value that are shown.
const LONGEST_TEXT: usize = 220;

/// The most entries whose parts are counted. Counting the parts of a list of tokens takes some milliseconds.
const MOST_DETAILS: usize = 50;

impl Comparison {
    /// The differences as Markdown, with at most `limit` rows in each table. `a` and `b` are the headers that were compared, and
    /// `name_a` and `name_b` the names of the files. How many parts differ within a value is counted for the first 50 changed
    /// entries.
    pub fn to_markdown(&self, a: &Header, b: &Header, name_a: &str, name_b: &str, limit: usize) -> String {
        report(self, [a, b], [name_a, name_b], limit)
    }
}

/// The report about two models.
fn report(comparison: &Comparison, headers: [&Header; 2], names: [&str; 2], limit: usize) -> String {
    let [a, b] = headers;
    let mut text = format!("# Comparison of two models\n\n- A: {}\n- B: {}\n\n", code(names[0]), code(names[1]));
    text.push_str(&comparison.summary(a, b));
    text.push('\n');
    if !comparison.format().is_empty() {
        text.push_str("\n## Format\n\n| Property | A | B |\n| --- | --- | --- |\n");
        for difference in comparison.format() {
            text.push_str(&format!("| {} | {} | {} |\n", difference.property, difference.a, difference.b));
        }
    }
    push_entries(&mut text, comparison, headers, limit);
    push_tensors(&mut text, comparison, headers, limit);
    text
}

fn push_entries(text: &mut String, comparison: &Comparison, headers: [&Header; 2], limit: usize) {
    let entries = comparison.entries();
    let counts = comparison.counts().entries;
    text.push_str(&format!(
        "\n## Metadata\n\n{} equal, {} added, {} removed, {} changed, {} retyped, {} moved.\n",
        counts.equal, counts.added, counts.removed, counts.changed, counts.retyped, counts.moved
    ));
    if entries.is_empty() {
        return;
    }
    text.push_str("\n| Key | Change | A | B |\n| --- | --- | --- | --- |\n");
    let mut counted = 0;
    for (index, entry) in entries.iter().take(limit).enumerate() {
        let [a, b] = headers;
        let mut details = String::new();
        if entry.change == EntryChange::Changed && counted < MOST_DETAILS {
            counted += 1;
            details = comparison.entry_details(index, a, b).map_or_else(String::new, |details| detail_words(&details));
        }
        let moved = if entry.is_moved && entry.change != EntryChange::Moved { ", moved" } else { "" };
        let key = entry.a.and_then(|index| a.metadata_at(index)).or_else(|| b.metadata_at(entry.b?));
        let key = key.map_or_else(String::new, |entry| shown(&entry.key().to_bytes()));
        let [in_a, in_b] = entry_texts(a, b, entry).map(|side| {
            side.map_or_else(String::new, |(value_type, value)| format!("{value_type} {}", shown(value.as_bytes())))
        });
        let change = entry.change.name();
        text.push_str(&format!("| {key} | {change}{moved}{details} | {in_a} | {in_b} |\n"));
    }
    push_rest(text, entries.len(), limit);
}

/// `: 3 elements removed, 5 added`.
fn detail_words(details: &ValueDetails) -> String {
    if let Some(tokens) = &details.tokens {
        let (removed, added, renumbered) = (tokens.removed, tokens.added, tokens.renumbered);
        return format!(": tokens: {removed} removed, {added} added, {renumbered} with another id");
    }
    let removed: u64 = details.hunks.iter().map(|hunk| hunk.a.end - hunk.a.start).sum();
    let added: u64 = details.hunks.iter().map(|hunk| hunk.b.end - hunk.b.start).sum();
    format!(": {}: {removed} removed, {added} added", details.unit.name())
}

fn push_tensors(text: &mut String, comparison: &Comparison, headers: [&Header; 2], limit: usize) {
    let tensors = comparison.tensors();
    let counts = comparison.counts().tensors;
    let coverage = match comparison.coverage() {
        DataCoverage::Whole => "All data was compared.",
        DataCoverage::Sampled => "Only parts of the data were compared.",
        DataCoverage::None => "The data was not compared.",
    };
    text.push_str(&format!(
        "\n## Tensors\n\n{} without a difference, {} added, {} removed, {} renamed, {} changed, {} unreadable, {} moved. {coverage}\n",
        counts.equal, counts.added, counts.removed, counts.renamed, counts.changed, counts.unknown, counts.moved
    ));
    if tensors.is_empty() {
        return;
    }
    let has_values = tensors.iter().any(|tensor| tensor.values.is_some());
    let (titles, line) = match has_values {
        true => (" NMSE | Largest difference | Cosine |", " ---: | ---: | ---: |"),
        false => ("", ""),
    };
    text.push_str(&format!("\n| Tensor | Change | A | B | Data |{titles}\n| --- | --- | --- | --- | --- |{line}\n"));
    for tensor in tensors.iter().take(limit) {
        text.push_str(&tensor_row(tensor, headers, has_values));
    }
    push_rest(text, tensors.len(), limit);
}

fn tensor_row(tensor: &TensorDifference, [a, b]: [&Header; 2], has_values: bool) -> String {
    let in_a = tensor.a.and_then(|index| a.tensor_at(index));
    let in_b = tensor.b.and_then(|index| b.tensor_at(index));
    let side = |info: &Option<TensorInfo<'_>>| info.as_ref().map_or_else(String::new, shape);
    let name_of = |info: &TensorInfo<'_>| shown(&info.name().to_bytes());
    let names = match (&in_a, &in_b) {
        (Some(a), Some(b)) if a.name() != b.name() => format!("{} → {}", name_of(a), name_of(b)),
        (Some(info), _) | (None, Some(info)) => name_of(info),
        (None, None) => String::new(),
    };
    let mut row =
        format!("| {names} | {} | {} | {} | {} |", tensor.change.name(), side(&in_a), side(&in_b), tensor.data.name());
    match &tensor.values {
        Some((values, is_sampled)) => {
            let about = if *is_sampled { "≈ " } else { "" };
            let cosine = values.cosine().map_or_else(|| "–".to_string(), |cosine| fixed(cosine, 6));
            let (error, largest) = (scientific(values.nmse(), Some(4)), scientific(values.largest(), None));
            row.push_str(&format!(" {about}{error} | {largest} | {cosine} |"));
        }
        None if has_values => row.push_str(" | | |"),
        None => {}
    }
    row.push('\n');
    row
}

/// `Q4_K [4096, 32000]`.
fn shape(tensor: &TensorInfo<'_>) -> String {
    let dimensions: Vec<String> = tensor.dimension_iter().map(|dimension| dimension.to_string()).collect();
    format!("{} [{}]", tensor.type_name(), dimensions.join(", "))
}

/// Says how many rows are left out.
fn push_rest(text: &mut String, count: usize, limit: usize) {
    if count > limit {
        text.push_str(&format!("\n… and {} more.\n", count - limit));
    }
}

fn shown(bytes: &[u8]) -> String {
    code(&ShownUpTo(LONGEST_TEXT, bytes).to_string())
}

/// A text as code in a cell of a table.
fn code(text: &str) -> String {
    if text.is_empty() { "(empty)".to_string() } else { cell(&inline_code(text)) }
}
