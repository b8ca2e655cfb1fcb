//! The table of architectures.

use alloc::{string::String, vec::Vec};

use super::requirements::{Requirements, TensorGroup};
use super::{dense, encoders, experts, recurrent, specification};
use crate::declare::result;

result! {
    /// A model architecture: a value of `general.architecture`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::architectures::architecture_info;
    ///
    /// let info = architecture_info(b"gpt-oss").unwrap();
    /// let requirements = info.requirements.unwrap();
    /// assert!(requirements.keys().any(|key| key.pattern == "{arch}.attention.sliding_window"));
    /// assert!(requirements.tensors().any(|group| group.names.contains(&"attn_sinks.weight")));
    /// assert_eq!(architecture_info(b"no-such-architecture").map(|info| info.title), None);
    /// ```
    #[derive(Clone, Copy, Debug)]
    pub struct ArchitectureInfo {
        /// The value of `general.architecture`.
        pub name: &'static str,
        /// The name of the model family.
        pub title: &'static str,
        /// Whether llama.cpp has the name. It cannot load every architecture that it names.
        pub is_in_llama_cpp: bool,
        /// The patterns of the keys that the specification requires. Empty if it does not describe the architecture.
        #[rust]
        pub specification_keys: &'static [&'static str],
        /// What llama.cpp requires. `None` if it is not known here.
        #[rust]
        pub requirements: Option<&'static Requirements>,
        /// The keys that the specification requires: `"llama.context_length"`. Not present if the specification does not
        /// describe the architecture.
        fn specification_keys(&self) -> Option<Vec<String>>,
        /// The keys without which llama.cpp refuses every model. Not present if it is not known which it needs.
        fn llama_cpp_keys(&self) -> Option<Vec<String>>,
        /// The keys without which llama.cpp refuses some models: those with experts, for example, or without another key that
        /// can replace it. Not present if it is not known which it needs.
        fn llama_cpp_conditional_keys(&self) -> Option<Vec<String>>,
        /// The tensors that llama.cpp reads. Not present if it is not known which it needs.
        fn llama_cpp_tensors(&self) -> Option<Vec<TensorGroup>>,
    }
}

