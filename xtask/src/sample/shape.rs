//! The dimensions of the model, for its metadata and its tensors.

pub const BLOCKS: u32 = 5;
pub const EMBEDDING: u32 = 256;
pub const FEED_FORWARD: u32 = 512;
pub const HEADS: u32 = 4;
pub const KV_HEADS: u32 = 2;
/// The length of the keys, queries and values of a head.
pub const HEAD: u32 = EMBEDDING / HEADS;
