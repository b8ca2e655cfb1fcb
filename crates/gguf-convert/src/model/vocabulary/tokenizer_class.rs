//! The tokenizer classes of transformers: the special tokens that a class adds if the files do not name them.
//!
//! Source: the constructors in `src/transformers/models/*/tokenization_*_fast.py` of transformers 4.57.

/// A class of transformers that runs `tokenizer.json`.
#[derive(Debug)]
pub(super) struct TokenizerClass {
    /// The name without `Fast` at its end.
    pub name: &'static str,
    /// The texts of the special tokens by default: BOS, EOS, unknown, separator, padding, class and mask. Empty if there is none.
    pub defaults: [&'static str; 7],
    /// Whether the class adds BOS and EOS to a text by default, in place of what `tokenizer.json` says. `None` if it obeys
    /// `tokenizer.json`.
    pub adds: Option<(bool, bool)>,
}

/// The members of `tokenizer_config.json` with the texts of special tokens, in the order of [`TokenizerClass::defaults`].
pub(super) const SPECIAL_MEMBERS: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

const fn row(name: &'static str, defaults: [&'static str; 7]) -> TokenizerClass {
    TokenizerClass { name, defaults, adds: None }
}

const fn adding(name: &'static str, defaults: [&'static str; 7], adds: (bool, bool)) -> TokenizerClass {
    TokenizerClass { name, defaults, adds: Some(adds) }
}

const NONE: [&str; 7] = [""; 7];
const BERT: [&str; 7] = ["", "", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"];
const ROBERTA: [&str; 7] = ["<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"];
const LLAMA: [&str; 7] = ["<s>", "</s>", "<unk>", "", "", "", ""];
const END_OF_TEXT: [&str; 7] = ["<|endoftext|>", "<|endoftext|>", "<|endoftext|>", "", "", "", ""];

const CLASSES: &[TokenizerClass] = &[
    row("PreTrainedTokenizer", NONE),
    adding("Llama", LLAMA, (true, false)),
    adding("Gemma", ["<bos>", "<eos>", "<unk>", "", "<pad>", "", ""], (true, false)),
    adding("Cohere", ["<BOS_TOKEN>", "<|END_OF_TURN_TOKEN|>", "<UNK>", "", "", "", ""], (true, false)),
    adding("GPTNeoX", END_OF_TEXT, (false, false)),
    row("GPT2", END_OF_TEXT),
    row("CodeGen", END_OF_TEXT),
    row("Whisper", END_OF_TEXT),
    row("Qwen2", ["", "<|endoftext|>", "<|endoftext|>", "", "<|endoftext|>", "", ""]),
    row("Bloom", ["<s>", "</s>", "<unk>", "", "<pad>", "", ""]),
    row("Bert", BERT),
    row("DistilBert", BERT),
    row("Electra", BERT),
    row("MobileBert", BERT),
    row("SqueezeBert", BERT),
    row("Roberta", ROBERTA),
    row("XLMRoberta", ROBERTA),
    row("Camembert", ROBERTA),
    row("Longformer", ROBERTA),
    row("MPNet", ["<s>", "</s>", "[UNK]", "</s>", "<pad>", "<s>", "<mask>"]),
    row("T5", ["", "</s>", "<unk>", "", "<pad>", "", ""]),
];

/// The class that `tokenizer_config.json` or `config.json` names. `None` if it is unknown.
pub(super) fn tokenizer_class(name: &str) -> Option<&'static TokenizerClass> {
    let name = name.strip_suffix("Fast").unwrap_or(name);
    let short = name.strip_suffix("Tokenizer").filter(|short| *short != "PreTrained").unwrap_or(name);
    CLASSES.iter().find(|class| class.name == short)
}

/// The name of the class for a model type of `config.json`, if the files name no class.
///
/// Source: `TOKENIZER_MAPPING_NAMES` in `src/transformers/models/auto/tokenization_auto.py` of transformers 4.57.
pub(super) fn class_of_model_type(model_type: &str) -> Option<&'static str> {
    const TYPES: &[(&[&str], &str)] = &[
        (
            &["llama", "mistral", "mixtral", "phi3", "phimoe", "arcee", "deepseek_v2", "deepseek_v3", "ernie4_5"],
            "Llama",
        ),
        (&["gemma", "gemma2", "gemma3", "gemma3_text"], "Gemma"),
        (&["cohere", "cohere2"], "Cohere"),
        (&["gpt_neox", "mamba", "mamba2", "mpt", "olmo", "olmo2", "olmoe", "stablelm"], "GPTNeoX"),
        (&["dbrx", "exaone4", "gpt2", "gpt_bigcode", "olmo3", "starcoder2"], "GPT2"),
        (&["qwen2", "qwen2_moe", "qwen3", "qwen3_moe"], "Qwen2"),
        (&["bloom"], "Bloom"),
        (&["bert"], "Bert"),
        (&["roberta"], "Roberta"),
        (&["xlm-roberta"], "XLMRoberta"),
        (&["phi"], "CodeGen"),
        (&["bitnet", "falcon", "glm", "glm4", "gpt_oss", "helium", "nemotron", "smollm3"], "PreTrainedTokenizer"),
    ];
    TYPES.iter().find(|(types, _)| types.contains(&model_type)).map(|(_, class)| *class)
}
