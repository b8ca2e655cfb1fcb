//! Splits the text of a rule into tokens.

/// A token, and whether it directly follows the previous token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: &'static str,
    pub(super) is_adjacent: bool,
}

/// The tokens of a text.
#[derive(Clone)]
pub(super) struct Tokens {
    rest: &'static str,
    next: Option<Token>,
}

const PAIRS: [&str; 6] = ["||", "&&", "==", "!=", "<=", ">="];

impl Tokens {
    pub(super) fn new(text: &'static str) -> Self {
        let mut tokens = Self { rest: text, next: None };
        tokens.advance();
        tokens
    }

    /// The next token. It stays the next one.
    pub(super) fn peek(&self) -> Option<Token> {
        self.next
    }

    pub(super) fn next_is(&self, text: &str) -> bool {
        self.next.is_some_and(|token| token.text == text)
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Option<Token> {
        let token = self.next;
        self.advance();
        token
    }

    /// Takes the next token if it is this one.
    pub(super) fn take_if(&mut self, text: &str) -> bool {
        let is_it = self.next_is(text);
        if is_it {
            self.advance();
        }
        is_it
    }

    /// Takes the next token if it is this one, and directly follows the previous token.
    pub(super) fn take_flag(&mut self, text: &str) -> bool {
        self.next.is_some_and(|token| token.is_adjacent) && self.take_if(text)
    }

    fn advance(&mut self) {
        let trimmed = self.rest.trim_start();
        let is_adjacent = trimmed.len() == self.rest.len();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'#');
        let bytes = trimmed.as_bytes();
        let length = match bytes.first() {
            None => 0,
            Some(first) if is_word(*first) => bytes.iter().take_while(|byte| is_word(**byte)).count(),
            Some(_) if PAIRS.iter().any(|pair| trimmed.starts_with(pair)) => 2,
            Some(_) => 1,
        };
        let (text, rest) = trimmed.split_at(length);
        self.rest = rest;
        self.next = (length > 0).then_some(Token { text, is_adjacent });
    }
}
