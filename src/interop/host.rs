//! The host of asynchronous work: JavaScript's event loop.

use core::future::Future;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::interop::promises::resolved;
#[cfg(feature = "values")]
use crate::interop::thrown::Thrown;
use crate::interop::timer::yield_to_event_loop;
#[cfg(feature = "values")]
use gguf_format::error::Result;
use gguf_format::io::Host;

#[cfg(feature = "values")]
#[wasm_bindgen(raw_module = "glue/fork-types.js")]
extern "C" {
    /// A promise of the module that converts tensor types of other programs.
    #[wasm_bindgen(js_name = loadForkTypes)]
    fn load_fork_types() -> JsValue;
    /// Converts whole groups of rows with that module.
    #[wasm_bindgen(js_name = convertRows, catch)]
    fn convert_rows(
        type_name: &str,
        columns: f64,
        rows: &[u8],
        elements: &mut [f32],
    ) -> core::result::Result<(), Thrown>;
}

/// JavaScript's event loop.
pub(crate) struct EventLoop;

impl Host for EventLoop {
    fn spawn(task: impl Future<Output = ()> + 'static) {
        spawn_local(task);
    }

    async fn end_of_turn() {
        let _ = resolved(JsValue::UNDEFINED).await;
    }

    async fn next_turn() {
        yield_to_event_loop().await;
    }

    #[cfg(feature = "values")]
    async fn load_foreign() -> Result<()> {
        resolved(load_fork_types()).await?;
        Ok(())
    }

    #[cfg(feature = "values")]
    fn convert_foreign(type_name: &str, columns: usize, rows: &[u8], elements: &mut [f32]) -> Result<()> {
        Ok(convert_rows(type_name, columns as f64, rows, elements)?)
    }
}
