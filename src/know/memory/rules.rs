//! How llama.cpp keeps the context of each architecture: which layers have a cache, and which of them a window.
//!
//! The facts are those of `llama_model::create_memory` and of `load_arch_hparams` in `src/models` of llama.cpp, June 2026,
//! and for architectures that are newer, of August 2026.

/// How llama.cpp keeps the context of an architecture.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheRule {
    pub architecture: &'static str,
    pub memory: Memory,
    pub window: Window,
    /// Which layers have keys and values of their own.
    pub own_cache: OwnCache,
    /// What happens to the last layers, which predict further tokens.
    pub next_token_layers: NextTokenLayers,
    /// The form of the recurrent state. Without meaning for a model that has none.
    pub state: StateForm,
    /// Which layers keep keys of an indexer, which chooses the tokens that attention sees.
    pub indexer: Indexer,
}

/// What a model keeps of the tokens that it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// Keys and values of every layer.
    Attention,
    /// Nothing: the model sees the whole text at once.
    Nothing,
    /// A state of fixed size in every layer.
    Recurrent,
    /// A state in some layers, keys and values in the others.
    Hybrid(RecurrentLayers),
    /// Caches of a form that is not known here.
    Unknown,
}

/// Which layers of a hybrid model have a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecurrentLayers {
    /// Every layer has a state, and keys and values.
    All,
    /// The layers without heads for keys and values.
    WithoutKeyValueHeads,
    /// The layers without heads for keys and values, if they have no feed-forward network either. Layers with a feed-forward
    /// network have no cache at all.
    WithoutFeedForward,
    /// The layers that `{arch}.attention.recurrent_layers` names, or all but each fourth layer, or the interval of
    /// `{arch}.full_attention_interval`.
    BetweenFullAttention,
}

/// The layers whose attention sees only the last tokens, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub length: WindowLength,
    pub layers: WindowLayers,
}

/// How llama.cpp decides the length of the window, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowLength {
    /// llama.cpp does not use a window, even if the file has the key.
    None,
    /// The value of `{arch}.attention.sliding_window`. No window if it is 0 or missing.
    Key,
    /// The value of `{arch}.attention.sliding_window`, or this number if the key is missing.
    KeyOr(u64),
    /// This number if the key is there and not 0.
    FixedIfKey(u64),
    /// This number, unless the key is 0.
    FixedUnlessZero(u64),
    /// The value of the key, or this number if it is missing, in a model with this number of layers. Others have no window.
    KeyOrInModelsOf { layers: u64, default: u64 },
}

/// Which layers have a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowLayers {
    /// Of each group of layers all but the last. `{arch}.attention.sliding_window_pattern` is the length of a group, or this
    /// number if it is missing.
    AllButLastOf(u64),
    /// Of each group of layers all but the first.
    AllButFirstOf(u64),
    /// Those that the array `{arch}.attention.sliding_window_pattern` names.
    Listed,
    /// All layers with attention.
    All,
}

/// What a recurrent layer keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateForm {
    /// The last inputs of a convolution, and a state of `{arch}.ssm.state_size` numbers for each inner channel.
    Mamba,
    /// The last tokens, and a matrix for each head.
    Rwkv,
    /// The last inputs of a short convolution.
    ShortConvolution,
    /// The last inputs of three convolutions, and a matrix for each head of length `{arch}.kda.head_dim`.
    DeltaAttention,
    /// A matrix for each head of attention.
    LinearAttention,
}

/// Which layers have an indexer with keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indexer {
    None,
    EveryLayer,
    /// The layers that the array `{arch}.attention.indexer.types` names. Without it, every layer of a model with less
    /// context than GLM-5.2 has, and the layers of GLM-5.2 in others.
    ListedOrGlm,
}

/// Which layers have keys and values of their own. The others use those of an earlier layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnCache {
    All,
    /// The first layers.
    First(u64),
    /// All but the last `{arch}.attention.shared_kv_layers`.
    BeforeShared,
}

/// What llama.cpp does with the last `{arch}.nextn_predict_layers` layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextTokenLayers {
    /// They are layers like others, or the architecture has none.
    Cached,
    /// They are loaded, but have no cache in the context of the model.
    NotCached,
    /// They have a cache, but are not loaded.
    NotLoaded,
    /// June 2026: neither loaded nor cached. Since then they are loaded if they are used, and always cached.
    NotLoadedOrCached,
}

/// The rule of an architecture. Those that are not listed keep keys and values of every layer.
pub(super) fn rule_of(architecture: &str) -> CacheRule {
    let listed = RULES.binary_search_by(|rule| rule.architecture.cmp(architecture));
    listed.map_or(rule("", Memory::Attention), |index| RULES[index])
}

const fn rule(architecture: &'static str, memory: Memory) -> CacheRule {
    let window = Window { length: WindowLength::None, layers: WindowLayers::All };
    CacheRule {
        architecture,
        memory,
        window,
        own_cache: OwnCache::All,
        next_token_layers: NextTokenLayers::Cached,
        state: StateForm::Mamba,
        indexer: Indexer::None,
    }
}

impl CacheRule {
    const fn window(mut self, length: WindowLength, layers: WindowLayers) -> Self {
        self.window = Window { length, layers };
        self
    }

    const fn own_cache(mut self, own_cache: OwnCache) -> Self {
        self.own_cache = own_cache;
        self
    }

    const fn state(mut self, form: StateForm) -> Self {
        self.state = form;
        self
    }

    const fn indexer(mut self, indexer: Indexer) -> Self {
        self.indexer = indexer;
        self
    }

