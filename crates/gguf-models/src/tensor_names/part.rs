//! The suffixes of tensor names.

use gguf_declare::names;

names! {
    /// What a tensor holds of its layer: the suffix of its name.
    #[typescript("TensorPart")]
    pub enum TensorPart {
        /// The weights: `.weight`.
        Weight = "weight",
        /// The bias: `.bias`.
        Bias = "bias",
        /// Factors of the weights or of the activation: `.scale`, in MPT `.scales`.
        Scale = "scale",
        /// The factor of the input of an NVFP4 tensor: `.input_scale`.
        InputScale = "input_scale",
        /// The least input that the layer takes: `.input_min`.
        InputMin = "input_min",
        /// The greatest input that the layer takes: `.input_max`.
        InputMax = "input_max",
        /// The least output that the layer gives: `.output_min`.
        OutputMin = "output_min",
        /// The greatest output that the layer gives: `.output_max`.
        OutputMax = "output_max",
        /// The first factor of a LoRA adapter: `.lora_a`.
        LoraA = "lora_a",
        /// The second factor of a LoRA adapter: `.lora_b`.
        LoraB = "lora_b",
        /// The sums of the squared inputs in an importance matrix: `.in_sum2`.
        InputSquareSums = "in_sum2",
        /// The numbers of inputs in an importance matrix: `.counts`.
        InputCounts = "counts",
    }
}

impl TensorPart {
    fn of_suffix(suffix: &[u8]) -> Option<Self> {
        let name = if suffix == b"scales" { b"scale" } else { suffix };
        Self::ALL.iter().copied().find(|part| part.name().as_bytes() == name)
    }

    /// Whether the suffix follows the whole name of another tensor: `blk.0.attn_q.weight.lora_a`.
    fn follows_whole_name(self) -> bool {
        matches!(self, Self::LoraA | Self::LoraB | Self::InputSquareSums | Self::InputCounts)
    }
}

/// Splits the suffix from a name. The part is `None` if the name has no known suffix.
pub(crate) fn split_part(name: &[u8]) -> (&[u8], Option<TensorPart>) {
    let split = name.iter().rposition(|byte| *byte == b'.').map(|dot| (&name[..dot], &name[dot + 1..]));
    let Some((rest, part)) = split.and_then(|(rest, suffix)| Some((rest, TensorPart::of_suffix(suffix)?))) else {
        return (name, None);
    };
    let inner = if part.follows_whole_name() { rest.strip_suffix(b".weight") } else { None };
    (inner.unwrap_or(rest), Some(part))
}
