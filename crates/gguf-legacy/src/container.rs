//! The containers of models before GGUF: what their magic and version decide.

use gguf_declare::names;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

names! {
    /// A container of models before GGUF.
    #[typescript("LegacyContainer")]
    pub enum Container {
        /// `ggml`, since September 2022. It has no version, and its tokens have no scores.
        Ggml = "ggml",
        /// `ggmf`, since 20 March 2023: version 1 has scores. rwkv.cpp writes versions 100 and 101, which have no vocabulary.
        Ggmf = "ggmf",
        /// `ggjt`, since 30 March 2023: versions 1 to 3. The data of a tensor begins at a multiple of 32.
        Ggjt = "ggjt",
        /// `ggla`, a LoRA adapter of version 1.
        Ggla = "ggla",
    }
}

names! {
    /// The layouts of quantized blocks.
    #[typescript("LegacyBlockRules")]
    pub enum BlockRules {
        /// Until 12 May 2023: f32 scales in Q4_0, Q4_1 and Q8_0; a byte has the quants of two neighbours.
        V1 = "v1",
        /// Until 19 May 2023: f32 scales in Q4_0, Q4_1 and Q8_0; a byte has the quants of the elements i and i + 16.
        V2 = "v2",
        /// Those of GGUF.
        V3 = "v3",
    }
}

/// The magic as bytes of the file: a little-endian u32, so the letters are reversed.
const GGML: [u8; 4] = *b"lmgg";
const GGMF: [u8; 4] = *b"fmgg";
const GGJT: [u8; 4] = *b"tjgg";
const GGLA: [u8; 4] = *b"algg";
const GGSN: [u8; 4] = *b"nsgg";

/// Whether these are the first four bytes of a model or an adapter in a format before GGUF.
pub fn is_legacy_magic(bytes: [u8; 4]) -> bool {
    matches!(bytes, GGML | GGMF | GGJT | GGLA)
}

impl Container {
    /// The container that the first four bytes of a file name.
    pub(super) fn of_magic(found: [u8; 4]) -> Result<Self> {
        let what = match found {
            GGML => return Ok(Self::Ggml),
            GGMF => return Ok(Self::Ggmf),
            GGJT => return Ok(Self::Ggjt),
            GGLA => return Ok(Self::Ggla),
            GGSN => {
                "This is a saved session of llama.cpp (ggsn). It has no model. Open the model that it was made with."
            }
            [b'G', b'G', b'U', b'F'] => "This is a GGUF file already. Open it as GGUF.",
            [b'P', b'K', 3, 4] => {
                "This is a ZIP archive, possibly a PyTorch checkpoint. Convert it with llama.cpp's scripts."
            }
            [b'g', b'g', b'm' | b'j', b'l' | b'f' | b't'] => {
                "The magic is byte-swapped: the file may be big-endian. Such files cannot be read."
            }
            _ => "Check that it is a GGML model.",
        };
        Err(bad_magic(&found, what))
    }

    /// Whether the magic is followed by a version.
    pub(super) fn has_version(self) -> bool {
        self != Self::Ggml
    }

    /// Checks a version, which stands at offset 4.
    pub(super) fn check_version(self, version: u32) -> Result<()> {
        let expected = match (self, version) {
            (Self::Ggml, _) | (Self::Ggmf, 1 | 100 | 101) | (Self::Ggjt, 1..=3) | (Self::Ggla, 1) => return Ok(()),
            (Self::Ggmf, _) => "1, or 100 or 101 of rwkv.cpp",
            (Self::Ggjt, _) => "1, 2 or 3",
            (Self::Ggla, _) => "1",
        };
        Err(error!(UnsupportedVersion:
            "cannot read the version at offset 0x4: the {} version is {version}, expected {expected}. The file is damaged, or \
             another program wrote it.", self.name())
        .at(4))
    }

    /// The multiple in the file at which the data of a tensor begins, in bytes.
    pub(super) fn alignment(self) -> u64 {
        match self {
            Self::Ggml | Self::Ggmf => 1,
            Self::Ggjt | Self::Ggla => 32,
        }
    }

    /// Whether each token is followed by its score.
    pub(super) fn has_scores(self) -> bool {
        matches!(self, Self::Ggmf | Self::Ggjt)
    }
}

#[cold]
pub(super) fn bad_magic(found: &[u8], what: &str) -> Error {
    error!(BadMagic:
        "cannot read the magic at offset 0x0: the file begins with \"{}\" instead of \"lmgg\", \"fmgg\", \"tjgg\" or \"algg\". {what}",
        Shown(found))
    .at(0)
}
