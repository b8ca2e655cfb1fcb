//! A long JavaScript string that is put together from pieces.

use alloc::string::String;
use core::fmt;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, JsString, LONGEST_STRING, failure};

/// Bytes of text that are collected in the module's memory before they become a piece.
const PIECE_BYTES: usize = 1 << 20;

#[wasm_bindgen]
extern "C" {
    type Pieces;
    #[wasm_bindgen(method, catch)]
    fn join(this: &Pieces, separator: &str) -> Result<JsString, Thrown>;
}

/// A text that is written piece by piece.
#[derive(Default)]
pub(super) struct TextPieces {
    pieces: JsArray,
    /// UTF-16 units of the pieces.
    length: u64,
    /// Text that is not in the pieces yet.
    pending: String,
}

impl TextPieces {
    /// The string that `write` writes.
    ///
    /// # Errors
    ///
    /// `too-large` if it is longer than a string can be.
    pub fn collect(write: impl FnOnce(&mut Self) -> fmt::Result) -> Result<JsString, Thrown> {
        let mut text = Self::default();
        write(&mut text).and_then(|()| text.finish_piece()).map_err(|_| too_long())?;
        text.pieces.unchecked_into::<Pieces>().join("").map_err(|_| too_long())
    }

    fn finish_piece(&mut self) -> fmt::Result {
        let piece = JsString::from(self.pending.as_str());
        self.pending.clear();
        self.length += u64::from(piece.length());
        self.pieces.push(&piece);
        if self.length > LONGEST_STRING { Err(fmt::Error) } else { Ok(()) }
    }
}

impl fmt::Write for TextPieces {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.pending.is_empty() && self.pending.len() + text.len() > PIECE_BYTES {
            self.finish_piece()?;
        }
        self.pending.push_str(text);
        Ok(())
    }
}

fn too_long() -> Thrown {
    failure!(TooLarge:
        "the text is longer than a JavaScript string can be, {LONGEST_STRING} characters: leave out the tensors, or \
         read `tensors` and `entries` in parts")
}
