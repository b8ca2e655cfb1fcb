//! Which of the tensors that the requirements name a model has.

use alloc::vec::Vec;

use super::requirements::{Place, Requirements};
use crate::format::header::Header;
use crate::know::decimal::split_decimal;

/// The names of the tensors that an architecture requires or uses, each with the blocks that have it.
pub(super) struct PresentTensors {
    names: Vec<(Place, &'static str)>,
    block_count: usize,
    /// A row of `block_count` elements for each name. Tensors outside of the blocks use the first element.
    is_present: Vec<bool>,
}

const PLACES_OF_BLOCKS: [Place; 3] = [Place::Block, Place::EncoderBlock, Place::DecoderBlock];

impl PresentTensors {
    /// Looks at each tensor of the header once. Tensors of blocks from `block_count` on are ignored.
    pub(super) fn of(header: &Header, requirements: &Requirements, block_count: u64) -> Self {
        let mut names = Vec::new();
        for group in requirements.tensors() {
            names.extend(group.names.iter().chain(&group.alternative).map(|name| (group.place, *name)));
        }
        names.push((Place::Block, ROUTER));
        let block_count = usize::try_from(block_count).unwrap_or_default().max(1);
        let mut is_present = vec![false; names.len() * block_count];
        for tensor in header.tensors() {
            let name = tensor.name().to_bytes();
            let (place, block, name) = split_place(&name);
            let Some(block) = usize::try_from(block).ok().filter(|block| *block < block_count) else { continue };
            for (index, (own_place, own_name)) in names.iter().enumerate() {
                if *own_place == place && own_name.as_bytes() == name {
                    is_present[index * block_count + block] = true;
                }
            }
        }
        Self { names, block_count, is_present }
    }

    /// Whether the model has a tensor. The name is one of the requirements.
    pub(super) fn has(&self, place: Place, block: u64, name: &str) -> bool {
        let block = usize::try_from(block).unwrap_or(usize::MAX);
        let index = self.names.iter().position(|own| *own == (place, name));
        index.is_some_and(|index| block < self.block_count && self.is_present[index * self.block_count + block])
    }
}

/// The tensor that chooses the experts. A block that has it has experts.
pub(super) const ROUTER: &str = "ffn_gate_inp.weight";

/// The number of the last block that has a tensor, plus 1. `None` if no tensor is named `blk.N.…`.
pub(crate) fn block_count_of_tensors(header: &Header) -> Option<u64> {
    header.tensors().filter_map(|tensor| Some(block_and_name(&tensor.name().to_bytes())?.0 + 1)).max()
}

/// The number of the block that a tensor belongs to, and its name in the block: `blk.3.attn_q.weight` is `attn_q.weight`
/// of block 3. `None` for a tensor outside of the blocks, and for those of an encoder or a decoder.
pub(crate) fn block_and_name(name: &[u8]) -> Option<(u64, &[u8])> {
    match split_place(name) {
        (Place::Block, block, name) => Some((block, name)),
        _ => None,
    }
}

/// Splits the name of a tensor: `blk.3.attn_q.weight` is `attn_q.weight` of block 3. The block is 0 outside of the blocks.
pub(crate) fn split_place(name: &[u8]) -> (Place, u64, &[u8]) {
    for place in PLACES_OF_BLOCKS {
        let after_prefix = name.strip_prefix(place.prefix().as_bytes()).and_then(split_decimal);
        if let Some((block, [b'.', rest @ ..])) = after_prefix {
            return (place, block.into(), rest);
        }
    }
    (Place::Model, 0, name)
}
