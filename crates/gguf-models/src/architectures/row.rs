//! A row of the table of architectures.

use alloc::{string::String, vec::Vec};

use super::context_rule::{ContextRule, Indexer, Memory, NextTokenLayers, OwnCache, RecurrentLayers, StateForm};
use super::rules::Rules;
use super::tensor_group::TensorGroup;
use crate::file_kinds::FileKind;
use gguf_declare::result;

result! {
    /// A model architecture: a value of `general.architecture`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_models::architectures::architecture_info;
    ///
    /// let info = architecture_info(b"gpt-oss").unwrap();
    /// assert!(info.llama_cpp_keys().unwrap().iter().any(|key| key == "gpt-oss.attention.sliding_window"));
    /// let tensors = info.llama_cpp_tensors().unwrap();
    /// assert!(tensors.iter().any(|group| group.names.iter().any(|name| name == "attn_sinks.weight")));
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
        pub specified_patterns: &'static [&'static str],
        /// Whether llama.cpp loads a file of the architecture as a model.
        #[rust]
        pub(crate) is_loaded: bool,
        /// How llama.cpp keeps the context.
        #[rust]
        pub context: ContextRule,
        /// The kind of each file of the architecture. `None` if the metadata or the tensors decide.
        #[rust]
        pub kind: Option<FileKind>,
        /// Where llama.cpp treats the architecture differently from the others.
        #[rust]
        pub exceptions: &'static [Exception],
        /// The keys that the specification requires: `"llama.context_length"`. Not present if the specification does not
        /// describe the architecture.
        fn specification_keys(&self) -> Option<Vec<String>>,
        /// The keys without which llama.cpp refuses every model. Not present if llama.cpp does not load the architecture.
        fn llama_cpp_keys(&self) -> Option<Vec<String>>,
        /// The keys without which llama.cpp refuses some models: those with experts, for example, or without another key that
        /// can replace it. Not present if llama.cpp does not load the architecture.
        fn llama_cpp_conditional_keys(&self) -> Option<Vec<String>>,
        /// The tensors that llama.cpp reads. Not present if llama.cpp does not load the architecture.
        fn llama_cpp_tensors(&self) -> Option<Vec<TensorGroup>>,
    }
}

/// Where llama.cpp treats an architecture differently from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exception {
    /// It only encodes text, and has no output layer for tokens.
    Encoder,
    /// The rotary embedding must cover the whole key (`load_hparams` in llama-model.cpp).
    RotatesWholeKeys,
    /// One expert counts as no experts.
    OneExpertIsNone,
    /// The token embedding has another length than `embedding_length`, which is the length of the output.
    OtherTokenEmbedding,
    /// A tied token embedding is loaded twice, also on one device.
    LoadsEmbeddingTwice,
    /// The name of the norm after the last layer, without `.weight`.
    OutputNorm(&'static str),
    /// llama.cpp computes attention without flash attention, also if it is asked for.
    NoFlashAttention,
    /// The output buffer has the vectors of the tokens besides a number for each token of the vocabulary.
    OutputsEmbeddings,
    /// The file must say how experts are chosen (`build_moe_ffn` in llama-graph.cpp stops without it).
    NoDefaultGating,
    /// A token sees all tokens, whatever `attention.causal` says.
    NotCausal,
    /// The tensors of the blocks that predict further tokens that llama.cpp loads, without `.weight` and the like. It leaves out all
    /// others. `load_arch_tensors` creates these without `TENSOR_SKIP`, or `create_tensor_gate_up_exps` does.
    LoadsOfNextToken(&'static [&'static str]),
}

/// A row of an architecture that llama.cpp loads, and that keeps keys and values of every layer.
pub(super) const fn row(name: &'static str, title: &'static str) -> ArchitectureInfo {
    ArchitectureInfo {
        name,
        title,
        is_in_llama_cpp: true,
        specified_patterns: &[],
        is_loaded: true,
        context: ContextRule::ATTENTION,
        kind: None,
        exceptions: &[],
    }
}

/// Declares the functions with which a row sets its columns: the name of the function, the column, and the type of its value.
macro_rules! columns {
    ($($name:ident($($place:ident).+: $type:ty);)*) => {
        impl ArchitectureInfo {
            $(pub(super) const fn $name(mut self, value: $type) -> Self {
                self.$($place).+ = value;
                self
            })*
        }
    };
}

columns! {
    specified(specified_patterns: &'static [&'static str]);
    keeps(context.memory: Memory);
    own_cache(context.own_cache: OwnCache);
    state(context.state: StateForm);
    indexer(context.indexer: Indexer);
    next_token(context.next_token_layers: NextTokenLayers);
    except(exceptions: &'static [Exception]);
}

impl ArchitectureInfo {
    pub(super) const fn kind(self, kind: FileKind) -> Self {
        Self { kind: Some(kind), ..self }
    }

    pub(super) const fn hybrid(self, recurrent: RecurrentLayers) -> Self {
        self.keeps(Memory::Hybrid(recurrent))
    }

    pub(super) const fn unknown_to_llama_cpp(self) -> Self {
        Self { is_in_llama_cpp: false, is_loaded: false, ..self }
    }

    /// llama.cpp names the architecture, and does not load it as a model.
    pub(super) const fn only_named(self) -> Self {
        Self { is_loaded: false, ..self }
    }

    /// Whether llama.cpp reads a key, with `{arch}` in the place of the architecture, of some models.
    pub(crate) fn reads_key(&self, pattern: &str) -> bool {
        let rules = || Rules::of(self.name).unwrap_or_else(Rules::of_every_model);
        pattern.strip_prefix("{arch}.").is_some_and(|name| rules().reads(name))
    }

    /// Whether llama.cpp loads a tensor of a block that predicts further tokens. The name is that in the block.
    pub(crate) fn loads_of_next_token(&self, name: &[u8]) -> bool {
        let parts = [".weight", ".bias", ".scale", ".input_scale"];
        let base = parts.iter().find_map(|part| name.strip_suffix(part.as_bytes())).unwrap_or(name);
        let is_listed = |exception: &Exception| matches!(exception, Exception::LoadsOfNextToken(names) if names.iter().any(|own| own.as_bytes() == base));
        self.exceptions.iter().any(is_listed)
    }

    /// Whether an exception applies.
    pub(crate) fn has(&self, exception: Exception) -> bool {
        self.exceptions.contains(&exception)
    }
}
