//! The findings of the checks of planned files.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, once};
use crate::plan::edit_plan::EditPlan;
use crate::validate::findings;

#[wasm_bindgen]
impl EditPlan {
    /// The findings of the checks of the edited file: problems, and facts that are worth knowing.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Finding[]")]
    pub fn findings(&self) -> Result<JsArray, Thrown> {
        once(&self.findings, || {
            let edited = Rc::new(self.header.planned(self.plan())?);
            Ok(findings::list(&edited, Some(self.plan().size()), None))
        })
    }
}
