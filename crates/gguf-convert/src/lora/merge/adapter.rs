//! An adapter in a GGUF file.

use alloc::rc::Rc;
use alloc::string::String;

use gguf_format::decimal::plain;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::header::Header;
use gguf_format::io::Source;
use gguf_format::tensor::opened_file::OpenedFile;

/// A LoRA adapter in a GGUF file, and how much it counts. Clones share the file.
pub struct LoraAdapter<S: Source> {
    pub(super) file: Rc<OpenedFile<S>>,
    pub(super) scale: f32,
    alpha: f32,
}

impl<S: Source> Clone for LoraAdapter<S> {
    fn clone(&self) -> Self {
        Self { file: self.file.clone(), ..*self }
    }
}

impl<S: Source> LoraAdapter<S> {
    /// An adapter. `scale` says how much it counts: 1 as it was trained, less for a weaker effect.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the file is no LoRA adapter, or if it counts after some tokens only, or if `scale` is no finite number.
    pub fn new(file: Rc<OpenedFile<S>>, scale: f32) -> Result<Self> {
        let header = file.header();
        for (key, expected) in [("general.type", "adapter"), ("adapter.type", "lora")] {
            let found = text(header, key);
            if found.as_deref() != Some(expected) {
                return Err(error!(InvalidArgument:
                    "the file is no LoRA adapter: {key} is {}, expected \"{expected}\"; convert an adapter of PEFT to GGUF first",
                    found.map_or_else(|| "missing".into(), |found| format!("\"{}\"", Shown(found.as_bytes())))));
            }
        }
        let tokens = header.get("adapter.alora.invocation_tokens").and_then(|entry| entry.value().as_array());
        if tokens.is_some_and(|tokens| !tokens.is_empty()) {
            return Err(error!(InvalidArgument:
                "the adapter counts only after the tokens of adapter.alora.invocation_tokens, so it cannot be merged into a model; load \
                 it beside the model"));
        }
        if !scale.is_finite() {
            return Err(
                error!(InvalidArgument: "an adapter cannot be scaled by {}: expected a finite number", plain(scale.into())),
            );
        }
        let alpha = header.get("adapter.lora.alpha").and_then(|entry| entry.value().as_f64()).unwrap_or(0.0) as f32;
        if !alpha.is_finite() {
            return Err(error!(InvalidArgument:
                "adapter.lora.alpha of the adapter is {}: expected a finite number; convert the adapter again", plain(alpha.into())));
        }
        Ok(Self { file, scale, alpha })
    }

    /// The opened file.
    pub fn file(&self) -> &Rc<OpenedFile<S>> {
        &self.file
    }

    /// The factor of B · A for matrices of a rank. Without `adapter.lora.alpha`, it is the scale.
    pub fn factor(&self, rank: u64) -> f32 {
        if self.alpha == 0.0 { self.scale } else { self.scale * self.alpha / rank as f32 }
    }
}

/// A text of a header.
pub(super) fn text(header: &Header, key: &str) -> Option<String> {
    Some(header.get(key)?.value().as_str()?.to_string_lossy().into_owned())
}
