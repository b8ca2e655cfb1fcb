//! What a model is converted to: a file type, or a copy.

use alloc::{string::String, vec::Vec};

use gguf_format::error::{Result, error};
use gguf_models::file_types::{FILE_TYPES, FileTypeInfo};

/// What a model is converted to.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_enums, reason = "llama-quantize has no other targets")]
pub enum Target {
    /// A file type that `llama-quantize` makes: one with `advice`.
    FileType(&'static FileTypeInfo),
    /// Every tensor keeps its type, and `general.file_type` its value.
    Copy,
}

impl Target {
    /// The target with a name or a number, as `llama-quantize` accepts them, in upper or lower case: `"Q4_K_M"`, `"q4_k"` for
    /// Q4_K_M, `"15"`, `"COPY"`.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if `llama-quantize` makes no such files.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_convert::requantize::Target;
    ///
    /// for name in ["Q4_K_M", "q4_k", "15"] {
    ///     assert_eq!(Target::parse(name)?.name(), "Q4_K_M");
    /// }
    /// assert!(Target::parse("NVFP4").is_err());
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub fn parse(name: &str) -> Result<Self> {
        if name.eq_ignore_ascii_case("COPY") {
            return Ok(Self::Copy);
        }
        let is_name = |other: &str| other.eq_ignore_ascii_case(name);
        let number = name.parse::<u32>().ok();
        let mut infos = file_types();
        let found = infos.find(|info| is_name(info.name) || info.alias.is_some_and(is_name) || Some(info.id) == number);
        found.map(Self::FileType).ok_or_else(|| {
            error!(InvalidArgument:
                "there is no file type \"{name}\" to convert to: expected {}",
                target_names().collect::<Vec<_>>().join(", "))
        })
    }

    /// The name: that of the file type, or `"COPY"`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::FileType(info) => info.name,
            Self::Copy => "COPY",
        }
    }

    /// The file type. `None` for a copy.
    pub fn file_type(&self) -> Option<&'static FileTypeInfo> {
        match self {
            Self::FileType(info) => Some(info),
            Self::Copy => None,
        }
    }

    /// The name that `llama-quantize` gives the file if the caller gives none: `"ggml-model-Q4_K_M.gguf"`.
    pub fn default_file_name(&self) -> String {
        format!("ggml-model-{}.gguf", self.name())
    }
}

/// The file types that `llama-quantize` makes, by id.
pub(super) fn file_types() -> impl Iterator<Item = &'static FileTypeInfo> {
    FILE_TYPES.iter().filter(|info| info.advice.is_some())
}

/// The names that [`Target::parse`] accepts, besides numbers.
pub fn target_names() -> impl Iterator<Item = &'static str> {
    file_types().flat_map(|info| [Some(info.name), info.alias]).flatten().chain(["COPY"])
}
