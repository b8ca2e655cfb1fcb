//! The table of architectures: all that is known of each stands in its row.

use super::context_rule::Indexer;
use super::context_rule::Memory::{Hybrid, Nothing, Recurrent, Unknown};
use super::context_rule::NextTokenLayers::{NotCached, NotLoaded, NotLoadedOrCached};
use super::context_rule::OwnCache;
use super::context_rule::RecurrentLayers::{self, BetweenFullAttention, WithoutFeedForward, WithoutKeyValueHeads};
use super::context_rule::StateForm::{DeltaAttention, LinearAttention, Rwkv, ShortConvolution};
use super::context_rule::WindowLayers::{self, AllButFirstOf, AllButLastOf, Listed};
use super::context_rule::WindowLength::{FixedIfKey, FixedUnlessZero, Key, KeyOr, KeyOrInModelsOf};
use super::optional_keys::*;
use super::row::Exception::{
    Encoder, LoadsAlways, LoadsEmbeddingTwice, OneExpertIsNone, OtherTokenEmbedding, OutputNorm, RotatesWholeKeys,
};
use super::row::TensorLengths::{Llama, LlamaWithFusedGate};
use super::row::{ArchitectureInfo, row};
use super::{dense, encoders, experts, recurrent, specification};
use crate::know::file_kinds::FileKind;

