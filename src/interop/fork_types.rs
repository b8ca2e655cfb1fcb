//! The module that converts tensor types of other programs.

use wasm_bindgen::prelude::*;

use crate::interop::promises::resolved;
use crate::interop::thrown::Thrown;
use gguf_format::error::Result;

#[wasm_bindgen(raw_module = "glue/fork-types.js")]
extern "C" {
    /// A promise of the module.
    #[wasm_bindgen(js_name = loadForkTypes)]
    fn load_fork_types() -> JsValue;
    /// Converts whole groups of rows with the module.
    #[wasm_bindgen(js_name = convertRows, catch)]
    fn convert_rows(
        type_name: &str,
        columns: f64,
        rows: &[u8],
        elements: &mut [f32],
    ) -> core::result::Result<(), Thrown>;
}

/// Loads the module.
pub(super) async fn load() -> Result<()> {
    resolved(load_fork_types()).await?;
    Ok(())
}

/// Converts whole groups of rows.
pub(super) fn convert(type_name: &str, columns: usize, rows: &[u8], elements: &mut [f32]) -> Result<()> {
    Ok(convert_rows(type_name, columns as f64, rows, elements)?)
}
