//! Tokens become text, as `llama_detokenize` of llama.cpp makes it.

use alloc::{string::String, vec::Vec};

use super::decode_options::DecodeOptions;
use super::error::TokenizerError;
use super::source::VISIBLE_SPACE;
use super::vocabulary::Attributes;
use super::{Algorithm, Tokenizer};

/// The most bytes of a decoded text: 256 MiB.
const MOST_DECODED: usize = 1 << 28;

/// The parts of a text whose spaces are left out if the tokenizer cleans spaces. Each list is a pass over the whole text.
const CLEANED: [&[&[u8]]; 3] = [&[b" ?", b" !", b" .", b" ,"], &[b" ' "], &[b" 's", b" 'm", b" 're", b" 've"]];

impl Tokenizer {
    /// The bytes of the text of tokens.
    ///
    /// If the tokenizer puts a space before a text, the space at the beginning of the first token is left out. If the first token itself is
    /// left out, the second one keeps its space. If the model cleans spaces, those before punctuation are left out.
    ///
    /// # Errors
    ///
    /// The vocabulary has no token with one of the ids, or the text is larger than 256 MiB.
    pub fn decode(&self, mut ids: &[u32], options: DecodeOptions) -> Result<Vec<u8>, TokenizerError> {
        let mut strips_space = self.adds_space;
        if options.remove_added {
            let [before, after] = self.added.removed;
            if before.is_some() && before == ids.first().copied() {
                ids = &ids[1..];
                strips_space = false;
            }
            if after.is_some() && after == ids.last().copied() {
                ids = &ids[..ids.len() - 1];
            }
        }
        let mut bytes = Vec::new();
        for id in ids {
            if *id >= self.vocabulary.len() {
                return Err(TokenizerError::UnknownToken(*id, self.vocabulary.len()));
            }
            let strips = core::mem::take(&mut strips_space);
            if options.skip_special && self.vocabulary.attributes(*id).has(Attributes::NO_TEXT) {
                continue;
            }
            let piece = self.piece(*id);
            let text = match piece.strip_prefix(b" ") {
                Some(rest) if strips => rest,
                _ => &piece,
            };
            let is_possible = bytes.len() + text.len() <= MOST_DECODED && bytes.try_reserve(text.len()).is_ok();
            if !is_possible {
                return Err(TokenizerError::TooLarge);
            }
            bytes.extend_from_slice(text);
        }
        if self.cleans_spaces {
            CLEANED.iter().for_each(|parts| replace(&mut bytes, parts, |part| part.trim_ascii()));
        }
        Ok(bytes)
    }

    /// The text of tokens. Bytes that are no UTF-8 become U+FFFD. See [`decode`](Self::decode).
    ///
    /// # Errors
    ///
    /// The vocabulary has no token with one of the ids, or the text is larger than 256 MiB.
    pub fn decode_text(&self, ids: &[u32], options: DecodeOptions) -> Result<String, TokenizerError> {
        Ok(String::from_utf8_lossy(&self.decode(ids, options)?).into_owned())
    }

    /// The bytes that a token stands for. None if its type is unused or undefined.
    pub(super) fn piece(&self, id: u32) -> Vec<u8> {
        let text = self.vocabulary.texts.get(id);
        let attributes = self.vocabulary.attributes(id);
        if attributes.has(Attributes::SPECIAL) {
            return text.into();
        }
        if attributes.has(Attributes::NORMAL) {
            return match &self.algorithm {
                Algorithm::BytePairs(algorithm) if !algorithm.has_visible_spaces() => algorithm.decoded(text),
                _ => with_spaces(text),
            };
        }
        if attributes.has(Attributes::BYTE) {
            return [self.vocabulary.byte(id)].into();
        }
        Vec::new()
    }
}

/// Replaces parts of a text, wherever they occur, by others that are not longer. All parts begin with the same byte.
fn replace(text: &mut Vec<u8>, parts: &[&'static [u8]], by: fn(&'static [u8]) -> &'static [u8]) {
    let (mut read, mut written) = (0, 0);
    while let Some(byte) = text.get(read).copied() {
        let is_found = |part: &&&[u8]| text[read..].starts_with(part);
        let found = if byte == parts[0][0] { parts.iter().find(is_found) } else { None };
        if let Some(part) = found {
            let by = by(part);
            text[written..written + by.len()].copy_from_slice(by);
            read += part.len();
            written += by.len();
        } else {
            text[written] = byte;
            read += 1;
            written += 1;
        }
    }
    text.truncate(written);
}

/// A text with spaces in place of U+2581.
fn with_spaces(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    replace(&mut text, &[VISIBLE_SPACE.as_bytes()], |_| b" ");
    text
}
