//! `ftype`: the number of a header that says which type most tensors have.

use alloc::{borrow::Cow, format};

use super::container::Container;
use super::family::Family;
use gguf_declare::names;
use gguf_models::file_types::file_type_info;

names! {
    /// The numbering of file types.
    #[typescript("LegacyFileTypeNumbers")]
    pub enum FileTypeNumbers {
        /// That of llama.cpp and ggllm.cpp. GGUF has the same numbers.
        Llama = "llama_ftype",
        /// That of ggml's examples: from 11 on other numbers. 1000 times the version of the quantization is added.
        Ggml = "ggml_ftype",
        /// The tensor types of rwkv.cpp.
        Rwkv = "rwkv.cpp data type",
    }
}

impl FileTypeNumbers {
    pub(super) fn of(family: Family, container: Container) -> Self {
        match (family, container) {
            (Family::Rwkv, _) => Self::Rwkv,
            (Family::Llama, _) | (Family::Falcon, Container::Ggmf | Container::Ggjt) => Self::Llama,
            _ => Self::Ggml,
        }
    }

    /// The version of the quantization that a file type names.
    pub(super) fn quantization_version(self, value: u32) -> Option<u32> {
        (self == Self::Ggml).then_some(value / 1000)
    }

    /// The name of a file type: `MOSTLY_Q4_0`. `None` if no program of the time had it.
    pub fn name_of(self, value: u32) -> Option<Cow<'static, str>> {
        let mostly = |name: &str| Some(format!("MOSTLY_{name}").into());
        let of_llama = |value| file_type_info(value).and_then(|info| mostly(info.name));
        match (self, value) {
            (Self::Rwkv, _) => RWKV_TYPES.get(value as usize).copied().map(Cow::Borrowed),
            (Self::Llama, 0) => Some("ALL_F32".into()),
            (Self::Llama, 1..=18) => of_llama(value),
            (Self::Llama, _) => None,
            (Self::Ggml, 3000..) => None,
            (Self::Ggml, _) => match value % 1000 {
                0 => Some("ALL_F32".into()),
                value @ 1..=10 => of_llama(value),
                11 => mostly("Q3_K"),
                12 => mostly("Q4_K"),
                13 => mostly("Q5_K"),
                14 => mostly("Q6_K"),
                _ => None,
            },
        }
    }
}

const RWKV_TYPES: [&str; 10] = ["F32", "F16", "Q4_0", "Q4_1", "Q4_1_O", "Q4_2", "Q4_3", "Q5_0", "Q5_1", "Q8_0"];
