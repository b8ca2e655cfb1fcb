//! The method of `GgufSet` that begins an edit.

use wasm_bindgen::prelude::*;

use super::set::GgufSet;
use crate::edit::editor::Editor;
use crate::interop::thrown::Thrown;

#[wasm_bindgen]
impl GgufSet {
    /// Begins an edit of the first shard, which has the metadata. Its plan is the new first shard; the other shards stay as they
    /// are. To write one file with the changes, use `set.merged.edit()`.
    ///
    /// @throws {GgufError} `incomplete-set` if the first shard is missing; `freed`.
    /// @example
    /// const editor = set.edit();
    /// editor.set("general.name", "My model");
    /// await editor.plan().applyTo(handleOfFirstShard);
    pub fn edit(&self) -> Result<Editor, Thrown> {
        self.merged.state()?;
        match self.shards.first().map(|shard| &shard.file) {
            Some(Ok(gguf)) => gguf.edit(),
            _ => Err(self.incomplete("edit the model")),
        }
    }
}
