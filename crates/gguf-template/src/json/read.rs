//! Reads JSON, as strictly as the library that llama.cpp uses.

use alloc::string::String;
use alloc::vec::Vec;

use super::value::Json;
use crate::error::{Error, ErrorKind, Outcome, fault};
use crate::limits::VALUE_DEPTH;
use crate::values::places::{HASH, Places, hash_bytes};
use crate::values::read_numbers::{decimal, signed, whole};

impl Json {
    /// Reads a JSON text. A number without fraction and exponent is an integer if it has at most 64 bits.
    ///
    /// # Errors
    ///
    /// `template-context` with the position if the text is not valid, is nested more than 128 levels deep, or has a number that is too
    /// large for a float.
    pub fn parse(text: &str) -> Result<Json, Error> {
        let start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        let mut reader = Reader { text, bytes: text.as_bytes(), position: start, depth: 0 };
        reader.document().map_err(|fault| fault.locate(text))
    }
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    depth: u32,
}

impl Reader<'_> {
    fn document(&mut self) -> Outcome<Json> {
        let value = self.value()?;
        self.blanks();
        if self.position < self.bytes.len() { self.error("there is text after the JSON value") } else { Ok(value) }
    }

    fn error<T>(&self, message: &str) -> Outcome<T> {
        let mut fault = fault(ErrorKind::Context, message);
        fault.at = Some(self.position as u32);
        Err(fault)
    }

    fn byte(&self) -> u8 {
        self.bytes.get(self.position).copied().unwrap_or(0)
    }

    /// The text from an offset to the position.
    fn from(&self, start: usize) -> &str {
        self.text.get(start..self.position).unwrap_or("")
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), b' ' | b'\t' | b'\n' | b'\r') {
            self.position += 1;
        }
    }

    /// Skips blanks and a byte, if it is there.
    fn skip_if(&mut self, byte: u8) -> bool {
        self.blanks();
        let is = self.byte() == byte;
        self.position += usize::from(is);
        is
    }

    fn value(&mut self) -> Outcome<Json> {
        self.blanks();
        match self.byte() {
            b'{' => self.deeper(Reader::object),
            b'[' => self.deeper(Reader::list),
            b'"' => self.string().map(Json::Text),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.error("expected a JSON value"),
        }
    }

    fn deeper(&mut self, part: fn(&mut Self) -> Outcome<Json>) -> Outcome<Json> {
        if self.depth >= VALUE_DEPTH {
            return self.error("the JSON value is nested too deeply");
        }
        self.position += 1;
        self.depth += 1;
        let value = part(self);
        self.depth -= 1;
        value
    }

    fn word(&mut self, word: &str, value: Json) -> Outcome<Json> {
        if !self.bytes[self.position..].starts_with(word.as_bytes()) {
            return self.error("expected a JSON value");
        }
        self.position += word.len();
        Ok(value)
    }

    fn list(&mut self) -> Outcome<Json> {
        let mut items = Vec::new();
        if self.skip_if(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.skip_if(b']') {
                return Ok(Json::List(items));
            }
            if !self.skip_if(b',') {
                return self.error("expected `,` or `]`");
            }
        }
    }

    /// An object. The last value of a key counts, at the place of the first one.
    fn object(&mut self) -> Outcome<Json> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut places = Places::default();
        if self.skip_if(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            if self.byte() != b'"' {
                return self.error("expected a key in quotes");
            }
            let key = self.string()?;
            if !self.skip_if(b':') {
                return self.error("expected `:`");
            }
            let value = self.value()?;
            match places.find(hash_bytes(key.as_bytes(), HASH), &mut |place| Ok(members[place].0 == key))? {
                Some(place) => members[place].1 = value,
                None => {
                    members.push((key, value));
                    places.add(&mut |place| Ok(hash_bytes(members[place].0.as_bytes(), HASH)))?;
                }
            }
            if self.skip_if(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.skip_if(b',') {
                return self.error("expected `,` or `}`");
            }
        }
    }

    fn digits(&mut self) -> bool {
        let start = self.position;
        while self.byte().is_ascii_digit() {
            self.position += 1;
        }
        self.position > start
    }

    fn number(&mut self) -> Outcome<Json> {
        let start = self.position;
        self.position += usize::from(self.byte() == b'-');
        let has_zero = self.byte() == b'0';
        let first = self.position;
        if !self.digits() || has_zero && self.position > first + 1 {
            return self.error("the number is not valid");
        }
        let mut is_integer = true;
        if self.byte() == b'.' {
            is_integer = false;
            self.position += 1;
            if !self.digits() {
                return self.error("expected a digit after the decimal point");
            }
        }
        if matches!(self.byte(), b'e' | b'E') {
            is_integer = false;
            self.position += 1;
            self.position += usize::from(matches!(self.byte(), b'-' | b'+'));
            if !self.digits() {
                return self.error("expected a digit in the exponent");
            }
        }
        let text = &self.bytes[start..self.position];
        if is_integer {
            if let Some(number) = signed(text) {
                return Ok(Json::Int(number));
            }
            if let Some(number) = whole(text) {
                return Ok(Json::Unsigned(number));
            }
        }
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        match decimal(digits) {
            Some((number, _)) if number.is_finite() => {
                Ok(Json::Float(if digits.len() < text.len() { -number } else { number }))
            }
            _ => self.error("the number is too large"),
        }
    }

    fn string(&mut self) -> Outcome<String> {
        self.position += 1;
        let mut text = String::new();
        let mut plain = self.position;
        loop {
            match self.bytes.get(self.position) {
                None => return self.error("the text has no end"),
                Some(b'"') => break,
                Some(b'\\') => {
                    text.push_str(self.from(plain));
                    let escaped = self.escape()?;
                    text.push(escaped);
                    plain = self.position;
                }
                Some(0..0x20) => return self.error("control characters need an escape"),
                Some(_) => self.position += 1,
            }
        }
        text.push_str(self.from(plain));
        self.position += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Outcome<char> {
        self.position += 2;
        Ok(match self.bytes.get(self.position - 1) {
            Some(escaped @ (b'"' | b'\\' | b'/')) => *escaped as char,
            Some(b'b') => '\x08',
            Some(b'f') => '\x0C',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let mut code = self.unit()?;
                if (0xD800..0xDC00).contains(&code) && self.bytes[self.position..].starts_with(b"\\u") {
                    self.position += 2;
                    let low = self.unit()?;
                    if (0xDC00..0xE000).contains(&low) {
                        code = 0x1_0000 + ((code - 0xD800) << 10 | (low - 0xDC00));
                    }
                }
                match char::from_u32(code) {
                    Some(character) => character,
                    None => return self.error("half of a surrogate pair"),
                }
            }
            _ => return self.error("unknown escape"),
        })
    }

    /// The four hexadecimal digits of an escape.
    fn unit(&mut self) -> Outcome<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = (self.byte() as char).to_digit(16) else {
                return self.error("expected four hexadecimal digits");
            };
            code = code << 4 | digit;
            self.position += 1;
        }
        Ok(code)
    }
}
