//! Names and addresses of repositories of the Hugging Face Hub: `parseRepository`.

use wasm_bindgen::prelude::*;

use crate::hub::place_options::PlaceOptions;
use crate::interop::thrown::Thrown;
use crate::interop::{TextArgument, declare_types, short_text, to_js};
use gguf_files::repository::address::RepositoryAddress as Address;
use gguf_files::repository::place::RepositoryPlace as Place;

declare_types!(Place);

/// Reads the name or the address of a repository: `owner/name`, `hub:owner/name@revision/path`, or an address of
/// huggingface.co or of `options.hub`. Nothing is requested. A name that ends in `.gguf` is a path, unless `hub:` stands before it.
///
/// @returns `undefined` if the text names no repository, or if its revision or path could lead out of the repository: with parts
/// that are empty, `.` or `..`, or that contain a backslash, `?` or `#`.
/// @throws {GgufError} `invalid-argument` if the argument is not a string, has more than 65,535 characters, or an option is unusable.
/// @example
/// parseRepository("https://huggingface.co/ggml-org/models/tree/main/tinyllamas");
/// // { id: "ggml-org/models", revision: "main", path: "tinyllamas", url: "https://huggingface.co/ggml-org/models/tree/main/tinyllamas" }
#[wasm_bindgen(js_name = parseRepository, unchecked_return_type = "RepositoryAddress | undefined")]
pub fn parse_repository(text: &TextArgument, options: Option<PlaceOptions>) -> Result<JsValue, Thrown> {
    let (text, options) = (short_text("text", text)?, PlaceOptions::take(options)?);
    let Some(address) = Address::parse(&text, &options.hub) else { return Ok(JsValue::UNDEFINED) };
    Ok(to_js(&Place::new(options.hub, address, options.revision)))
}
