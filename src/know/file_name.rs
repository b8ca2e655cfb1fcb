//! `parseFileName`: what the name of a file says.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{TextArgument, arguments, declare_types, to_js};
use gguf_models::file_name::{FileName, FileNameProblem, FileNameRule, FileShard, parse_file_name as parse};

declare_types!(FileNameRule, FileName<'_>, FileNameProblem, FileShard);

/// Takes the name of a file apart.
///
/// A name that conforms to the naming convention has the parts that the specification gives it. Other names are taken apart
/// by what each word looks like, as publishers write them; `problems` then says which rules they break.
///
/// @param name - The name without folders.
/// @throws {GgufError} `invalid-argument` if the name is not a string, or if it has more than 65,535 characters.
/// @example
/// const { baseName, sizeLabel, encoding, problems } = parseFileName("gemma-3-27b-it-Q4_K_M.gguf");
/// console.log(baseName, sizeLabel, encoding); // "gemma-3" "27b" "Q4_K_M"
/// for (const { rule, message } of problems) console.log(rule, message);
#[wasm_bindgen(js_name = parseFileName, unchecked_return_type = "FileName")]
pub fn parse_file_name(name: &TextArgument) -> Result<JsValue, Thrown> {
    let name = arguments::short_text("name", name)?;
    Ok(to_js(&parse(&name)))
}
