//! Reads `xtask/modules.json`, the list of WebAssembly modules.

use crate::paths;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;

/// One row of the list. The package tests read the same file.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Module {
    /// The name that programs import: `gguf-wasm/reader`.
    pub entry: String,
    /// The name of the generated files: `gguf_wasm_reader`.
    pub name: String,
    /// The folder in the package; empty for the package's root.
    pub folder: String,
    /// The cargo features that the module is built with.
    pub features: Vec<String>,
    /// The most bytes that a browser loads for the module, gzipped.
    pub budget: u64,
    /// Whether the package has the module inside a script, too, compressed.
    #[serde(default)]
    pub inline: bool,
    /// Whether other modules load it when they need it (`pkg-template/glue/loaded-modules.js`). Such a module reads no files, so it is not
    /// told of those of Node.js.
    #[serde(default)]
    pub loaded: bool,
    /// Whether the bindings are compiled for size, with level "z". It saves 6.8 kB gzipped of `full` and 1.2 kB of `explain`. Reading the
    /// tokens of Llama 3 takes 1.1 times as long, opening and checking the file take as long as before (medians of 61 pairs). It is for
    /// modules that would exceed their limit otherwise.
    #[serde(default)]
    pub has_small_bindings: bool,
    /// Whether `cargo xtask build` builds the module, and the package contains it.
    pub shipped: bool,
    /// Whether it is compiled with the profile `wasm-quick` and without wasm-opt. Such a module is larger and slower.
    #[serde(skip)]
    pub is_quick: bool,
}

impl Module {
    /// The profile of cargo that it is compiled with.
    pub fn profile(&self) -> &'static str {
        if self.is_quick { "wasm-quick" } else { "wasm" }
    }
}

pub fn list() -> Result<Vec<Module>> {
    let path = paths::at("xtask/modules.json");
    serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())
}
