//! The method of `Gguf` that begins an edit.

use wasm_bindgen::prelude::*;

use crate::edit::editor::Editor;
use crate::interop::thrown::Thrown;
use crate::reader::gguf::Gguf;

#[wasm_bindgen]
impl Gguf {
    /// Begins an edit of the file. Nothing is written until a plan of the edited file is written.
    ///
    /// @example
    /// const editor = gguf.edit();
    /// editor.set("general.name", "My model");
    /// const edited = editor.plan().toBlob(file);
    pub fn edit(&self) -> Result<Editor, Thrown> {
        Ok(Editor::new(self.state()?.file.clone()))
    }
}
