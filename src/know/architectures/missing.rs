//! Finds the keys and tensors that a model lacks.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

use super::hyperparameters::{Hyperparameters, MOST_BLOCKS};
use super::present::{PresentTensors, ROUTER, block_count_of_tensors};
use super::requirements::{
    Condition, ExpertBlocks, Need, NextTokenBlocks, Place, RecurrentBlocks, RequiredKey, Requirements, TensorGroup,
};
use super::row::ArchitectureInfo;
use super::rules::{TensorName, write_name};
use super::table::architecture_info;
use crate::format::header::Header;

/// A key or a tensor without which llama.cpp refuses the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingRequirement {
    /// A key.
    Key(RequiredKey),
    /// A tensor.
    Tensor(RequiredTensor),
}

/// A tensor that llama.cpp requires. It is displayed as its whole name: `blk.3.attn_q.weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequiredTensor {
    /// Where in the model the tensor is.
    pub place: Place,
    /// The number of the block. 0 for a tensor outside of the blocks.
    pub block: u64,
    /// The name of the tensor without the prefix that says the place: `attn_q.weight`.
    pub name: &'static str,
}

impl RequiredTensor {
    /// A tensor that a rule names.
    pub(crate) fn new(name: TensorName, block: i64) -> Self {
        let block = u64::try_from(block).unwrap_or(0);
        let of_place = |place: Place| Some((place, name.name.strip_prefix(place.prefix())?.strip_prefix("#.")?));
        let (place, own) = match name.is_in_block {
            true => (Place::Block, name.name),
            false => of_place(Place::EncoderBlock).or_else(|| of_place(Place::DecoderBlock)).unwrap_or((Place::Model, name.name)),
        };
        Self { place, block, name: own }
    }
}

impl fmt::Display for RequiredTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, block, name } = self;
        if *place != Place::Model {
            write!(f, "{}{block}.", place.prefix())?;
        }
        let mut text = String::new();
        let name = TensorName { name, is_in_block: false };
        write_name(&mut text, name, i64::try_from(*block).unwrap_or(i64::MAX));
        f.write_str(&text)
    }
}

/// The keys and tensors that llama.cpp requires of the architecture of a model, and that the model does not have.
///
/// The header must be that of a whole model. A shard, an adapter or a vocabulary lacks most of these by design. The result
/// is empty if llama.cpp does not load the architecture. If the requirements of the architecture are not known, only the keys
/// are looked for that llama.cpp requires of every model. A requirement whose condition cannot be decided is
/// left out.
///
/// Takes time in proportion to the number of tensors. If the header has no `block_count`, the blocks are those that have a
/// tensor. The tensors of blocks are not looked for if there are more blocks than the 512 that llama.cpp loads.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Format, architectures::{MissingRequirement, missing_requirements}, write::encode::Encoder};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 2)
///     .kv(b"general.architecture", &"llama".into())
///     .kv(b"llama.block_count", &0u32.into())
///     .tensor_info(b"token_embd.weight", &[32, 2], 0, 0);
///
/// let missing = missing_requirements(&gguf_wasm::parse(file.as_bytes())?);
/// let MissingRequirement::Key(first) = missing[0] else { panic!("{missing:?}") };
/// assert_eq!(first.pattern, "{arch}.context_length");
/// let MissingRequirement::Tensor(last) = missing[missing.len() - 1] else { panic!("{missing:?}") };
/// assert_eq!(last.to_string(), "output_norm.weight");
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn missing_requirements(header: &Header) -> Vec<MissingRequirement> {
    match architecture_of(header) {
        Some(architecture) => missing_requirements_of(header, &architecture, None),
        None => Vec::new(),
    }
}

/// [`missing_requirements`] of a header that would have this architecture, and also a key, the pattern of `assumed`, with this
/// value.
pub(crate) fn missing_requirements_of(
    header: &Header,
    architecture: &[u8],
    assumed: Option<(&'static str, u64)>,
) -> Vec<MissingRequirement> {
    match architecture_info(architecture).and_then(ArchitectureInfo::known_requirements) {
        Some(requirements) => Model::new(header, architecture, requirements, assumed).missing(),
        None => Vec::new(),
    }
}

/// The value of `general.architecture`.
fn architecture_of(header: &Header) -> Option<Cow<'_, [u8]>> {
    Some(header.architecture()?.to_bytes())
}

/// A model whose header is compared with the requirements of its architecture.
struct Model<'a> {
    requirements: &'static Requirements,
    hyperparameters: Hyperparameters<'a>,
    tensors: PresentTensors,
    /// The number of blocks, as far as llama.cpp loads them.
    block_count: u64,
    /// The number of the last blocks that predict further tokens.
    next_token_count: u64,
}

