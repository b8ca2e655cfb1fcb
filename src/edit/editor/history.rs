//! The methods of `Editor` that list, undo, redo and revert changes.

use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use super::Editor;
use super::change_record::{apply_record, revert_record};
use super::change_records::ChangeRecords;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, argument_type, as_object, describe, failure};
use gguf_format::edit::{Edit, HistoryStep};

argument_type!(GivenChange: "Change");

#[wasm_bindgen]
impl Editor {
    /// The changes in the order in which they were made, without those that were undone or reverted.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Change[]")]
    pub fn changes(&self) -> JsArray {
        let records = self.change_records.get_or_init(|| RefCell::new(ChangeRecords::new(self.edit.header().clone())));
        records.borrow_mut().update(&self.file.header, self.edit.changes())
    }

    /// The undone changes and reverts. `redo` redoes the last one first. An undone revert has the kind `revert`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Change[]")]
    pub fn undone(&self) -> JsArray {
        let records = JsArray::new();
        let mut edit = self.edit.with_first_changes(usize::MAX);
        for step in self.edit.undone().iter().rev() {
            records.push(&self.step_record(&edit, step));
            edit.redo_step(step);
        }
        records.reverse()
    }

    /// Whether there is a change or a revert that `undo` can undo.
    #[wasm_bindgen(getter, js_name = canUndo)]
    pub fn can_undo(&self) -> bool {
        self.edit.can_undo()
    }

    /// Whether there is a change or a revert that `redo` can redo.
    #[wasm_bindgen(getter, js_name = canRedo)]
    pub fn can_redo(&self) -> bool {
        self.edit.can_redo()
    }

    /// Undoes the last change or revert, and returns it. Returns `undefined` if there is none.
    ///
    /// @example
    /// editor.set("general.name", "My model");
    /// console.log(editor.undo()?.key); // "general.name"
    #[wasm_bindgen(unchecked_return_type = "Change | undefined")]
    pub fn undo(&mut self) -> JsValue {
        self.listing.take();
        if self.edit.undo() { self.next_redo_record() } else { JsValue::UNDEFINED }
    }

    /// Redoes the change or revert that was undone last, and returns it. Returns `undefined` if there is none: a new change
    /// discards everything that was undone.
    #[wasm_bindgen(unchecked_return_type = "Change | undefined")]
    pub fn redo(&mut self) -> JsValue {
        let record = self.next_redo_record();
        self.listing.take();
        self.edit.redo();
        record
    }

    /// Reverts one of the `changes`: the file becomes what it would be if that change had never been made and all others had.
    /// The change is no longer in `changes`. `undo` brings it back.
    ///
    /// A revert that is refused changes nothing. The code is `conflict` if a later change depends on the change: for example,
    /// if it changes the entry that the change added. Otherwise it says why a later change cannot be made without the change:
    /// `key-taken` if another entry has the key of a removed entry.
    ///
    /// @throws {GgufError} `unknown-change`, `conflict`, `key-taken`, `name-taken`, `does-not-fit`, `bad-alignment`,
    /// `limit-exceeded`, `unsupported-version`.
    /// @example
    /// editor.set("general.name", "My model");
    /// editor.remove("general.license");
    /// editor.revert(editor.changes[0]); // The license is still removed.
    pub fn revert(&mut self, change: &GivenChange) -> Result<(), Thrown> {
        let id = as_object(change).map(|change| change.get("id")).transpose()?.and_then(|id| id.as_f64());
        let position = self.edit.changes().iter().position(|made| Some(made.id.0 as f64) == id);
        let Some(position) = position else {
            return Err(failure!(UnknownChange:
                "cannot revert {}: it is not one of the current `changes` of this editor", describe(change)));
        };
        self.change(|edit| edit.revert(position))
    }
}

impl Editor {
    /// The object of an undone step, which `edit` would redo next.
    fn step_record(&self, edit: &Edit, step: &HistoryStep) -> JsValue {
        let header = &self.file.header;
        match step {
            HistoryStep::Make(changes) => apply_record(header, edit, changes),
            HistoryStep::Revert { position, .. } => {
                let before = edit.with_first_changes(*position);
                let reverted = edit.changes().get(*position);
                reverted.map_or(JsValue::UNDEFINED, |reverted| revert_record(header, &before, reverted))
            }
        }
    }

    /// The object of the step that `redo` would redo.
    fn next_redo_record(&self) -> JsValue {
        self.edit.undone().last().map_or(JsValue::UNDEFINED, |step| self.step_record(&self.edit, step))
    }
}
