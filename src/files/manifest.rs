//! `manifestAlgorithms`, and the types of checking a manifest.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, TextArgument, declare_types, failure_with_code, whole_text};
use gguf_files::manifest::{CheckResult, LineResult, ManifestCheck, ManifestError, ManifestLine, manifest_algorithms};

declare_types!(ManifestCheck, CheckResult, ManifestLine, LineResult);

/// The algorithms of the hashes in a manifest of llama.cpp's `gguf-hash`, the strongest first.
///
/// @throws {GgufError} `bad-manifest` if the text has no line with a known hash; `too-large` if there is no memory
/// for it.
/// @example
/// const [strongest] = manifestAlgorithms(text);
/// const hashes = await gguf.hash({ algorithms: [strongest] });
/// console.log(hashes.check(text).result); // "match"
#[wasm_bindgen(js_name = manifestAlgorithms, unchecked_return_type = "HashAlgorithm[]")]
pub fn algorithms(manifest: TextArgument) -> Result<JsArray, Thrown> {
    let found = manifest_algorithms(&whole_text("manifest", &manifest)?).map_err(|error| refused(&error))?;
    Ok(found.into_iter().map(|algorithm| JsValue::from(algorithm.name())).collect())
}

/// The error of a manifest that cannot be checked.
pub(super) fn refused(error: &ManifestError) -> Thrown {
    failure_with_code(error.code(), format_args!("{error}"))
}