/// Every architecture of llama.cpp (`LLM_ARCH_NAMES`) and of gguf-py (`MODEL_ARCH_NAMES`), August 2026, and of the
/// specification, sorted by name.
pub const ARCHITECTURES: &[ArchitectureInfo] = &[
    row("afmoe", "Arcee Trinity (AFMoE)"),
    row("apertus", "Apertus"),
    row("arcee", "Arcee (AFM)"),
    row("arctic", "Snowflake Arctic"),
    row("arwkv7", "ARWKV 7"),
    row("baichuan", "Baichuan"),
    row("bailingmoe", "Ling (Bailing MoE)"),
    row("bailingmoe2", "Ling 2 (Bailing MoE 2)"),
    row("bailingmoe3", "Ling 3 (Bailing MoE 3)"),
    row("bert", "BERT").requires(&encoders::BERT),
    row("bitnet", "BitNet b1.58"),
    row("bloom", "BLOOM").requires(&dense::BLOOM).specified(specification::BLOOM),
    row("chameleon", "Chameleon"),
    row("chatglm", "ChatGLM"),
    row("clip", "CLIP and other multimodal projectors"),
    row("codeshell", "CodeShell"),
    row("cogvlm", "CogVLM"),
    row("cohere2", "Cohere Command R7B and A").requires(&dense::COHERE2),
    row("cohere2moe", "Cohere 2 MoE"),
    row("command-r", "Cohere Command R").requires(&dense::COMMAND_R),
    row("dbrx", "DBRX"),
    row("deci", "Llama Nemotron (Deci)"),
    row("deepseek", "DeepSeek MoE"),
    row("deepseek2", "DeepSeek-V2, V3 and R1").requires(&experts::DEEPSEEK2),
    row("deepseek2-ocr", "DeepSeek-OCR"),
    row("deepseek32", "DeepSeek-V3.2"),
    row("deepseek4", "DeepSeek-V4"),
    row("dflash", "DFlash draft model"),
    row("dots1", "dots.llm1"),
    row("dots3note", "dots.note 3"),
    row("dream", "Dream").requires(&dense::QWEN2),
    row("eagle3", "EAGLE-3 draft model"),
    row("ernie4_5", "ERNIE 4.5").requires(&dense::ERNIE4_5),
    row("ernie4_5-moe", "ERNIE 4.5 MoE"),
    row("eurobert", "EuroBERT"),
    row("exaone", "EXAONE 3").requires(&dense::EXAONE),
    row("exaone-moe", "EXAONE MoE"),
    row("exaone4", "EXAONE 4").requires(&dense::EXAONE4),
    row("falcon", "Falcon").requires(&dense::FALCON).specified(specification::FALCON),
    row("falcon-h1", "Falcon-H1").requires(&recurrent::FALCON_H1),
    row("gemma", "Gemma").requires(&dense::GEMMA),
    row("gemma-embedding", "EmbeddingGemma"),
    row("gemma2", "Gemma 2").requires(&dense::GEMMA2),
    row("gemma3", "Gemma 3").requires(&dense::GEMMA3),
    row("gemma3n", "Gemma 3n").requires(&dense::GEMMA3N),
    row("gemma4", "Gemma 4"),
    row("gemma4-assistant", "Gemma 4 assistant (draft model)"),
    row("glm-dsa", "GLM with sparse attention"),
    row("glm4", "GLM-4").requires(&dense::GLM4),
    row("glm4moe", "GLM-4.5 and later, MoE").requires(&experts::GLM4MOE),
    row("gpt-oss", "gpt-oss").requires(&experts::GPT_OSS),
    row("gpt2", "GPT-2").requires(&dense::GPT2).specified(specification::GPT2),
    row("gptj", "GPT-J").specified(specification::GPTJ),
    row("gptneox", "GPT-NeoX and Pythia").requires(&dense::GPTNEOX).specified(specification::GPTNEOX),
    row("granite", "IBM Granite").requires(&dense::GRANITE),
    row("granite_swa", "IBM Granite, sliding window"),
    row("granitehybrid", "IBM Granite 4 hybrid"),
    row("granitemoe", "IBM Granite MoE").requires(&dense::GRANITE),
    row("graniteswitch", "IBM Granite Switch"),
    row("grok", "Grok"),
    row("grovemoe", "GroveMoE"),
    row("hunyuan-dense", "Hunyuan"),
    row("hunyuan-moe", "Hunyuan MoE"),
    row("hunyuan_vl", "Hunyuan VL"),
    row("hy_v3", "Hunyuan 3"),
    row("internlm2", "InternLM2").requires(&dense::INTERNLM2),
    row("jais", "Jais"),
    row("jais2", "Jais 2"),
    row("jamba", "Jamba").requires(&recurrent::JAMBA),
    row("jina-bert-v2", "Jina BERT v2"),
    row("jina-bert-v3", "Jina BERT v3"),
    row("kimi-k3", "Kimi K3"),
    row("kimi-linear", "Kimi Linear"),
    row("laguna", "Laguna"),
    row("lfm2", "LFM2").requires(&recurrent::LFM2),
    row("lfm2moe", "LFM2 MoE"),
    row("llada", "LLaDA"),
    row("llada-moe", "LLaDA MoE"),
    row("llama", "Llama, Mistral and Mixtral").requires(&dense::LLAMA).specified(specification::LLAMA),
    row("llama-embed", "Llama embedding model").requires(&dense::LLAMA),
    row("llama4", "Llama 4").requires(&experts::LLAMA4),
    row("maincoder", "Maincoder"),
    row("mamba", "Mamba").requires(&recurrent::MAMBA).specified(specification::MAMBA),
    row("mamba2", "Mamba 2").requires(&recurrent::MAMBA2),
    row("mellum", "Mellum"),
    row("mimo2", "MiMo-V2"),
    row("minicpm", "MiniCPM").requires(&dense::LLAMA),
    row("minicpm3", "MiniCPM3").requires(&dense::MINICPM3),
    row("minimax-01", "MiniMax-01 and M1"),
    row("minimax-m2", "MiniMax-M2"),
    row("minimax-m3", "MiniMax-M3"),
    row("mistral3", "Mistral 3").requires(&dense::LLAMA),
    row("mistral4", "Mistral 4"),
    row("modern-bert", "ModernBERT"),
    row("mpt", "MPT").requires(&dense::MPT).specified(specification::MPT),
    row("muse-glimmer", "Muse Glimmer"),
    row("nanbeige", "Nanbeige"),
    row("nemotron", "Nemotron").requires(&dense::NEMOTRON),
    row("nemotron_h", "Nemotron-H"),
    row("nemotron_h_moe", "Nemotron-H MoE"),
    row("neo-bert", "NeoBERT"),
    row("nomic-bert", "Nomic BERT").requires(&encoders::NOMIC_BERT),
    row("nomic-bert-moe", "Nomic BERT MoE"),
    row("olmo", "OLMo"),
    row("olmo2", "OLMo 2 and 3").requires(&dense::OLMO2),
    row("olmoe", "OLMoE"),
    row("openelm", "OpenELM"),
    row("orion", "Orion"),
    row("paddleocr", "PaddleOCR-VL"),
    row("pangu-embedded", "Pangu Embedded"),
    row("phi2", "Phi-1 and Phi-2").requires(&dense::PHI2),
    row("phi3", "Phi-3 and Phi-4").requires(&dense::PHI3),
    row("phimoe", "Phi-3.5 MoE"),
    row("plamo", "PLaMo"),
    row("plamo2", "PLaMo 2"),
    row("plamo3", "PLaMo 3"),
    row("plm", "PLM"),
    row("pockettts", "Pocket TTS"),
    row("qwen", "Qwen"),
    row("qwen2", "Qwen2 and Qwen2.5").requires(&dense::QWEN2),
    row("qwen2moe", "Qwen2 MoE and Qwen1.5 MoE").requires(&experts::QWEN2MOE),
    row("qwen2vl", "Qwen2-VL and Qwen2.5-VL"),
    row("qwen3", "Qwen3").requires(&dense::QWEN3),
    row("qwen35", "Qwen3.5"),
    row("qwen35moe", "Qwen3.5 MoE"),
    row("qwen3moe", "Qwen3 MoE").requires(&experts::QWEN3MOE),
    row("qwen3next", "Qwen3-Next").requires(&recurrent::QWEN3NEXT),
    row("qwen3tts", "Qwen3-TTS"),
    row("qwen3vl", "Qwen3-VL"),
    row("qwen3vlmoe", "Qwen3-VL MoE"),
    row("refact", "Refact"),
    row("rnd1", "RND1"),
    row("rwkv", "RWKV 4").specified(specification::RWKV).unknown_to_llama_cpp(),
    row("rwkv6", "RWKV 6").requires(&recurrent::RWKV6),
    row("rwkv6qwen2", "QRWKV 6"),
    row("rwkv7", "RWKV 7").requires(&recurrent::RWKV7),
    row("seed_oss", "Seed-OSS"),
    row("smallthinker", "SmallThinker"),
    row("smollm3", "SmolLM3").requires(&dense::SMOLLM3),
    row("stablelm", "StableLM").requires(&dense::STABLELM),
    row("starcoder", "StarCoder").requires(&dense::GPT2),
    row("starcoder2", "StarCoder2").requires(&dense::STARCODER2),
    row("step35", "Step-3.5"),
    row("t5", "T5").requires(&encoders::T5),
    row("t5encoder", "T5 encoder"),
    row("talkie", "Talkie"),
    row("wavtokenizer-dec", "WavTokenizer decoder"),
    row("whisper", "Whisper").specified(specification::WHISPER).unknown_to_llama_cpp(),
    row("xverse", "XVERSE").requires(&dense::INTERNLM2),
];

