//! Reads the form of a word from its start.

/// The rest of a word.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a>(&'a [u8]);

impl<'a> Scan<'a> {
    pub fn of(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    pub fn is_at_end(self) -> bool {
        self.0.is_empty()
    }

    /// Passes all digits at the start. Returns whether there are any.
    pub fn digits(&mut self) -> bool {
        self.pass(u8::is_ascii_digit)
    }

    /// Passes all letters at the start. Returns whether there are any.
    pub fn letters(&mut self) -> bool {
        self.pass(u8::is_ascii_alphabetic)
    }

    fn pass(&mut self, is_passed: fn(&u8) -> bool) -> bool {
        let before = self.0.len();
        while let [first, rest @ ..] = self.0
            && is_passed(first)
        {
            self.0 = rest;
        }
        self.0.len() < before
    }

    /// Passes one byte, if it is one of these.
    pub fn one_of(&mut self, bytes: &[u8]) -> bool {
        match self.0 {
            [first, rest @ ..] if bytes.contains(first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// Passes whole numbers with one of these points between them. Returns how many, or 0 if no number follows a point.
    pub fn numbers(&mut self, points: &[u8]) -> usize {
        let mut count = 0;
        loop {
            if !self.digits() {
                return 0;
            }
            count += 1;
            if !self.one_of(points) {
                return count;
            }
        }
    }

    /// Passes a number, with or without decimals after one of these points.
    pub fn decimal(&mut self, points: &[u8]) -> bool {
        matches!(self.numbers(points), 1 | 2)
    }

    /// The rest after the number of experts, `8x`. Without one, it is the whole rest.
    pub fn after_experts(self, marks: &[u8]) -> Self {
        let mut after = self;
        let has_experts = after.digits() && after.one_of(marks) && !after.is_at_end();
        if has_experts { after } else { self }
    }
}
