//! The pre-tokenizers: how text is split into words before byte-pair encoding.

use super::text_table::{Name, TextRow, TextTable};

/// A pre-tokenizer: a value of `tokenizer.ggml.pre` that llama.cpp accepts.
///
/// Most are names of models. Several names may stand for the same rules.
///
/// # Examples
///
/// ```
/// use gguf_models::tokenizer::pre_tokenizer;
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
    /// Whether a word that is a token stays whole, whatever the merges say.
    pub ignores_merges: bool,
    /// Whether llama.cpp takes token 11 as BOS if `tokenizer.ggml.bos_token_id` is missing.
    pub(crate) has_default_bos: bool,
    /// Whether llama.cpp leaves out spaces before punctuation when it makes text of tokens.
    pub(crate) cleans_spaces: bool,
    /// The name of the rules that split text. Several pre-tokenizers have the same rules.
    #[doc(hidden)]
    pub rules: &'static str,
}

/// Rows sorted by name: the name, the rules, and the members of [`PreTokenizer`] that are set. The rules `unsupported`
/// are those of a tokenizer that this crate does not have.
macro_rules! names {
    ($($name:literal $rules:ident $($flag:ident)*;)*) => {
        TextTable::new(concat!($($name, "\t", stringify!($rules), "\t", $(" ", stringify!($flag),)* "\n",)*))
    };
}

// From `llama_vocab::impl::load` of llama.cpp's `src/llama-vocab.cpp`, October 2026.
const PRE_TOKENIZERS: TextTable = names! {
    "a.x-4.0" gpt2;
    "afmoe" afmoe keeps_spaces;
    "bailingmoe" bailing keeps_spaces;
    "bailingmoe2" bailing keeps_spaces;
    "bloom" bloom;
    "chameleon" chameleon adds_bos keeps_spaces;
    "chatglm-bpe" llama3 no_default_bos;
    "codeshell" starcoder;
    "cohere2moe" tiny_aya keeps_spaces;
    "command-r" starcoder keeps_spaces;
    "dbrx" llama3;
    "deepseek-coder" deepseek_coder keeps_spaces;
    "deepseek-llm" deepseek_llm keeps_spaces;
    "deepseek-r1-qwen" qwen2 keeps_spaces;
    "deepseek-v3" deepseek3 keeps_spaces;
    "default" default;
    "exaone" starcoder;
    "exaone-moe" exaone_moe;
    "exaone4" gpt2;
    "f2llmv2" qwen2 keeps_spaces;
    "falcon" falcon;
    "falcon-h1" llama3 adds_bos ignores_merges;
    "falcon3" llama3 adds_bos ignores_merges;
    "gemma4" gemma4 always_adds_bos;
    "gigachat" gpt2;
    "glm4" llama3 no_default_bos ignores_merges;
    "glm5" llama3 no_default_bos ignores_merges;
    "gpt-2" gpt2;
    "gpt-4o" gpt4o keeps_spaces;
    "gpt3-finnish" bloom;
    "granite-docling" gpt2 keeps_spaces;
    "granite-embed-multi-311m" gemma4 always_adds_bos;
    "granite-embed-multi-97m" granite_embedding ignores_merges keeps_spaces;
    "grok-2" qwen2 keeps_spaces;
    "hunyuan" qwen2 keeps_spaces;
    "hunyuan-dense" deepseek3 keeps_spaces;
    "hy_v4" deepseek3 keeps_spaces;
    "jais" gpt2;
    "jais-2" jais2;
    "jina-de" gpt2;
    "jina-es" gpt2;
    "jina-v1-en" gpt2;
    "jina-v2-code" gpt2;
    "jina-v2-de" gpt2;
    "jina-v2-es" gpt2;
    "jina-v5-nano" llama3 adds_bos ignores_merges;
    "joyai-llm" deepseek3 keeps_spaces;
    "k2-horizon" k2_horizon keeps_spaces;
    "kanana2" gpt4o keeps_spaces;
    "kimi-k2" kimi_k2 keeps_spaces;
    "kormo" qwen2 keeps_spaces;
    "laguna" laguna keeps_spaces;
    "lfm2" llama3 adds_bos ignores_merges;
    "llada-moe" bailing keeps_spaces;
    "llama-bpe" llama3 adds_bos ignores_merges;
    "llama-v3" llama3 adds_bos ignores_merges;
    "llama3" llama3 adds_bos ignores_merges;
    "llama4" gpt4o keeps_spaces;
    "megrez" qwen2;
    "mellum" gpt2;
    "mellum2" starcoder;
    "midm-2.0" llama3 adds_bos ignores_merges;
    "minerva-7b" starcoder;
    "minicpm5" minicpm5 ignores_merges;
    "minimax-m2" gpt4o keeps_spaces;
    "mmbert" mmbert;
    "modern-bert" gpt2;
    "mpt" gpt2;
    "olmo" gpt2;
    "phi-2" gpt2;
    "pixtral" llama3 adds_bos ignores_merges;
    "poro-chat" bloom keeps_spaces;
    "qwen2" qwen2 keeps_spaces;
    "qwen35" qwen35 keeps_spaces;
    "refact" starcoder;
    "roberta-bpe" gpt2;
    "sarvam-moe" sarvam keeps_spaces;
    "seed-coder" seed_coder keeps_spaces;
    "smaug-bpe" llama3;
    "smollm" starcoder keeps_spaces;
    "solar-open" qwen2 keeps_spaces;
    "spark2_5" spark2_5 keeps_spaces;
    "stablelm2" qwen2;
    "starcoder" starcoder;
    "superbpe" superbpe keeps_spaces;
    "talkie" gpt4o keeps_spaces;
    "tekken" tekken adds_bos ignores_merges keeps_spaces;
    "tiny_aya" tiny_aya keeps_spaces;
    "trillion" gpt2 keeps_spaces;
    "ufakzeka" ufakzeka keeps_spaces;
    "viking" viking keeps_spaces;
    "whitespace" unsupported;
    "youtu" youtu ignores_merges keeps_spaces;
};

/// All pre-tokenizers of llama.cpp (October 2026), sorted by name.
///
/// # Examples
///
/// ```
/// assert!(gguf_models::tokenizer::pre_tokenizers().any(|known| known.name == "qwen2"));
/// ```
pub fn pre_tokenizers() -> impl Iterator<Item = PreTokenizer> {
    PRE_TOKENIZERS.rows().map(of_row)
}

/// The pre-tokenizer with a name. `None` if llama.cpp (October 2026) refuses the name.
///
/// # Examples
///
/// ```
/// assert_eq!(gguf_models::tokenizer::pre_tokenizer(b"gpt-2").unwrap().name, "gpt-2");
/// ```
pub fn pre_tokenizer(name: &[u8]) -> Option<PreTokenizer> {
    PRE_TOKENIZERS.find(Name::as_written(name)).map(of_row)
}

fn of_row(row: TextRow) -> PreTokenizer {
    let [name, rules, flags] = row.columns();
    let has = |flag| flags.split(' ').any(|set| set == flag);
    let always_adds_bos = has("always_adds_bos");
    PreTokenizer {
        name,
        adds_bos: always_adds_bos || has("adds_bos"),
        always_adds_bos,
        ignores_merges: has("ignores_merges"),
        has_default_bos: !has("no_default_bos"),
        cleans_spaces: !has("keeps_spaces"),
        rules,
    }
}