/// The architectures that llama.cpp names, and does not load as models.
const NAMED_ONLY: &[&str] = &["clip", "gptj"];

/// What llama.cpp requires of a model of any architecture.
const OF_EVERY_MODEL: Requirements = Requirements::new(&[], &[]);

const fn row(name: &'static str, title: &'static str) -> ArchitectureInfo {
    ArchitectureInfo { name, title, is_in_llama_cpp: true, specification_keys: &[], requirements: None }
}

impl ArchitectureInfo {
    const fn requires(self, requirements: &'static Requirements) -> Self {
        Self { requirements: Some(requirements), ..self }
    }

    const fn specified(self, specification_keys: &'static [&'static str]) -> Self {
        Self { specification_keys, ..self }
    }

    const fn unknown_to_llama_cpp(self) -> Self {
        Self { is_in_llama_cpp: false, ..self }
    }

    /// Whether llama.cpp loads a file of the architecture as a model.
    pub(crate) fn is_loaded(&self) -> bool {
        self.is_in_llama_cpp && !NAMED_ONLY.contains(&self.name)
    }

    /// What llama.cpp requires, as far as it is known here: at least the keys of every model. `None` if llama.cpp does not
    /// load the architecture.
    pub(crate) fn known_requirements(&self) -> Option<&'static Requirements> {
        self.requirements.or_else(|| self.is_loaded().then_some(&OF_EVERY_MODEL))
    }
}

/// The row of an architecture in [`ARCHITECTURES`], if it is known.
pub fn architecture_info(name: &[u8]) -> Option<&'static ArchitectureInfo> {
    let index = ARCHITECTURES.binary_search_by_key(&name, |info| info.name.as_bytes());
    ARCHITECTURES.get(index.ok()?)
}
