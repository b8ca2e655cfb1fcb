//! What the module of conversions can check of a new file. The modules with all checks open its plan.

use alloc::{string::String, string::ToString};

use crate::architectures::required_keys;
use crate::validate::duplicate_tokens;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, error};
use gguf_format::format::header::Header;
use gguf_format::format::value::Value;

/// What llama.cpp refuses about a new file.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct NewFileProblems {
    /// A key that every model of its architecture has is missing. The file is not written.
    pub missing_key: Option<Error>,
    /// Tokens have the same text: a sentence.
    pub duplicate_tokens: Option<String>,
}

impl NewFileProblems {
    /// The problems of a file with the entries of a header, and with some more keys. None for files that are no models of llama.cpp.
    pub fn of(header: &Header, is_added: &dyn Fn(&[u8]) -> bool) -> Self {
        let is_text = |key: &str, text: &str| {
            header.get(key).is_some_and(|entry| entry.value().as_str().is_some_and(|found| found == text))
        };
        let architecture = header.architecture().map(|name| name.to_bytes()).unwrap_or_default();
        let Some(keys) = required_keys(&architecture) else { return Self::default() };
        if header.get("general.type").is_some() && !is_text("general.type", "model") {
            return Self::default();
        }
        let mut missing = None;
        for key in keys.concat().split(|byte| *byte == b' ') {
            let whole = match key {
                [] => continue,
                [b'/', whole @ ..] => whole.to_vec(),
                _ => [&architecture, &b"."[..], key].concat(),
            };
            if header.get(&whole).is_none() && !is_added(&whole) {
                missing = Some(whole);
                break;
            }
        }
        let model = "tokenizer.ggml.model";
        let has_tokens = !is_text(model, "none") && !is_text(model, "no_vocab");
        let tokens = match header.get("tokenizer.ggml.tokens").map(|entry| entry.value()) {
            Some(Value::Array(tokens)) if has_tokens => duplicate_tokens(&tokens),
            _ => None,
        };
        Self {
            missing_key: missing.map(|key| {
                error!(IncompleteModel:
                    "the model has no entry {}, and llama.cpp refuses every model of the architecture {} without it: add the entry, or \
                     convert the original model again", Shown(&key), Shown(&architecture))
            }),
            duplicate_tokens: tokens.map(|found| found.to_string()),
        }
    }
}
