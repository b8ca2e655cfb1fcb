//! The kinds of vocabularies, and what their entries are made from.

use serde_json::Value;

use crate::model::files::SmallFiles;

/// The kind of a vocabulary: how the models of a family store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Byte-level: `tokenizer.json`, or `vocab.json` with `merges.txt`.
    Gpt2,
    /// Byte-level, in `tokenizer.json` only.
    Gpt2Json,
    /// LLaMA and its relatives: `tokenizer.model`, else a `tokenizer.json` that was made from one, else byte-level.
    Llama,
    /// `tokenizer.model`.
    SentencePiece,
    /// `tokenizer.model`, else byte-level.
    SentencePieceOrGpt2,
    /// Gemma 1: `tokenizer.model`, with the token that ends a turn.
    Gemma,
    /// Gemma 2: `tokenizer.model`.
    Gemma2,
    /// Gemma 3: `tokenizer.model`, else byte-level.
    Gemma3,
    /// InternLM 3: `tokenizer.model`, with the token that ends a turn.
    InternLm3,
    /// EuroBERT: byte-level.
    EuroBert,
    /// Refact: byte-level, with the special tokens twice.
    Refact,
    /// SOLAR Open: byte-level, with special tokens that have fixed texts.
    SolarOpen,
    /// Gemma 4: a `tokenizer.json` that was made from SentencePiece, with merges.
    Gemma4,
    /// Phi-3: `tokenizer.model` with the added tokens of `tokenizer.json`. Byte-level if the class is `GPT2Tokenizer`.
    Phi3,
    /// BERT: WordPiece.
    Bert,
    /// XLM-RoBERTa: unigram, in `sentencepiece.bpe.model` or `tokenizer.json`.
    XlmRoberta,
    /// RoBERTa: byte-level if there is a `tokenizer.json`, else WordPiece.
    Roberta,
    /// ModernBERT: byte-level.
    ModernBert,
    /// Mamba: byte-level, else `tokenizer.model`. Its size is a multiple of 8, or of `pad_vocab_size_multiple`.
    Mamba,
    /// Mamba 2: `tokenizer.model`, else byte-level. Its size is a multiple of 16, or of `pad_vocab_size_multiple`.
    Mamba2,
    /// GLM-4: byte-level, with special tokens that have fixed texts.
    Glm4,
    /// GLM 4.5: byte-level, with special tokens that have fixed texts.
    Glm4Moe,
    /// GLM-4 of 2024: byte-level, with special tokens that have fixed texts.
    ChatGlm,
    /// ERNIE 4.5: `tokenizer.model`.
    Ernie,
    /// Nemotron: `tokenizer.model`, with special tokens that have fixed ids.
    Nemotron,
    /// Hunyuan: byte-level, with the tokens that end a text and a turn.
    Hunyuan,
    /// Hunyuan with experts: `hy.tiktoken`.
    HunyuanMoe,
    /// InternLM 2: `tokenizer.model`, with the token that ends a turn.
    InternLm2,
    /// T5: unigram, in `tokenizer.model` or `spiece.model`; `tokenizer.model` may have byte-pair encoding.
    T5,
    /// Jamba: `tokenizer.model`, else a `tokenizer.json` that was made from one.
    Jamba,
    /// Jina BERT: WordPiece, or byte-level if the class is `RobertaTokenizer`.
    JinaBert,
    /// RWKV: `rwkv_vocab_v20230424.txt`.
    RwkvWorld,
    /// The model has no vocabulary.
    None,
}

/// What the entries of a vocabulary are made from.
#[derive(Clone, Copy, Debug)]
pub struct VocabularyInput<'a> {
    /// The files of the folder.
    pub files: &'a SmallFiles,
    /// The configuration of the model: `config.json` with the defaults of its family. `vocab_size`, `type_vocab_size` and
    /// `pad_vocab_size_multiple` are read.
    pub config: &'a Value,
    /// The value of `tokenizer.ggml.pre` that the user has chosen. `None`: it is found by its hash.
    pub pre: Option<&'a str>,
}

impl Vocabulary {
    /// The size of the vocabulary after it was rounded up, as Mamba has it. `None` if `config` has no `vocab_size`, or if the sum
    /// is too large.
    pub fn padded_size(self, config: &Value) -> Option<u64> {
        let number = |name| config.get(name).and_then(Value::as_u64);
        let size = number("vocab_size")?;
        let default = match self {
            Self::Mamba => 8,
            Self::Mamba2 => 16,
            _ => return Some(size),
        };
        size.checked_next_multiple_of(number("pad_vocab_size_multiple").unwrap_or(default))
    }
}