    const fn next_token(mut self, layers: NextTokenLayers) -> Self {
        self.next_token_layers = layers;
        self
    }
}

use Memory::{Attention, Hybrid, Nothing, Recurrent, Unknown};
use NextTokenLayers::{NotCached, NotLoaded, NotLoadedOrCached};
use RecurrentLayers::{BetweenFullAttention, WithoutFeedForward, WithoutKeyValueHeads};
use StateForm::{DeltaAttention, LinearAttention, Rwkv, ShortConvolution};
use WindowLayers::{AllButFirstOf, AllButLastOf, Listed};
use WindowLength::{FixedIfKey, FixedUnlessZero, Key, KeyOr, KeyOrInModelsOf};

/// Sorted by name.
const RULES: &[CacheRule] = &[
    rule("afmoe", Attention).window(Key, AllButLastOf(4)),
    rule("arwkv7", Recurrent).state(Rwkv),
    rule("bailingmoe2", Attention).next_token(NotLoadedOrCached),
    rule("bailingmoe3", Hybrid(WithoutKeyValueHeads)).state(DeltaAttention).next_token(NotCached),
    rule("bert", Nothing),
    rule("clip", Nothing),
    rule("cohere2", Attention).window(Key, AllButLastOf(4)),
    rule("cohere2moe", Attention).window(Key, AllButFirstOf(4)),
    rule("deepseek32", Attention).indexer(Indexer::EveryLayer).next_token(NotCached),
    rule("deepseek4", Unknown),
    rule("dflash", Unknown),
    rule("dots3note", Unknown),
    rule("dream", Nothing),
    rule("eurobert", Nothing),
    rule("exaone-moe", Attention).window(KeyOr(128), AllButLastOf(4)).next_token(NotLoaded),
    rule("exaone4", Attention).window(KeyOrInModelsOf { layers: 64, default: 4096 }, AllButLastOf(4)),
    rule("falcon-h1", Hybrid(RecurrentLayers::All)),
    rule("gemma-embedding", Nothing),
    rule("gemma2", Attention).window(KeyOr(4096), AllButLastOf(2)),
    rule("gemma3", Attention).window(Key, AllButLastOf(6)),
    rule("gemma3n", Attention).window(Key, AllButLastOf(5)).own_cache(OwnCache::First(20)),
    rule("gemma4", Attention).window(Key, Listed).own_cache(OwnCache::BeforeShared),
    rule("gemma4-assistant", Unknown),
    rule("glm-dsa", Attention).indexer(Indexer::ListedOrGlm).next_token(NotLoadedOrCached),
    rule("glm4", Attention).next_token(NotLoadedOrCached),
    rule("glm4moe", Attention).next_token(NotLoadedOrCached),
    rule("gpt-oss", Attention).window(Key, AllButLastOf(2)),
    rule("granite_swa", Attention).window(Key, Listed),
    rule("granitehybrid", Hybrid(WithoutKeyValueHeads)),
    rule("hy_v3", Attention).next_token(NotCached),
    rule("jamba", Hybrid(WithoutKeyValueHeads)),
    rule("jina-bert-v2", Nothing),
    rule("jina-bert-v3", Nothing),
    rule("kimi-k3", Hybrid(WithoutKeyValueHeads)).state(DeltaAttention),
    rule("kimi-linear", Hybrid(WithoutKeyValueHeads)).state(DeltaAttention),
    rule("laguna", Attention).window(Key, AllButFirstOf(4)),
    rule("lfm2", Hybrid(WithoutKeyValueHeads)).state(ShortConvolution).window(Key, WindowLayers::All),
    rule("lfm2moe", Hybrid(WithoutKeyValueHeads)).state(ShortConvolution),
    rule("llada", Nothing),
    rule("llada-moe", Nothing),
    rule("llama4", Attention).window(FixedUnlessZero(8192), AllButLastOf(4)),
    rule("mamba", Recurrent),
    rule("mamba2", Recurrent),
    rule("mellum", Attention).window(Key, AllButLastOf(4)),
    rule("mimo2", Attention).window(Key, Listed).next_token(NotLoadedOrCached),
    rule("minimax-01", Hybrid(BetweenFullAttention)).state(LinearAttention),
    rule("minimax-m3", Unknown),
    rule("modern-bert", Nothing),
    rule("muse-glimmer", Attention).window(Key, AllButLastOf(4)),
    rule("nemotron_h", Hybrid(WithoutFeedForward)).next_token(NotCached),
    rule("nemotron_h_moe", Hybrid(WithoutFeedForward)).next_token(NotCached),
    rule("neo-bert", Nothing),
    rule("nomic-bert", Nothing),
    rule("nomic-bert-moe", Nothing),
    rule("olmo2", Attention).window(Key, AllButLastOf(4)),
    rule("plamo2", Hybrid(WithoutKeyValueHeads)),
    rule("plamo3", Attention).window(Key, AllButLastOf(8)),
    rule("qwen35", Hybrid(BetweenFullAttention)).next_token(NotCached),
    rule("qwen35moe", Hybrid(BetweenFullAttention)).next_token(NotCached),
    rule("qwen3next", Hybrid(BetweenFullAttention)).next_token(NotCached),
    rule("rnd1", Nothing),
    rule("rwkv6", Recurrent).state(Rwkv),
    rule("rwkv6qwen2", Recurrent).state(Rwkv),
    rule("rwkv7", Recurrent).state(Rwkv),
    rule("smallthinker", Attention).window(FixedIfKey(4096), AllButFirstOf(4)),
    rule("step35", Attention).window(Key, Listed).next_token(NotCached),
    rule("wavtokenizer-dec", Nothing),
];
