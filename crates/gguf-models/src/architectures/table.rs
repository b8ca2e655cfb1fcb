//! The table of architectures: all that is known of each stands in its row.

use super::context_rule::Indexer;
use super::context_rule::Memory::{Compressed, Hybrid, Nothing, Recurrent};
use super::context_rule::NextTokenLayers::{Cached, NotCached};
use super::context_rule::OwnCache;
use super::context_rule::RecurrentLayers::{self, BetweenFullAttention, WithoutFeedForward, WithoutKeyValueHeads};
use super::context_rule::StateForm::{DeltaAttention, FirstMamba, LinearAttention, Rwkv, ShortConvolution};
use super::context_rule::WindowLayers::{
    self, AllButFirstOf, AllButLastOf, Listed, ListedOrAll, ListedOrAllButFirstOf, ListedOrAllButLastOf,
};
use super::context_rule::WindowLength::{FixedIfKey, FixedUnlessZero, Key, KeyOr, KeyOrInModelsOf};
use super::row::Exception::{
    Encoder, LoadsEmbeddingTwice, LoadsOfNextToken, NoFlashAttention, NotCausal, OneExpertIsNone, OtherTokenEmbedding,
    OutputNorm, OutputsEmbeddings, RotatesWholeKeys,
};
use super::row::{ArchitectureInfo, row};
use super::specification;
use crate::file_kinds::FileKind;

const SELECTION_BIAS: &[&str] = &["exp_probs_b"];
const FUSED_EXPERTS: &[&str] = &["ffn_gate_up_exps"];
const OF_COHERE2MOE: &[&str] =
    &["ffn_gate_up_exps", "nextn.embed_tokens", "nextn.shared_head_head", "nextn.shared_head_norm"];
const OF_HY_V3: &[&str] = &[
    "ffn_gate",
    "ffn_down",
    "ffn_up",
    "ffn_gate_inp",
    "exp_probs_b",
    "ffn_gate_exps",
    "ffn_down_exps",
    "ffn_up_exps",
    "ffn_gate_up_exps",
    "ffn_gate_shexp",
    "ffn_up_shexp",
    "ffn_down_shexp",
    "nextn.embed_tokens",
    "nextn.shared_head_head",
    "nextn.shared_head_norm",
];
const OF_STEP35: &[&str] = &[
    "attn_q_norm",
    "attn_k_norm",
    "attn_gate",
    "ffn_gate",
    "ffn_down",
    "ffn_up",
    "ffn_gate_inp",
    "exp_probs_b",
    "ffn_gate_exps",
    "ffn_down_exps",
    "ffn_up_exps",
    "ffn_gate_shexp",
    "ffn_up_shexp",
    "ffn_down_shexp",
    "nextn.embed_tokens",
    "nextn.shared_head_head",
    "nextn.shared_head_norm",
];

