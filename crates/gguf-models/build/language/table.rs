//! The bytes of the table, and the lists of names that it points to.

/// Names by their numbers.
#[derive(Default)]
pub struct Names(pub Vec<String>);

impl Names {
    pub fn number(&mut self, name: &str) -> usize {
        let known = self.0.iter().position(|own| own == name);
        known.unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        })
    }
}

/// Writes a number of any size: seven bits in a byte, the lowest first. All but the last byte have the eighth bit.
pub fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
