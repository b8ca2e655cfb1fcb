//! The JavaScript API: what wasm-bindgen makes the npm package of.
//!
//! Documentation comments on exported items are written for the JavaScript reader: they become the
//! comments of the generated type declarations.

mod abort;
mod apply;
mod arguments;
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
#[cfg(all(target_family = "wasm", not(test)))]
mod panic_message;
mod planned;
mod preview;
mod ranges;
mod shared_file;
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

/// Throws the message and the position of a panic. `boundary.js` makes a `GgufError` with the code `internal` of it.
#[cfg(all(target_family = "wasm", not(test)))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    // On the stack: the panic may say that there is no memory left.
    let mut message = panic_message::PanicMessage::new();
    let _ = core::fmt::write(&mut message, format_args!("{info}"));
    wasm_bindgen::throw_str(message.as_str())
}
