//! Output matrices that the configuration says are the embedding.

use alloc::vec::Vec;

use super::rule::{Found, Piece};
use gguf_format::error::Result;

/// The output, unless the configuration says that it is the embedding.
pub(super) fn untied(found: &Found<'_>) -> Result<Vec<Piece>> {
    match found.config.boolean("tie_word_embeddings")? {
        Some(true) => Ok(Vec::new()),
        _ => Ok(vec![found.piece(found.view.clone())]),
    }
}
