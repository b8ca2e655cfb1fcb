//! The bytes of a model's tensors by part, as llama.cpp loads them.

use alloc::{string::String, vec::Vec};

use super::caches::sum;
use super::model::{Model, Unknown};
use super::options::MemoryOptions;
use crate::declare::result;
use crate::format::header::{Header, TensorInfo};
use crate::know::architectures::{Exception, Place, split_place};

/// Each tensor starts at a multiple of this number of bytes (`TENSOR_ALIGNMENT` of ggml's CPU backend).
const TENSOR_ALIGNMENT: u64 = 32;

/// The tensors that llama.cpp uses before the first layer. They stay on the CPU, where rows are looked up.
const INPUT_TENSORS: &[&[u8]] =
    &[b"token_embd.weight", b"token_types.weight", b"position_embd.weight", b"per_layer_token_embd.weight"];

/// The tensors that llama.cpp ignores, by their names in a layer or outside of the layers: they have no operation (`GGML_OP_NONE`).
const UNUSED_TENSORS: &[&[u8]] =
    &[b"masked_embd_centroids.weight", b"masked_embd_ordering", b"cross_attn_rel_b.weight"];

/// The tensor that is also the output, if a model has no `output.weight`.
const TOKEN_EMBEDDING: &[u8] = b"token_embd.weight";

result! {
    /// The bytes of a model's tensors, as llama.cpp aligns them.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    #[typescript("MemoryWeights")]
    pub struct Weights {
        /// The tensors before the first layer, such as the token embedding. They stay on the CPU.
        pub input: u64,
        /// The tensors of each layer.
        pub layer_bytes: Vec<u64>,
        /// The number of layers without those that predict further tokens, which compute no token.
        #[rust]
        pub(super) main_layers: usize,
        /// The part of `layer_bytes` that are experts.
        #[rust]
        pub(super) expert_bytes: Vec<u64>,
        /// The tensors after the last layer; all tensors of a file that is no model.
        pub output: u64,
        /// The token embedding, if it is the output, too. It is loaded once more if input and output are on different devices.
        pub tied_output: u64,
        /// All tensors on one device.
        pub total: u64,
    }
}

impl Weights {
    /// The weights of a model.
    pub(super) fn of_model(model: &Model<'_>) -> Result<Self, Unknown> {
        let count = model.layer_count as usize;
        if let Some(found) = model.blocks_with_tensors.filter(|found| *found > model.layer_count) {
            return Err(Unknown::Blocks { stated: model.layer_count, found });
        }
        let mut weights = Self::without_bytes(model.layer_count);
        weights.main_layers = (model.layer_count - model.next_token_count) as usize;
        let mut embedding = 0;
        let mut has_own_output = false;
        for tensor in model.header.tensors() {
            let name = tensor.name().to_bytes();
            let bytes = loaded_bytes(&tensor).ok_or_else(|| unknown_size(&tensor))?;
            let (place, layer, name_in_layer) = split_place(&name);
            let part = match place {
                Place::Model if INPUT_TENSORS.contains(&&*name) => &mut weights.input,
                Place::Model if is_output(model, &name) => &mut weights.output,
                // The first layer uses the tensors that belong to no other part, such as factors of rotary positions.
                Place::Model => &mut weights.layer_bytes[0],
                _ => {
                    let Some(layer) = usize::try_from(layer).ok().filter(|layer| *layer < count) else { continue };
                    // Of layers that predict further tokens, few tensors are loaded.
                    if layer >= weights.main_layers && !model.info.loads_of_next_token(name_in_layer) {
                        continue;
                    }
                    if is_expert(name_in_layer) {
                        weights.expert_bytes[layer] = sum(weights.expert_bytes[layer], bytes)?;
                    }
                    &mut weights.layer_bytes[layer]
                }
            };
            *part = sum(*part, bytes)?;
            if *name == *TOKEN_EMBEDDING {
                embedding = bytes;
            }
            has_own_output |= *name == *b"output.weight";
        }
        if !has_own_output && model.has_output() {
            weights.tied_output = embedding;
        }
        if model.info.has(Exception::LoadsEmbeddingTwice) {
            weights.output = sum(weights.output, weights.tied_output)?;
            weights.tied_output = 0;
        }
        let layers = weights.layer_bytes.iter().try_fold(0, |total, bytes| sum(total, *bytes))?;
        weights.total = sum(sum(weights.input, layers)?, weights.output)?;
        Ok(weights)
    }

    /// The weights of a model before its tensors are counted, or if the size of one is not known.
    pub(super) fn without_bytes(layer_count: u64) -> Self {
        let count = layer_count as usize;
        Self { layer_bytes: vec![0; count], expert_bytes: vec![0; count], ..Self::default() }
    }

    /// The weights of a file whose parts are not known: all tensors are one part.
    pub(super) fn of_other_file(header: &Header) -> Result<Self, Unknown> {
        let mut total = 0;
        for tensor in header.tensors() {
            total = sum(total, loaded_bytes(&tensor).ok_or_else(|| unknown_size(&tensor))?)?;
        }
        Ok(Self { output: total, total, ..Self::default() })
    }

    /// The bytes of a layer on the GPU and on the CPU, for a layer that is on the GPU.
    pub(super) fn split_layer(&self, layer: usize, options: &MemoryOptions) -> [u64; 2] {
        let experts = if layer < options.cpu_experts as usize { self.expert_bytes[layer] } else { 0 };
        [self.layer_bytes[layer] - experts, experts]
    }
}

fn unknown_size(tensor: &TensorInfo<'_>) -> Unknown {
    Unknown::Tensor(String::from_utf8_lossy(&tensor.name().to_bytes()).into_owned())
}

fn loaded_bytes(tensor: &TensorInfo<'_>) -> Option<u64> {
    if UNUSED_TENSORS.contains(&split_place(&tensor.name().to_bytes()).2) {
        return Some(0);
    }
    tensor.byte_length()?.checked_next_multiple_of(TENSOR_ALIGNMENT)
}

/// Whether a tensor outside of the layers is used after the last layer.
fn is_output(model: &Model<'_>, name: &[u8]) -> bool {
    let stem = name.strip_suffix(b".weight").or_else(|| name.strip_suffix(b".bias")).unwrap_or(name);
    matches!(
        stem,
        b"output" | b"output_norm" | b"cls" | b"cls.output" | b"cls.norm" | b"dec.output_norm" | b"enc.output_norm"
    ) || stem.starts_with(b"dense_")
        || model.info.exceptions.iter().any(|own| matches!(own, Exception::OutputNorm(own) if own.as_bytes() == stem))
}

/// Whether `--n-cpu-moe` of llama.cpp keeps a tensor on the CPU (`LLM_FFN_EXPS_REGEX`).
fn is_expert(name: &[u8]) -> bool {
    let rest = ["ffn_gate_up_", "ffn_up_", "ffn_down_", "ffn_gate_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix.as_bytes()));
    rest.is_some_and(|rest| rest.starts_with(b"exps") || rest.starts_with(b"chexps"))
}
