//! The suffixes of tensor names.

/// What a tensor holds of the layer that it belongs to: the suffix of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TensorPart {
    /// The weights: `.weight`.
    Weight,
    /// The bias: `.bias`.
    Bias,
    /// Factors of the weights or of the activation: `.scale`, in MPT `.scales`.
    Scale,
    /// The factor of the input of an NVFP4 tensor: `.input_scale`.
    InputScale,
    /// The least input that the layer takes: `.input_min`.
    InputMin,
    /// The greatest input that the layer takes: `.input_max`.
    InputMax,
    /// The least output that the layer gives: `.output_min`.
    OutputMin,
    /// The greatest output that the layer gives: `.output_max`.
    OutputMax,
    /// The first factor of a LoRA adapter: `.lora_a`.
    LoraA,
    /// The second factor of a LoRA adapter: `.lora_b`.
    LoraB,
    /// The sums of the squared inputs in an importance matrix: `.in_sum2`.
    InputSquareSums,
    /// The numbers of inputs in an importance matrix: `.counts`.
    InputCounts,
}

/// The suffixes with their parts.
const SUFFIXES: &[(&str, TensorPart)] = &[
    (".weight", TensorPart::Weight),
    (".bias", TensorPart::Bias),
    (".scale", TensorPart::Scale),
    (".scales", TensorPart::Scale),
    (".input_scale", TensorPart::InputScale),
    (".input_min", TensorPart::InputMin),
    (".input_max", TensorPart::InputMax),
    (".output_min", TensorPart::OutputMin),
    (".output_max", TensorPart::OutputMax),
    (".lora_a", TensorPart::LoraA),
    (".lora_b", TensorPart::LoraB),
    (".in_sum2", TensorPart::InputSquareSums),
    (".counts", TensorPart::InputCounts),
];

impl TensorPart {
    /// The name of the part: its suffix without the dot.
    pub fn name(self) -> &'static str {
        SUFFIXES.iter().find(|(_, part)| *part == self).map_or("", |(suffix, _)| &suffix[1..])
    }

    /// Whether the suffix follows the whole name of another tensor: `blk.0.attn_q.weight.lora_a`.
    fn follows_whole_name(self) -> bool {
        matches!(self, Self::LoraA | Self::LoraB | Self::InputSquareSums | Self::InputCounts)
    }
}

/// Splits the suffix from a name. The part is `None` if the name has no known suffix.
pub(in crate::know) fn split_part(name: &[u8]) -> (&[u8], Option<TensorPart>) {
    for (suffix, part) in SUFFIXES {
        if let Some(rest) = name.strip_suffix(suffix.as_bytes()) {
            let inner = if part.follows_whole_name() { rest.strip_suffix(b".weight") } else { None };
            return (inner.unwrap_or(rest), Some(*part));
        }
    }
    (name, None)
}
