//! `manifestAlgorithms`, and the result of checking a manifest.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::files::manifest::{CheckResult, LineResult, ManifestCheck as Check, ManifestError, manifest_algorithms};
use crate::web::interop::arguments::{TextArgument, whole_text};
use crate::web::interop::error::failure;
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;

declare_string_union!(
    "What a check of a manifest found. `match`: all lines of this file agree. The file can have more tensors than the manifest \
     names: see `unlisted`. `mismatch`: a line has another hash, or the file lacks a tensor that the manifest names while \
     other lines agree. `nothing-found`: no line could be compared.",
    "ManifestResult",
    CheckResult::NAMES
);
declare_string_union!(
    "The result of a line of a manifest. `not-in-file`: the file does not have the tensor, or the line is about another file.",
    "ManifestLineResult",
    LineResult::NAMES
);

plain_object! {
    /// The result of checking a manifest.
    struct ManifestCheck {
        /// The algorithm that was compared. The strongest that is in the manifest and was computed: SHA-256, SHA-1, XXH64, UUID.
        #[typescript("HashAlgorithm")]
        pub algorithm: &'static str,
        #[typescript("ManifestResult")]
        pub result: &'static str,
        /// The lines of the algorithm, in the order of the manifest.
        #[typescript("readonly ManifestLine[]")]
        pub lines: Vec<ManifestLine>,
        /// The names of the file's tensors that no line of the algorithm names.
        #[typescript("readonly string[]")]
        pub unlisted: Vec<String>,
    }
}

plain_object! {
    /// A line of a manifest.
    struct ManifestLine {
        /// The name of the tensor. Not present if the line is about the data of all tensors.
        pub tensor: Option<String>,
        /// The hash in the manifest.
        pub expected: String,
        /// The hash of the data. Not present if the line is not about this file.
        pub actual: Option<String>,
        #[typescript("ManifestLineResult")]
        pub result: &'static str,
    }
}

/// The algorithms of the hashes in a manifest of llama.cpp's `gguf-hash`, the strongest first.
///
/// @throws {GgufError} `bad-manifest` if the text has no line with a known hash; `too-large` if there is no memory
/// for it.
/// @example
/// const [strongest] = manifestAlgorithms(text);
/// const hashes = await gguf.hash({ algorithms: [strongest] });
/// console.log(hashes.check(text).result); // "match"
#[wasm_bindgen(js_name = manifestAlgorithms, unchecked_return_type = "HashAlgorithm[]")]
pub fn algorithms(manifest: TextArgument) -> Result<JsArray, JsValue> {
    let found = manifest_algorithms(&whole_text("manifest", &manifest)?).map_err(|error| refused(&error))?;
    Ok(found.into_iter().map(|algorithm| JsValue::from(algorithm.name())).collect())
}

/// The result of a check as a JavaScript object.
pub(super) fn object(check: Check) -> JsValue {
    let lines = check.lines.into_iter().map(|line| ManifestLine {
        tensor: line.tensor,
        expected: line.expected,
        actual: line.actual,
        result: line.result.name(),
    });
    to_js(&ManifestCheck {
        algorithm: check.algorithm.name(),
        result: check.result.name(),
        lines: lines.collect(),
        unlisted: check.unlisted,
    })
}

/// The error of a manifest that cannot be checked.
pub(super) fn refused(error: &ManifestError) -> JsValue {
    failure(error.code(), &format!("{error}"))
}
