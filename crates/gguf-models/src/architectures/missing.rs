//! The keys and tensors that a model lacks.

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::rules::{Extent, Loading, Problem, Rules, TensorName, place_of, write_name};
use super::table::architecture_info;
use super::tensor_group::Place;
use gguf_format::format::header::Header;

/// A key or a tensor without which llama.cpp refuses the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingRequirement {
    /// A key, without the name of the architecture: `attention.head_count`.
    Key(&'static str),
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
    /// The name of the tensor as in a rule: without the place, and without `.weight`.
    name: &'static str,
}

impl RequiredTensor {
    /// A tensor that a rule names.
    pub(crate) fn new(name: TensorName, block: i64) -> Self {
        let (place, own) = place_of(name);
        Self { place, block: u64::try_from(block).unwrap_or(0), name: own }
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
/// is empty if llama.cpp does not load the architecture. Takes time in proportion to the number of tensors.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, write::encode::Encoder};
/// use gguf_models::architectures::{MissingRequirement, missing_requirements};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 2)
///     .kv(b"general.architecture", &"llama".into())
///     .kv(b"llama.block_count", &0u32.into())
///     .tensor_info(b"token_embd.weight", &[32, 2], 0, 0);
///
/// let missing = missing_requirements(&gguf_format::parse(file.as_bytes())?);
/// assert_eq!(missing[0], MissingRequirement::Key("context_length"));
/// let MissingRequirement::Tensor(last) = missing[missing.len() - 1] else { panic!("{missing:?}") };
/// assert_eq!(last.to_string(), "output_norm.weight");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn missing_requirements(header: &Header) -> Vec<MissingRequirement> {
    let Some(architecture) = header.architecture().map(|name| name.to_bytes()) else { return Vec::new() };
    let info = architecture_info(&architecture).filter(|info| info.is_loaded);
    let Some(rules) = info.and_then(|info| Rules::of(info.name)) else { return Vec::new() };
    let problems = Loading::run(&rules, header, &architecture, &[], Extent::All).problems;
    let missing = problems.into_iter().filter_map(|problem| match problem {
        Problem::MissingKey { name, .. } => Some(MissingRequirement::Key(name)),
        Problem::MissingTensor { name, block } => Some(MissingRequirement::Tensor(RequiredTensor::new(name, block))),
        _ => None,
    });
    missing.collect()
}
