//! The methods of `Editor` that plan the edited file.

use wasm_bindgen::prelude::*;

use super::Editor;
use crate::edit::header_plan::HeaderPlan;
use crate::interop::thrown::Thrown;
use crate::plan::edit_plan::EditPlan;

#[wasm_bindgen]
impl Editor {
    /// Plans the edited file. Nothing is read or written. Later changes are not part of the plan.
    ///
    /// @throws {GgufError} `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    /// @example
    /// const plan = editor.plan();
    /// console.log(plan.inPlace ? plan.patches() : plan.size);
    pub fn plan(&self) -> Result<EditPlan, Thrown> {
        Ok(EditPlan::new(self.file.clone(), self.edit.plan(self.file.file_size())?))
    }

    /// Plans the edited header without the data of the tensors. In contrast to `plan`, it also works if the original file is
    /// truncated or its size is not known. Nothing is read or written. Later changes are not part of the plan.
    ///
    /// @throws {GgufError} `limit-exceeded`, `too-large`.
    /// @example
    /// const { headerSize, dataOffset, findings } = editor.planHeader();
    #[wasm_bindgen(js_name = planHeader)]
    pub fn plan_header(&self) -> Result<HeaderPlan, Thrown> {
        Ok(HeaderPlan::new(self.file.header.clone(), self.edit.plan_header(self.file.file_size())?))
    }
}
