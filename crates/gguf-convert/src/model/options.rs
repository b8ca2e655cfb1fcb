//! What is wanted of a conversion.

use alloc::string::String;

use serde_json::Value;

use super::next_token_layers::NextTokenLayers;
use super::types::OutputType;

/// What is wanted of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelOptions {
    /// The type of the matrices.
    pub output_type: OutputType,
    /// Whether weights that are stored as 8-bit floats with scales become Q8_0, whatever the type.
    pub fp8_as_q8: bool,
    /// Whether only the header is written, without tensors.
    pub vocabulary_only: bool,
    /// Whether the gates and the other halves of experts become one tensor. No architecture of this package has such a tensor, so a
    /// model with experts is refused.
    pub fuse_gate_up_experts: bool,
    /// Whether the projector is made, in place of the model of the text: the encoders of images and sound, in a file of their own.
    pub projector: bool,
    /// What becomes of the layers that predict later tokens. Architectures whose layers cannot be separated are refused, unless
    /// they are included.
    pub next_token_layers: NextTokenLayers,
    /// The name of the pre-tokenizer, if its hash is unknown or wrong.
    pub pre: Option<String>,
    /// `general.name`.
    pub model_name: Option<String>,
    /// Values of `general.*`, by their keys: an object.
    pub overrides: Option<Value>,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            output_type: OutputType::Auto,
            fp8_as_q8: false,
            vocabulary_only: false,
            fuse_gate_up_experts: false,
            projector: false,
            next_token_layers: NextTokenLayers::Included,
            pre: None,
            model_name: None,
            overrides: None,
        }
    }
}