/// Every architecture of llama.cpp (`LLM_ARCH_NAMES`) and of gguf-py (`MODEL_ARCH_NAMES`), August 2026, and of the
/// specification, sorted by name.
pub const ARCHITECTURES: &[ArchitectureInfo] = &[
    row("afmoe", "Arcee Trinity (AFMoE)").window(Key, AllButLastOf(4)),
    row("apertus", "Apertus"),
    row("arcee", "Arcee (AFM)"),
    row("arctic", "Snowflake Arctic"),
    row("arwkv7", "ARWKV 7").keeps(Recurrent).state(Rwkv),
    row("baichuan", "Baichuan"),
    row("bailingmoe", "Ling (Bailing MoE)"),
    row("bailingmoe2", "Ling 2 (Bailing MoE 2)").next_token(Cached),
    row("bailingmoe3", "Ling 3 (Bailing MoE 3)")
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(DeltaAttention)
        .next_token(Cached),
    row("bert", "BERT").keeps(Nothing).except(&[Encoder]),
    row("bitnet", "BitNet b1.58"),
    row("bloom", "BLOOM").specified(specification::BLOOM),
    row("chameleon", "Chameleon"),
    row("chatglm", "ChatGLM"),
    row("clip", "CLIP and other multimodal projectors").only_named().keeps(Nothing),
    row("codeshell", "CodeShell"),
    row("cogvlm", "CogVLM"),
    row("cohere2", "Cohere Command R7B and A").window(Key, AllButLastOf(4)),
    row("cohere2moe", "Cohere 2 MoE")
        .window(Key, ListedOrAllButFirstOf(4))
        .next_token(Cached)
        .except(&[LoadsOfNextToken(OF_COHERE2MOE)]),
    row("command-r", "Cohere Command R"),
    row("dbrx", "DBRX"),
    row("deci", "Llama Nemotron (Deci)").except(&[RotatesWholeKeys]),
    row("deepseek", "DeepSeek MoE"),
    row("deepseek2", "DeepSeek-V2, V3 and R1").next_token(Cached).except(&[LoadsOfNextToken(FUSED_EXPERTS)]),
    row("deepseek2-ocr", "DeepSeek-OCR"),
    row("deepseek32", "DeepSeek-V3.2")
        .indexer(Indexer::EveryLayer)
        .next_token(NotCached)
        .except(&[LoadsOfNextToken(SELECTION_BIAS)]),
    row("deepseek4", "DeepSeek-V4").keeps(Compressed).window(Key, WindowLayers::All).next_token(Cached),
    row("dflash", "DFlash draft model").window(Key, ListedOrAll).kind(FileKind::Draft),
    row("dots1", "dots.llm1"),
    row("dots3note", "dots.note 3").window(Key, Listed).indexer(Indexer::Listed).next_token(NotCached),
    row("dream", "Dream").keeps(Nothing).except(&[NotCausal]).kind(FileKind::TextDiffusion),
    row("eagle3", "EAGLE-3 draft model").kind(FileKind::Draft),
    row("ernie4_5", "ERNIE 4.5"),
    row("ernie4_5-moe", "ERNIE 4.5 MoE"),
    row("eurobert", "EuroBERT").keeps(Nothing).except(&[Encoder]),
    row("exaone", "EXAONE 3"),
    row("exaone-moe", "EXAONE MoE").window(KeyOr(128), AllButLastOf(4)).next_token(Cached),
    row("exaone4", "EXAONE 4")
        .window(KeyOrInModelsOf { layers: 64, default: 4096 }, AllButLastOf(4))
        .next_token(Cached),
    row("falcon", "Falcon").specified(specification::FALCON).except(&[RotatesWholeKeys]),
    row("falcon-h1", "Falcon-H1").keeps(Hybrid(RecurrentLayers::All)),
    row("gemma", "Gemma"),
    row("gemma-embedding", "EmbeddingGemma").window(Key, AllButLastOf(6)).keeps(Nothing).except(&[Encoder, NotCausal]),
    row("gemma2", "Gemma 2").window(KeyOr(4096), AllButLastOf(2)),
    row("gemma3", "Gemma 3").window(Key, AllButLastOf(6)),
    row("gemma3n", "Gemma 3n")
        .window(Key, AllButLastOf(5))
        .own_cache(OwnCache::First(20))
        .except(&[LoadsEmbeddingTwice]),
    row("gemma4", "Gemma 4").window(Key, Listed).own_cache(OwnCache::BeforeShared).except(&[LoadsEmbeddingTwice]),
    row("gemma4-assistant", "Gemma 4 assistant (draft model)")
        .window(Key, Listed)
        .own_cache(OwnCache::First(0))
        .next_token(Cached)
        .kind(FileKind::Draft),
    row("glm-dsa", "GLM with sparse attention")
        .indexer(Indexer::ListedOrGlm)
        .next_token(NotCached)
        .except(&[LoadsOfNextToken(SELECTION_BIAS)]),
    row("glm4", "GLM-4").next_token(Cached),
    row("glm4moe", "GLM-4.5 and later, MoE").next_token(Cached),
    row("gpt-oss", "gpt-oss").window(Key, AllButLastOf(2)),
    row("gpt2", "GPT-2").specified(specification::GPT2),
    row("gptj", "GPT-J").only_named().specified(specification::GPTJ),
    row("gptneox", "GPT-NeoX and Pythia").specified(specification::GPTNEOX),
    row("granite", "IBM Granite"),
    row("granite_swa", "IBM Granite, sliding window").window(Key, Listed),
    row("granitehybrid", "IBM Granite 4 hybrid").keeps(Hybrid(WithoutKeyValueHeads)),
    row("granitemoe", "IBM Granite MoE"),
    row("graniteswitch", "IBM Granite Switch"),
    row("grok", "Grok").except(&[NoFlashAttention]),
    row("grovemoe", "GroveMoE"),
    row("hunyuan-dense", "Hunyuan").except(&[OneExpertIsNone]),
    row("hunyuan-moe", "Hunyuan MoE"),
    row("hunyuan_vl", "Hunyuan VL").except(&[OneExpertIsNone]),
    row("hy_v3", "Hunyuan 3").next_token(NotCached).except(&[LoadsOfNextToken(OF_HY_V3)]),
    row("internlm2", "InternLM2"),
    row("jais", "Jais"),
    row("jais2", "Jais 2"),
    row("jamba", "Jamba").keeps(Hybrid(WithoutKeyValueHeads)).state(FirstMamba),
    row("jina-bert-v2", "Jina BERT v2").keeps(Nothing).except(&[Encoder]),
    row("jina-bert-v3", "Jina BERT v3").keeps(Nothing).except(&[Encoder]),
    row("kimi-k3", "Kimi K3").keeps(Hybrid(WithoutKeyValueHeads)).state(DeltaAttention),
    row("kimi-linear", "Kimi Linear").keeps(Hybrid(WithoutKeyValueHeads)).state(DeltaAttention),
    row("laguna", "Laguna").window(Key, AllButFirstOf(4)),
    row("lfm2", "LFM2")
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(ShortConvolution)
        .window(Key, WindowLayers::All)
        .except(&[OutputNorm("token_embd_norm")]),
    row("lfm2moe", "LFM2 MoE")
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(ShortConvolution)
        .except(&[OutputNorm("token_embd_norm")]),
    row("llada", "LLaDA").keeps(Nothing).except(&[NotCausal]).kind(FileKind::TextDiffusion),
    row("llada-moe", "LLaDA MoE").keeps(Nothing).except(&[NotCausal]).kind(FileKind::TextDiffusion),
    row("llama", "Llama, Mistral and Mixtral").specified(specification::LLAMA).except(&[RotatesWholeKeys]),
    row("llama-embed", "Llama embedding model").except(&[Encoder, RotatesWholeKeys]),
    row("llama4", "Llama 4").window(FixedUnlessZero(8192), AllButLastOf(4)),
    row("maincoder", "Maincoder"),
    row("mamba", "Mamba").specified(specification::MAMBA).keeps(Recurrent).state(FirstMamba),
    row("mamba2", "Mamba 2").keeps(Recurrent),
    row("mellum", "Mellum").window(Key, ListedOrAllButLastOf(4)),
    row("mimo2", "MiMo-V2").window(Key, Listed).next_token(NotCached),
    row("minicpm", "MiniCPM"),
    row("minicpm3", "MiniCPM3"),
    row("minimax-01", "MiniMax-01 and M1").keeps(Hybrid(BetweenFullAttention)).state(LinearAttention),
    row("minimax-m2", "MiniMax-M2"),
    row("minimax-m3", "MiniMax-M3").indexer(Indexer::AfterDense),
    row("mistral3", "Mistral 3"),
    row("mistral4", "Mistral 4"),
    row("modern-bert", "ModernBERT").window(Key, AllButFirstOf(3)).keeps(Nothing).except(&[Encoder]),
    row("mpt", "MPT").specified(specification::MPT),
    row("muse-glimmer", "Muse Glimmer").window(Key, ListedOrAllButLastOf(4)),
    row("nanbeige", "Nanbeige"),
    row("nemotron", "Nemotron"),
    row("nemotron_h", "Nemotron-H").keeps(Hybrid(WithoutFeedForward)).next_token(Cached),
    row("nemotron_h_moe", "Nemotron-H MoE").keeps(Hybrid(WithoutFeedForward)).next_token(Cached),
    row("neo-bert", "NeoBERT").keeps(Nothing).except(&[Encoder]),
    row("nomic-bert", "Nomic BERT").keeps(Nothing).except(&[Encoder]),
    row("nomic-bert-moe", "Nomic BERT MoE").keeps(Nothing).except(&[Encoder]),
    row("olmo", "OLMo"),
    row("olmo2", "OLMo 2 and 3").window(Key, AllButLastOf(4)),
    row("olmoe", "OLMoE"),
    row("openelm", "OpenELM"),
    row("orion", "Orion"),
    row("paddleocr", "PaddleOCR-VL"),
    row("pangu-embedded", "Pangu Embedded"),
    row("phi2", "Phi-1 and Phi-2"),
    row("phi3", "Phi-3 and Phi-4"),
    row("phimoe", "Phi-3.5 MoE"),
    row("plamo", "PLaMo"),
    row("plamo2", "PLaMo 2").keeps(Hybrid(WithoutKeyValueHeads)),
    row("plamo3", "PLaMo 3").window(Key, AllButLastOf(8)),
    row("plm", "PLM"),
    row("pockettts", "Pocket TTS").kind(FileKind::TextToSpeech),
    row("qwen", "Qwen"),
    row("qwen2", "Qwen2 and Qwen2.5"),
    row("qwen2moe", "Qwen2 MoE and Qwen1.5 MoE"),
    row("qwen2vl", "Qwen2-VL and Qwen2.5-VL"),
    row("qwen3", "Qwen3"),
    row("qwen35", "Qwen3.5").keeps(Hybrid(BetweenFullAttention)).next_token(NotCached),
    row("qwen35moe", "Qwen3.5 MoE")
        .keeps(Hybrid(BetweenFullAttention))
        .next_token(NotCached)
        .except(&[LoadsOfNextToken(FUSED_EXPERTS)]),
    row("qwen3moe", "Qwen3 MoE"),
    row("qwen3next", "Qwen3-Next")
        .keeps(Hybrid(BetweenFullAttention))
        .next_token(NotCached)
        .except(&[LoadsOfNextToken(FUSED_EXPERTS)]),
    row("qwen3tts", "Qwen3-TTS").kind(FileKind::TextToSpeech),
    row("qwen3vl", "Qwen3-VL"),
    row("qwen3vlmoe", "Qwen3-VL MoE"),
    row("refact", "Refact"),
    row("rnd1", "RND1").keeps(Nothing).except(&[NotCausal]).kind(FileKind::TextDiffusion),
    row("rwkv", "RWKV 4").unknown_to_llama_cpp().specified(specification::RWKV),
    row("rwkv6", "RWKV 6").keeps(Recurrent).state(Rwkv),
    row("rwkv6qwen2", "QRWKV 6").keeps(Recurrent).state(Rwkv),
    row("rwkv7", "RWKV 7").keeps(Recurrent).state(Rwkv),
    row("seed_oss", "Seed-OSS"),
    row("smallthinker", "SmallThinker").window(FixedIfKey(4096), AllButFirstOf(4)),
    row("smollm3", "SmolLM3"),
    row("stablelm", "StableLM"),
    row("starcoder", "StarCoder"),
    row("starcoder2", "StarCoder2"),
    row("step35", "Step-3.5").window(Key, Listed).next_token(NotCached).except(&[LoadsOfNextToken(OF_STEP35)]),
    row("t5", "T5").except(&[OutputsEmbeddings]),
    row("t5encoder", "T5 encoder").except(&[Encoder]),
    row("talkie", "Talkie"),
    row("wavtokenizer-dec", "WavTokenizer decoder")
        .keeps(Nothing)
        .except(&[OtherTokenEmbedding])
        .kind(FileKind::TextToSpeech),
    row("whisper", "Whisper").unknown_to_llama_cpp().specified(specification::WHISPER),
    row("xverse", "XVERSE"),
];

// `architecture_info` finds a row by its place in the order.
const _: () = {
    let mut index = 1;
    while index < ARCHITECTURES.len() {
        let (before, row) = (ARCHITECTURES[index - 1].name, ARCHITECTURES[index].name);
        assert!(is_less(before.as_bytes(), row.as_bytes()), "the rows must be in the byte order of their names");
        index += 1;
    }
};

/// Whether a name comes before another one in byte order. The operators of slices cannot be used in a constant.
const fn is_less(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([first, rest @ ..], [other, others @ ..]) => *first < *other || *first == *other && is_less(rest, others),
        _ => a.is_empty() && !b.is_empty(),
    }
}

/// The row of an architecture in [`ARCHITECTURES`], if it is known.
pub fn architecture_info(name: &[u8]) -> Option<&'static ArchitectureInfo> {
    let index = ARCHITECTURES.binary_search_by_key(&name, |info| info.name.as_bytes());
    ARCHITECTURES.get(index.ok()?)
}
