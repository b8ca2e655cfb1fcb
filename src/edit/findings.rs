//! The findings of the checks of headers and new files.

use alloc::sync::Arc;

use wasm_bindgen::prelude::*;

use crate::edit::editor::listing::decode_plan;
use crate::edit::header_plan::HeaderPlan;
use crate::edit::writer::GgufWriter;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, once};
use crate::validate::findings;
use gguf_format::decode::decoder::parse;
use gguf_models::validate::described_findings;

#[wasm_bindgen]
impl GgufWriter {
    /// The findings of the checks of the new file as it is now: problems, and facts that are worth knowing. The list is made anew each
    /// time.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Finding[]")]
    pub fn findings(&self) -> Result<JsArray, Thrown> {
        let header = Arc::new(parse(&self.planned().header()?)?);
        Ok(findings::frozen_list(&described_findings(&header, Some(self.planned().size()), None)))
    }
}

#[wasm_bindgen]
impl HeaderPlan {
    /// The findings of the checks that need only the header. `Editor.validate` also makes those that need the file size.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Finding[]")]
    pub fn findings(&self) -> Result<JsArray, Thrown> {
        once(&self.findings, || Ok(findings::list(&decode_plan(&self.original, &self.plan)?, None, None)))
    }
}
