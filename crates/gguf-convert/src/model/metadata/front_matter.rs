//! The front matter of a text in Markdown: lines of YAML between two lines `---` at its top.

use alloc::{string::String, vec::Vec};

/// A line of YAML, and its offset in the file.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    pub offset: u64,
}

/// The lines of the front matter. `None` if the text does not begin with one.
///
/// As the converter of llama.cpp has it, a tab stands for two spaces, and `- no` is a text: the language, not the answer.
pub(super) fn front_matter(text: &str) -> Option<Vec<Line>> {
    let mut lines = lines(text);
    if lines.next()?.1 != "---" {
        return None;
    }
    let inside = lines.take_while(|(_, line)| *line != "---");
    let line = |(offset, line): (usize, &str)| {
        let mut text = line.replace('\t', "  ");
        if line.ends_with("- no") {
            text.truncate(text.len() - 2);
            text.push_str("\"no\"");
        }
        Line { text, offset: offset as u64 }
    };
    Some(inside.map(line).collect())
}

/// The lines of a text with their offsets. They end with LF, CR LF or CR.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let start = at;
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let ending = if rest[length..].starts_with("\r\n") { 2 } else { 1 };
        at = (start + length + ending).min(text.len());
        Some((start, &rest[..length]))
    })
}
