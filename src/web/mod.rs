//! The JavaScript API: what wasm-bindgen makes the npm package of.
//!
//! Documentation comments on exported items are written for the JavaScript reader: they become the
//! comments of the generated type declarations.

#[cfg(any(feature = "convert", feature = "models"))]
mod convert;
#[cfg(any(feature = "edit", feature = "files"))]
mod edit;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "hub")]
mod hub;
mod interop;
#[cfg(feature = "know")]
mod know;
#[cfg(all(target_family = "wasm", not(test)))]
mod panic;
mod reader;
mod source;
#[cfg(any(feature = "know", feature = "models"))]
mod validate;
#[cfg(feature = "values")]
mod values;
#[cfg(feature = "write")]
mod write;
