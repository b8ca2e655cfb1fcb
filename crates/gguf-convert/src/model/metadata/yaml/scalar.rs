//! Where a scalar ends, and its text.

use alloc::string::String;
use core::iter::repeat_n;

use super::node::Properties;
use super::reader::{Read, Reader, Scalar, is_space};

impl<'a> Reader<'a> {
    /// Reads a scalar or an alias behind its properties. In a block, its lines begin at the column `least` or to the right of it.
    pub(super) fn scalar(&mut self, least: Option<usize>, properties: &Properties<'_>) -> Read<Scalar<'a>> {
        self.may_begin_block = false;
        let is_flow = least.is_none();
        let byte = self.byte();
        match byte {
            b'*' if properties.is_empty() => Ok(Scalar::Alias(self.name()?)),
            b'"' | b'\'' => Ok(Scalar::Quoted(self.quoted(char::from(byte))?)),
            b'-' | b'?' | b':' if (byte == b'-' || !is_flow) && !self.is_indicator(byte) => Ok(self.plain(least)),
            b':' | b',' | b']' | b'}' if !properties.is_empty() => Ok(Scalar::Plain(String::new())),
            0 | b'\n' | b'-' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|'
            | b'>' | b'%' | b'@' | b'`' => Err("a value begins with a sign that has a meaning: quote the text"),
            _ => Ok(self.plain(least)),
        }
    }

    fn plain(&mut self, least: Option<usize>) -> Scalar<'a> {
        let mut text = String::new();
        // What stands between two words becomes a part of the text if another word follows.
        let mut spaces = "";
        let mut breaks = 0;
        loop {
            let word = plain_word(self.rest(), least.is_none());
            if word.is_empty() || word.starts_with('#') {
                break;
            }
            match breaks {
                0 => text.push_str(spaces),
                _ => fold(&mut text, breaks),
            }
            text.push_str(word);
            self.at += word.len();
            self.may_begin_block = false;
            spaces = self.spaces(usize::MAX);
            self.at += spaces.len();
            breaks = self.breaks();
            let is_end = if breaks > 0 {
                self.may_begin_block = true;
                self.is_mark() || least.is_some_and(|least| self.column() < least)
            } else {
                spaces.is_empty()
            };
            if is_end {
                break;
            }
        }
        Scalar::Plain(text)
    }

