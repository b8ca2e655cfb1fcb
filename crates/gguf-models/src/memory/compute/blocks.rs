//! Which blocks compute the same.

use alloc::{vec, vec::Vec};

use crate::architectures::split_place;
use crate::memory::layers::Layers;
use crate::memory::model::Model;

/// A number for each block: the same for blocks with the same tensors, heads and caches. Layers that predict further tokens are
/// not computed.
pub(in crate::memory) fn kinds(model: &Model<'_>, layers: &Layers) -> Vec<u64> {
    let mut kinds = vec![0_u64; (model.layer_count - model.next_token_count) as usize];
    for tensor in model.header.tensors() {
        let name = tensor.name().to_bytes();
        let (_, block, name) = split_place(&name);
        let Some(kind) = usize::try_from(block).ok().and_then(|block| kinds.get_mut(block)) else { continue };
        let dimensions = tensor.dimension_iter().fold(0, mix);
        *kind = kind.wrapping_add(name.iter().fold(dimensions, |hash, byte| mix(hash, u64::from(*byte))));
    }
    for (block, kind) in kinds.iter_mut().enumerate() {
        let (numbers, kept) = (&model.layers[block], &layers.kept[block]);
        let flags = [kept.attention, kept.sees_window, kept.state, kept.indexer].map(u64::from);
        *kind = flags.into_iter().chain([numbers.heads, numbers.key_value_heads]).fold(*kind, mix);
    }
    kinds
}

/// A step of the hash FNV-1a.
fn mix(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(0x0100_0000_01b3)
}
