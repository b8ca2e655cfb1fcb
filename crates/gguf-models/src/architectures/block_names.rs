//! The numbers of blocks in the names of tensors.

use super::tensor_group::Place;
use crate::decimal::split_decimal;
use gguf_format::format::header::Header;

const PLACES_OF_BLOCKS: [Place; 3] = [Place::Block, Place::EncoderBlock, Place::DecoderBlock];

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
