//! Sets of bytes, and the classes that have names.

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub fn of(has: impl Fn(u8) -> bool) -> Self {
        let mut set = Self::default();
        (0..=u8::MAX).filter(|byte| has(*byte)).for_each(|byte| set.insert(byte));
        set
    }

    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    pub fn add(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
    }

    pub fn negated(self) -> Self {
        Self(self.0.map(|bits| !bits))
    }
}

pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The set of a class escape: `d` of `\d`.
pub fn class_of(letter: u8) -> Option<ByteSet> {
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
pub fn named_class(name: &[u8]) -> Option<ByteSet> {
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
