//! The front matter of a text in Markdown: lines of YAML between two lines `---` at its top.

use alloc::string::String;

/// The front matter, in which each line ends with LF. `None` if the text does not begin with one.
///
/// As the converter of llama.cpp has it, a tab stands for two spaces, and `- no` is a text: the language, not the answer.
pub(super) fn front_matter(text: &str) -> Option<String> {
    let mut lines = lines(text).map(|(_, line)| line);
    if lines.next()? != "---" {
        return None;
    }
    let mut yaml = String::new();
    for line in lines.take_while(|line| *line != "---") {
        match line.strip_suffix("- no") {
            Some(start) => yaml.extend([&*start.replace('\t', "  "), "- \"no\"\n"]),
            None => yaml.extend([&*line.replace('\t', "  "), "\n"]),
        }
    }
    Some(yaml)
}

/// The offset of a line of the front matter in the text.
pub(super) fn offset_of_line(text: &str, line: usize) -> u64 {
    lines(text).nth(line + 1).map_or(0, |(offset, _)| offset as u64)
}

/// The lines of a text with their offsets, as Python's `splitlines` has them.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    const ENDINGS: [char; 10] =
        ['\n', '\r', '\u{B}', '\u{C}', '\u{1C}', '\u{1D}', '\u{1E}', '\u{85}', '\u{2028}', '\u{2029}'];
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let start = at;
        let line = rest.split(ENDINGS).next().unwrap_or_default();
        let ending = &rest[line.len()..];
        let length = if ending.starts_with("\r\n") { 2 } else { ending.chars().next().map_or(0, char::len_utf8) };
        at += line.len() + length;
        Some((start, line))
    })
}
