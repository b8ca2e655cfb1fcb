//! The host of asynchronous work: JavaScript's event loop.

use core::future::Future;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::interop::promises::resolved;
use crate::interop::timer::yield_to_event_loop;
use gguf_format::io::Host;

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
    async fn load_foreign() -> gguf_format::error::Result<()> {
        crate::interop::fork_types::load().await
    }

    #[cfg(feature = "values")]
    fn convert_foreign(
        type_name: &str,
        columns: usize,
        rows: &[u8],
        elements: &mut [f32],
    ) -> gguf_format::error::Result<()> {
        crate::interop::fork_types::convert(type_name, columns, rows, elements)
    }
}
