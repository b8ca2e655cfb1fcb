//! Reading the text of a pattern.

use alloc::{boxed::Box, vec::Vec};

use super::byte_set::{ByteSet, class_of, named_class};
use super::program::{Instruction, Program, append};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The most instructions of a pattern. Counted repetitions such as `(a{99}){99}` multiply them.
const MOST_INSTRUCTIONS: usize = 4096;

/// The most groups inside each other.
const MOST_DEPTH: usize = 32;

/// The largest count of a repetition.
const MOST_REPETITIONS: usize = 1000;

/// The program of a pattern.
pub fn parse(text: &str) -> Result<Program> {
    let mut parser = Parser { text, bytes: text.as_bytes(), position: 0, instruction_count: 0 };
    let mut program = parser.alternatives(0)?;
    if parser.position < text.len() {
        return Err(parser.wrong("has a \")\" without a \"(\""));
    }
    program.push(Instruction::Match);
    Ok(Program(program))
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
            "the pattern \"{}\" {problem} (at byte {}): expected a regular expression as in ECMAScript",
            Shown(self.text.as_bytes()), self.position)
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
        let mut choices = vec![self.sequence(depth)?];
        while self.eat(b"|") {
            choices.push(self.sequence(depth)?);
            self.count(2)?;
        }
        let last = choices.pop().unwrap_or_default();
        let mut end = choices.iter().map(|choice| choice.len() + 2).sum::<usize>() + last.len();
        let mut program = Vec::new();
        // Positions count from the start of the choice, so the way to the end becomes shorter.
        for mut choice in choices {
            let length = choice.len() + 2;
            choice.push(Instruction::Jump(end - 1));
            program.push(Instruction::Fork(program.len() + 1, program.len() + length));
            append(&mut program, choice);
            end -= length;
        }
        append(&mut program, last);
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
                return Ok((vec![Instruction::Lookahead { program: Program(program), negated }], false));
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
        // Lazy and greedy repetitions match the same names. Only the length of the match differs, so `?` is skipped.
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
        let rest = self.text.get(self.position + 1..).unwrap_or_default();
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
