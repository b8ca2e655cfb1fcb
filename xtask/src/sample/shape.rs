//! The extents of the model, which metadata and tensors share.

pub const BLOCKS: u32 = 5;
pub const EMBEDDING: u32 = 256;
pub const FEED_FORWARD: u32 = 512;
pub const HEADS: u32 = 4;
pub const KV_HEADS: u32 = 2;
/// The length of a head's keys, queries and values.
pub const HEAD: u32 = EMBEDDING / HEADS;