/// Every architecture of llama.cpp (`LLM_ARCH_NAMES`) and of gguf-py (`MODEL_ARCH_NAMES`), August 2026, and of the
/// specification, sorted by name.
pub const ARCHITECTURES: &[ArchitectureInfo] = &[
    row("afmoe", "Arcee Trinity (AFMoE)")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, WINDOW])
        .window(Key, AllButLastOf(4)),
    row("apertus", "Apertus"),
    row("arcee", "Arcee (AFM)"),
    row("arctic", "Snowflake Arctic"),
    row("arwkv7", "ARWKV 7").keeps(Recurrent).state(Rwkv),
    row("baichuan", "Baichuan"),
    row("bailingmoe", "Ling (Bailing MoE)").reads(&[
        LEADING_DENSE_BLOCKS,
        EXPERT_LENGTH,
        SHARED_EXPERTS,
        EXPERT_WEIGHTS,
    ]),
    row("bailingmoe2", "Ling 2 (Bailing MoE 2)")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, SHARED_EXPERT_LENGTH, NEXT_TOKEN_BLOCKS])
        .next_token(NotLoadedOrCached),
    row("bailingmoe3", "Ling 3 (Bailing MoE 3)")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, SHARED_EXPERT_LENGTH, LATENT_ATTENTION, NEXT_TOKEN_BLOCKS])
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(DeltaAttention)
        .next_token(NotCached),
    row("bert", "BERT").requires(&encoders::BERT).keeps(Nothing).except(&[Encoder]),
    row("bitnet", "BitNet b1.58"),
    row("bloom", "BLOOM").requires(&dense::BLOOM).specified(specification::BLOOM),
    row("chameleon", "Chameleon"),
    row("chatglm", "ChatGLM"),
    row("clip", "CLIP and other multimodal projectors").only_named().keeps(Nothing),
    row("codeshell", "CodeShell"),
    row("cogvlm", "CogVLM"),
    row("cohere2", "Cohere Command R7B and A")
        .requires(&dense::COHERE2)
        .reads(&[WINDOW, WINDOW_ROPE, LOGIT_SCALE])
        .window(Key, AllButLastOf(4)),
    row("cohere2moe", "Cohere 2 MoE")
        .reads(&[
            ROUTED_EXPERTS,
            LEADING_DENSE_BLOCKS,
            SHARED_EXPERT_LENGTH,
            WINDOW,
            WINDOW_ROPE,
            NEXT_TOKEN_BLOCKS,
            LOGIT_SCALE,
        ])
        .window(Key, AllButFirstOf(4)),
    row("command-r", "Cohere Command R").requires(&dense::COMMAND_R).reads(&[LOGIT_SCALE]),
    row("dbrx", "DBRX"),
    row("deci", "Llama Nemotron (Deci)").except(&[RotatesWholeKeys]),
    row("deepseek", "DeepSeek MoE").reads(&[LEADING_DENSE_BLOCKS, EXPERT_LENGTH, SHARED_EXPERTS, EXPERT_SCALE]),
    row("deepseek2", "DeepSeek-V2, V3 and R1").requires(&experts::DEEPSEEK2).reads(&[
        ROUTED_EXPERTS,
        LEADING_DENSE_BLOCKS,
        LATENT_ATTENTION,
        NEXT_TOKEN_BLOCKS,
        VOCABULARY_SIZE,
    ]),
    row("deepseek2-ocr", "DeepSeek-OCR").reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS]),
    row("deepseek32", "DeepSeek-V3.2")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, LATENT_ATTENTION, NEXT_TOKEN_BLOCKS])
        .indexer(Indexer::EveryLayer)
        .next_token(NotCached),
    row("deepseek4", "DeepSeek-V4").reads(&[ROUTED_EXPERTS, WINDOW, NEXT_TOKEN_BLOCKS]).keeps(Unknown),
    row("dflash", "DFlash draft model").reads(&[WINDOW]).keeps(Unknown).kind(FileKind::Draft),
    row("dots1", "dots.llm1").reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS]),
    row("dots3note", "dots.note 3")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, LATENT_ATTENTION, WINDOW, WINDOW_ROPE, NEXT_TOKEN_BLOCKS])
        .keeps(Unknown),
    row("dream", "Dream").requires(&dense::QWEN2).keeps(Nothing).kind(FileKind::TextDiffusion),
    row("eagle3", "EAGLE-3 draft model").kind(FileKind::Draft),
    row("ernie4_5", "ERNIE 4.5").requires(&dense::ERNIE4_5),
    row("ernie4_5-moe", "ERNIE 4.5 MoE"),
    row("eurobert", "EuroBERT").keeps(Nothing).except(&[Encoder]),
    row("exaone", "EXAONE 3").requires(&dense::EXAONE).lengths(Llama),
    row("exaone-moe", "EXAONE MoE")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, SHARED_EXPERT_LENGTH, WINDOW, WINDOW_ROPE, NEXT_TOKEN_BLOCKS])
        .window(KeyOr(128), AllButLastOf(4))
        .next_token(NotLoaded),
    row("exaone4", "EXAONE 4")
        .requires(&dense::EXAONE4)
        .reads(&[WINDOW, NEXT_TOKEN_BLOCKS])
        .window(KeyOrInModelsOf { layers: 64, default: 4096 }, AllButLastOf(4)),
    row("falcon", "Falcon").requires(&dense::FALCON).specified(specification::FALCON).except(&[RotatesWholeKeys]),
    row("falcon-h1", "Falcon-H1").requires(&recurrent::FALCON_H1).keeps(Hybrid(RecurrentLayers::All)),
    row("gemma", "Gemma").requires(&dense::GEMMA).lengths(Llama),
    row("gemma-embedding", "EmbeddingGemma").reads(&[WINDOW, WINDOW_ROPE]).keeps(Nothing).except(&[Encoder]),
    row("gemma2", "Gemma 2")
        .requires(&dense::GEMMA2)
        .reads(&[WINDOW, WINDOW_ROPE, ATTENTION_SOFTCAP, OUTPUT_SOFTCAP])
        .window(KeyOr(4096), AllButLastOf(2))
        .lengths(Llama),
    row("gemma3", "Gemma 3")
        .requires(&dense::GEMMA3)
        .reads(&[WINDOW, OUTPUT_SOFTCAP])
        .window(Key, AllButLastOf(6))
        .lengths(Llama),
    row("gemma3n", "Gemma 3n")
        .requires(&dense::GEMMA3N)
        .reads(&[WINDOW, WINDOW_ROPE])
        .window(Key, AllButLastOf(5))
        .own_cache(OwnCache::First(20))
        .except(&[LoadsEmbeddingTwice]),
    row("gemma4", "Gemma 4")
        .reads(&[EXPERT_LENGTH, WINDOW, WINDOW_ROPE, OUTPUT_SOFTCAP])
        .window(Key, Listed)
        .own_cache(OwnCache::BeforeShared)
        .except(&[LoadsEmbeddingTwice]),
    row("gemma4-assistant", "Gemma 4 assistant (draft model)")
        .reads(&[WINDOW, WINDOW_ROPE, NEXT_TOKEN_BLOCKS])
        .keeps(Unknown)
        .kind(FileKind::Draft),
    row("glm-dsa", "GLM with sparse attention")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, LATENT_ATTENTION, NEXT_TOKEN_BLOCKS])
        .indexer(Indexer::ListedOrGlm)
        .next_token(NotLoadedOrCached),
    row("glm4", "GLM-4").requires(&dense::GLM4).reads(&[NEXT_TOKEN_BLOCKS]).next_token(NotLoadedOrCached),
    row("glm4moe", "GLM-4.5 and later, MoE")
        .requires(&experts::GLM4MOE)
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, NEXT_TOKEN_BLOCKS])
        .next_token(NotLoadedOrCached)
        .except(&[LoadsAlways("attn_q.bias"), LoadsAlways("attn_k.bias"), LoadsAlways("attn_v.bias")]),
    row("gpt-oss", "gpt-oss")
        .requires(&experts::GPT_OSS)
        .reads(&[EXPERT_LENGTH, WINDOW, WINDOW_ROPE])
        .window(Key, AllButLastOf(2)),
    row("gpt2", "GPT-2").requires(&dense::GPT2).specified(specification::GPT2),
    row("gptj", "GPT-J").only_named().specified(specification::GPTJ),
    row("gptneox", "GPT-NeoX and Pythia").requires(&dense::GPTNEOX).specified(specification::GPTNEOX),
    row("granite", "IBM Granite").requires(&dense::GRANITE).reads(&[GRANITE]).lengths(Llama),
    row("granite_swa", "IBM Granite, sliding window").reads(&[GRANITE, WINDOW]).window(Key, Listed),
    row("granitehybrid", "IBM Granite 4 hybrid").reads(&[GRANITE]).keeps(Hybrid(WithoutKeyValueHeads)),
    row("granitemoe", "IBM Granite MoE").requires(&dense::GRANITE).reads(&[GRANITE]),
    row("graniteswitch", "IBM Granite Switch").reads(&[GRANITE]),
    row("grok", "Grok").reads(&[
        EXPERT_LENGTH,
        EMBEDDING_SCALE,
        LOGIT_SCALE,
        ATTENTION_SOFTCAP,
        OUTPUT_SOFTCAP,
        ROUTER_SOFTCAP,
    ]),
    row("grovemoe", "GroveMoE").reads(&[EXPERT_LENGTH]),
    row("hunyuan-dense", "Hunyuan").except(&[OneExpertIsNone]),
    row("hunyuan-moe", "Hunyuan MoE").reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH]),
    row("hunyuan_vl", "Hunyuan VL").except(&[OneExpertIsNone]),
    row("hy_v3", "Hunyuan 3")
        .reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH, EXPERT_GATING, EXPERT_WEIGHTS, NEXT_TOKEN_BLOCKS])
        .next_token(NotCached),
    row("internlm2", "InternLM2").requires(&dense::INTERNLM2).lengths(Llama),
    row("jais", "Jais"),
    row("jais2", "Jais 2"),
    row("jamba", "Jamba").requires(&recurrent::JAMBA).keeps(Hybrid(WithoutKeyValueHeads)),
    row("jina-bert-v2", "Jina BERT v2").keeps(Nothing).except(&[Encoder]),
    row("jina-bert-v3", "Jina BERT v3").keeps(Nothing).except(&[Encoder]),
    row("kimi-k3", "Kimi K3")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, LATENT_ATTENTION])
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(DeltaAttention),
    row("kimi-linear", "Kimi Linear")
        .reads(&[LEADING_DENSE_BLOCKS, EXPERT_LENGTH, EXPERT_GATING, SHARED_EXPERTS, EXPERT_SCALE, LATENT_ATTENTION])
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(DeltaAttention),
    row("laguna", "Laguna")
        .reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS, SHARED_EXPERT_LENGTH, WINDOW])
        .window(Key, AllButFirstOf(4)),
    row("lfm2", "LFM2")
        .requires(&recurrent::LFM2)
        .reads(&[WINDOW])
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(ShortConvolution)
        .window(Key, WindowLayers::All)
        .except(&[OutputNorm("token_embd_norm")]),
    row("lfm2moe", "LFM2 MoE")
        .reads(&[LEADING_DENSE_BLOCKS, EXPERT_LENGTH, EXPERT_GATING])
        .keeps(Hybrid(WithoutKeyValueHeads))
        .state(ShortConvolution)
        .except(&[OutputNorm("token_embd_norm")]),
    row("llada", "LLaDA").keeps(Nothing).kind(FileKind::TextDiffusion),
    row("llada-moe", "LLaDA MoE").reads(&[EXPERT_LENGTH]).keeps(Nothing).kind(FileKind::TextDiffusion),
    row("llama", "Llama, Mistral and Mixtral")
        .requires(&dense::LLAMA)
        .specified(specification::LLAMA)
        .reads(&[VOCABULARY_SIZE])
        .except(&[RotatesWholeKeys])
        .lengths(Llama),
    row("llama-embed", "Llama embedding model")
        .requires(&dense::LLAMA)
        .reads(&[VOCABULARY_SIZE])
        .except(&[Encoder, RotatesWholeKeys]),
    row("llama4", "Llama 4")
        .requires(&experts::LLAMA4)
        .reads(&[EXPERT_LENGTH, WINDOW])
        .window(FixedUnlessZero(8192), AllButLastOf(4)),
    row("maincoder", "Maincoder"),
    row("mamba", "Mamba").requires(&recurrent::MAMBA).specified(specification::MAMBA).keeps(Recurrent),
    row("mamba2", "Mamba 2").requires(&recurrent::MAMBA2).keeps(Recurrent),
    row("mellum", "Mellum").reads(&[EXPERT_LENGTH, WINDOW]).window(Key, AllButLastOf(4)),
    row("mimo2", "MiMo-V2")
        .reads(&[EXPERT_LENGTH, WINDOW, WINDOW_ROPE, NEXT_TOKEN_BLOCKS])
        .window(Key, Listed)
        .next_token(NotLoadedOrCached),
    row("minicpm", "MiniCPM").requires(&dense::LLAMA).reads(&[SCALES]),
    row("minicpm3", "MiniCPM3").requires(&dense::MINICPM3),
    row("minimax-01", "MiniMax-01 and M1")
        .reads(&[RESIDUAL_SCALE])
        .keeps(Hybrid(BetweenFullAttention))
        .state(LinearAttention),
    row("minimax-m2", "MiniMax-M2").reads(&[EXPERT_LENGTH, EXPERT_GATING]),
    row("minimax-m3", "MiniMax-M3").reads(&[ROUTED_EXPERTS, LEADING_DENSE_BLOCKS]).keeps(Unknown),
    row("mistral3", "Mistral 3").requires(&dense::LLAMA),
    row("mistral4", "Mistral 4").reads(&[
        ROUTED_EXPERTS,
        LEADING_DENSE_BLOCKS,
        LATENT_ATTENTION,
        NEXT_TOKEN_BLOCKS,
        VOCABULARY_SIZE,
    ]),
    row("modern-bert", "ModernBERT").reads(&[WINDOW]).keeps(Nothing).except(&[Encoder]),
    row("mpt", "MPT").requires(&dense::MPT).specified(specification::MPT),
    row("muse-glimmer", "Muse Glimmer")
        .reads(&[WINDOW, WINDOW_ROPE, LOGIT_SCALE, OUTPUT_SOFTCAP])
        .window(Key, AllButLastOf(4)),
    row("nanbeige", "Nanbeige"),
    row("nemotron", "Nemotron").requires(&dense::NEMOTRON).lengths(Llama),
    row("nemotron_h", "Nemotron-H")
        .reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH, SHARED_EXPERTS, EXPERT_WEIGHTS, NEXT_TOKEN_BLOCKS])
        .keeps(Hybrid(WithoutFeedForward))
        .next_token(NotCached),
    row("nemotron_h_moe", "Nemotron-H MoE")
        .reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH, SHARED_EXPERTS, EXPERT_WEIGHTS, NEXT_TOKEN_BLOCKS])
        .keeps(Hybrid(WithoutFeedForward))
        .next_token(NotCached),
    row("neo-bert", "NeoBERT").keeps(Nothing).except(&[Encoder]),
    row("nomic-bert", "Nomic BERT").requires(&encoders::NOMIC_BERT).keeps(Nothing).except(&[Encoder]),
    row("nomic-bert-moe", "Nomic BERT MoE").keeps(Nothing).except(&[Encoder]),
    row("olmo", "OLMo").lengths(Llama),
    row("olmo2", "OLMo 2 and 3").requires(&dense::OLMO2).reads(&[WINDOW]).window(Key, AllButLastOf(4)).lengths(Llama),
    row("olmoe", "OLMoE"),
    row("openelm", "OpenELM"),
    row("orion", "Orion"),
    row("paddleocr", "PaddleOCR-VL"),
    row("pangu-embedded", "Pangu Embedded"),
    row("phi2", "Phi-1 and Phi-2").requires(&dense::PHI2),
    row("phi3", "Phi-3 and Phi-4").requires(&dense::PHI3).reads(&[WINDOW]).lengths(LlamaWithFusedGate),
    row("phimoe", "Phi-3.5 MoE"),
    row("plamo", "PLaMo"),
    row("plamo2", "PLaMo 2").keeps(Hybrid(WithoutKeyValueHeads)),
    row("plamo3", "PLaMo 3").reads(&[WINDOW]).window(Key, AllButLastOf(8)),
    row("plm", "PLM"),
    row("pockettts", "Pocket TTS").kind(FileKind::TextToSpeech),
    row("qwen", "Qwen"),
    row("qwen2", "Qwen2 and Qwen2.5").requires(&dense::QWEN2).lengths(Llama),
    row("qwen2moe", "Qwen2 MoE and Qwen1.5 MoE")
        .requires(&experts::QWEN2MOE)
        .reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH]),
    row("qwen2vl", "Qwen2-VL and Qwen2.5-VL"),
    row("qwen3", "Qwen3").requires(&dense::QWEN3).lengths(Llama),
    row("qwen35", "Qwen3.5").reads(&[NEXT_TOKEN_BLOCKS]).keeps(Hybrid(BetweenFullAttention)).next_token(NotCached),
    row("qwen35moe", "Qwen3.5 MoE")
        .reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH, NEXT_TOKEN_BLOCKS])
        .keeps(Hybrid(BetweenFullAttention))
        .next_token(NotCached),
    row("qwen3moe", "Qwen3 MoE").requires(&experts::QWEN3MOE).reads(&[EXPERT_LENGTH]),
    row("qwen3next", "Qwen3-Next")
        .requires(&recurrent::QWEN3NEXT)
        .reads(&[SHARED_EXPERT_LENGTH, EXPERT_LENGTH, NEXT_TOKEN_BLOCKS])
        .keeps(Hybrid(BetweenFullAttention))
        .next_token(NotCached),
    row("qwen3tts", "Qwen3-TTS").kind(FileKind::TextToSpeech),
    row("qwen3vl", "Qwen3-VL"),
    row("qwen3vlmoe", "Qwen3-VL MoE").reads(&[EXPERT_LENGTH]),
    row("refact", "Refact"),
    row("rnd1", "RND1").reads(&[EXPERT_LENGTH]).keeps(Nothing).kind(FileKind::TextDiffusion),
    row("rwkv", "RWKV 4").unknown_to_llama_cpp().specified(specification::RWKV),
    row("rwkv6", "RWKV 6").requires(&recurrent::RWKV6).keeps(Recurrent).state(Rwkv),
    row("rwkv6qwen2", "QRWKV 6").keeps(Recurrent).state(Rwkv),
    row("rwkv7", "RWKV 7").requires(&recurrent::RWKV7).keeps(Recurrent).state(Rwkv),
    row("seed_oss", "Seed-OSS"),
    row("smallthinker", "SmallThinker")
        .reads(&[EXPERT_LENGTH, EXPERT_GATING, WINDOW])
        .window(FixedIfKey(4096), AllButFirstOf(4)),
    row("smollm3", "SmolLM3").requires(&dense::SMOLLM3).lengths(Llama),
    row("stablelm", "StableLM").requires(&dense::STABLELM),
    row("starcoder", "StarCoder").requires(&dense::GPT2),
    row("starcoder2", "StarCoder2").requires(&dense::STARCODER2).lengths(Llama),
    row("step35", "Step-3.5")
        .reads(&[
            SHARED_EXPERT_LENGTH,
            EXPERT_LENGTH,
            EXPERT_GATING,
            EXPERT_WEIGHTS,
            WINDOW,
            WINDOW_ROPE,
            NEXT_TOKEN_BLOCKS,
        ])
        .window(Key, Listed)
        .next_token(NotCached),
    row("t5", "T5").requires(&encoders::T5),
    row("t5encoder", "T5 encoder").except(&[Encoder]),
    row("talkie", "Talkie").reads(&[LOGIT_SCALE]),
    row("wavtokenizer-dec", "WavTokenizer decoder")
        .keeps(Nothing)
        .except(&[OtherTokenEmbedding])
        .kind(FileKind::TextToSpeech),
    row("whisper", "Whisper").unknown_to_llama_cpp().specified(specification::WHISPER),
    row("xverse", "XVERSE").requires(&dense::INTERNLM2),
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
