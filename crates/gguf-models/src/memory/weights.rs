//! The bytes of a model's tensors by part, as llama.cpp loads them.

use alloc::{string::String, vec::Vec};

use super::caches::sum;
use super::model::{Model, Unknown};
use super::options::{MemoryOptions, TensorOverride};
use super::placement::Placement;
use crate::architectures::{Exception, Place, split_place};
use gguf_declare::result;
use gguf_format::format::header::{Header, TensorInfo};

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
        /// The tensors after the last layer; all tensors of a file that is no model.
        pub output: u64,
        /// The token embedding, if it is the output, too. It is loaded once more if input and output are on different devices.
        pub tied_output: u64,
        /// All tensors on one device.
        pub total: u64,
        /// The experts of each layer, and the bytes of its other tensors. The output and the input are two more layers. Tensors
        /// that are elsewhere are left out.
        #[rust]
        pub(super) own: Vec<Bytes>,
        /// The tensors that are on another device than their layer.
        #[rust]
        pub(super) elsewhere: Vec<Elsewhere>,
    }
}

/// The bytes of some tensors: of experts, and of all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Bytes {
    pub others: u64,
    pub experts: u64,
    /// The bytes of the largest tensor without experts, and of the largest tensor of experts.
    largest: [u64; 2],
}

/// A tensor that is on another device than its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Elsewhere {
    from: From,
    /// The number of the card. `None`: the CPU.
    card: Option<u32>,
    bytes: Bytes,
}

/// The part of a model that tensors belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum From {
    /// The tensors before the first layer.
    Input,
    Layers,
    /// The layers that predict further tokens. They compute no token.
    NextTokens,
    Output,
    /// The token embedding, as the output.
    Tied,
}

impl Weights {
    /// The weights of a model.
    pub(super) fn of_model(model: &Model<'_>, overrides: &[TensorOverride]) -> Result<Self, Unknown> {
        let count = model.layer_count as usize;
        if let Some(found) = model.blocks_with_tensors.filter(|found| *found > model.layer_count) {
            return Err(Unknown::Blocks { stated: model.layer_count, found });
        }
        let mut weights = Self::without_bytes(model.layer_count);
        weights.main_layers = (model.layer_count - model.next_token_count) as usize;
        let mut embedding = (0, None);
        let mut has_own_output = false;
        let mut next = 0;
        for (index, tensor) in model.header.tensors().enumerate() {
            let elsewhere = overrides.get(next).filter(|other| other.tensor == index).map(|other| other.card);
            next += usize::from(elsewhere.is_some());
            let name = tensor.name().to_bytes();
            let bytes = loaded_bytes(&tensor).ok_or_else(|| unknown_size(&tensor))?;
            let (place, layer, name_in_layer) = split_place(&name);
            let mut of_tensor = Bytes::of(bytes);
            let (from, layer, part) = match place {
                Place::Model if INPUT_TENSORS.contains(&&*name) => (From::Input, count + 1, &mut weights.input),
                Place::Model if is_output(model, &name) => (From::Output, count, &mut weights.output),
                // The first layer uses the tensors that belong to no other part, such as factors of rotary positions.
                Place::Model => (From::Layers, 0, &mut weights.layer_bytes[0]),
                _ => {
                    let Some(layer) = usize::try_from(layer).ok().filter(|layer| *layer < count) else { continue };
                    // Of layers that predict further tokens, few tensors are loaded.
                    if layer >= weights.main_layers && !model.info.loads_of_next_token(name_in_layer) {
                        continue;
                    }
                    if is_expert(name_in_layer) {
                        of_tensor = Bytes { others: 0, experts: bytes, largest: [0, bytes] };
                    }
                    let from = if layer < weights.main_layers { From::Layers } else { From::NextTokens };
                    (from, layer, &mut weights.layer_bytes[layer])
                }
            };
            *part = sum(*part, bytes)?;
            match elsewhere {
                Some(card) => weights.elsewhere.push(Elsewhere { from, card, bytes: of_tensor }),
                None => weights.own[layer].add(of_tensor),
            }
            if *name == *TOKEN_EMBEDDING {
                embedding = (bytes, elsewhere.map(|_| weights.elsewhere.len() - 1));
            }
            has_own_output |= *name == *b"output.weight";
        }
        if !has_own_output && model.has_output() {
            weights.add_tied_output(model.info.has(Exception::LoadsEmbeddingTwice), embedding)?;
        }
        let layers = weights.layer_bytes.iter().try_fold(0, |total, bytes| sum(total, *bytes))?;
        weights.total = sum(sum(weights.input, layers)?, weights.output)?;
        Ok(weights)
    }

