//! The merges of byte-pair encoding.

use alloc::vec::Vec;

use serde_json::Value;

use crate::budget::Budget;
use crate::model::files::SmallFiles;
use crate::model::json_members::{elements, member};
use gguf_format::error::{Error, Result, error};

/// The bytes that a merge counts beside its text.
const MERGE: u64 = 56;

/// The merges of `tokenizer.json`, as GGUF writes them: two tokens with a space between them.
pub(super) fn of_tokenizer(model: &Value, budget: &Budget) -> Result<Vec<Vec<u8>>> {
    let mut texts = Vec::new();
    for (index, merge) in elements(member(model, "merges")).iter().enumerate() {
        push(&mut texts, merge_text(merge).ok_or_else(|| bad_merge(index))?, budget)?;
    }
    Ok(texts)
}

/// Adds a merge, which counts in the budget.
fn push(merges: &mut Vec<Vec<u8>>, merge: Vec<u8>, budget: &Budget) -> Result<()> {
    let bytes = MERGE + merge.len() as u64;
    budget.push(merges, merge, bytes)
}

/// A merge is a text with a space in it, or a pair of texts. A space inside of a text of a pair becomes U+0120.
fn merge_text(merge: &Value) -> Option<Vec<u8>> {
    match merge {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(left), Value::String(right)] => {
                Some([left.replace(' ', "\u{120}"), right.replace(' ', "\u{120}")].join(" ").into_bytes())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The merges of `merges.txt`: a line each, after a line with the version. Lines that are no pair are left out.
pub(super) fn of_text_file(files: &SmallFiles) -> Result<Vec<Vec<u8>>> {
    let text = files.text("merges.txt")?.unwrap_or_default();
    let lines = text.lines().enumerate().filter(|(index, line)| *index > 0 || !line.trim().starts_with('#'));
    let pair = |line: &str| {
        let mut parts = line.split_whitespace();
        match (parts.next(), parts.next(), parts.next()) {
            (Some(left), Some(right), None) => Some([left, right].join(" ").into_bytes()),
            _ => None,
        }
    };
    let (mut merges, budget) = (Vec::new(), files.budget());
    for merge in lines.filter_map(|(_, line)| pair(line)) {
        push(&mut merges, merge, &budget)?;
    }
    Ok(merges)
}

#[cold]
fn bad_merge(index: usize) -> Error {
    error!(BadVocabulary: "merge {index} in tokenizer.json is not a pair of texts. Download the file again.")
}
