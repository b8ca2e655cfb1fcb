//! The keys without which llama.cpp refuses every model of an architecture, as a list.
//!
//! The list is made from the rules when the crate is compiled. So a module that only needs these keys contains neither the rules nor
//! the code that evaluates them.

use super::groups::GROUPS;
use super::texts::{COMMON, TEXTS};

/// The architectures with their keys: `name name:key key\n`. The first line has no name: it has the keys of all architectures.
static LIST: [u8; SCANNED.length] = SCANNED.shortened();

const SCANNED: Scan = Scan::of_rules();

/// The keys that llama.cpp requires of every model, and of every model of an architecture, with a space after each. They have no name of
/// an architecture, unless they begin with `/`. `None` if llama.cpp does not load the architecture.
pub(crate) fn required_keys(architecture: &[u8]) -> Option<[&'static [u8]; 2]> {
    let mut of_all: &[u8] = &[];
    for line in LIST.split(|byte| *byte == b'\n') {
        let (names, keys) = line.split_at(line.iter().position(|byte| *byte == b':')?);
        if names.is_empty() {
            of_all = &keys[1..];
        } else if names.split(|byte| *byte == b' ').any(|name| name == architecture) {
            return Some([of_all, &keys[1..]]);
        }
    }
    None
}

/// The list while it is made. The functions run in the compiler.
struct Scan {
    bytes: [u8; 1 << 14],
    length: usize,
}

impl Scan {
    const fn of_rules() -> Self {
        let mut scan = Self { bytes: [0; 1 << 14], length: 0 };
        scan.push(b':');
        scan.text(COMMON.as_bytes());
        let mut index = 0;
        while index < TEXTS.len() {
            scan.text(TEXTS[index].as_bytes());
            index += 1;
        }
        scan
    }

    const fn shortened<const LENGTH: usize>(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes.copy_from_slice(self.bytes.split_at(LENGTH).0);
        bytes
    }

    const fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    const fn push_all(&mut self, text: &[u8], mut start: usize, end: usize) {
        while start < end {
            self.push(text[start]);
            start += 1;
        }
    }

    /// Adds the keys that the statements of a text require whatever the model has: those outside of braces.
    const fn text(&mut self, text: &[u8]) {
        let (mut start, mut depth) = (0, 0);
        while start < text.len() {
            let end = word_end(text, start);
            match text[start] {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'=' if end == start + 2 && text[start + 1] == b'=' => {
                    let line_end = find(text, end, text.len(), b'\n');
                    self.push(b'\n');
                    self.push_all(text, end + 1, line_end);
                    self.push(b':');
                    start = line_end;
                    continue;
                }
                b'@' if depth == 0 => self.group(text, start + 1, end),
                _ if depth == 0 => self.key(text, start, end),
                _ => {}
            }
            start = if end > start { end } else { start + 1 };
        }
    }

    /// Adds the key of a statement such as `block_count:u`, unless it is optional.
    const fn key(&mut self, text: &[u8], start: usize, end: usize) {
        let colon = find(text, start, end, b':');
        if start < colon && colon < end && text[end - 1] != b'?' {
            self.push_all(text, start, colon);
            self.push(b' ');
        }
    }

    /// Adds the keys of a group: `@ssm_keys`.
    const fn group(&mut self, text: &[u8], start: usize, end: usize) {
        let mut index = 0;
        while index < GROUPS.len() {
            let (name, _, statements) = GROUPS[index];
            if is_equal(text, start, find(text, start, end, b'('), name.as_bytes()) {
                self.text(statements.as_bytes());
            }
            index += 1;
        }
    }
}

/// The end of the word that begins at a position: at a space or a brace.
const fn word_end(text: &[u8], mut position: usize) -> usize {
    while position < text.len() && !matches!(text[position], b' ' | b'\n' | b'{' | b'}') {
        position += 1;
    }
    position
}

/// The position of a byte in a range, or the end of the range.
const fn find(text: &[u8], mut position: usize, end: usize, byte: u8) -> usize {
    while position < end && text[position] != byte {
        position += 1;
    }
    position
}

const fn is_equal(text: &[u8], start: usize, end: usize, other: &[u8]) -> bool {
    let mut index = 0;
    while index < other.len() && start + index < end && text[start + index] == other[index] {
        index += 1;
    }
    index == other.len() && start + index == end
}
