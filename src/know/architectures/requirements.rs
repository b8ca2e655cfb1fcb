//! The form of a row of requirements: the keys and tensors without which llama.cpp refuses a model.
//!
//! Some requirements hold only for some blocks: the first blocks of a model may have no experts, or each fourth block may
//! have attention. A [`Condition`] names such blocks. [`ExpertBlocks`], [`RecurrentBlocks`] and [`NextTokenBlocks`] say
//! how the metadata decides it.

use crate::declare::{names, result};

/// What llama.cpp requires of a model of an architecture.
///
/// The facts are those of `load_arch_hparams` and `load_arch_tensors` in `src/models` of llama.cpp, August 2026.
#[derive(Clone, Copy, Debug)]
pub struct Requirements {
    keys: &'static [&'static [RequiredKey]],
    tensors: &'static [&'static [TensorGroup]],
    /// The blocks that have experts.
    pub expert_blocks: ExpertBlocks,
    /// The blocks that have a recurrent layer instead of attention.
    pub recurrent_blocks: RecurrentBlocks,
    /// The last blocks that predict further tokens.
    pub next_token_blocks: NextTokenBlocks,
}

/// A key that llama.cpp requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredKey {
    /// The key. `{arch}` stands for the architecture, as in the patterns of [`key_info`](crate::keys::key_info).
    pub pattern: &'static str,
    /// A key that can replace it.
    pub alternative: Option<&'static str>,
    /// The key is required if these conditions hold, each of them for some block.
    pub conditions: &'static [Condition],
}

result! {
    /// Tensors that belong to the same part of a model of an architecture.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[typescript("RequiredTensors")]
    pub struct TensorGroup {
        /// The names, without the number of the block: `"attn_q.weight"`.
        pub names: &'static [&'static str],
        /// Where the tensors are: outside of the blocks, in each block, or in each block of the encoder or decoder.
        pub place: Place,
        /// `required`: llama.cpp refuses a model without them. `optional`: it uses them if they are there. `tied`: without them,
        /// it uses `token_embd.weight`.
        pub need: Need,
        /// A tensor of the same place that can replace them.
        pub alternative: Option<&'static str>,
        /// The tensors belong to the blocks for which all these conditions hold.
        #[rust]
        pub conditions: &'static [Condition],
        /// Whether only some blocks or some models need them: those with experts, for example.
        fn is_conditional(&self) -> bool,
    }
}

names! {
    /// Where in a model a tensor is.
    pub enum Place {
        /// Outside of the blocks: `token_embd.weight`.
        Model = "model",
        /// In a block: `blk.0.attn_q.weight`.
        Block = "block",
        /// In a block of the encoder of an encoder-decoder model: `enc.blk.0.attn_q.weight`.
        EncoderBlock = "encoder-block",
        /// In a block of the decoder of an encoder-decoder model: `dec.blk.0.attn_q.weight`.
        DecoderBlock = "decoder-block",
    }
}

names! {
    /// Whether llama.cpp needs a tensor.
    pub enum Need {
        /// llama.cpp refuses a model without the tensor.
        Required = "required",
        /// llama.cpp uses the tensor if the model has it.
        Optional = "optional",
        /// llama.cpp uses `token_embd.weight` if the model does not have the tensor.
        Tied = "tied",
    }
}

/// A condition of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The block has one feed-forward network instead of experts.
    Dense,
    /// The block has experts.
    Experts,
    /// The block has attention.
    Attention,
    /// The block has a recurrent layer.
    Recurrent,
    /// The block predicts a further token.
    NextToken,
    /// The value of the key is greater than 0.
    Positive(&'static str),
    /// The value of the key is 0, or the key is missing.
    Zero(&'static str),
    /// The model has at least this number of blocks.
    BlockCountAtLeast(u32),
    /// The first block has this tensor.
    FirstBlockHas(&'static str),
}

/// How the metadata decides which blocks have experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpertBlocks {
    /// No block has experts.
    None,
    /// Every block has experts.
    All,
    /// Every block has experts if `{arch}.expert_count` is greater than 0.
    IfCounted,
    /// All but the first `{arch}.leading_dense_block_count` blocks have experts.
    AfterDense,
    /// Each block whose number, counted from 1, is a multiple of `{arch}.interleave_moe_layer_step` has experts.
    Interleaved,
    /// Of each `{arch}.moe_every_n_layers` blocks, the second has experts.
    SecondOfEach,
    /// The blocks with the tensor `ffn_gate_inp.weight` have experts.
    WithRouter,
}

/// How the metadata decides which blocks are recurrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecurrentBlocks {
    /// The tensors of all blocks are the same.
    None,
    /// The blocks for which `{arch}.attention.head_count_kv` is 0 are recurrent.
    WithoutKeyValueHeads,
    /// `{arch}.attention.recurrent_layers` says it. Without this key, each block whose number, counted from 1, is not a
    /// multiple of `{arch}.full_attention_interval` (4 if missing) is recurrent.
    BetweenFullAttention,
}

