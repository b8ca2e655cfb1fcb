//! How llama.cpp keeps the context of an architecture: which layers have a cache.
//!
//! The rows of the table come from the texts in `families`, and the rules say which layers have a window. The facts come from `llama_model::create_memory` and from `load_arch_hparams` in `src/models` of llama.cpp,
//! October 2026.

/// How llama.cpp keeps the context of an architecture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContextRule {
    pub memory: Memory,
    /// Which layers have keys and values of their own.
    pub own_cache: OwnCache,
    /// What happens to the last layers, which predict further tokens.
    pub next_token_layers: NextTokenLayers,
    /// The form of the recurrent state. Ignored if the model has none.
    pub state: StateForm,
    /// Which layers keep keys of an indexer, which chooses the tokens that attention sees.
    pub indexer: Indexer,
}

impl ContextRule {
    /// Keys and values of every layer, which most architectures keep.
    pub(super) const ATTENTION: Self = Self {
        memory: Memory::Attention,
        own_cache: OwnCache::All,
        next_token_layers: NextTokenLayers::NotCached,
        state: StateForm::Mamba,
        indexer: Indexer::None,
    };
}

/// What a model keeps of the tokens that it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Keys and values of every layer.
    Attention,
    /// Nothing: the model sees the whole text at once.
    Nothing,
    /// A state of fixed size in every layer.
    Recurrent,
    /// A state in some layers, keys and values in the others.
    Hybrid(RecurrentLayers),
    /// Every layer has the keys of a window. Some layers also have compressed keys, each for 4 or 128 tokens (`llama_kv_cache_dsv4`).
    /// Values are parts of the keys.
    Compressed,
}

/// Which layers of a hybrid model have a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecurrentLayers {
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

/// What a recurrent layer keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateForm {
    /// The last inputs of a convolution, and a state of `{arch}.ssm.state_size` numbers for each inner channel.
    Mamba,
    /// The same, without `{arch}.ssm.group_count`.
    FirstMamba,
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
pub(crate) enum Indexer {
    None,
    EveryLayer,
    /// The layers that the array `{arch}.attention.indexer.types` names. Without it, all layers if the context is shorter than
    /// that of GLM-5.2, else the layers that GLM-5.2 has.
    ListedOrGlm,
    /// The layers that the array `{arch}.attention.indexer.types` names.
    Listed,
    /// The layers that `{arch}.attention.indexer.types` names, one value for all or an array. Without it, all layers with keys and
    /// values.
    ListedOrAll,
    /// The layers that `{arch}.attention.indexer.types` names, if `{arch}.attention.indexer.top_k` is not 0.
    ListedOrNone,
    /// All layers with keys and values.
    AllButRecurrent,
    /// The layers after the first `{arch}.leading_dense_block_count`. They keep values, too.
    AfterDense,
}

/// Which layers have keys and values of their own. The others use those of an earlier layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnCache {
    All,
    /// The first layers.
    First(u32),
    /// All but the last `{arch}.attention.shared_kv_layers`.
    BeforeShared,
}

/// What llama.cpp does with the last `{arch}.nextn_predict_layers` layers. It does not load them unless they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextTokenLayers {
    /// They have a cache.
    Cached,
    /// They have no cache in the context of the model. A model of such layers only has all caches.
    NotCached,
}
