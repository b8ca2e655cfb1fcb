//! Splits a text into words and signs.

/// A word or a sign, and whether it directly follows the one before it.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub text: &'a str,
    pub start: usize,
    pub line: usize,
    pub is_adjacent: bool,
}

const PAIRS: [&str; 6] = ["||", "&&", "==", "!=", "<=", ">="];

/// The tokens of a text. The last one is empty.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut start, mut line, mut is_adjacent) = (0, 1, false);
    loop {
        let rest = &text[start..];
        let length = match rest.chars().next() {
            Some(first) if first.is_whitespace() => {
                line += usize::from(first == '\n');
                (start, is_adjacent) = (start + first.len_utf8(), false);
                continue;
            }
            Some(_) if rest.starts_with("//") => {
                start += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            Some('"') => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            Some(first) if is_of_word(first) => rest.find(|next| !is_of_word(next)).unwrap_or(rest.len()),
            Some(_) if PAIRS.iter().any(|pair| rest.starts_with(pair)) => 2,
            first => first.map_or(0, char::len_utf8),
        };
        tokens.push(Token { text: &rest[..length], start, line, is_adjacent });
        if length == 0 {
            return tokens;
        }
        (start, is_adjacent) = (start + length, true);
    }
}

/// Whether a character belongs to a word. `#` stands for the number of a block in a name, and `$` for an argument.
pub fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '#' | '$')
}
