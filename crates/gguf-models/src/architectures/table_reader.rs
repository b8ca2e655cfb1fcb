//! Reads the table of rules and graphs, which the build script makes of the texts in `families`.
//!
//! The build script checks what it writes, so a reader has no errors. After the end it gives zeros.

/// The lists of names and places that the build script writes.
#[allow(missing_docs, reason = "the build script documents the modules, not each constant")]
pub(crate) mod lists {
    use super::super::name_list::NameList;

    include!(concat!(env!("OUT_DIR"), "/architectures.rs"));
}

/// Reads bytes of the table one after the other.
#[derive(Clone, Copy)]
pub(crate) struct TableReader {
    rest: &'static [u8],
}

impl TableReader {
    /// A reader that begins at a place.
    pub(crate) fn at(bytes: &'static [u8], place: u16) -> Self {
        Self { rest: bytes.get(usize::from(place)..).unwrap_or_default() }
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.rest.split_off_first().copied().unwrap_or_default()
    }

    /// A number of any size: seven bits in a byte, the lowest first.
    pub(crate) fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    pub(crate) fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

/// The places of the rules of an architecture, and of the sections of its graph. `None` if it has no rules.
pub(crate) fn places_of(architecture: &str) -> Option<(u16, u16)> {
    let found = lists::WITH_RULES.binary_search(&architecture);
    found.ok().map(|place| lists::PLACES[place])
}
