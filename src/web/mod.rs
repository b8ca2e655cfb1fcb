//! The JavaScript API: what wasm-bindgen makes the npm package of.
//!
//! Documentation comments on exported items are written for the JavaScript reader: they become the
//! comments of the generated type declarations.

#[cfg(feature = "edit")]
mod edit;
mod interop;
mod reader;
mod source;
#[cfg(feature = "know")]
mod validate;
#[cfg(feature = "values")]
mod values;

/// Half the size of the standard library's allocator.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Throws the message and the position of a panic. `boundary.js` makes a `GgufError` with the code `internal` of it.
#[cfg(all(target_family = "wasm", not(test)))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    // On the stack: the panic may say that there is no memory left.
    let mut message = interop::panic_message::PanicMessage::new();
    let _ = core::fmt::write(&mut message, format_args!("{info}"));
    wasm_bindgen::throw_str(message.as_str())
}