impl<'a> Model<'a> {
    fn new(
        header: &'a Header,
        architecture: &'a [u8],
        requirements: &'static Requirements,
        assumed: Option<(&'static str, u64)>,
    ) -> Self {
        let hyperparameters = Hyperparameters::new(header, Cow::Borrowed(architecture), assumed);
        let number = |pattern| hyperparameters.number(pattern).filter(|count| *count <= MOST_BLOCKS).unwrap_or(0);
        let block_count = match hyperparameters.has("{arch}.block_count") {
            true => number("{arch}.block_count"),
            // The blocks that the model has need their tensors, also if nothing says how many there should be.
            false => block_count_of_tensors(header).filter(|count| *count <= MOST_BLOCKS).unwrap_or(0),
        };
        let next_token_count = match requirements.next_token_blocks {
            NextTokenBlocks::None => 0,
            _ => number("{arch}.nextn_predict_layers").min(block_count),
        };
        let most_blocks = block_count.max(number("{arch}.decoder_block_count"));
        let tensors = PresentTensors::of(header, requirements, most_blocks);
        Self { requirements, hyperparameters, tensors, block_count, next_token_count }
    }

    fn missing(&self) -> Vec<MissingRequirement> {
        let mut missing = Vec::new();
        for key in self.requirements.keys() {
            if self.lacks_key(key) {
                missing.push(MissingRequirement::Key(*key));
            }
        }
        for group in self.requirements.tensors().filter(|group| group.need == Need::Required) {
            let place = group.place;
            for block in 0..self.block_count_of(place) {
                if !self.needs_group(group, block) {
                    continue;
                }
                for name in group.names {
                    if !self.tensors.has(place, block, name) {
                        missing.push(MissingRequirement::Tensor(RequiredTensor { place, block, name }));
                    }
                }
            }
        }
        missing
    }

    fn lacks_key(&self, key: &RequiredKey) -> bool {
        let has = |pattern: &str| self.hyperparameters.has(pattern);
        let holds = |condition: &Condition| {
            (0..self.block_count.max(1)).any(|block| self.holds(*condition, block) == Some(true))
        };
        !has(key.pattern) && !key.alternative.is_some_and(has) && key.conditions.iter().all(holds)
    }

    /// The number of blocks of a place. 1 for the place outside of the blocks.
    fn block_count_of(&self, place: Place) -> u64 {
        match place {
            Place::Model => 1,
            Place::Block | Place::EncoderBlock => self.block_count,
            Place::DecoderBlock => match self.hyperparameters.number("{arch}.decoder_block_count") {
                Some(0) => self.block_count,
                Some(count) if count <= MOST_BLOCKS => count,
                _ => 0,
            },
        }
    }

    /// Whether a block must have the tensors of a group.
    fn needs_group(&self, group: &TensorGroup, block: u64) -> bool {
        let is_replaced = group.alternative.is_some_and(|name| self.tensors.has(group.place, block, name));
        let holds = |condition: &Condition| self.holds(*condition, block) == Some(true);
        let may_be_absent = is_replaced || group.place == Place::Block && self.may_lack(block);
        !may_be_absent && group.conditions.iter().all(holds)
    }

    /// Whether the file may lack all tensors of a block, because it has only one of the two parts of the model.
    fn may_lack(&self, block: u64) -> bool {
        let first_next_token = self.block_count - self.next_token_count;
        let has_part = |first: u64, name: &str| self.tensors.has(Place::Block, first, name);
        self.requirements.next_token_blocks == NextTokenBlocks::Separable
            && self.next_token_count > 0
            && if block < first_next_token {
                !has_part(0, "attn_norm.weight")
            } else {
                !has_part(first_next_token, "nextn.eh_proj.weight")
            }
    }

    /// Whether a condition holds for a block. `None` if the header does not decide it.
    fn holds(&self, condition: Condition, block: u64) -> Option<bool> {
        match condition {
            Condition::Experts => self.has_experts(block),
            Condition::Dense => self.has_experts(block).map(|has_experts| !has_experts),
            Condition::Recurrent => self.is_recurrent(block),
            Condition::Attention => self.is_recurrent(block).map(|is_recurrent| !is_recurrent),
            Condition::NextToken => Some(self.predicts_next_token(block)),
            Condition::Positive(key) => Some(self.hyperparameters.number(key)? > 0),
            Condition::Zero(key) => Some(self.hyperparameters.number(key)? == 0),
            Condition::BlockCountAtLeast(count) => Some(self.block_count >= count.into()),
            Condition::FirstBlockHas(name) => Some(self.tensors.has(Place::Block, 0, name)),
        }
    }

    fn predicts_next_token(&self, block: u64) -> bool {
        block >= self.block_count - self.next_token_count
    }

    fn has_experts(&self, block: u64) -> Option<bool> {
        let number = |pattern| self.hyperparameters.number(pattern);
        Some(match self.requirements.expert_blocks {
            ExpertBlocks::None => false,
            ExpertBlocks::All => true,
            ExpertBlocks::IfCounted => number("{arch}.expert_count")? > 0,
            ExpertBlocks::AfterDense => block >= number("{arch}.leading_dense_block_count")?,
            ExpertBlocks::Interleaved => {
                let step = number("{arch}.interleave_moe_layer_step")?;
                step > 0 && (block + 1).is_multiple_of(step)
            }
            ExpertBlocks::SecondOfEach => {
                let step = number("{arch}.moe_every_n_layers")?;
                step > 0 && block % step == 1
            }
            ExpertBlocks::WithRouter => self.tensors.has(Place::Block, block, ROUTER),
        })
    }

    fn is_recurrent(&self, block: u64) -> Option<bool> {
        let (kv_heads, heads) = ("{arch}.attention.head_count_kv", "{arch}.attention.head_count");
        let (layers, interval) = ("{arch}.attention.recurrent_layers", "{arch}.full_attention_interval");
        let (has, of_block) = (
            |pattern| self.hyperparameters.has(pattern),
            |pattern| self.hyperparameters.number_of_block(pattern, block),
        );
        Some(match self.requirements.recurrent_blocks {
            RecurrentBlocks::None => false,
            RecurrentBlocks::WithoutKeyValueHeads => of_block(if has(kv_heads) { kv_heads } else { heads })? == 0,
            RecurrentBlocks::BetweenFullAttention if self.predicts_next_token(block) => false,
            RecurrentBlocks::BetweenFullAttention if has(layers) => of_block(layers)? > 0,
            RecurrentBlocks::BetweenFullAttention => {
                let interval = if has(interval) { self.hyperparameters.number(interval)? } else { 4 };
                if interval == 0 {
                    return None;
                }
                !(block + 1).is_multiple_of(interval)
            }
        })
    }
}
