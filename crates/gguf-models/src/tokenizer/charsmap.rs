//! The character map of SentencePiece: which texts are replaced before a text is tokenised.
//!
//! ```text
//! trie size     u32, little-endian: in bytes
//! trie          units of u32: a double array whose positions are combined by XOR
//! replacements  texts, each ended by NUL
//! ```

use alloc::vec::Vec;

use super::error::{TokenizerError, bad, list};
use super::metadata;
use gguf_format::format::header::Header;
use gguf_format::format::value::ValueType;

/// The longest text that is looked up, in bytes. Real maps have texts of at most 20 bytes; a broken one may have circles.
const LONGEST: usize = 256;

/// The bytes before the trie.
const SIZE: usize = 4;

/// A character map. It is empty if the file has no map.
#[derive(Default)]
pub(super) struct Charsmap {
    bytes: Vec<u8>,
    /// The bytes of the trie.
    trie_size: usize,
}

impl Charsmap {
    pub fn new(header: &Header) -> Result<Self, TokenizerError> {
        let types = [ValueType::Uint8, ValueType::Int8];
        let Some(array) = metadata::array(header, "tokenizer.ggml.precompiled_charsmap", &types)? else {
            return Ok(Self::default());
        };
        let mut bytes = list(array.len() as usize)?;
        array.pieces().for_each(|piece| bytes.extend_from_slice(piece));
        let sizes = bytes.split_first_chunk::<SIZE>().map(|(size, rest)| (u32::from_le_bytes(*size) as usize, rest));
        let Some((trie_size, _)) = sizes.filter(|(size, rest)| *size < rest.len()) else {
            return Err(bad(
                "tokenizer.ggml.precompiled_charsmap is shorter than it says, and llama.cpp refuses the file.",
            ));
        };
        Ok(Self { bytes, trie_size })
    }

    fn units(&self) -> &[[u8; 4]] {
        self.bytes.get(SIZE..).unwrap_or_default()[..self.trie_size].as_chunks().0
    }

    /// The replacement of the longest beginning of `text` that has one, and the length of this beginning.
    pub fn find(&self, text: &[u8]) -> Result<Option<(&[u8], usize)>, TokenizerError> {
        let units = self.units();
        if units.is_empty() {
            return Ok(None);
        }
        let unit = |index: u32| Ok(u32::from_le_bytes(*units.get(index as usize).ok_or_else(broken)?));
        let mut found = None;
        let mut node = base(unit(0)?);
        for (place, byte) in text.iter().enumerate().take(LONGEST) {
            if *byte == 0 {
                break;
            }
            node ^= u32::from(*byte);
            let found_unit = unit(node)?;
            // The highest bit is only set in units that hold a value.
            if found_unit & (1 << 31 | 0xFF) != u32::from(*byte) {
                break;
            }
            node ^= base(found_unit);
            if found_unit >> 8 & 1 != 0 {
                found = Some((unit(node)? & !(1 << 31), place + 1));
            }
        }
        let Some((start, len)) = found else { return Ok(None) };
        let Some(replacement) =
            self.bytes[SIZE + self.trie_size..].get(start as usize..).filter(|rest| !rest.is_empty())
        else {
            return Err(broken());
        };
        let end = replacement.iter().position(|byte| *byte == 0).ok_or_else(broken)?;
        Ok(Some((&replacement[..end], len)))
    }
}

/// The number that leads from a unit to its children.
fn base(unit: u32) -> u32 {
    (unit >> 10) << ((unit & 1 << 9) >> 6)
}

fn broken() -> TokenizerError {
    bad("tokenizer.ggml.precompiled_charsmap refers to bytes outside of it, and llama.cpp stops.")
}
