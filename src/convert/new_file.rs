//! What the module of conversions can check of a new file. The modules with all checks open its plan.

use alloc::{string::String, string::ToString};

use crate::error::shown::Shown;
use crate::error::{Error, error};
use crate::format::header::Header;
use crate::format::value::Value;
use crate::know::architectures::required_keys;
use crate::order::heap_sorted;
use crate::validate::duplicate_tokens;

/// What llama.cpp refuses about a new file.
#[derive(Clone, Debug, Default)]
pub(super) struct NewFileProblems {
    /// A key that every model of its architecture has is missing. The file is not written.
    pub missing_key: Option<Error>,
    /// Tokens have the same text: a sentence.
    pub duplicate_tokens: Option<String>,
}

impl NewFileProblems {
    /// The problems of a file with the entries of a header, and with some more keys. None for files that are no models of llama.cpp.
    pub fn of(header: &Header, is_added: &dyn Fn(&[u8]) -> bool) -> Self {
        let text = |key: &str| header.get(key)?.value().as_str();
        let architecture = header.architecture().map(|name| name.to_bytes()).unwrap_or_default();
        let Some(keys) = required_keys(&architecture) else { return Self::default() };
        if text("general.type").is_some_and(|kind| kind != "model") {
            return Self::default();
        }
        let mut missing = None;
        for key in keys.into_iter().flat_map(|keys| keys.split(|byte| *byte == b' ')) {
            let whole = match key.strip_prefix(b"/") {
                Some(whole) => whole.to_vec(),
                None => [&architecture, &b"."[..], key].concat(),
            };
            if !key.is_empty() && missing.is_none() && header.get(&whole).is_none() && !is_added(&whole) {
                missing = Some(whole);
            }
        }
        let has_tokens = !text("tokenizer.ggml.model").is_some_and(|name| name == "none" || name == "no_vocab");
        let tokens = match header.get("tokenizer.ggml.tokens").map(|entry| entry.value()) {
            Some(Value::Array(tokens)) if has_tokens => duplicate_tokens(&tokens, heap_sorted),
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