    /// The spaces here, up to a number of them.
    fn spaces(&self, most: usize) -> &'a str {
        let rest = self.rest();
        &rest[..rest.bytes().take(most).take_while(|byte| *byte == b' ').count()]
    }

    /// Takes line breaks, and the spaces behind each, up to a mark of a document. Tells how many breaks there are.
    fn breaks(&mut self) -> usize {
        let mut breaks = 0;
        while self.byte() == b'\n' {
            self.at += 1;
            breaks += 1;
            if self.is_mark() {
                break;
            }
            self.at += self.spaces(usize::MAX).len();
        }
        breaks
    }

    fn quoted(&mut self, quote: char) -> Read<String> {
        let mut text = String::new();
        // The spaces at the end of a line are no part of the text, unless they are escaped.
        let mut kept = 0;
        self.at += 1;
        loop {
            let rest = self.rest();
            let Some(length) = rest.find([quote, '\\', '\n']) else {
                self.at = self.text.len();
                return Err("a quote is not closed");
            };
            text.push_str(&rest[..length]);
            self.at += length;
            match self.byte() {
                b'\n' => {
                    let end = text[kept..].trim_end_matches(' ').len();
                    text.truncate(kept + end);
                    let breaks = self.breaks();
                    if self.is_mark() {
                        return Err("a quote is not closed before the mark of a document");
                    }
                    fold(&mut text, breaks);
                }
                b'\\' if quote == '"' => {
                    self.at += 1;
                    self.escape(&mut text)?;
                }
                b'\\' => {
                    text.push('\\');
                    self.at += 1;
                    continue;
                }
                _ => {
                    self.at += 1;
                    if quote == '"' || self.byte() != b'\'' {
                        return Ok(text);
                    }
                    text.push('\'');
                    self.at += 1;
                }
            }
            kept = text.len();
        }
    }

    /// Adds what follows after `\`.
    fn escape(&mut self, text: &mut String) -> Read<()> {
        let rest = self.rest();
        let found = rest.chars().next().unwrap_or_default();
        self.at += found.len_utf8();
        let character = match found {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'v' => '\u{B}',
            'f' => '\u{C}',
            'r' => '\r',
            'e' => '\u{1B}',
            ' ' | '"' | '/' | '\\' => found,
            'N' => '\u{85}',
            '_' => '\u{A0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' | 'u' | 'U' => {
                let length = if found == 'x' {
                    2
                } else if found == 'u' {
                    4
                } else {
                    8
                };
                let digits = rest.get(1..=length).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
                self.at += length;
                let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                code.and_then(char::from_u32).ok_or("an escape is no character")?
            }
            '\n' => {
                self.at -= 1;
                // The break itself is left out, but not the empty lines behind it.
                let breaks = self.breaks();
                text.extend(repeat_n('\n', breaks - 1));
                return Ok(());
            }
            _ => return Err("a text in quotes has an unknown escape"),
        };
        text.push(character);
        Ok(())
    }

    /// Reads a text below `|`, which keeps line breaks, or `>`, which makes spaces of them.
    pub(super) fn block_scalar(&mut self, least: usize) -> Read<String> {
        let is_folded = self.byte() == b'>';
        let line = self.rest().split('\n').next().unwrap_or_default();
        let (signs, comment) = line[1..].split_once(' ').unwrap_or((&line[1..], ""));
        let comment = comment.trim_start_matches(' ');
        // `-` and `+` say what becomes of the breaks at the end, a digit how far the text is indented.
        let (mut ending, mut digit) = (None, None);
        for sign in signs.chars() {
            match sign {
                '-' | '+' if ending.is_none() => ending = Some(sign),
                '1'..='9' if digit.is_none() => digit = sign.to_digit(10),
                _ => return Err("a block of text begins with unknown signs"),
            }
        }
        if !comment.is_empty() && !comment.starts_with('#') {
            return Err("a block of text begins in the line of its sign");
        }
        self.at += line.len() + 1;
        self.may_begin_block = true;
        let mut indent = least.max(1);
        let mut breaks = 0;
        match digit {
            Some(digit) => indent += digit as usize - 1,
            None => loop {
                let spaces = self.spaces(usize::MAX).len();
                indent = indent.max(spaces);
                if self.text.as_bytes().get(self.at + spaces) != Some(&b'\n') {
                    break;
                }
                self.at += spaces + 1;
                breaks += 1;
            },
        }
        let mut text = String::new();
        let mut last = None;
        loop {
            let spaces = self.empty_lines(indent, &mut breaks);
            let line = self.rest()[spaces..].split('\n').next().unwrap_or_default();
            if spaces < indent || self.at + spaces == self.text.len() {
                break;
            }
            let is_indented = line.starts_with(' ');
            if let Some(was_indented) = last.replace(is_indented) {
                match is_folded && !is_indented && !was_indented {
                    true if breaks == 0 => text.push(' '),
                    true => {}
                    false => text.push('\n'),
                }
            }
            text.extend(repeat_n('\n', core::mem::take(&mut breaks)));
            text.push_str(line);
            self.at += spaces + line.len() + 1;
        }
        if ending != Some('-') && last.is_some() {
            text.push('\n');
        }
        if ending == Some('+') {
            text.extend(repeat_n('\n', breaks));
        }
        Ok(text)
    }

    /// Takes empty lines, which have at most `indent` spaces. Returns how many spaces the next line begins with, up to that number.
    fn empty_lines(&mut self, indent: usize, breaks: &mut usize) -> usize {
        loop {
            let spaces = self.spaces(indent).len();
            if self.text.as_bytes().get(self.at + spaces) != Some(&b'\n') {
                return spaces;
            }
            self.at += spaces + 1;
            *breaks += 1;
        }
    }
}

/// A line break becomes a space. Of several, the first is left out.
fn fold(text: &mut String, breaks: usize) {
    match breaks {
        1 => text.push(' '),
        _ => text.extend(repeat_n('\n', breaks - 1)),
    }
}

/// The start of a text up to a space, or to a sign that ends a scalar without quotes.
fn plain_word(text: &str, is_flow: bool) -> &str {
    let bytes = text.as_bytes();
    let ends = |at: usize| match bytes[at] {
        b' ' | b'\n' => true,
        b',' | b'?' | b'[' | b']' | b'{' | b'}' => is_flow,
        b':' => {
            let next = bytes.get(at + 1);
            is_space(next) || is_flow && matches!(next, Some(b',' | b'[' | b']' | b'{' | b'}'))
        }
        _ => false,
    };
    &text[..(0..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len())]
}
