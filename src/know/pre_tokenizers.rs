//! The pre-tokenizers: how text is split into words before byte-pair encoding.

use super::text_table::{Name, TextRow, TextTable};

/// A pre-tokenizer: a value of `tokenizer.ggml.pre` that llama.cpp accepts.
///
/// Most are names of models. Several names may stand for the same rules.
///
/// # Examples
///
/// ```
/// use gguf_wasm::pre_tokenizer;
///
/// let llama3 = pre_tokenizer(b"llama-bpe").unwrap();
/// assert!(llama3.adds_bos && !llama3.always_adds_bos);
/// assert_eq!(pre_tokenizer(b"no-such-rules"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreTokenizer {
    /// The value of the key.
    pub name: &'static str,
    /// Whether llama.cpp puts a BOS token before every text if `tokenizer.ggml.add_bos_token` is missing.
    pub adds_bos: bool,
    /// Whether llama.cpp puts a BOS token before every text even if `tokenizer.ggml.add_bos_token` is false.
    pub always_adds_bos: bool,
}

/// Rows sorted by name. A name may be followed by `DEFAULT` or `ALWAYS`: see [`PreTokenizer`].
macro_rules! names {
    ($($name:literal $($bos:ident)?;)*) => {
        TextTable::new(concat!($($name, "\t", $(stringify!($bos),)? "\n",)*))
    };
}

// From `llama_vocab::impl::load` of llama.cpp's `src/llama-vocab.cpp`, August 2026.
const PRE_TOKENIZERS: TextTable = names! {
    "a.x-4.0";
    "afmoe";
    "bailingmoe";
    "bailingmoe2";
    "bloom";
    "chameleon" DEFAULT;
    "chatglm-bpe";
    "codeshell";
    "cohere2moe";
    "command-r";
    "dbrx";
    "deepseek-coder";
    "deepseek-llm";
    "deepseek-r1-qwen";
    "deepseek-v3";
    "default";
    "exaone";
    "exaone-moe";
    "exaone4";
    "f2llmv2";
    "falcon";
    "falcon-h1" DEFAULT;
    "falcon3" DEFAULT;
    "gemma4" ALWAYS;
    "gigachat";
    "glm4";
    "gpt-2";
    "gpt-4o";
    "gpt3-finnish";
    "granite-docling";
    "granite-embed-multi-311m" ALWAYS;
    "granite-embed-multi-97m";
    "grok-2";
    "hunyuan";
    "hunyuan-dense";
    "jais";
    "jais-2";
    "jina-de";
    "jina-es";
    "jina-v1-en";
    "jina-v2-code";
    "jina-v2-de";
    "jina-v2-es";
    "jina-v5-nano" DEFAULT;
    "joyai-llm";
    "kanana2";
    "kimi-k2";
    "kormo";
    "laguna";
    "lfm2" DEFAULT;
    "llada-moe";
    "llama-bpe" DEFAULT;
    "llama-v3" DEFAULT;
    "llama3" DEFAULT;
    "llama4";
    "megrez";
    "mellum";
    "mellum2";
    "midm-2.0" DEFAULT;
    "minerva-7b";
    "minicpm5";
    "minimax-m2";
    "modern-bert";
    "mpt";
    "olmo";
    "phi-2";
    "pixtral" DEFAULT;
    "poro-chat";
    "qwen2";
    "qwen35";
    "refact";
    "roberta-bpe";
    "sarvam-moe";
    "seed-coder";
    "smaug-bpe";
    "smollm";
    "solar-open";
    "stablelm2";
    "starcoder";
    "superbpe";
    "talkie";
    "tekken" DEFAULT;
    "tiny_aya";
    "trillion";
    "viking";
    "whitespace";
    "youtu";
};

/// All pre-tokenizers of llama.cpp (August 2026), sorted by name.
///
/// # Examples
///
/// ```
/// assert!(gguf_wasm::pre_tokenizers().any(|known| known.name == "qwen2"));
/// ```
pub fn pre_tokenizers() -> impl Iterator<Item = PreTokenizer> {
    PRE_TOKENIZERS.rows().map(of_row)
}

/// The pre-tokenizer with a name. `None` if llama.cpp (August 2026) refuses the name.
///
/// # Examples
///
/// ```
/// assert_eq!(gguf_wasm::pre_tokenizer(b"gpt-2").unwrap().name, "gpt-2");
/// ```
pub fn pre_tokenizer(name: &[u8]) -> Option<PreTokenizer> {
    PRE_TOKENIZERS.find(Name::as_written(name)).map(of_row)
}

fn of_row(row: TextRow) -> PreTokenizer {
    let [name, bos] = row.columns();
    PreTokenizer { name, adds_bos: !bos.is_empty(), always_adds_bos: bos == "ALWAYS" }
}