/// The last `{arch}.nextn_predict_layers` blocks of a model, which predict further tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTokenBlocks {
    /// llama.cpp does not read the key.
    None,
    /// llama.cpp requires these blocks if the key announces them.
    Required,
    /// A file may have only these blocks, or only the others.
    Separable,
}

/// The keys that llama.cpp requires of a model of any architecture.
const COMMON_KEYS: &[RequiredKey] =
    &[key("{arch}.context_length"), key("{arch}.embedding_length"), key("{arch}.block_count")];

impl Requirements {
    pub(super) const fn new(
        keys: &'static [&'static [RequiredKey]],
        tensors: &'static [&'static [TensorGroup]],
    ) -> Self {
        Self {
            keys,
            tensors,
            expert_blocks: ExpertBlocks::None,
            recurrent_blocks: RecurrentBlocks::None,
            next_token_blocks: NextTokenBlocks::None,
        }
    }

    pub(super) const fn experts(self, expert_blocks: ExpertBlocks) -> Self {
        Self { expert_blocks, ..self }
    }

    pub(super) const fn recurrent(self, recurrent_blocks: RecurrentBlocks) -> Self {
        Self { recurrent_blocks, ..self }
    }

    pub(super) const fn next_token(self, next_token_blocks: NextTokenBlocks) -> Self {
        Self { next_token_blocks, ..self }
    }

    /// The keys that llama.cpp requires.
    pub fn keys(&self) -> impl Iterator<Item = &'static RequiredKey> {
        COMMON_KEYS.iter().chain(self.keys.iter().copied().flatten())
    }

    /// The tensors that llama.cpp requires or uses.
    pub fn tensors(&self) -> impl Iterator<Item = &'static TensorGroup> {
        self.tensors.iter().copied().flatten()
    }
}

/// The tensors of which a block with attention has one.
const OF_ATTENTION: [&str; 3] = ["attn_output.weight", "attn_o.weight", "attn_qkv.weight"];

impl Requirements {
    /// Whether every block of every model has attention.
    pub(crate) fn has_attention_in_all_blocks(&self) -> bool {
        let is_fixed = |condition: &Condition| *condition == Condition::Attention;
        self.recurrent_blocks == RecurrentBlocks::None
            && self.tensors().any(|group| {
                let is_attention = group.names.iter().any(|name| OF_ATTENTION.contains(name));
                is_attention && group.need == Need::Required && group.conditions.iter().all(is_fixed)
            })
    }

    /// The groups that name a tensor, as one of theirs or as an alternative. `name` is the part of the name after the place.
    pub(crate) fn groups_of<'a>(
        &self,
        place: Place,
        name: &'a [u8],
    ) -> impl Iterator<Item = &'static TensorGroup> + use<'a> {
        let tensors = self.tensors;
        tensors.iter().copied().flatten().filter(move |group| {
            let names = group.names.iter().chain(&group.alternative);
            group.place == place && names.into_iter().any(|own| own.as_bytes() == name)
        })
    }
}

/// A required key.
pub(super) const fn key(pattern: &'static str) -> RequiredKey {
    RequiredKey { pattern, alternative: None, conditions: &[] }
}

impl RequiredKey {
    pub(super) const fn or(self, pattern: &'static str) -> Self {
        Self { alternative: Some(pattern), ..self }
    }

    pub(super) const fn when(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }
}

/// Required tensors outside of the blocks.
pub(super) const fn model(names: &'static [&'static str]) -> TensorGroup {
    TensorGroup { place: Place::Model, names, need: Need::Required, alternative: None, conditions: &[] }
}

/// Required tensors of each block.
pub(super) const fn blocks(names: &'static [&'static str]) -> TensorGroup {
    TensorGroup { place: Place::Block, ..model(names) }
}

/// Required tensors of each block of the encoder.
pub(super) const fn encoder_blocks(names: &'static [&'static str]) -> TensorGroup {
    TensorGroup { place: Place::EncoderBlock, ..model(names) }
}

/// Required tensors of each block of the decoder.
pub(super) const fn decoder_blocks(names: &'static [&'static str]) -> TensorGroup {
    TensorGroup { place: Place::DecoderBlock, ..model(names) }
}

impl TensorGroup {
    /// Whether only some blocks or some models need the tensors: those with experts, for example.
    pub fn is_conditional(&self) -> bool {
        !self.conditions.is_empty()
    }

    pub(super) const fn or(self, name: &'static str) -> Self {
        Self { alternative: Some(name), ..self }
    }

    pub(super) const fn when(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }

    pub(super) const fn optional(self) -> Self {
        Self { need: Need::Optional, ..self }
    }

    pub(super) const fn tied(self) -> Self {
        Self { need: Need::Tied, ..self }
    }
}

impl Place {
    /// The part of a name before the number of the block.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Model => "",
            Self::Block => "blk.",
            Self::EncoderBlock => "enc.blk.",
            Self::DecoderBlock => "dec.blk.",
        }
    }
}
