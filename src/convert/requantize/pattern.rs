//! Regular expressions for names of tensors, as `llama-quantize` searches them: `std::regex_search` with the ECMAScript grammar.
//!
//! The regular expression libraries for Rust without an operating system are larger than the rest of this folder, or can take
//! exponential time. Here a pattern becomes a list of instructions. All ways to match are followed at the same time, so the time
//! is at most the length of the name times the number of instructions, for each lookahead that is nested in another.
//!
//! Backreferences (`\1`) cannot be followed in this way, and are refused.

use alloc::{boxed::Box, string::String, string::ToString, vec::Vec};

use crate::error::{Error, Result, error};

/// The most instructions of a pattern. Counted repetitions such as `(a{99}){99}` multiply them.
const MOST_INSTRUCTIONS: usize = 4096;

/// The most groups inside each other.
const MOST_DEPTH: usize = 32;

/// The largest count of a repetition.
const MOST_REPETITIONS: usize = 1000;

/// A regular expression of the ECMAScript grammar, without backreferences.
///
/// # Examples
///
/// ```
/// use gguf_wasm::requantize::Pattern;
///
/// let pattern = Pattern::new(r"blk\.(0|1|15)\.attn_v")?;
/// assert!(pattern.is_found_in(b"blk.15.attn_v.weight"));
/// assert!(!pattern.is_found_in(b"blk.5.attn_v.weight"));
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    program: Vec<Instruction>,
}

