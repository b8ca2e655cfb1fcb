//! The method of `Gguf` that begins to edit.

use wasm_bindgen::prelude::*;

use crate::web::edit::editor::Editor;
use crate::web::reader::gguf::Gguf;

#[wasm_bindgen]
impl Gguf {
    /// Begins to change the file. Nothing is written before the plan of the changed file is.
    ///
    /// @example
    /// const editor = gguf.edit();
    /// editor.set("general.name", "My model");
    /// const edited = editor.plan().toBlob(file);
    pub fn edit(&self) -> Result<Editor, JsValue> {
        Ok(Editor::new(self.state()?.opened.clone()))
    }
}
