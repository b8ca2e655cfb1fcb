//! The JavaScript API: what wasm-bindgen makes the npm package of.
//!
//! Documentation comments on exported items are written for the JavaScript reader: they become the
//! comments of the generated type declarations.

mod abort;
mod apply;
mod array;
mod blocks;
mod change;
mod dequantize;
mod edit_plan;
mod editor;
mod error;
mod extent;
mod file;
mod findings;
mod gguf;
mod http;
mod js;
mod listing;
mod new_value;
mod numbers;
mod opened;
mod options;
mod planned;
mod preview;
mod ranges;
mod source;
mod statistics;
mod stored;
mod stream;
mod tensor;
mod timer;
mod typescript;
mod value;
mod write_stream;
mod writer;

/// Half the size of the standard library's allocator.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Traps, and tells nobody why: where messages cannot be shown, they and what makes them would be 2 kB of download.
#[cfg(all(target_family = "wasm", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