    /// Adds the token embedding as the output. `is_twice` says whether it is always loaded once more, and `elsewhere` has its index there.
    fn add_tied_output(&mut self, is_twice: bool, (embedding, elsewhere): (u64, Option<usize>)) -> Result<(), Unknown> {
        if is_twice {
            self.output = sum(self.output, embedding)?;
        }
        match elsewhere {
            None if is_twice => self.own[self.layer_bytes.len()].add(Bytes::of(embedding)),
            None => self.tied_output = embedding,
            Some(index) => {
                // Input and output are on the same device, so they are one tensor, which is read as the output.
                let output = Elsewhere { from: From::Output, ..self.elsewhere[index] };
                if is_twice { self.elsewhere.push(output) } else { self.elsewhere[index] = output }
            }
        }
        Ok(())
    }

    /// The weights of a model before its tensors are counted, or if the size of one is not known.
    pub(super) fn without_bytes(layer_count: u64) -> Self {
        let count = layer_count as usize;
        Self { layer_bytes: vec![0; count], own: vec![Bytes::default(); count + 2], ..Self::default() }
    }

    /// The weights of a file whose parts are not known: all tensors are one part.
    pub(super) fn of_other_file(header: &Header) -> Result<Self, Unknown> {
        let mut weights = Self::without_bytes(0);
        for tensor in header.tensors() {
            weights.total = sum(weights.total, loaded_bytes(&tensor).ok_or_else(|| unknown_size(&tensor))?)?;
        }
        weights.output = weights.total;
        weights.own[0] = Bytes::of(weights.total);
        Ok(weights)
    }

    /// Whether a layer has experts.
    pub(super) fn has_experts(&self) -> bool {
        self.own.iter().any(|layer| layer.experts > 0)
    }

    /// Calls a function with the bytes of each part on a device: of experts, and of other tensors.
    #[doc(hidden)]
    pub fn place(&self, options: &MemoryOptions, placement: &Placement, add: &mut dyn FnMut(From, usize, Bytes)) {
        let count = self.layer_bytes.len();
        for (layer, bytes) in self.own.iter().enumerate() {
            let from = match layer.checked_sub(count) {
                None if layer < self.main_layers => From::Layers,
                None => From::NextTokens,
                Some(0) => From::Output,
                Some(_) => From::Input,
            };
            let device = placement.of_layers.get(layer).copied().unwrap_or(placement.cpu);
            let of_experts = if layer < options.cpu_experts as usize { placement.cpu } else { device };
            let [largest, largest_experts] = bytes.largest;
            add(from, device, Bytes { experts: 0, largest: [largest, 0], ..*bytes });
            add(from, of_experts, Bytes { others: 0, largest: [0, largest_experts], ..*bytes });
        }
        add(From::Tied, placement.of_layers[count], Bytes::of(self.tied_output));
        for Elsewhere { from, card, bytes } in &self.elsewhere {
            add(*from, card.map_or(placement.cpu, |card| card as usize), *bytes);
        }
    }
}

impl Bytes {
    /// A tensor without experts.
    fn of(bytes: u64) -> Self {
        Self { others: bytes, experts: 0, largest: [bytes, 0] }
    }

    pub fn sum(&self) -> u64 {
        self.others.saturating_add(self.experts)
    }

    /// The bytes of the largest tensor.
    pub fn largest(&self) -> u64 {
        self.largest[0].max(self.largest[1])
    }

    /// The sums are parts of those of the layers, which are checked.
    fn add(&mut self, other: Self) {
        self.others += other.others;
        self.experts += other.experts;
        for (largest, other) in self.largest.iter_mut().zip(other.largest) {
            *largest = other.max(*largest);
        }
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