#[derive(Clone, Debug)]
enum Instruction {
    /// Consumes a byte of a set.
    Byte(Box<ByteSet>),
    /// Goes on at both places.
    Fork(usize, usize),
    Jump(usize),
    Start,
    End,
    WordBoundary {
        negated: bool,
    },
    Lookahead {
        program: Vec<Instruction>,
        negated: bool,
    },
    Match,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ByteSet([u64; 4]);

impl ByteSet {
    fn of(has: impl Fn(u8) -> bool) -> Self {
        let mut set = Self::default();
        (0..=u8::MAX).filter(|byte| has(*byte)).for_each(|byte| set.insert(byte));
        set
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    fn add(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
    }

    fn negated(self) -> Self {
        Self(self.0.map(|bits| !bits))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The set of a class escape: `d` of `\d`.
fn class_of(letter: u8) -> Option<ByteSet> {
    let set = match letter.to_ascii_lowercase() {
        b'd' => ByteSet::of(|byte| byte.is_ascii_digit()),
        b'w' => ByteSet::of(is_word),
        b's' => ByteSet::of(is_space),
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { set.negated() } else { set })
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

/// The set of a named class: `alpha` of `[[:alpha:]]`.
fn named_class(name: &[u8]) -> Option<ByteSet> {
    Some(match name {
        b"alnum" => ByteSet::of(|byte| byte.is_ascii_alphanumeric()),
        b"alpha" => ByteSet::of(|byte| byte.is_ascii_alphabetic()),
        b"blank" => ByteSet::of(|byte| matches!(byte, b' ' | b'\t')),
        b"cntrl" => ByteSet::of(|byte| byte.is_ascii_control()),
        b"digit" | b"d" => ByteSet::of(|byte| byte.is_ascii_digit()),
        b"graph" => ByteSet::of(|byte| byte.is_ascii_graphic()),
        b"lower" => ByteSet::of(|byte| byte.is_ascii_lowercase()),
        b"print" => ByteSet::of(|byte| byte == b' ' || byte.is_ascii_graphic()),
        b"punct" => ByteSet::of(|byte| byte.is_ascii_punctuation()),
        b"space" | b"s" => ByteSet::of(is_space),
        b"upper" => ByteSet::of(|byte| byte.is_ascii_uppercase()),
        b"w" => ByteSet::of(is_word),
        b"xdigit" => ByteSet::of(|byte| byte.is_ascii_hexdigit()),
        _ => return None,
    })
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if it is not valid, has a backreference, or is too long.
    pub fn new(text: &str) -> Result<Self> {
        let mut parser = Parser { text, bytes: text.as_bytes(), position: 0, instruction_count: 0 };
        let mut program = parser.alternatives(0)?;
        if parser.position < text.len() {
            return Err(parser.wrong("has a \")\" without a \"(\""));
        }
        program.push(Instruction::Match);
        Ok(Self { text: text.to_string(), program })
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches a part of the name.
    pub fn is_found_in(&self, name: &[u8]) -> bool {
        (0..=name.len()).any(|start| matches_at(&self.program, name, start))
    }
}

/// Whether a program matches the text from a position on.
fn matches_at(program: &[Instruction], text: &[u8], start: usize) -> bool {
    let mut current = States::new(program.len());
    let mut next = States::new(program.len());
    if current.follow(program, text, start, 0) {
        return true;
    }
    for (position, byte) in text.iter().enumerate().skip(start) {
        next.clear();
        for state in &current.waiting {
            if let Instruction::Byte(set) = &program[*state]
                && set.has(*byte)
                && next.follow(program, text, position + 1, state + 1)
            {
                return true;
            }
        }
        if next.waiting.is_empty() {
            return false;
        }
        core::mem::swap(&mut current, &mut next);
    }
    false
}

/// The instructions that wait for the next byte.
struct States {
    is_known: Vec<bool>,
    waiting: Vec<usize>,
}

impl States {
    fn new(length: usize) -> Self {
        Self { is_known: vec![false; length], waiting: Vec::new() }
    }

    fn clear(&mut self) {
        self.is_known.fill(false);
        self.waiting.clear();
    }

    /// Follows the instructions from `first` on that consume no byte. Returns whether the program matches here.
    fn follow(&mut self, program: &[Instruction], text: &[u8], position: usize, first: usize) -> bool {
        let mut unfinished = Vec::from([first]);
        while let Some(state) = unfinished.pop() {
            if core::mem::replace(&mut self.is_known[state], true) {
                continue;
            }
            let goes_on = match &program[state] {
                Instruction::Match => return true,
                Instruction::Byte(_) => {
                    self.waiting.push(state);
                    false
                }
                Instruction::Fork(a, b) => {
                    unfinished.extend([*a, *b]);
                    false
                }
                Instruction::Jump(target) => {
                    unfinished.push(*target);
                    false
                }
                Instruction::Start => position == 0,
                Instruction::End => position == text.len(),
                Instruction::WordBoundary { negated } => {
                    let before = position.checked_sub(1).is_some_and(|before| is_word(text[before]));
                    let after = text.get(position).is_some_and(|byte| is_word(*byte));
                    (before != after) != *negated
                }
                Instruction::Lookahead { program, negated } => matches_at(program, text, position) != *negated,
            };
            if goes_on {
                unfinished.push(state + 1);
            }
        }
        false
    }
}

/// Reads a pattern. Instructions of a part have positions from the start of the part, so that parts can be moved.
struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    instruction_count: usize,
}

impl Parser<'_> {
    #[cold]
    fn wrong(&self, problem: &str) -> Error {
        error!(InvalidArgument:
            "the pattern \"{}\" {problem} (at byte {}): expected a regular expression as in ECMAScript", self.text,
            self.position)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let is_next = self.bytes.get(self.position..).is_some_and(|rest| rest.starts_with(text));
        if is_next {
            self.position += text.len();
        }
        is_next
    }

    /// Counts instructions that a repetition makes.
    fn count(&mut self, instructions: usize) -> Result<()> {
        self.instruction_count = self.instruction_count.saturating_add(instructions);
        if self.instruction_count > MOST_INSTRUCTIONS { Err(self.wrong("is too long")) } else { Ok(()) }
    }

    /// Sequences with `|` between them, up to the end or a `)`.
    fn alternatives(&mut self, depth: usize) -> Result<Vec<Instruction>> {
        if depth > MOST_DEPTH {
            return Err(self.wrong("has too many groups inside each other"));
        }
        let mut program = self.sequence(depth)?;
        while self.eat(b"|") {
            let second = self.sequence(depth)?;
            self.count(2)?;
            let mut both = vec![Instruction::Fork(1, program.len() + 2)];
            append(&mut both, program);
            both.push(Instruction::Jump(both.len() + 1 + second.len()));
            append(&mut both, second);
            program = both;
        }
        Ok(program)
    }

    fn sequence(&mut self, depth: usize) -> Result<Vec<Instruction>> {
        let mut program = Vec::new();
        while !matches!(self.peek(), None | Some(b'|' | b')')) {
            let (part, can_be_repeated) = self.part(depth)?;
            let part = self.repeated(part, can_be_repeated)?;
            append(&mut program, part);
        }
        Ok(program)
    }

    /// An assertion, a group, or a set of bytes. Returns whether it can be repeated.
    fn part(&mut self, depth: usize) -> Result<(Vec<Instruction>, bool)> {
        self.count(1)?;
        for (text, instruction) in [
            (&b"^"[..], Instruction::Start),
            (b"$", Instruction::End),
            (b"\\b", Instruction::WordBoundary { negated: false }),
            (b"\\B", Instruction::WordBoundary { negated: true }),
        ] {
            if self.eat(text) {
                return Ok((vec![instruction], false));
            }
        }
        for (text, negated) in [(b"(?=", false), (b"(?!", true)] {
            if self.eat(text) {
                let mut program = self.group(depth)?;
                program.push(Instruction::Match);
                return Ok((vec![Instruction::Lookahead { program, negated }], false));
            }
        }
        if self.eat(b"(?:") || self.eat(b"(") {
            if self.peek() == Some(b'?') {
                return Err(self.wrong("has a group of an unknown kind"));
            }
            return Ok((self.group(depth)?, true));
        }
        Ok((vec![Instruction::Byte(Box::new(self.set()?))], true))
    }

    fn group(&mut self, depth: usize) -> Result<Vec<Instruction>> {
        let program = self.alternatives(depth + 1)?;
        if self.eat(b")") { Ok(program) } else { Err(self.wrong("has a \"(\" without a \")\"")) }
    }

    /// A set of bytes: a character, an escape, `.` or `[…]`.
    fn set(&mut self) -> Result<ByteSet> {
        let Some(byte) = self.peek() else { return Err(self.wrong("ends too early")) };
        self.position += 1;
        match byte {
            b'.' => Ok(ByteSet::of(|byte| !matches!(byte, b'\n' | b'\r'))),
            b'[' => self.bracket(),
            b'\\' => self.escape(false),
            b'*' | b'+' | b'?' | b'{' => {
                self.position -= 1;
                Err(self.wrong("repeats nothing"))
            }
            _ => Ok(ByteSet::of(|other| other == byte)),
        }
    }

    /// What follows a backslash.
    fn escape(&mut self, is_in_bracket: bool) -> Result<ByteSet> {
        let Some(letter) = self.peek() else { return Err(self.wrong("ends with a backslash")) };
        self.position += 1;
        if let Some(set) = class_of(letter) {
            return Ok(set);
        }
        let byte = match letter {
            b'0' => 0,
            b'b' if is_in_bracket => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'c' => match self.peek().filter(u8::is_ascii_alphabetic) {
                Some(letter) => {
                    self.position += 1;
                    letter % 32
                }
                None => return Err(self.wrong("has a \"\\c\" without a letter")),
            },
            b'x' => self.hexadecimal(2)?,
            b'u' => self.hexadecimal(4)?,
            b'1'..=b'9' => return Err(self.wrong("has a backreference, which is not supported")),
            other => other,
        };
        Ok(ByteSet::of(|other| other == byte))
    }

    fn hexadecimal(&mut self, length: usize) -> Result<u8> {
        let digits = self.bytes.get(self.position..self.position + length);
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let number = digits.and_then(|digits| u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok());
        let Some(number) = number else { return Err(self.wrong("has an escape that is no character of a name")) };
        self.position += length;
        Ok(number)
    }

    /// The rest of a set in brackets.
    fn bracket(&mut self) -> Result<ByteSet> {
        let is_negated = self.eat(b"^");
        let mut set = ByteSet::default();
        loop {
            let Some(byte) = self.peek() else { return Err(self.wrong("has a \"[\" without a \"]\"")) };
            if self.eat(b"]") {
                return Ok(if is_negated { set.negated() } else { set });
            }
            if self.eat(b"[:") {
                let rest = &self.bytes[self.position..];
                let length = rest.windows(2).position(|window| window == b":]");
                let class = length.and_then(|length| Some((named_class(&rest[..length])?, length)));
                let Some((class, length)) = class else { return Err(self.wrong("has an unknown class of characters")) };
                set.add(class);
                self.position += length + 2;
                continue;
            }
            let first = self.element(byte)?;
            let is_range =
                self.peek() == Some(b'-') && self.bytes.get(self.position + 1).is_some_and(|next| *next != b']');
            let start = match first {
                Ok(start) => start,
                Err(class) => {
                    set.add(class);
                    continue;
                }
            };
            if !is_range {
                set.insert(start);
                continue;
            }
            self.position += 1;
            let next = self.bytes[self.position];
            match self.element(next)? {
                Ok(end) if start <= end => (start..=end).for_each(|byte| set.insert(byte)),
                _ => return Err(self.wrong("has a range that ends before it begins")),
            }
        }
    }

    /// An element of a set in brackets: a byte, or else a class.
    fn element(&mut self, byte: u8) -> Result<core::result::Result<u8, ByteSet>> {
        self.position += 1;
        if byte != b'\\' {
            return Ok(Ok(byte));
        }
        let set = self.escape(true)?;
        let mut bytes = (0..=u8::MAX).filter(|byte| set.has(*byte));
        Ok(match (bytes.next(), bytes.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(set),
        })
    }

    /// A part with the repetition that follows it.
    fn repeated(&mut self, part: Vec<Instruction>, can_be_repeated: bool) -> Result<Vec<Instruction>> {
        let (least, most) = match self.peek() {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            Some(b'{') => self.bounds()?,
            _ => return Ok(part),
        };
        if !can_be_repeated {
            return Err(self.wrong("repeats nothing"));
        }
        self.position += 1;
        // Whether as few or as many as possible are taken decides only where a match ends.
        self.eat(b"?");
        if matches!(self.peek(), Some(b'*' | b'+' | b'?' | b'{')) {
            return Err(self.wrong("repeats a repetition"));
        }
        let copies = most.unwrap_or(least + 1).max(least);
        self.count((part.len() + 2).saturating_mul(copies))?;
        let mut program = Vec::new();
        for _ in 0..least {
            append(&mut program, part.clone());
        }
        match most {
            None => {
                let start = program.len();
                program.push(Instruction::Fork(start + 1, start + part.len() + 2));
                append(&mut program, part);
                program.push(Instruction::Jump(start));
            }
            Some(most) => {
                let end = program.len() + (most - least) * (part.len() + 1);
                for _ in least..most {
                    program.push(Instruction::Fork(program.len() + 1, end));
                    append(&mut program, part.clone());
                }
            }
        }
        Ok(program)
    }

    /// The numbers of `{2}`, `{2,}` or `{2,4}`. The position moves to the last `}`.
    fn bounds(&mut self) -> Result<(usize, Option<usize>)> {
        let rest = &self.text[self.position + 1..];
        let bounds = rest.split_once('}').and_then(|(bounds, _)| {
            let (least, most) = match bounds.split_once(',') {
                None => (bounds, Some(bounds)),
                Some((least, "")) => (least, None),
                Some((least, most)) => (least, Some(most)),
            };
            let least = least.parse::<usize>().ok()?;
            let most = most.map(|most| most.parse::<usize>().ok());
            let is_valid = match most {
                Some(None) => false,
                Some(Some(most)) => least <= most && most <= MOST_REPETITIONS,
                None => least <= MOST_REPETITIONS,
            };
            is_valid.then_some((least, most.flatten(), bounds.len() + 1))
        });
        let Some((least, most, length)) = bounds else { return Err(self.wrong("has a repetition that is not valid")) };
        self.position += length;
        Ok((least, most))
    }
}

/// Appends a part, whose positions become those of the whole.
fn append(program: &mut Vec<Instruction>, part: Vec<Instruction>) {
    let start = program.len();
    program.extend(part.into_iter().map(|instruction| match instruction {
        Instruction::Fork(a, b) => Instruction::Fork(a + start, b + start),
        Instruction::Jump(target) => Instruction::Jump(target + start),
        other => other,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, name: &str) -> bool {
        Pattern::new(pattern).unwrap_or_else(|error| panic!("{error}")).is_found_in(name.as_bytes())
    }

    #[test]
    fn patterns_match_as_in_ecmascript() {
        let cases = [
            ("attn_v", "blk.0.attn_v.weight", true),
            ("^attn_v", "blk.0.attn_v.weight", false),
            (r"^output\.weight$", "output.weight", true),
            (r"^output\.weight$", "attn_output.weight", false),
            (r"blk\.(0|1|15)\.", "blk.15.x", true),
            (r"blk\.(0|1|15)\.", "blk.5.x", false),
            (r"blk\.[0-4]\.", "blk.3.x", true),
            (r"blk\.[^0-4]\.", "blk.3.x", false),
            (r"blk\.\d+\.ffn_.*_exps", "blk.12.ffn_up_exps.weight", true),
            (r"ffn_(up|gate)", "ffn_gate", true),
            ("a{2,3}b", "caab", true),
            ("a{2,3}b", "cab", false),
            ("^a{2}$", "aaa", false),
            ("^a{2,}$", "aaaa", true),
            ("^(ab?){2}$", "aab", true),
            ("a*?b", "b", true),
            (r"\bq\b", "attn.q.weight", true),
            (r"\bq\b", "attn_q.weight", false),
            (r"\Bq\b", "attn_q.weight", true),
            (r"blk\.(?!0\.)\d+", "blk.0.x", false),
            (r"blk\.(?=1)\d+\.", "blk.12.", true),
            (r"[[:digit:]_]+x", "1_2x", true),
            (r"[\d.]+x", "1.x", true),
            (r"[a\-z]", "-", true),
            (r"[a-]", "-", true),
            ("[]", "a", false),
            ("[^]", "a", true),
            (r"\x61\u0062", "ab", true),
            ("a||b", "", true),
            ("()", "", true),
            ("x|", "y", true),
            ("]}", "]}", true),
            ("(a|b)*c$", "ababc", true),
            ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
            ("", "anything", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(found(pattern, name), expected, "{pattern} in {name}");
        }
    }

    #[test]
    fn wrong_patterns_are_refused() {
        let wrong = [
            "attn_q[", "(a", "a)", "*a", "a**", "^*", "{2}", "a{2", "a{3,2}", "a{x}", r"a\", r"(a)\1", "[z-a]",
            "(?<a>b)",
        ];
        for pattern in wrong.into_iter().chain(["[[:nothing:]]", r"\xzz", "((a{99}){99}){99}", r"\c1"]) {
            let error = Pattern::new(pattern).expect_err(pattern);
            assert_eq!(error.code(), "invalid-argument", "{pattern}");
        }
        let deep = "(".repeat(100) + &")".repeat(100);
        assert!(Pattern::new(&deep).is_err());
    }
}
