//! Texts of a file in Markdown: they are shown, and never read as links, images, HTML or parts of a table.

use alloc::{borrow::Cow, string::String};

/// The characters that can begin or end a link, an image, an address, code or an entity.
const MARKS: &[char] = &['[', ']', '`', '&', '@'];

/// A text between as many backticks as it needs.
pub(super) fn inline_code(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let marker = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marker}{space}{text}{space}{marker}")
}

/// A name for a line of text: as it is, with `&lt;` for `<`, or as code if it could be read as more than text.
pub(super) fn name(name: &str) -> String {
    // Renderers make links of bare addresses.
    let has_address = || name.contains("://") || name.to_ascii_lowercase().contains("www.");
    match name.contains(MARKS) || has_address() {
        true => inline_code(&one_line(name)),
        false => one_line(name).replace('<', "&lt;"),
    }
}

/// A text for a cell of a table: on one line, and without ends of cells. In a table a bar ends the cell, also within code, and
/// a backslash before it counts. So backslashes there are doubled.
pub(super) fn cell(text: &str) -> String {
    let mut cell = String::new();
    let mut backslashes = 0;
    for character in one_line(text).chars() {
        if character == '|' {
            (0..=backslashes).for_each(|_| cell.push('\\'));
        }
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
        cell.push(character);
    }
    cell
}

fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\n', '\r']) {
        true => text.replace('\n', "\\n").replace('\r', "\\r").into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, name};

    #[test]
    fn ordinary_names_stay_as_they_are() {
        for text in ["", "general.architecture", "blk.0.attn_q.weight", "a b (c) 50%", "größe", "models/a-b.gguf"] {
            assert_eq!(name(text), text);
        }
        assert_eq!(name("a<b>"), "a&lt;b>");
    }

    #[test]
    fn names_are_never_links_images_or_code() {
        let expected = [
            ("[a](http://x.y)", "`[a](http://x.y)`"),
            ("![a](//x)", "`![a](//x)`"),
            ("<http://x.y>", "`<http://x.y>`"),
            ("http://x.y", "`http://x.y`"),
            ("WWW.x.y", "`WWW.x.y`"),
            ("a@b.c", "`a@b.c`"),
            ("a`b", "``a`b``"),
            ("`<img src=x>`", "`` `<img src=x>` ``"),
            ("&#91;", "`&#91;`"),
            ("a\n# b", r"a\n# b"),
            ("a\n[b]", r"`a\n[b]`"),
        ];
        for (text, markdown) in expected {
            assert_eq!(name(text), markdown);
        }
    }

    #[test]
    fn no_text_ends_a_cell() {
        assert_eq!(cell("a|b"), r"a\|b");
        assert_eq!(cell(r"a\|b"), r"a\\\|b");
        assert_eq!(cell(r"a\b|"), r"a\b\|");
        assert_eq!(cell("a\r\nb"), r"a\r\nb");
    }
}
