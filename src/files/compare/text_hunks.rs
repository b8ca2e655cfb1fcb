//! `textHunks`: the lines that differ between two texts.

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::interop::arguments::{TextArgument, long_text};
use crate::interop::plain_object::to_js;
use crate::interop::thrown::Thrown;

/// The lines that differ between two texts, in order, as `compare` lists those of a text. A line ends after its line feed.
///
/// @throws {GgufError} `invalid-argument` if a text is not a string, `too-large` if it has more than 16 Mi characters.
/// @example
/// for (const { startA, endA, startB, endB } of textHunks("a\nb\n", "a\nc\n")) {
///   console.log(startA, endA, startB, endB); // 1 2 1 2: the second line of each
/// }
#[wasm_bindgen(js_name = textHunks, unchecked_return_type = "Hunk[]")]
pub fn text_hunks(a: &TextArgument, b: &TextArgument) -> Result<JsArray, Thrown> {
    let (a, b) = (long_text("a", a)?, long_text("b", b)?);
    Ok(gguf_files::compare::text_hunks(a.as_bytes(), b.as_bytes()).iter().map(to_js).collect())
}
