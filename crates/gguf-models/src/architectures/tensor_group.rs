//! The tensors that llama.cpp reads of a model of an architecture, and which keys and tensors it needs.

use alloc::{string::String, vec::Vec};

use gguf_declare::{names, result};

result! {
    /// Tensors that belong to the same part of a model of an architecture.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("RequiredTensors")]
    pub struct TensorGroup {
        /// The names, without the number of the block: `"attn_q.weight"`. `#` stands for the number of a block of another kind:
        /// `"posnet.#.norm1.weight"`.
        pub names: Vec<String>,
        /// Where the tensors are: outside of the blocks, in each block, or in each block of the encoder or decoder.
        pub place: Place,
        /// `required`: llama.cpp refuses a model without them. `optional`: it uses them if they are there. `tied`: without them,
        /// it uses `token_embd.weight`.
        pub need: Need,
        /// A tensor of the same place that can replace them.
        pub alternative: Option<String>,
        /// Whether only some blocks or some models need them: those with experts, for example.
        pub is_conditional: bool,
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

/// Which models of an architecture need a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyNeed {
    /// llama.cpp refuses every model without the key.
    Always,
    /// llama.cpp refuses some models without the key: those with experts, for example.
    Conditional,
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
